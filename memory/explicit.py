"""What people ask of memory outright: to remember, to correct, to call something, to forget; without a model.

How it is said stands in `memory.act_words` and `memory.act_reading`; here it becomes what is to be kept or to go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from memory.act_contents import ENDS, Contents, contents_of, is_order, span
from memory.act_reading import Act, ActKind
from memory.act_words import Part, tokens_of
from memory.corrections import is_value_alone
from memory.extract import Candidate
from memory.memory_words import language
from memory.model import Sensitivity, Subject
from memory.naming_sentences import IsThing, no_thing
from memory.purposes import Purpose, Purposes
from memory.statement_parts import wording
from memory.telling import Sentence, read_sentence, tells, told_part, weight
from memory.tokens import sentences
from memory.told import (
    ASKED,
    Teller,
    candidate_of,
    capital,
    is_statement,
    named_so,
    only_points,
    tells_something,
    without_lead,
)
from memory.value_spans import value_spans

_MIDDLING, _HINT = 0.3, 0.05
"""Shares from which something is told rather than taken back, and a word for a change means one."""
_BROKEN_OFF = ("...", "…")
"""Ends of a sentence that was never finished."""
_FORGET_THAT = 2
"""Words of a request to forget that names nothing."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of memory: a statement to ``keep``, in words what to ``forget``, or a correction.

    ``sure`` False: it may well mean something else ("remember the milk", "forget the timer"). ``tells`` False: what is
    to be kept is no statement by itself. ``corrects``: it takes another one's place, and nothing without that: what
    ``correction`` says. ``last``: it points at what was told last. ``erases``: what is to be deleted may be no memory.
    """

    keep: Candidate | None = None
    forget: str | None = None
    sure: bool = True
    tells: bool = True
    corrects: bool = False
    correction: str | None = None
    last: bool = False
    erases: bool = False
    likely: bool = False
    """By its meaning it is a correction, or takes something back, whatever that is."""
    otherwise: bool = False
    """By its meaning it says that something was otherwise before."""
    alone: bool = False
    """Hardly more than a value is said: it corrects what the turn right before told, or nothing."""
    restates: bool = False
    """It is told only if it says otherwise what is remembered in much the same words."""

    @property
    def forgets(self) -> bool:
        """Whether something is to be forgotten."""
        return self.last or self.forget is not None


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence: what it asks of memory, and what else it says. ``settled``: it is for memory alone."""

    text: str
    asked: tuple[Asked, ...] = ()
    rest: str = ""


def heard_in(
    text: str,
    code: str,
    speaker: str | None = None,
    subjects: Sequence[Subject] = (),
    is_thing: IsThing = no_thing,
    purposes: Purposes = MappingProxyType({}),
) -> list[Heard]:
    """Each sentence of ``text`` with what it asks of memory, in order.

    ``speaker``: the user id; what they say of themselves is theirs alone. ``subjects``: what the sentence points at
    ("call this…"). Who asks to call something by a name must name a thing of the home (``is_thing``), or point at one:
    people ask to call a doctor, and to name the capital of a country. ``purposes``: what its sentences are meant as.
    """
    known = language(code)
    said = sentences(text, code)
    if known is None:
        return [Heard(one, rest=one) for one in said]
    teller = Teller(known, speaker, tuple(subjects), is_thing)
    read = [replace(read_sentence(one, known), purpose=purposes.get(one, Purpose())) for one in said]
    read[:-1] = [Sentence(one.text) if one.text.rstrip(" \"'»”").endswith(_BROKEN_OFF) else one for one in read[:-1]]
    return _Turn(read, teller, purposes).heard()


def asked_of_memory(
    text: str, code: str, speaker: str | None = None, subjects: Sequence[Subject] = (), is_thing: IsThing = no_thing
) -> list[Asked | None]:
    """What each sentence of ``text`` asks of memory, in order; None where it asks nothing of it. Parameters as of
    `heard_in`."""
    found: list[Asked | None] = []
    for one in heard_in(text, code, speaker, subjects, is_thing):
        found += one.asked or (None,)
    return found


