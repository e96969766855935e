"""A correction of what is remembered: the statement with the one value changed that it gives anew.

Either it names what it is about ("the dentist has moved to Thursday"), or it only gives the value and means what was
told last ("scratch that, it's 280"). The value takes the place of the one of its kind; all other words stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.act_words import Part, Token, tokens_of
from memory.alike_words import alike_any
from memory.function_words import function_words_of
from memory.memory_words import Language, language
from memory.statement_parts import Word, Wording, wording
from memory.value_spans import Value, ValueKind, value_spans

_MARKS = (Part.CORRECT, Part.CORRECT_WEAK, Part.CHANGE)
_BESIDE = (Part.LEAD, Part.AFTER, Part.POINT, Part.THAT, Part.KEEP, Part.JOIN)
_PLAIN = (
    "copula",
    "called",
    "place",
    "filler",
    "correction",
    "negation",
    "instead",
    "wish",
    "person",
    "first",
    "we",
    "asking",
)
_CLAUSE = re.compile(r"[^,;:.!?]+")
_NAME = 3
"""Words of a name, at most."""
_HALF = 0.5
"""Share of what a correction is about that the statement must tell: its verb may be another."""
_BY_THE_WAY = 2
"""Words that a correction may have beside its value without saying what it is about."""
_WHEN = frozenset({ValueKind.TIME, ValueKind.DAY})
_THIRD = 0.3
"""The same where by its meaning it says that something was otherwise, and both begin with what they are about."""
_HOURS = 24
_ADDRESS = 1
"""Words beside the value of a mere value: who is spoken to."""


def is_value_alone(said: str, known: Language) -> bool:
    """Whether hardly more is said than a value or a place: "Tuesdays, love", "no, in the hall cupboard". Right behind a
    statement that corrects it."""
    tokens = tokens_of(said)
    marked = bool(known.acts.at(tokens, 0, Part.CORRECT, Part.CORRECT_WEAK)) or wording(said, known.code).negated
    left = _unmarked(tokens, known)
    values = value_spans(said, known)
    if values:
        words = _topic(said, left, values, known)
        apart = all(t.mark or t.start > values[0].start for t in tokens if any(w.text == t.text for w in words))
        apart = apart and (not words or bool(_token_at(tokens, values[-1].end).mark) or words[0].text == tokens[0].text)
        return len(words) <= _ADDRESS and apart and not (words and _has_verb(left, known))
    opens = next((t for t in left if t.text not in function_words_of(known.code) or _is_place(t, known)), None)
    return marked and opens is not None and _is_place(opens, known) and not _has_verb(left, known)


def _token_at(tokens: Sequence[Token], end: int) -> Token:
    """The last word that begins before this place in the text."""
    return [token for token in tokens if token.start < end][-1]


def _is_place(token: Token, known: Language) -> bool:
    return "place" in known.at([token.text], 0)[1]


def _has_verb(tokens: Sequence[Token], known: Language) -> bool:
    return any("copula" in known.at([token.text], 0)[1] for token in tokens)


@dataclass(frozen=True, slots=True)
class Corrected:
    """``content``: the statement as it is now. ``named``: how many of its words the correction names, of ``about`` that
    say what it is about."""

    content: str
    named: int
    about: int = 1

    @property
    def rank(self) -> tuple[int, float]:
        """How surely it is the one that is meant: the greater, the more so."""
        return self.named, self.named / max(1, self.about)


def corrected(said: str, code: str | None, old: str, old_code: str | None = None) -> Corrected | None:
    """The old statement as ``said`` corrects it; None where it does not. With ``named`` 0 it names nothing that it is
    about: whether it means this one is for the caller to know."""
    known, theirs = language(code), language(old_code or code)
    if known is None or theirs is None:
        return None
    tokens = tokens_of(said)
    values, denied = _values(said, known)
    words = wording(old, old_code or code).words
    if _of_others(said, (*values, *denied), old, value_spans(old, theirs)):
        return None
    if values:
        named: Sequence[Token] = tokens
        content = _with_values(values, denied, old, said, theirs)
    else:
        content, named = _with_name(said, tokens, known, old, theirs)
    topic = _topic(said, _unmarked(named, known), (*values, *denied), known)
    held = [alike_any(word, words) for word in {word.bare: word for word in topic}.values()]
    if content is None or content == old or (topic and not held[0]):
        return None
    if topic and sum(held) < _HALF * len(held) and not _told_again(old, theirs, topic):
        return None
    about = _topic(old, _unmarked(tokens_of(old), theirs), value_spans(old, theirs), theirs)
    return Corrected(content, sum(held), len(about))


def values_in(text: str, code: str | None) -> bool:
    """Whether a text tells a number, a time or a day."""
    known = language(code)
    return known is not None and bool(value_spans(text, known))


def shares_a_word(text: str, code: str | None, old: str, old_code: str | None) -> bool:
    """Whether a text and a statement have a word in common that says something."""
    theirs = wording(old, old_code or code).content
    return any(alike_any(word, theirs) for word in wording(text, code).content)


def may_be_the_same(said: str, code: str | None, old: str, old_code: str | None) -> bool:
    """Whether what is near by meaning may be about the same: one of both begins with something that the other names as
    well, and they number no different things. "Grandma's birthday" is not Grandpa's."""
    known, theirs = language(code), language(old_code or code)
    if known is None or theirs is None:
        return False
    values, there = value_spans(said, known), value_spans(old, theirs)
    mine, its = _subject(said, values, known, ()), _subject(old, there, theirs, ())
    begins = bool(mine and its) and (alike_any(mine[0], its) or alike_any(its[0], mine))
    return begins and not _of_others(said, values, old, there)


