"""All that the stretches of a sentence may say, before anybody decides what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.languages.concepts import (
    Attribute,
    Colour,
    Complaint,
    Concept,
    Count,
    Dimension,
    Form,
    Heading,
    Level,
    ListAction,
    Mode,
    Particle,
    Question,
    Reference,
    Role,
    StateWord,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.compounds import by_another_head, by_first_part, halves
from homeagent.understanding.courtesies import courtesies
from homeagent.understanding.day_parts import parts_of_days
from homeagent.understanding.endings import calls_somebody, hanging, told, without_endings
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.items_said import items_said, lists_meant
from homeagent.understanding.mishearing import left_hanging, meant, phrases_meant, typed_apart
from homeagent.understanding.phrase_readings import CONCEPT, KIND, LONGER, NAME, ROLES, of_safety, phrase_span, spans_of
from homeagent.understanding.separable_verbs import (
    denied_by_a_stop,
    is_infinitive,
    leads_to_a_noun,
    phrasal,
    separated,
    written_apart,
)
from homeagent.understanding.spans import (
    Choice,
    Free,
    InArea,
    Named,
    OfChoice,
    OnFloor,
    Source,
    Span,
    TimeOfDay,
    is_of_home,
)
from homeagent.understanding.tokeniser import Sentence, Token, is_time_of_day
from homeagent.understanding.word_meanings import base_of
from indexer.normalise import decomposed, unaccented

Lattice = list[list[Span]]
"""For each token the spans that begin there. A word may always be free: that costs most."""

Choices = Mapping[str, tuple[Choice, ...]]
"""What things of the home offer to be set to, by its comparable words."""

_FREE, _FREE_ADVERB, _FREE_THOUGH_KNOWN = 2.6, 1.2, 1.0
_NUMBER = 0.1
_ENDING, _OTHER_FORM = 0.05, 0.15
_AS_SPELLED = (Colour, Count, Level, Mode, Question, Role, White)
"""What is meant by the very form only: "oranges" are no colour."""
_LEADING = (Role.COURTESY, Role.ENSURE)
_COUNTING = 3
"""Words that a number may have."""
_FOREIGN = 3
"""Words that a name may have which is written in other letters than its own."""
_LONG = re.compile(r"(.)\1\1+")
"""Letters that are drawn out: "pleeease"."""
_PLAIN = frozenset({Verb.TURN_ON, Verb.TURN_OFF, Verb.OPEN, Verb.CLOSE, Verb.DO})
"""What a verb says with its particle that the particle says alone."""
_DEEDS = (Verb, Heading, ListAction)


_LINKS = 2
"""So many small words may stand within a name that has none of its own: "the backlight of the TV"."""


def lattice(sentence: Sentence, names: HomeNames, choices: Choices | None = None) -> Lattice:
    """The spans of a sentence in a home, by the token that each begins with. ``choices``: what the home's things can be
    set to.
    """
    tokens = sentence.tokens
    found: Lattice = [[] for _ in tokens]
    known = [False] * len(tokens)
    for span in (*_said(tokens, names), *_chosen(tokens, choices or {}), *_numbers(tokens)):
        found[span.first].append(span)
        for i in range(span.first, span.end):
            known[i] = True
    for span in tuple(_transcribed(tokens, known, names, choices or {})):
        found[span.first].append(span)
        known[span.first : span.end] = [True] * (span.end - span.first)
    for span in tuple(parts_of_days(tokens, found, names.pack.language)):
        found[span.first].append(span)
        known[span.first : span.end] = [True] * (span.end - span.first)
    if not names.pack.postpositions:
        _units_where_counted(tokens, found)
    for first, end in courtesies(tokens, names.pack):
        found[first].append(phrase_span(first, end, Role.COURTESY))
    for i, token in enumerate(tokens):
        if leads_to_a_noun(tokens, i, names):
            found[i] = [s for s in found[i] if not isinstance(s.meaning, Particle | StateWord)]
        if (
            not i
            and len(tokens) > 1
            and tokens[1].mark
            and Reference.CORRECTS in names.pack.phrases.get(token.text, ())
        ):
            found[i] = [s for s in found[i] if not isinstance(s.meaning, Question)]  # "no, only the lamp"
        if i and token.mark and Role.THAT in names.pack.phrases.get(token.text, ()):
            found[i].append(phrase_span(i, i + 1, Role.REASON))
    for span in tuple(left_hanging(tokens, names)):
        found = [[s for s in spans if s.end != span.end or s.end - s.first == 1] for spans in found]  # no "one of" then
        found[span.first].append(span)
    for span in (*typed_apart(tokens, names, known, _said), *phrases_meant(tokens, names)):
        found[span.first].append(span)
    for first, second, said in written_apart(tokens, names):
        deeds = any(isinstance(m, _DEEDS) for m in said)
        if (
            deeds and _opens_its_clause(tokens, first, names) and not _PLAIN & set(said)
        ):  # "halt … an" has nothing to do with "on"
            found[second] = [s for s in found[second] if not isinstance(s.meaning, Particle)]
        for place in (first, second):
            found[place].extend(Span(place, place + 1, meaning, CONCEPT) for meaning in said)
            known[place] = True
    for *both, said in phrasal(tokens, names):
        for start, end in both:
            found[start].extend(Span(start, end, meaning, CONCEPT, Source.PARTED) for meaning in said)
            known[start:end] = [True] * (end - start)
    for i, token in enumerate(tokens):
        if not known[i] and not token.quoted:
            spans = list(_by_parts(i, token, names))
            if i and not spans:  # an ending that is written apart: "조리대 쪽은"
                spans = [phrase_span(i, i + 1, role) for role in names.pack.endings.get(decomposed(token.text), ())]
            spans += _telling(token, spans, names)
            if not spans and (short := _LONG.sub(r"\1", token.text)) != token.text:
                spans = [s for word in (short, _LONG.sub(r"\1\1", token.text)) for s in spans_of(word, i, i + 1, names)]
            if not spans:
                spans = list(meant(tokens, i, known, names))
            for span in spans:
                found[span.first].append(span)
    for i, token in enumerate(tokens):
        free = _free(i, token, names, known=known[i])
        found[i].append(free)
        if not known[i] and not token.quoted:
            roles = hanging(token.text, names)
            if calls_somebody(token.text, names) and all(_is_courtesy(t, names) for t in tokens[:i]):
                roles = (*roles, Role.COURTESY)
            found[i] += [replace(free, meaning=role, source=Source.ENDING) for role in roles]
    for i in range(len(tokens)):
        if any(isinstance(s.meaning, _DEEDS) and s.end == i + 1 for s in found[i]) and is_infinitive(tokens, i, names):
            found[i].append(Span(i, i + 1, Form.INFINITIVE, CONCEPT))
    found = _unbroken(denied_by_a_stop(tokens, found, names))
    for read in (lists_meant, items_said):
        for span in tuple(read(tokens, found, names)):
            found[span.first].append(span)
    for span in tuple(of_safety(tokens, names.pack, found)):
        found[span.first].append(span)
    return found


_UNBROKEN = (Question.OTHER, Question.ADVICE, Role.AUXILIARY, Role.TOLD)


def _unbroken(found: Lattice) -> Lattice:
    """The lattice without spans that split fixed phrases: "how" in "how do I", "she" in "she has"; without floors in
    directions ("plus bas").
    """
    ways = [(s.first, s.end) for spans in found for s in spans if isinstance(s.meaning, Heading)]
    found = [
        [s for s in spans if not isinstance(s.meaning, OnFloor) or not any(_reads_apart(s, *w) for w in ways)]
        for spans in found
    ]
    firm = [s for spans in found for s in spans if s.meaning in _UNBROKEN and s.end - s.first > 1]
    told = [(s.first, s.end) for s in firm if s.meaning is Role.TOLD]  # "j'ai oublié": of two that overlap this one
    whole: list[tuple[int, int]] = []
    for s in sorted(firm, key=lambda s: s.first - s.end):  # of two others that overlap the longer one, else the first
        if not any(_reads_apart(s, *stretch) for stretch in (*told, *whole)):
            whole.append((s.first, s.end))
    return [[s for s in spans if not any(_reads_apart(s, *stretch) for stretch in whole)] for spans in found]


def is_called_by_name(token: Token, names: HomeNames) -> bool:
    """Whether a word with a capital letter is all of a name."""
    return token.raw[:1].isupper() and names.called(token.text)[1] == 1


def _is_courtesy(token: Token, names: HomeNames) -> bool:
    return Role.COURTESY in names.pack.phrases.get(token.text, ())


def _opens_its_clause(tokens: Sequence[Token], place: int, names: HomeNames) -> bool:
    """Whether no other verb precedes the token within its part of the sentence."""
    for i in range(place - 1, -1, -1):
        said = names.pack.phrases.get(tokens[i].text, ())
        if tokens[i + 1].mark or Role.JOIN in said:
            return True
        if any(isinstance(c, Verb) for c in said):
            return False
    return True


def _reads_apart(span: Span, first: int, end: int) -> bool:
    """Whether a span covers only part of a stretch, or crosses one of its ends."""
    overlaps = span.first < end and first < span.end
    return overlaps and not (span.first <= first and end <= span.end)


def _said(tokens: Sequence[Token], names: HomeNames) -> Iterator[Span]:
    """What the stretches without a mark inside say as they are spelled; number words within names are read as digits
    too. What introduces an order may hold marks: "it would be nice, if you …".
    """
    longest = max(names.pack.longest, names.longest + _LINKS)
    digits = names.pack.digits
    stems = [tuple(without_endings(t.text, names)) for t in tokens]
    for first, token in enumerate(tokens):
        if token.quoted:
            continue
        texts: list[str] = []
        marked = False
        for end in range(first + 1, min(len(tokens), first + longest) + 1):
            last = tokens[end - 1]
            if last.quoted:
                break
            texts.append(last.text)
            marked = marked or bool(end - first > 1 and last.mark)
            if marked:
                said = names.pack.phrases.get(" ".join(texts), ())
                yield from (Span(first, end, role, ROLES[role]) for role in _LEADING if role in said)
                continue
            spans = list(spans_of(" ".join(texts), first, end, names)) or list(
                _without_endings(texts, first, end, names, stems[end - 1])
            )
            if " ".join(texts) in names.owners and not _is_led(tokens, first, names):
                spans = [s for s in spans if not isinstance(s.meaning, InArea)]  # "the kids are asleep"
            if len(texts) == 1:
                spans = _as_spelled(token, spans, names)
            elif not spans and last.text not in names.pack.kinds and (base := base_of(last, names)) is not None:
                several = spans_of(" ".join((*texts[:-1], base)), first, end, names)
                spans = [replace(s, cost=s.cost + _OTHER_FORM) for s in several if isinstance(s.meaning, Named)]
            if len(texts) > 1 and _tells_how(tokens, end, names):
                spans = [s for s in spans if not is_of_home(s.meaning)]  # "the light's on": it is, and owns nothing
            if len(texts) > 1 and any(is_called_by_name(t, names) for t in tokens[max(first, 1) : end]):
                spans = [s for s in spans if not isinstance(s.meaning, Role)]  # "et Ben": no "eh bien"
            for bare in names.unlinked(texts) if not spans else ():
                named = spans_of(bare, first, end, names)
                spans = spans or [s for s in named if isinstance(s.meaning, Named) and not s.meaning.part]
            if not spans and len(texts) > 1 and any(t in digits for t in texts):
                numbered = spans_of(" ".join(digits.get(t, t) for t in texts), first, end, names)
                spans = [s for s in numbered if isinstance(s.meaning, Named)]
            yield from spans


def _tells_how(tokens: Sequence[Token], end: int, names: HomeNames) -> bool:
    """Whether the last word of a stretch is a copula contracted with the word before: how it is follows, small words
    aside ("the light's still on").
    """
    last, pack = tokens[end - 1], names.pack
    if last.text not in pack.contractions or not last.follows_an_apostrophe:
        return False
    for token in tokens[end : end + _COUNTING]:
        said = pack.phrases.get(token.text, ())
        if token.mark or not said:
            return False
        if any(isinstance(c, Particle | StateWord | Complaint) for c in said):
            return True
        if Role.FILLER not in said and Role.NEGATION not in said:
            return False
    return False


def _is_led(tokens: Sequence[Token], place: int, names: HomeNames) -> bool:
    """Whether a preposition of place stands before a token, and none that says whom something is done for."""
    said = names.pack.phrases.get(tokens[place - 1].text, ()) if place else ()
    return Role.PLACE in said and Role.SERVED not in said


def _chosen(tokens: Sequence[Token], choices: Choices) -> Iterator[Span]:
    """The spans that name a choice some thing offers, such as "HDMI 2"."""
    longest = max((phrase.count(" ") + 1 for phrase in choices), default=0)
    for first in range(len(tokens)):
        for end in range(first + 1, min(len(tokens), first + longest) + 1):
            phrase = " ".join(t.text for t in tokens[first:end])
            if phrase in choices:
                yield Span(first, end, OfChoice(choices[phrase]), NAME - LONGER * (end - first))


def _transcribed(tokens: Sequence[Token], known: Sequence[bool], names: HomeNames, choices: Choices) -> Iterator[Span]:
    """The spans of unexplained words that write a name or a choice in Latin letters as it sounds: "벤" for "Ben"."""
    letters = names.pack.transcribed
    offered = letters.by_sound(c for c in choices if c.isascii())
    for first in range(len(tokens) if letters.rules else 0):
        for end in range(first + 1, min(len(tokens), first + _FOREIGN) + 1):
            stretch = tokens[first:end]
            if any(known[first:end]) or any(t.quoted for t in stretch) or any(t.mark for t in stretch[1:]):
                break
            *before, last = (t.text for t in stretch)
            for stem, roles in ((last, ()), *without_endings(last, names)):
                text = " ".join((*before, stem))
                own = text.isascii() or stem in names.vocabulary
                sound = "" if own else letters.of(text)
                said = [s for n in names.transcribed.get(sound, ()) for s in spans_of(n, first, end, names)]
                said += [Span(first, end, OfChoice(choices[c]), NAME) for c in offered.get(sound, ())]
                if said:
                    yield from (replace(s, cost=s.cost + _OTHER_FORM) for s in said)
                    yield from (
                        Span(first, end, r, NAME + _ENDING, Source.ENDING) for r in roles if r is not Role.FILLER
                    )
                    break


def _without_endings(
    texts: Sequence[str], first: int, end: int, names: HomeNames, stems: Sequence[tuple[str, tuple[Concept, ...]]]
) -> Iterator[Span]:
    """What a stretch says without the suffix of its last word, and what the suffix says, as one cell."""
    for stem, roles in stems:
        spans = list(spans_of(" ".join((*texts[:-1], stem)), first, end, names))
        if spans:
            dear = max(s.cost for s in spans) + _ENDING
            yield from (replace(s, cost=s.cost + _ENDING) for s in spans)
            yield from (Span(first, end, role, dear, Source.ENDING) for role in roles if role is not Role.FILLER)
            return


def _as_spelled(token: Token, spans: Sequence[Span], names: HomeNames) -> list[Span]:
    """What a word means only in the spelling it was typed in, accents included. A verb whose form tells something is
    marked as a statement.
    """
    raw = token.raw.casefold()
    own, misread = names.pack.spelled.get(raw), names.pack.misread
    if own is not None and raw != token.text:
        spans = [s for s in spans if is_of_home(s.meaning) or isinstance(s.meaning, StateWord) or s.meaning in own]
    if misread is not None and (plain := unaccented(raw)) != token.text:
        spans = [s for s in spans if s.meaning not in misread.get(plain, ())]
    return [*spans, *_telling(token, spans, names)]


def _telling(token: Token, spans: Sequence[Span], names: HomeNames) -> Iterator[Span]:
    verbs = [s for s in spans if isinstance(s.meaning, _DEEDS)]
    if verbs and told(token, names):
        yield Span(verbs[0].first, verbs[0].end, Role.STATEMENT, ROLES[Role.STATEMENT])


def _by_parts(place: int, token: Token, names: HomeNames) -> Iterator[Span]:
    """What a word means by its parts or by another form of it."""
    base = base_of(token, names)
    forms = (token.text,) if base is None else (token.text, base)
    if base is not None:
        spans = spans_of(base, place, place + 1, names)
        yield from (replace(s, cost=s.cost + _OTHER_FORM) for s in spans if not isinstance(s.meaning, _AS_SPELLED))
    for form in forms:
        if (
            said := separated(form, names)
            or halves(form, names)
            or by_another_head(form, names)
            or by_first_part(form, names)
        ):
            yield from (Span(place, place + 1, meaning, KIND + _OTHER_FORM) for meaning in said)
            return


def _numbers(tokens: Sequence[Token]) -> Iterator[Span]:
    for i, token in enumerate(tokens):
        if token.glued or token.quoted:
            continue
        if is_time_of_day(token.text):
            yield Span(i, i + 1, TimeOfDay(token.text), _NUMBER)
        elif token.text[0].isdigit():
            yield Span(i, i + 1, Count(float(token.text)), _NUMBER)


def _units_where_counted(tokens: Sequence[Token], found: Lattice) -> None:
    """Takes of a word that is a unit or a small word ("grad") the meaning that it has not here: it is a unit behind
    what is counted, and where it is written as a noun."""
    for i, token in enumerate(tokens):
        own = [s for s in found[i] if s.end == i + 1]
        units = [s for s in own if isinstance(s.meaning, Unit) and s.meaning is not Unit.NTH]
        small = [s for s in own if s.meaning is Role.FILLER]
        if not units or not small:
            continue
        before = [s for spans in found[max(0, i - _COUNTING) : i] for s in spans if s.end == i]
        counted = any(isinstance(s.meaning, Count | Level) or s.meaning is Question.HOW_MANY for s in before)
        measures = [s for s in own if isinstance(s.meaning, Unit | Dimension | Attribute)]
        out = small if counted or (i > 0 and token.raw[:1].isupper()) else measures
        found[i] = [s for s in found[i] if s not in out]


def _free(place: int, token: Token, names: HomeNames, *, known: bool) -> Span:
    adverb = bool(names.pack.adverb_endings) and token.text.endswith(names.pack.adverb_endings)
    cost = (_FREE_ADVERB if adverb else _FREE) + (_FREE_THOUGH_KNOWN if known else 0.0)
    return Span(place, place + 1, Free(adverb, token.quoted), cost)
