"""What a speaker puts right within a sentence: "the lamp, no, the fan", "20, I mean 22", "not the lamp, the fan"."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.languages.concepts import (
    Colour,
    Concept,
    Count,
    Heading,
    Level,
    ListAction,
    Mode,
    Particle,
    Question,
    Reference,
    Role,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clauses import THINGS
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import lattice
from homeagent.understanding.segmentation import segmentations
from homeagent.understanding.spans import Cell, InArea, Named, OfKind, OnFloor
from homeagent.understanding.tokeniser import Sentence, Token, tokenise

_DASHES = frozenset("-–—")
_VALUES: tuple[type, ...] = (Count, Level, Colour, White, Mode, Heading, Particle)
_ORDERS = (Verb, Particle, Heading, ListAction)
_LINKS = (Role.FILLER, Role.ARTICLE, Role.PLACE, Role.PRONOUN)
_SMALL = (Role.COURTESY, Role.FILLER)
_LONGEST = 3
"""Words."""
_LEADS = (Role.TO, Role.BY, Role.AT, Role.PLACE)
_OF_A_CLAUSE = (Role.COPULA, Role.AUXILIARY, Role.STATEMENT, Role.CONDITION, Role.NEGATION)
_CONTRASTS: tuple[Concept, ...] = (Role.JOIN, Role.EXCEPT, Reference.CORRECTS)


def with_self_corrections(sentence: Sentence, names: HomeNames) -> Sentence:
    """The sentence with what the speaker corrected in it replaced; the sentence itself where nothing was."""
    if sentence.asks or not _may_be_mended(sentence.tokens, names):
        return sentence
    for cover in segmentations(lattice(sentence, names), keep=1):
        kept = _wanted(cover.cells, sentence.tokens, names) or _denied(cover.cells, sentence.tokens)
        kept = kept or _corrected(cover.cells, sentence.tokens)
        if kept is not None:
            before = (-1, *kept)
            texts = [
                _text(cover.cells[i], sentence.tokens, apart=k + 1 != i) for k, i in zip(before, kept, strict=False)
            ]
            return with_self_corrections(tokenise(" ".join(texts)), names)
    return sentence


def _may_be_mended(tokens: Sequence[Token], names: HomeNames) -> bool:
    """Whether it holds a word that denies or corrects, or two numbers; no other sentence need be read twice."""
    said = names.pack.phrases
    texts = [t.text for t in tokens]
    known = [" ".join(texts[i : i + n]) for n in range(1, _LONGEST + 1) for i in range(len(texts) - n + 1)]
    mending = (Reference.CORRECTS, Role.NEGATION, Role.REPLACED)
    if any(concept in said.get(t, ()) for t in known for concept in mending):
        return True
    if not names.pack.than.isdisjoint(texts) and any(Role.PREFERRED in said.get(t, ()) for t in known):
        return True
    return sum(t[0].isdigit() for t in texts) > 1


def _text(cell: Cell, tokens: Sequence[Token], *, apart: bool) -> str:
    """A cell's words as typed; the mark before it stays unless the cell before was removed (``apart``)."""
    said = tokens[cell.first : cell.end]
    raw = "".join(f"{t.gap if i else ''}{t.raw}" for i, t in enumerate(said))
    return raw if apart or not said[0].mark else f"{said[0].mark} {raw}"


def _parted(cell: Cell, tokens: Sequence[Token]) -> bool:
    """Whether a mark or a dash stands before a cell."""
    token = tokens[cell.first]
    return bool(token.mark) or (bool(_DASHES & set(token.gap)) and token.gap != token.gap.strip())