def rivalry(
    said: str, code: str | None, old: str, old_code: str | None, people: Sequence[Word], *, otherwise: bool = False
) -> float:
    """How much ``said`` is about what the old statement is about and says otherwise of it, 0 to 2; 0: it does not take
    its place. Another value of the same kind counts for half. ``people``: the household's names, which do not make two
    statements be about the same. ``otherwise``: by its meaning it says that something was otherwise before."""
    known, theirs = language(code), language(old_code or code)
    if known is None or theirs is None:
        return 0.0
    (values, _), there = _values(said, known), value_spans(old, theirs)
    mine, its = _subject(said, values, known, people), _subject(old, there, theirs, people)
    shared = [alike_any(word, its) for word in mine]
    held = [alike_any(word, mine) for word in its]
    if not any(shared) or _of_others(said, values, old, there):
        return 0.0
    marked = _is_marked(said, known)
    share = sum(shared) / min(len(mine), len(its))
    other = any(_answer_one_question(new, one) and new.text != one.text for new in values for one in there)
    if other:
        first = shared[0] or held[0]
        same = marked or (first and share > _HALF) or (otherwise and shared[0] and held[0] and share >= _THIRD)
        return share + _HALF if same else 0.0
    news, olds = wording(said, code), wording(old, old_code or code)
    if not values and not there and _is_elsewhere(news, olds, dropped=known.drops_pronouns):
        return 1.0
    alike_kind = any(news.has(kind) and olds.has(kind) for kind in ("place", "called"))
    enough = sum(shared) > 1 or (shared[0] and (share >= _HALF or alike_kind))
    return share if marked and enough else 0.0


def _is_elsewhere(new: Wording, old: Wording, *, dropped: bool) -> bool:
    """Whether both say where the same thing is. One word more may be what the speaker did with it ("I put it …", where
    the "I" may be ``dropped``), or each has another verb."""
    mine, its = _placed(new), _placed(old)
    more = [word for word in mine if not alike_any(word, its)]
    less = [word for word in its if not alike_any(word, mine)]
    verbs = len(more) <= 1 and (len(less) == len(more) or (not less and (dropped or new.has("first"))))
    one = new.negated == old.negated and new.conditions == old.conditions and not new.has("indefinite")
    return len(mine) > len(more) and verbs and one


def _placed(its: Wording) -> list[Word]:
    """What a statement says is somewhere: its words before the first one for a place; empty where it has none."""
    place = next((i for i, word in enumerate(its.words) if word.has("place")), 0)
    return [word for word in its.words[:place] if not (word.has(*_PLAIN) or word.function)]


def _of_others(said: str, values: Sequence[Value], old: str, there: Sequence[Value]) -> bool:
    """Whether both name which of several things is meant by a number, and not by the same: lamp 3, lamp 4."""
    mine, its = _numbers(said, values), _numbers(old, there)
    return bool(mine and its) and mine.isdisjoint(its)


