"""What a sentence puts right of the one before, which asked for something and was not carried out yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from homeagent.history.when.future_time_reader import pieces_of
from homeagent.languages.concepts import Reference, Role
from homeagent.understanding.clauses import Number
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_parts import Part, parts_of
from homeagent.understanding.tokeniser import tokenise

_BESIDE_A_TIME = 6
"""So many words at most stand beside a time that takes the place of another ("… would be better")."""
_BESIDE_A_PART = 3
"""So many words that say something at most stand beside another thing or value ("… I meant to say")."""
_LEADS = (Role.TO, Role.BY, Role.AT, Role.PLACE)
_ENDS, _WITHIN = " .!?…", " ,;"


def put_right(before: str, said: str, names: HomeNames) -> str | None:
    """The sentence ``before`` with what is ``said`` now in place of what it corrects: another time, or, behind a word
    that corrects, another thing or value. None where it corrects nothing of it.
    """
    if tokenise(said).asks or tokenise(before).asks:
        return None
    before = before.rstrip(_ENDS)
    if (meant := _at_another_time(before, said, names)) is not None:
        return meant
    return _with_another_part(before, said.rstrip(_ENDS), names)


def put_right_within(text: str, names: HomeNames) -> str:
    """The text with the time that it corrects itself left out: "at five, no, half past six"."""
    for mark in (t.start for t in tokenise(text).tokens[1:] if t.mark):
        if _corrects(text[mark:], names) and (
            meant := _at_another_time(text[:mark].rstrip(_WITHIN), text[mark:], names)
        ):
            return meant
    return text


def _corrects(said: str, names: HomeNames) -> bool:
    known = chain(*(names.pack.phrases.get(t.text, ()) for t in tokenise(said).tokens))
    return not {Reference.CORRECTS, Reference.INSTEAD}.isdisjoint(known)


def _with_another_part(before: str, said: str, names: HomeNames) -> str | None:
    """The sentence with the one value, thing, place or unexplained word that is said now in place of its last one of
    that sort. All but a number needs a word that corrects; what tells something else puts nothing right.
    """
    old, new = parts_of(before, names), parts_of(said, names)
    sorts = [[part for part, _ in new.numbers], new.colours, [*_first(new.named, new.places)], new.free]
    meant = next((found for found in sorts if found), ())
    others = [part for part in new.told if not part.overlaps(meant)]
    told = any(Role.COPULA in names.pack.phrases.get(word, ()) for part in others for word in part.words.split())
    others_of_kind = [part for part, _ in new.kinds if not part.overlaps(meant)]
    if len(meant) != 1 or told or others_of_kind or new.unmeant or new.conditional or len(others) > _BESIDE_A_PART:
        return None
    wrong = {
        0: [part for part, _ in old.numbers],
        1: old.colours,
        2: [*_first(old.places if not new.named else old.named, old.named)],
        3: old.free,
    }[sorts.index(meant)]
    if not wrong or not (_corrects(said, names) or sorts[0]):
        return None
    put = _as_before(old.numbers[-1], new.numbers[0], names) if sorts[0] else meant[0].words
    return f"{before[: wrong[-1].first]}{put}{before[wrong[-1].last :]}"


def _as_before(old: tuple[Part, Number], new: tuple[Part, Number], names: HomeNames) -> str:
    """The words of a number with the preposition and the unit of the one before, where it has none: "*to* 20 *%*"."""
    words, said = old[0].words.split(), new[0].words.split()
    leads = not {*_LEADS}.isdisjoint(names.pack.phrases.get(words[0], ())) and words[0] != said[0]
    ends = old[1].unit is not None and new[1].unit is None and len(words) > 1 + leads
    return " ".join([*words[:leads], *said, *(words[-1:] if ends else [])])


def _first(*sorts: Sequence[tuple[Part, object]]) -> Iterator[Part]:
    return (part for part, _ in next((found for found in sorts if found), ()))


def _at_another_time(before: str, said: str, names: HomeNames) -> str | None:
    """The sentence with its last time replaced by the one that is said now; None where either says none."""
    language = names.pack.language
    times, new = pieces_of(before, language), pieces_of(said, language)
    if not times or not new:
        return None
    parts = parts_of(said, names)
    first, last = new[0].first, max(p.last for p in new)
    beside = tokenise(f"{said[:first]} {said[last:]}").tokens
    if parts.named or parts.kinds or parts.conditional or len(beside) > _BESIDE_A_TIME:
        return None
    for old in reversed(times):
        stretch, lead = said[first:last], before[old.first : old.last].split()[0] + " "
        for time in (stretch,) if stretch.startswith(lead) else (lead + stretch, stretch):
            found = pieces_of(time, language)
            alike = len(found) == 1 and found[0].slot is old.slot and found[0].value != old.value
            if alike and (found[0].first, found[0].last) == (0, len(time)):
                return f"{before[: old.first]}{time}{before[old.last :]}"
    return None