def _wanted(cells: Sequence[Cell], tokens: Sequence[Token], names: HomeNames) -> list[int] | None:
    """The indexes without what is not wanted: behind "instead of", behind "rather … than", or behind a "not" at the end
    where a single thing is ordered before ("the lamp on, not the fan"); None for other sentences.
    """
    if names.pack.postpositions:
        return None
    for place, cell in enumerate(cells):
        rather = any(c.says(Role.PREFERRED) for c in cells[:place])
        than = rather and place and tokens[cell.first].text in names.pack.than
        if cell.means(Role.REPLACED) or than:
            out = range(place, _end_of_phrase(cells, tokens, place + 1, leads=not any(map(_tells, cells[:place]))))
        elif place and cell.means(Role.NEGATION) and not cell.has(Verb) and _parted(cell, tokens):
            several = (Role.EVERY, Role.EVERYTHING)
            out = range(place, len(cells))
            named = [c for c in cells[place + 1 :] if not c.says(*_LINKS, Role.COURTESY) or c.has(*THINGS)]
            if not named or not all(c.has(*THINGS) for c in named) or any(c.says(*several) for c in cells[:place]):
                continue
        else:
            continue
        kept = [i for i in range(len(cells)) if i not in out]
        if len(out) > 1 and any(cells[i].has(*_ORDERS) or cells[i].says(Role.TO) for i in kept):
            return kept
    return None


def _tells(cell: Cell) -> bool:
    """Whether a cell says what is wanted: a thing, an item, an order."""
    return cell.free or cell.has(*THINGS, Verb, ListAction)


def _end_of_phrase(cells: Sequence[Cell], tokens: Sequence[Token], first: int, *, leads: bool) -> int:
    """Where the phrase ends that begins at a cell. One that leads is a single word where no other word ends it."""
    end = first
    while end < len(cells) and cells[end].says(*_LINKS) and not cells[end].has(*THINGS):
        end += 1
    noun = end
    while end < len(cells):
        cell = cells[end]
        ends = cell.has(*_ORDERS) or cell.says(Reference.INSTEAD, Reference.CORRECTS, Role.TO, Role.JOIN, Role.COURTESY)
        if end > noun and (ends or _parted(cell, tokens) or (cell.says(*_LINKS) and not cell.has(*THINGS))):
            return end
        end += 1
        if leads and cells[noun].free and end < len(cells) and cells[end].free:
            return end  # "statt Eiern Tofu"
    return end


def _denied(cells: Sequence[Cell], tokens: Sequence[Token]) -> list[int] | None:
    """The indexes without the part that opens with "not", where the alternative follows ("not A but B on"); None for
    other sentences.
    """
    first = next((i for i, c in enumerate(cells) if not c.means(*_SMALL) or c.says(Role.NEGATION)), 0)
    if not cells[first].means(Role.NEGATION) or cells[first].has(Verb):
        return None
    rest = range(first + 1, len(cells))
    end = next((i for i in rest if _parted(cells[i], tokens) or cells[i].means(*_CONTRASTS)), len(cells))
    named = cells[first + 1 : end]
    while end < len(cells) and cells[end].means(*_CONTRASTS, Role.COURTESY):
        end += 1
    meant = cells[end:]
    if not all(c.has(*THINGS) or c.says(*_LINKS, Role.COURTESY) for c in named) or not any(
        c.has(*THINGS) for c in named
    ):
        return None
    ordered = any(c.has(*THINGS) for c in meant) and any(c.has(*_ORDERS) for c in meant)
    ordered = ordered and not any(c.says(Reference.TOO) for c in meant)  # "not only the lamp, also the fan"
    return [*range(first), *range(end, len(cells))] if ordered else None


def _corrected(cells: Sequence[Cell], tokens: Sequence[Token]) -> list[int] | None:
    """The indexes in the order meant: what follows the correcting word takes the place of the last part of its sort;
    None where nothing is corrected.
    """
    for place in range(1, len(cells) - 1):
        cell = cells[place]
        hesitates = (
            cell.means(Role.COURTESY)
            and not cell.means(Role.OR, Role.JOIN)
            and cells[place - 1].has(Count)
            and cells[place + 1].has(Count)
        )
        firm = cell.end - cell.first > 1 or _parted(cell, tokens)
        if not (hesitates or cell.means(Reference.CORRECTS)) or cells[place - 1].says(Role.JOIN, Role.OR):
            continue
        behind = place + 1
        while behind < len(cells) and cells[behind].means(Reference.CORRECTS, Role.COURTESY):
            behind += 1
        that = behind + 1 if behind < len(cells) and cells[behind].says(Verb.DO) else behind
        if that < len(cells) - 1 and cells[that].means(Role.PRONOUN):
            behind = that + 1  # "make that the fan"
        before, meant = cells[:place], cells[behind:]
        if any(c.says(*_OF_A_CLAUSE) and not c.says(Role.ARTICLE, Role.FILLER) for c in meant):
            continue  # "wait, the kitchen light is on"
        if any(c.has(Verb, ListAction, Question) and not c.has(*THINGS, Particle) for c in meant):
            if _orders_anew(before, meant):
                return [*range(_last_order(before)), *range(behind, len(cells))]
            continue
        if firm or hesitates:
            wrong = _replaced(before, meant)
        else:
            wrong = _broken_off(before, meant) or _right_before(before, _replaced(before, meant))
        if any(c.has(*_ORDERS, *_VALUES) for c in before) and wrong:
            kept = [i for i in range(place) if i not in wrong]
            lead = [i for i in kept if i < wrong[0]]
            return [*lead, *range(behind, len(cells)), *kept[len(lead) :]]
    return None