def _numbers(text: str, values: Sequence[Value]) -> set[str]:
    return {m.group() for m in re.finditer(r"\d+", text) if not any(v.start <= m.start() < v.end for v in values)}


def _is_marked(said: str, known: Language) -> bool:
    """Whether a word says that it was otherwise before."""
    return any(known.acts.has(tokens_of(said), part) for part in _MARKS) or wording(said, known.code).negated


def exchanged(
    said: str, code: str | None, old: str, old_code: str | None, *, whole: bool = False, alone: bool = False
) -> str | None:
    """The old statement with the value that ``said`` gives; None where it gives no such one, or where it tells more and
    is not known to be about the same (``whole``). ``alone``: nothing but the value says what it is about."""
    known, theirs = language(code), language(old_code or code)
    if known is None or theirs is None:
        return None
    values, denied = _values(said, known)
    if not values or (not whole and len(_subject(said, (*values, *denied), known, ())) > _BY_THE_WAY):
        return None
    units = {value.unit for value in value_spans(old, theirs)}
    if alone and any(value.kind is ValueKind.NUMBER and value.unit and value.unit not in units for value in values):
        return None
    content = _with_values(values, denied, old, said, theirs)
    return None if content == old else content


def _subject(text: str, values: Sequence[Value], known: Language, people: Sequence[Word]) -> list[Word]:
    words = _topic(text, _unmarked(tokens_of(text), known), values, known)
    return [word for word in {word.bare: word for word in words}.values() if not alike_any(word, people)]


def _told_again(old: str, theirs: Language, topic: Sequence[Word]) -> bool:
    """Whether the correction names all that the statement is about: "the rent has gone up to …"."""
    about = _topic(old, _unmarked(tokens_of(old), theirs), value_spans(old, theirs), theirs)
    return bool(about) and all(alike_any(word, topic) for word in about) and not wording(old, theirs.code).has("wish")


def _unmarked(tokens: Sequence[Token], known: Language) -> list[Token]:
    """The words without those that only say that something is corrected."""
    left, place = [], 0
    while place < len(tokens):
        length = known.acts.at(tokens, place, *_MARKS) or known.acts.at(tokens, place, *_BESIDE)
        if not length:
            left.append(tokens[place])
        place += length or 1
    return left


def _values(said: str, known: Language) -> tuple[list[Value], list[Value]]:
    """The values that are said to hold, and those that are said not to ("280, not 270")."""
    found = value_spans(said, known)
    denied = wording(said, known.code).denied
    clauses = [(m.start(), m.end()) for m in _CLAUSE.finditer(said)]
    against = [(a, b) for a, b in clauses if wording(said[a:b], known.code).negated] if len(clauses) > 1 else []
    wrong = [
        v
        for v in found
        if any(v.text in (text, text.split(" ")[0]) for _, text in denied)
        or any(a <= v.start < b and not _begins(said[a:b], known) for a, b in against)
    ]
    return [v for v in found if v not in wrong], wrong


def _begins(clause: str, known: Language) -> bool:
    """Whether the clause only begins with a "no" that takes back what was said before."""
    return bool(known.acts.at(tokens_of(clause), 0, Part.CORRECT, Part.CORRECT_WEAK))


def _topic(said: str, left: Sequence[Token], values: Sequence[Value], known: Language) -> list[Word]:
    """The words by which it names what it is about."""
    said_of = [t for t in left if not any(v.start <= t.start < v.end for v in values)]
    text = " ".join(said[t.start : t.end] for t in said_of)
    function = function_words_of(known.code)
    its = wording(text, known.code)
    verb_last = known.endings and said_of and said_of[-1].end == tokens_of(said)[-1].end
    words = its.words[:-1] if verb_last else its.words  # in whatever form
    return [w for w in words if not w.has(*_PLAIN) and w.text not in function and not _is_unit(w, known)]


def _is_unit(word: Word, known: Language) -> bool:
    return any(concept.startswith("units:") for concept in known.at([word.text], 0)[1])


