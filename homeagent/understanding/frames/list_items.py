"""The items that a sentence about a list speaks of: which words they are, and where one ends and the next begins."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.languages.concepts import ListAction, Particle, Purpose, Reference, Role, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.endings import joins_the_next
from homeagent.understanding.spans import Cell
from indexer.words import normalise


def item_cells(clause: Clause, verb: int, named: Sequence[int], edges: set[int]) -> list[int]:
    """The indexes of the item's words."""
    small = (Role.PLACE, Role.TO, Role.FILLER, Role.JOIN)
    inside = [
        i
        for i, cell in enumerate(clause.cells)
        if i not in edges
        and not cell.says(Role.COURTESY)
        and (i or not cell.says(Reference.INSTEAD))
        and (cell.free or not (cell.means(*small) or cell.has(Particle)))
    ]
    before_list = range(verb + 1, min(named, default=0)) if verb >= 0 and not clause.postpositions else range(0)
    spoken = [i for i in before_list if i not in edges and not clause.cells[i].means(*small)]
    if spoken and not set(spoken) & set(inside):
        return spoken  # "add honey to the list" speaks to nobody
    runs: list[list[int]] = []
    for i in inside:
        between = range(runs[-1][-1] + 1, i) if runs else range(0)
        joined = runs and all(
            k not in edges and (clause.cells[k].free or clause.cells[k].says(Role.FILLER, Role.JOIN, Role.PLACE))
            for k in between
        )
        told = clause.cells[i].says(Role.DELEGATION, Role.REPORT) and any(
            clause.cells[k].says(Role.JOIN) for k in between
        )
        if joined and not told:
            runs[-1].append(i)
        else:
            runs.append([i])
    if clause.postpositions:
        run = max((r for r in runs if max(r) < verb or verb < 0), key=len, default=[])
        return _with_its_verb(clause, run, verb, verb, edges)
    behind = [r for r in runs if min(r) > verb]
    before = min(named, default=len(clause.cells))
    if verb >= 0:  # "take milk off the list and tell me what is left"
        behind = [r for r in behind if max(r) < before] or behind
    leading = [r for r in runs if max(r) < before and not _is_told(clause, r, verb)]
    fitting = behind if verb < before and behind else [*behind, *leading]
    return _with_its_verb(clause, max(fitting, key=len, default=[]), verb, before, edges)


def _with_its_verb(clause: Clause, run: list[int], verb: int, end: int, edges: set[int]) -> list[int]:
    """An item with the verb that stands right behind it ("zet belasting aangeven op de lijst", "은행 가기 추가"), or
    right before it, with its particle ("add turn off the water to the list").
    """
    while run and run[-1] + 1 < end and run[-1] + 1 not in edges and _is_a_deed(clause.cells[run[-1] + 1]):
        run = [*run, run[-1] + 1]
    first = run[0] if run and 0 <= verb < run[0] and not clause.postpositions else 0
    for i in range(first - 1, verb, -1):
        cell = clause.cells[i]
        if i in edges or not (_is_a_deed(cell) or cell.has(Particle) or cell.says(Role.ARTICLE)):
            break
        first = i
    deed = next((i for i in range(first, run[0]) if _is_a_deed(clause.cells[i])), None) if first else None
    return run if deed is None else [*range(deed, run[0]), *run]


def _is_a_deed(cell: Cell) -> bool:
    return cell.has(Verb, Purpose, ListAction) and not cell.says(Role.TO, Role.PLACE, Role.JOIN, Role.COURTESY)


def _is_told(clause: Clause, run: Sequence[int], verb: int) -> bool:
    """Whether words before the order are a statement, which no item is ("we are out of oil, put it on the list")."""
    parted = any(clause.mark(i) for i in range(run[-1] + 1, verb + 1))
    told = (Role.AUXILIARY, Role.COPULA, Role.STATEMENT)
    return parted and any(c.says(*told) and not c.says(Role.FILLER) for c in clause.cells[: run[-1] + 1])


def said_items(clause: Clause, run: Sequence[int]) -> str | list[str]:
    """The item, or several between marks and conjunctions, each without leading small words."""
    parts: list[list[int]] = [[]]
    for place in range(run[0], run[-1] + 1):
        joins = clause.cells[place].says(Role.JOIN) and not clause.cells[place].free
        joins = joins or _parts_items(clause, place, parts[-1])
        if parts[-1] and (joins or "," in clause.mark(place)):
            parts.append([])
        if not joins and (parts[-1] or not clause.cells[place].says(Role.FILLER)):
            parts[-1].append(place)
        last = clause.tokens[clause.cells[place].end - 1].raw
        if parts[-1] and clause.cells[place].free and joins_the_next(last, clause.names):
            parts.append([])
    items = [without_article(clause.text(part[0], part[-1]), clause) for part in parts if part]
    return items[0] if len(items) == 1 else items


def without_article(text: str, clause: Clause) -> str:
    """Words without a leading article: that and what stands behind it may be one cell ("du café")."""
    known = clause.names.pack.phrases
    while " " in text and {Role.ARTICLE, Role.FILLER} & {*known.get(normalise(text.split()[0]), ())}:
        text = text.split(maxsplit=1)[1]
    return text


def _parts_items(clause: Clause, place: int, before: Sequence[int]) -> bool:
    """Whether an article of an amount begins another item behind one ("des pommes des poires")."""
    amounts = clause.names.pack.partitives
    text = " ".join(t.text for t in clause.tokens[clause.cells[place].first : clause.cells[place].end])
    first = before[0] - 1 if before else -1
    led = first >= 0 and clause.tokens[clause.cells[first].end - 1].text in amounts
    return bool(before) and led and text in amounts
