"""Words that say which list is meant, of those that the home does not have."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.languages.concepts import ListAction, Role, Topic
from homeagent.understanding.clauses import Clause
from homeagent.understanding.spans import Cell


def of_what(clause: Clause, named: Sequence[int], ids: Sequence[str]) -> set[int]:
    """The indexes of the words that say which list, where the home has none of that name ("my list of contacts")."""
    lead = max(named) + 1
    if (
        ids
        or clause.postpositions
        or clause.at(ListAction.NEW)
        or lead + 1 >= len(clause.cells)
        or not clause.cells[lead].means(Role.PLACE)
    ):
        return set()
    behind = range(lead, len(clause.cells))
    first = next((clause.cells[i] for i in behind[1:] if not clause.cells[i].says(Role.FILLER)), clause.cells[lead])
    return set(behind) if _tells_which(first) and not clause.mark(lead) else set()


def _tells_which(cell: Cell) -> bool:
    return cell.free or (cell.has(Topic) and not cell.says(ListAction.ITEM))