def _with_values(values: Sequence[Value], denied: Sequence[Value], old: str, said: str, theirs: Language) -> str | None:
    there = list(value_spans(old, theirs))
    changes: list[tuple[Value, Value]] = []
    for value in values:
        if any(one.kind is value.kind and one.text == value.text for one in there):
            continue
        fitting = [one for one in there if _answer_one_question(value, one) and all(one is not o for o, _ in changes)]
        wrong = [one for one in fitting if any(one.text == no.text for no in denied)]
        if not (wrong or fitting) or (len(fitting) > 1 and not wrong and len(values) == 1):
            return None  # which of them it is nobody says: "from seven to eight", "from half past seven"
        changes.append(((wrong or fitting)[-1], value))
    if not changes:
        return None
    for before, now in sorted(changes, key=lambda pair: -pair[0].start):
        text = said[now.start : now.end]
        if now.start == 0 and old[before.start].islower():
            text = text[:1].lower() + text[1:]
        start = before.start + max(0, _taken_up(text, old[before.start : before.end]))
        old = f"{old[:start]}{text}{old[before.end :]}"
    return old


def _taken_up(value: str, before: str) -> int:
    """Where the older value has the word that the new one begins with ("huit heures moins le quart", "moins dix"); -1:
    nowhere."""
    words = tokens_of(value)
    return next((t.start for t in tokens_of(before) if words and t.text == words[0].text), -1)


def _answer_one_question(new: Value, old: Value) -> bool:
    if {new.kind, old.kind} == {ValueKind.TIME, ValueKind.NUMBER}:
        number = new if new.kind is ValueKind.NUMBER else old
        return not (new.unit or old.unit) and _is_hour(number.text)  # "at three", "at half past two"
    if new.kind is not old.kind:
        return False
    return new.kind in _WHEN or not new.unit or new.unit == old.unit or not old.unit


def _is_hour(number: str) -> bool:
    return number.isdigit() and int(number) <= _HOURS


def _with_name(
    said: str, tokens: Sequence[Token], known: Language, old: str, theirs: Language
) -> tuple[str | None, Sequence[Token]]:
    """The old statement with another name or place, where the correction gives one behind its verb; and the words
    before that."""
    for kind in ("called", "place", "copula"):
        if kind == "copula" and known.endings and not (tokens and _copula(tokens[-1].text, known)):
            continue
        new, before = _tail(tokens, known, kind), _tail(tokens_of(old), theirs, kind)
        if new is not None and before is not None:
            content = f"{old[: before[0]]}{said[new[0] : new[1]]}{old[before[1] :]}"
            return content, [token for token in tokens if token.start < new[0]]
    name = _bare_name(said, tokens, known)
    tails = (_tail(tokens_of(old), theirs, kind) for kind in ("called", "copula"))
    before = next((tail for tail in tails if tail is not None), None)
    if name is not None and before is not None:
        return f"{old[: before[0]]}{name}{old[before[1] :]}", ()
    return None, tokens


def _bare_name(said: str, tokens: Sequence[Token], known: Language) -> str | None:
    """The name that is all that a correction says: "no, Doctor Baker"."""
    left = _unmarked(tokens, known)
    function = function_words_of(known.code)
    if known.endings or not 0 < len(left) <= _NAME or left[-1].end != tokens[-1].end:
        return None
    named = all(said[token.start].isupper() and token.text not in function for token in left)
    return said[left[0].start : left[-1].end] if named else None


def _tail(tokens: Sequence[Token], known: Language, kind: str) -> tuple[int, int] | None:
    """Where what is named stands: behind the last word of this kind; before it, where that stands last. A place is told
    with its word."""
    if known.endings and kind == "copula" and tokens:
        last = tokens[-1]
        return last.start, last.end - _copula(last.text, known)
    places = [i for i, t in enumerate(tokens) if kind in known.at([t.text], 0)[1]]
    if not places:
        return None
    place = places[-1]
    if kind == "place":
        verbs = [i for i, t in enumerate(tokens) if "copula" in known.at([t.text], 0)[1]]
        place = next((i for i in places if not verbs or i > verbs[0]), place)
        return (tokens[place].start, tokens[-1].end) if place + 1 < len(tokens) else None
    if place + 1 < len(tokens):
        end = next((i for i in range(place + 1, len(tokens)) if tokens[i].mark), len(tokens) - 1)
        return tokens[place + 1].start, tokens[end].end
    return (tokens[place - 1].start, tokens[place - 1].end) if place > 0 else None


def _copula(word: str, known: Language) -> int:
    """Letters of the copula that is written to a word."""
    forms = (phrase[0] for phrase, concepts in known.whole.items() if "copula" in concepts and len(phrase) == 1)
    return max((len(form) for form in forms if word.endswith(form) and len(form) < len(word)), default=0)