def said_outright(
    text: str, code: str, speaker: str | None = None, subjects: Sequence[Subject] = (), is_thing: IsThing = no_thing
) -> list[Candidate]:
    """The statements that ``text`` itself wants kept, in order; mostly none. Parameters as of `heard_in`."""
    found = asked_of_memory(text, code, speaker, subjects, is_thing)
    return [one.keep for one in found if one is not None and one.keep is not None and one.tells and not one.corrects]


@dataclass(frozen=True, slots=True)
class _Correction:
    """``changes``: it is one only by a word within it ("now"), not by what it begins with."""

    asked: Asked
    changes: bool


class _Turn:
    """Reads the sentences of a turn, each with those beside it."""

    def __init__(self, said: Sequence[Sentence], teller: Teller, purposes: Purposes) -> None:
        self._said = said
        self._purposes = purposes
        self._parts = {text.strip(ENDS): purpose for text, purpose in purposes.items()}
        self._teller = teller
        self._known = teller.known
        self._heard = [Heard(one.text, rest=one.text) for one in said]
        self._taken: set[int] = set()

    def heard(self) -> list[Heard]:
        for beside in (False, True):
            for place, one in enumerate(self._said):
                if place not in self._taken:
                    any(self._request(place, one, act, beside=beside) for act in one.acts)
        for place in range(len(self._said)):
            if place not in self._taken and not self._heard[place].asked:
                self._otherwise(place)
        return self._heard

    def _request(self, place: int, one: Sentence, act: Act, *, beside: bool) -> bool:
        """Whether the sentence makes this request; then it is taken. ``beside``: what it is about may stand in another
        one."""
        found = contents_of(one.text, one.tokens, act, self._known)
        if found is None or (act.kind is ActKind.KEEP and one.purpose.is_listed):
            return False
        if act.kind is ActKind.FORGET:
            if beside or found.statements:
                self._forgetting(place, act, found)
        elif self._says_it(found := self._weightier(one, found)) and not self._only_points_back(place, act, found):
            self._keeping(place, act, found)
        elif beside:
            if act.core is not Part.KEEP_WEAK or act.points or act.colon:
                self._beside(place, act)
            if place not in self._taken and found.statements and not self._only_points_back(place, act, found):
                self._keeping(place, act, found)
        return place in self._taken

    def _says_it(self, found: Contents) -> bool:
        """Whether the request itself says what it is about, and no mere reason for it."""
        return any(is_statement(text, self._known) for text in found.statements)

    def _weightier(self, one: Sentence, found: Contents) -> Contents:
        """What stands before the request, where that tells something and what follows is only said by the way:
        "…, remember that for me as I always mix it up"."""
        if not found.rest or self._opens_with_order(one):
            return found
        if found.statements and not self._says_it(found) and is_statement(found.rest, self._known):
            return Contents((found.rest,))
        before = self._part(found.rest, one)
        if before.purpose.statement < _MIDDLING or not one.text.startswith(found.rest):
            return found
        heavy = weight(before, self._known) > max((self._weight(text, one) for text in found.statements), default=0.0)
        return Contents((found.rest,)) if heavy else found

    def _part(self, text: str, one: Sentence) -> Sentence:
        """A part of a sentence, with what it is meant as by itself, or else the whole."""
        meant = self._parts.get(text.strip(ENDS), one.purpose)
        return replace(read_sentence(text, self._known), purpose=meant)

    def _weight(self, text: str, one: Sentence) -> float:
        return weight(self._part(text, one), self._known)

    def _only_points_back(self, place: int, act: Act, found: Contents) -> bool:
        """Whether the request is about the sentence before it, and what it says itself is by the way: "note that, or I
        ask again"."""
        if not self._told_before(place) and not (place and self._said[place - 1].purpose.is_listed):
            return False
        if act.points and act.comma:
            return True
        one = self._said[place]
        return not (act.that or act.colon) and all(
            not tells(self._part(text, one), self._known) for text in found.statements
        )

    def _opens_with_order(self, one: Sentence) -> bool:
        """Whether an order stands first, politeness aside: "could you dim the lamp, and note down that …"."""
        place = 0
        while length := self._known.acts.at(one.tokens, place, Part.LEAD, Part.YOU, Part.MODAL):
            place += length
        return is_order(one.tokens, 0, self._known) or is_order(one.tokens, place, self._known)

    def _told_before(self, place: int) -> bool:
        """Whether the sentence before tells something, so that "note that, …" points at it."""
        before = self._said[place - 1] if place else None
        return before is not None and tells(before, self._known)

    def _keeping(self, place: int, act: Act, found: Contents) -> None:
        one = self._said[place]
        asked = [kept for text in found.statements if (kept := self._kept(text, act, found.marked, one)) is not None]
        if not asked:
            return
        self._heard[place] = replace(self._heard[place], asked=tuple(asked), rest=found.rest)
        self._taken.add(place)

    def _beside(self, place: int, act: Act) -> None:
        """What it is about stands in the sentence before it, or else in the one behind it."""
        before = next((other for other in reversed(range(place)) if not self._said[other].asks), -1)
        for other in (before, place + 1):
            if 0 <= other < len(self._said) and self._takes_over(other, act, place):
                self._heard[place] = replace(self._heard[place], rest="")
                self._taken.add(place)
                return

    def _takes_over(self, place: int, act: Act, request: int) -> bool:
        """Whether the sentence is what the request is about; then it is kept."""
        other = self._said[place]
        if place in self._taken or other.asks or not other.tokens:
            return False
        if is_order(other.tokens, 0, self._known) or other.purpose.is_listed:
            return False
        text = other.text.strip(ENDS)
        kept = self._kept(
            text, act, True, replace(other, in_confidence=other.in_confidence or self._said[request].in_confidence)
        )
        if kept is None:
            return False
        self._heard[place] = replace(self._heard[place], asked=(kept,), rest="")
        self._taken.add(place)
        return True

    def _kept(self, text: str, act: Act, marked: bool, one: Sentence) -> Asked | None:
        teller, known = self._teller, self._known
        text = without_lead(text, known)
        if only_points(text, known):
            return None
        keep = named_so(text, teller) or candidate_of(text, teller, ASKED)
        if one.in_confidence or wording(one.text, known.code).has("confide"):
            keep = replace(keep, user_id=teller.speaker, sensitivity=Sensitivity.PRIVATE)
        told = (
            (marked and is_statement(text, known))
            or keep.key is not None
            or tells_something(text, known)
            or tells(one, known)
        )
        if act.core is Part.KEEP_WEAK and not act.that:
            told = act.points or (told and not is_order(tokens_of(text), 0, known))
            return Asked(keep, sure=act.points, tells=told, correction=text)
        return Asked(
            keep, sure=told, tells=told, correction=text if known.acts.has(tokens_of(text), Part.CHANGE) else None
        )

    def _forgetting(self, place: int, act: Act, found: Contents) -> None:
        one = self._said[place]
        named = act.that or found.marked
        if not named and one.purpose.statement > max(one.purpose.retract, _MIDDLING):
            return
        if found.statements:
            text = found.statements[0].strip(ENDS)
            if only_points(text, self._known):
                return
            sure = act.core is Part.FORGET and (act.that or found.marked)
            erases = act.core is not Part.FORGET and not found.marked
            asked = Asked(forget=capital(text), sure=sure, erases=erases, likely=bool(self._purposes) or found.marked)
        elif act.points or act.core is Part.FORGET or found.marked:
            asked = Asked(sure=False, last=True, likely=bool(self._purposes))
            if asked.likely and len(wording(one.text, self._known.code).content) > _FORGET_THAT:
                asked = replace(asked, forget=one.text.strip(ENDS))
        else:
            return
        self._heard[place] = Heard(one.text, (asked,), found.rest)
        self._taken.add(place)

    def _otherwise(self, place: int) -> None:
        """What a sentence says that asks nothing of memory: a name for something, that something no longer holds, a
        correction, a liking."""
        one = self._said[place]
        named = named_so(one.text, self._teller)
        corrects = None if one.asks or (named is not None and named.key is not None) else self._correcting(place, one)
        asked: Asked | None = None
        rest = ""
        if named is not None and (named.key is not None or corrects is None or corrects.changes):
            asked = Asked(named)
        elif len(self._said) == 1 and (alone := self._value_alone(one)) is not None:
            asked = alone
        elif one.purpose.takes_back:
            asked = Asked(forget=one.text.strip(ENDS), sure=False, likely=True)
        elif (told := told_part(one, self._known, self._purposes)) is not None and is_statement(told, self._known):
            asked, rest = self._told(one, told), one.text.replace(told, "", 1)
        elif not one.asks:
            asked = self._ended(one) or (corrects.asked if corrects is not None else None)
        if asked is None and self._may_restate(one):
            asked, rest = Asked(self._told(one, one.text).keep, sure=False, corrects=True, restates=True), one.text
        if asked is not None:
            self._heard[place] = Heard(one.text, (asked,), rest.strip())
            self._taken.add(place)

    def _may_restate(self, one: Sentence) -> bool:
        known = self._known
        unsure = known.acts.has(one.tokens, Part.HYPOTHETICAL) or is_order(one.tokens, 0, known)
        return not (one.asks or unsure) and bool(self._purposes) and is_statement(one.text, known)

    def _ended(self, one: Sentence) -> Asked | None:
        words = self._known.acts
        for place in range(len(one.tokens)):
            if length := words.at(one.tokens, place, Part.ENDED):
                left = [*one.tokens[:place], *one.tokens[place + length :]]
                told = [t for i, t in enumerate(left) if not words.at(left, i, Part.LIGHT, Part.LEAD, Part.NEGATION)]
                text = " ".join(one.text[t.start : t.end] for t in told)
                return Asked(forget=capital(text), sure=False) if text else Asked(sure=False, last=True)
        return None

    def _correcting(self, place: int, one: Sentence) -> _Correction | None:
        """A correction, by what it begins with or what it says itself. It is one only of what is remembered."""
        words = self._known.acts
        start = 0
        while start < len(one.tokens):
            if not (length := words.at(one.tokens, start, Part.CORRECT, Part.CORRECT_WEAK)):
                break
            start += length
        text = span(one.text, one.tokens, start, len(one.tokens))
        if not text and start:
            self._corrected_beside(place)
            return None
        changes = words.has(one.tokens, Part.CHANGE) or words.has(one.tokens, Part.CORRECT)
        changes = changes or (wording(text, self._known.code).negated and len(value_spans(text, self._known)) > 1)
        if not (start or changes) or is_order(one.tokens, start, self._known):
            return None
        asked = Asked(
            candidate_of(text, self._teller, ASKED),
            sure=False,
            tells=tells_something(text, self._known),
            corrects=True,
            correction=one.text.strip(ENDS),
            likely=one.purpose.statement >= _HINT,
            otherwise=one.purpose.correct > one.purpose.tell,
        )
        return _Correction(asked, changes=not start)

    def _value_alone(self, one: Sentence) -> Asked | None:
        if one.asks or not is_value_alone(one.text, self._known):
            return None
        text = one.text.strip(ENDS)
        keep = candidate_of(text, self._teller, ASKED)
        return Asked(keep, sure=False, tells=False, corrects=True, correction=text, alone=True)

    def _corrected_beside(self, place: int) -> None:
        """ "Scratch that. It's 280.": the next sentence is the correction."""
        following = place + 1
        if following >= len(self._said) or following in self._taken:
            return
        other = self._said[following]
        if other.asks or is_order(other.tokens, 0, self._known):
            return
        text = other.text.strip(ENDS)
        asked = Asked(candidate_of(text, self._teller, ASKED), sure=False, tells=False, corrects=True, correction=text)
        self._heard[following] = Heard(other.text, (asked,), "")
        self._taken.add(following)

    def _told(self, one: Sentence, told: str) -> Asked:
        """What is told without being asked for, whole."""
        text = without_lead(told, self._known)
        keep = candidate_of(text, self._teller, ASKED)
        if one.in_confidence:
            keep = replace(keep, user_id=self._teller.speaker, sensitivity=Sensitivity.PRIVATE)
        otherwise = one.purpose.correct > one.purpose.tell
        return Asked(keep, sure=False, correction=capital(text), likely=True, otherwise=otherwise)