def _broken_off(before: Sequence[Cell], meant: Sequence[Cell]) -> list[int]:
    """The indexes of a phrase that was begun and not ended ("the light in the, no, in the hall")."""
    end = len(before)
    while end and before[end - 1].means(Role.COURTESY):
        end -= 1
    start = end
    while start and before[start - 1].says(*_LINKS) and not before[start - 1].has(*THINGS, *_ORDERS, *_VALUES):
        start -= 1
    begun = any(c.says(Role.PLACE) for c in before[start:end]) and any(c.says(Role.PLACE) for c in meant[:1])
    return [*range(start, len(before))] if begun and before[end - 1].says(Role.ARTICLE, Role.PLACE) else []


def _right_before(before: Sequence[Cell], wrong: Sequence[int]) -> list[int]:
    """What is corrected with no mark beside the correcting word: only what was said last, small words aside."""
    behind = before[wrong[-1] + 1 :] if wrong else before
    return [*wrong, *range(wrong[-1] + 1, len(before))] if wrong and all(c.means(*_SMALL) for c in behind) else []


def _orders_anew(before: Sequence[Cell], meant: Sequence[Cell]) -> bool:
    """Whether the correction is a complete order with a thing, which replaces the one before."""
    first = next(c for c in (*(c for c in meant if not c.means(*_SMALL)), meant[0]))
    anew = first.has(Verb, ListAction) and not first.says(Verb.KEEP)
    return anew and any(c.has(*THINGS) for c in meant) and any(c.has(*_ORDERS) for c in before)


def _last_order(before: Sequence[Cell]) -> int:
    """The index at which the last order begins: behind a conjunction with a verb after it."""
    joins = [i for i in range(len(before) - 1) if before[i].means(Role.JOIN) and before[i + 1].has(Verb, ListAction)]
    return max(joins, default=-1) + 1


def _replaced(before: Sequence[Cell], meant: Sequence[Cell]) -> list[int]:
    """The indexes of what the correction replaces: the last part of the same sort as its first word."""
    first = next((c for c in meant if not c.says(*_LINKS) or c.has(*THINGS, Count)), None)
    if first is None:
        return []
    if first.has(*THINGS):
        only_place = not any(c.has(Named, OfKind) for c in meant)
        placed = only_place and any(c.has(InArea, OnFloor) for c in before)
        return _last_run(before, (InArea, OnFloor) if placed else THINGS)
    for sort in _VALUES:
        if first.has(sort):
            found = [i for i, c in enumerate(before) if c.has(sort)][-1:]
            unit = any(c.has(Unit) for c in meant)
            led = meant[0].says(*_LEADS) and not meant[0].has(sort)
            lead = [i - 1 for i in found if led and i and before[i - 1].says(*_LEADS)]
            return [*lead, *found, *(i + 1 for i in found if unit and i + 1 < len(before) and before[i + 1].has(Unit))]
    if not first.free or not any(c.has(ListAction) for c in before):
        return []
    start = len(before)
    while start and before[start - 1].free:
        start -= 1
    return [*range(start, len(before))]


def _last_run(before: Sequence[Cell], sorts: tuple[type, ...]) -> list[int]:
    """The indexes of the last phrase of these sorts, with the small words inside it."""
    places = [i for i, c in enumerate(before) if c.has(*sorts) and not c.has(Verb)]
    start = places[-1] if places else len(before)
    for i in range(start - 1, -1, -1):
        if i in places:
            start = i
        elif not before[i].says(*_LINKS):
            break
    return [*range(start, places[-1] + 1)] if places else []
