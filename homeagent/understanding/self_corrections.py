"""What a speaker puts right within a sentence: "the lamp, no, the fan", "20, I mean 22", "not the lamp, the fan"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from homeagent.languages.concepts import (
    Chat,
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
from homeagent.understanding.spans import Cell, InArea, Items, Named, OfKind, OnFloor
from homeagent.understanding.tokeniser import Sentence, Token, tokenise

_MOST_COVERS = 3
"""A name may have to be read apart: "the hall light, no, the porch"."""
_DASHES = frozenset("-–—")
_AMOUNTS: tuple[type, ...] = (Count, Level, Colour, White, Mode)
_WAYS: tuple[type, ...] = (Particle, Heading)
_VALUES: tuple[type, ...] = (*_AMOUNTS, *_WAYS)
_PARTS: tuple[type, ...] = (*THINGS, *_VALUES)
_ORDERS = (Verb, Particle, Heading, ListAction)
_BESIDE_IT = (Role.COURTESY, Role.FILLER, Role.JOIN, Role.PRONOUN, Reference.INSTEAD)
_LINKS = (Role.FILLER, Role.ARTICLE, Role.PLACE, Role.PRONOUN)
_SMALL = (Role.COURTESY, Role.FILLER)
_LONGEST = 5
"""Words."""
_LEADS = (Role.TO, Role.BY, Role.AT, Role.PLACE)
_OF_A_CLAUSE = (Role.COPULA, Role.AUXILIARY, Role.STATEMENT, Role.CONDITION, Role.NEGATION)
_CONTRASTS: tuple[Concept, ...] = (Role.JOIN, Role.EXCEPT, Reference.CORRECTS)


def with_self_corrections(sentence: Sentence, names: HomeNames) -> Sentence:
    """The sentence with what the speaker corrected in it replaced; the sentence itself where nothing was."""
    if sentence.asks or not _may_be_mended(sentence.tokens, names):
        return sentence
    last = names.pack.postpositions
    covers = segmentations(lattice(sentence, names), keep=_MOST_COVERS)
    for cover, whole in (*((c, False) for c in covers), (covers[0], True)):
        kept = None
        if cover is covers[0]:
            kept = _wanted(cover.cells, sentence.tokens, names) or _denied(cover.cells, sentence.tokens)
        kept = kept or _corrected(cover.cells, sentence.tokens, verb_last=last, whole=whole)
        if kept is not None:
            return with_self_corrections(tokenise(_joined(kept, cover.cells, sentence.tokens)), names)
    meant, no = _meant_instead(covers[0].cells, sentence.tokens), _correcting_word(names)
    if meant is None or no is None:
        return sentence
    return tokenise(f"{no}, {_joined(meant, covers[0].cells, sentence.tokens)}")


def taken_back(sentence: Sentence, names: HomeNames) -> Sentence | None:
    """What takes an order back at the end of its sentence, alone ("never mind", "just kidding"); None where nothing
    does. It stands behind a mark or a word that corrects.
    """
    if sentence.asks or {Chat.NOTHING, Reference.CORRECTS}.isdisjoint(chain(*_known(sentence.tokens, names))):
        return None
    cells = segmentations(lattice(sentence, names))[0].cells
    for place in range(1, len(cells)):
        tail = cells[place:]
        parted = _parted(tail[0], sentence.tokens) or (tail[0].means(Reference.CORRECTS) and len(tail) > 1)
        off = [i for i, c in enumerate(cells) if i >= place and c.means(Chat.NOTHING)]
        if parted and off and all(c.means(Chat.NOTHING, Reference.CORRECTS, *_BESIDE_IT) for c in tail):
            before = cells[:place]
            asked = any(c.has(Question) and not c.has(*_ORDERS) and not c.says(*_SMALL) for c in before)
            ordered = not asked and any(c.has(*_ORDERS, *THINGS) or c.says(Role.TIMER) for c in before)
            return tokenise(_text(cells[off[0]], sentence.tokens, apart=True)) if ordered else None
    return None


def _joined(kept: Sequence[int], cells: Sequence[Cell], tokens: Sequence[Token]) -> str:
    before = (-1, *kept)
    return " ".join(_text(cells[i], tokens, apart=k + 1 != i) for k, i in zip(before, kept, strict=False))


def _correcting_word(names: HomeNames) -> str | None:
    """The word of the language that puts right what was said before, in this sentence or the last turn ("no")."""
    both = {Reference.CORRECTS, Reference.INSTEAD}
    return next((word for word, said in names.pack.phrases.items() if " " not in word and both <= {*said}), None)


def _may_be_mended(tokens: Sequence[Token], names: HomeNames) -> bool:
    """Whether it holds a word that denies or corrects, or two numbers; no other sentence need be read twice."""
    texts = [t.text for t in tokens]
    known = _known(tokens, names)
    mending = {Reference.CORRECTS, Role.NEGATION, Role.REPLACED}
    if any(not mending.isdisjoint(said) for said in known):
        return True
    if not names.pack.than.isdisjoint(texts) and any(Role.PREFERRED in said for said in known):
        return True
    return sum(t[0].isdigit() for t in texts) > 1


def _known(tokens: Sequence[Token], names: HomeNames) -> list[Sequence[Concept]]:
    """What the short runs of words say that the language knows."""
    texts = [t.text for t in tokens]
    runs = (" ".join(texts[i : i + n]) for n in range(1, _LONGEST + 1) for i in range(len(texts) - n + 1))
    return [said for run in runs if (said := names.pack.phrases.get(run))]


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
        return _replaced_before(cells, tokens)
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


def _replaced_before(cells: Sequence[Cell], tokens: Sequence[Token]) -> list[int] | None:
    """The indexes without the phrase before "instead of", in languages that put it behind ("계란 대신 두부")."""
    for place, cell in enumerate(cells[:-1]):
        if not cell.means(Role.REPLACED) or not place:
            continue
        start = place - 1
        while start and not cells[start].says(Role.PLACE) and not _parted(cells[start], tokens):
            if cells[start - 1].has(*_ORDERS) or cells[start - 1].says(Role.PLACE, Role.COURTESY, Role.FILLER):
                break
            start -= 1
        if any(c.has(*_ORDERS) for c in cells[place + 1 :]):
            return [*range(start), *range(place + 1, len(cells))]
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
    if (stretch := _denied_part(cells, tokens)) is None:
        return None
    first, end = stretch
    meant = cells[end:]
    ordered = any(c.has(*THINGS) for c in meant) and any(c.has(*_ORDERS) for c in meant)
    ordered = ordered and not any(c.says(Reference.TOO) for c in meant)  # "not only the lamp, also the fan"
    return [*range(first), *range(end, len(cells))] if ordered else None


def _meant_instead(cells: Sequence[Cell], tokens: Sequence[Token]) -> list[int] | None:
    """The indexes of what is meant, where nothing is ordered and only one thing is named in place of another ("not the
    patio, the porch light"); None for other sentences.
    """
    if (stretch := _denied_part(cells, tokens)) is None:
        return None
    first, end = stretch
    meant = cells[end:]
    alone = all(c.has(*THINGS) or c.says(*_LINKS, Role.COURTESY) for c in meant) and any(c.has(*THINGS) for c in meant)
    return list(range(end, len(cells))) if alone and not any(c.has(*_ORDERS) for c in cells[:first]) else None


def _denied_part(cells: Sequence[Cell], tokens: Sequence[Token]) -> tuple[int, int] | None:
    """The index of the "not" that opens a sentence, and where what it denies has ended; None for other sentences."""
    first = next((i for i, c in enumerate(cells) if not c.means(*_SMALL) or c.says(Role.NEGATION)), 0)
    if not cells[first].means(Role.NEGATION) or cells[first].has(Verb):
        return None
    if any(c.says(Role.ONLY) for c in cells[first + 1 : first + 2]):
        return None  # "not only the lamp, also the fan"
    rest = range(first + 1, len(cells))
    end = next((i for i in rest if _parted(cells[i], tokens) or cells[i].means(*_CONTRASTS)), len(cells))
    named = cells[first + 1 : end]
    while end < len(cells) and cells[end].means(*_CONTRASTS, Role.COURTESY):
        end += 1
    only_things = all(c.has(*THINGS) or c.says(*_LINKS, Role.COURTESY) for c in named)
    return (first, end) if only_things and any(c.has(*THINGS) for c in named) else None


def _corrected(cells: Sequence[Cell], tokens: Sequence[Token], *, verb_last: bool, whole: bool) -> list[int] | None:
    """The indexes in the order meant: what follows the correcting word takes the place of the last part of its sort;
    None where nothing is corrected. ``whole``: a mere place may take the place of a whole name.
    """
    for place in range(1, len(cells) - 1):
        behind = place + 1
        while behind < len(cells) and cells[behind].means(Reference.CORRECTS, Role.COURTESY):
            behind += 1
        told = behind
        that = behind + 1 if behind < len(cells) and cells[behind].says(Verb.DO) else behind
        if that < len(cells) - 1 and cells[that].means(Role.PRONOUN):
            behind = that + 1  # "make that the fan"
        if not any(_corrects(cells, place, i, tokens, verb_last=verb_last) for i in {told, behind}):
            continue
        if (kept := _kept(cells, place, behind, verb_last=verb_last, whole=whole)) is not None:
            return kept
    return None


def _corrects(cells: Sequence[Cell], place: int, behind: int, tokens: Sequence[Token], *, verb_last: bool) -> bool:
    """Whether a word puts right what stands before it: a phrase, a word set off by a mark, or any between two parts of
    one sort ("the hall lamp, no, the fan"; "20 no 21").
    """
    cell = cells[place]
    if cells[place - 1].says(Role.JOIN, Role.OR):
        return False
    alike = _parts_alike(cells, place, behind)
    if not cell.means(Reference.CORRECTS):
        return cell.means(Role.COURTESY) and not cell.means(Role.OR, Role.JOIN) and alike is Count
    if cell.end - cell.first > 1 or _parted(cell, tokens):
        return True
    if cell.means(Role.EXCEPT) or (cell.means(Role.NEGATION) and not verb_last):
        return alike in _AMOUNTS[: None if verb_last else 1]  # "the lamp no the fan" may be "not the fan"
    anew = not cell.means(Role.NEGATION) and behind < len(cells) and cells[behind].has(Verb)
    return alike is not None or (anew and _orders_anew(cells[:place], cells[behind:]))


def _parts_alike(cells: Sequence[Cell], place: int, behind: int) -> type | None:
    """The sort of which both the part before a place and the one ``behind`` it are; None for parts of two sorts."""
    links = (*_LINKS, Role.TO, Role.AT, Role.COURTESY)
    one = next((c for c in reversed(cells[:place]) if c.has(*_PARTS) or not c.says(*links)), None)
    if one is not None and one.has(Unit) and not one.has(*THINGS):
        one = next((c for c in reversed(cells[:place]) if c.has(Count)), one)
    other = next((c for c in cells[behind:] if c.has(*_PARTS) or not c.says(*links)), None)
    if one is not None and other is not None and other.has(*THINGS) and one.has(*_WAYS):
        behind_it = (c for c in reversed(cells[:place]) if c.has(*THINGS) or not (c.has(*_WAYS) or c.says(*links)))
        one = next(behind_it, one)  # "the lamp on, no, the fan"
    if one is None or other is None:
        return None
    if one.has(*THINGS) and other.has(*THINGS):
        return Named
    if all(c.has(Verb, ListAction) and not c.has(*THINGS) for c in (one, other)):
        return Verb
    return next((sort for sort in _VALUES if one.has(sort) and other.has(sort)), None)


def _kept(cells: Sequence[Cell], place: int, behind: int, *, verb_last: bool, whole: bool) -> list[int] | None:
    """The indexes in the order meant, where the word at a place corrects what stands before it; None where nothing of
    the sort is there.
    """
    before, meant = cells[:place], cells[behind:]
    if any(c.says(*_OF_A_CLAUSE) and not c.says(Role.ARTICLE, Role.FILLER) for c in meant):
        return None  # "wait, the kitchen light is on"
    deeds = [i for i, c in enumerate(before) if c.has(*_ORDERS)]
    if verb_last and deeds and meant and meant[0].has(*_ORDERS) and not meant[0].has(*THINGS):
        return [*range(deeds[-1]), *range(behind, len(cells))]  # "켜 아니 꺼"
    first = next((c for c in meant if not c.says(*_LINKS) or c.has(*_PARTS)), None)
    belongs = first is not None and first.has(*_PARTS) and (verb_last or not (deeds or first.has(Verb)))
    if not belongs and any(_is_predicate(c, first=not i) for i, c in enumerate(meant)):
        return [*range(_last_order(before)), *range(behind, len(cells))] if _orders_anew(before, meant) else None
    ordered = any(c.has(*_ORDERS, *_VALUES) for c in before) or any(c.has(*_ORDERS) for c in meant)
    wrong = (
        (
            _broken_off(before, meant)
            or _replaced(before, meant, whole=whole, courteous=cells[place].says(Role.COURTESY))
        )
        if ordered
        else []
    )
    if not wrong:
        return None
    kept = [i for i in range(place) if i not in wrong]
    lead = [i for i in kept if i < wrong[0]]
    return [*lead, *range(behind, len(cells)), *kept[len(lead) :]]


def _is_predicate(cell: Cell, *, first: bool) -> bool:
    """Whether a cell orders or asks something by itself: no thing, no small word, no particle of a verb before."""
    if cell.has(*THINGS) or (cell.has(Particle) and not first):
        return False
    return cell.has(Verb, ListAction) or (cell.has(Question) and not cell.says(*_LINKS, Role.TO, Role.AT))


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


def _orders_anew(before: Sequence[Cell], meant: Sequence[Cell]) -> bool:
    """Whether the correction is a complete order with a thing, which replaces the one before."""
    first = next(c for c in (*(c for c in meant if not c.means(*_SMALL)), meant[0]))
    anew = first.has(Verb, ListAction) and not first.says(Verb.KEEP)
    return anew and any(c.has(*THINGS) for c in meant) and any(c.has(*_ORDERS) for c in before)


def _last_order(before: Sequence[Cell]) -> int:
    """The index at which the last order begins: behind a conjunction with a verb after it."""
    joins = [i for i in range(len(before) - 1) if before[i].means(Role.JOIN) and before[i + 1].has(Verb, ListAction)]
    return max(joins, default=-1) + 1


def _replaced(before: Sequence[Cell], meant: Sequence[Cell], *, whole: bool, courteous: bool) -> list[int]:
    """The indexes of what the correction replaces: the last part of the same sort as its first word. ``courteous``: the
    correcting word may as well be said to somebody ("sorry, mum").
    """
    first = next((c for c in meant if not c.says(*_LINKS) or c.has(*THINGS, Count)), None)
    if first is None:
        return []
    if first.has(*THINGS):
        only_place = not any(c.has(Named, OfKind) for c in meant)
        placed = only_place and any(c.has(InArea, OnFloor) for c in before)
        if only_place and not (placed or whole):
            return []
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
    named = [i for i, c in enumerate(before) if (items := c.get(Items)) is not None and len(items.texts) == 1]
    if named and not before[-1].free and not courteous:
        article = named[-1] - 1  # "the eggs off the list, no, the milk"
        return [*([article] if named[-1] and before[article].says(Role.ARTICLE) else []), named[-1]]
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
