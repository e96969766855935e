"""Which list a sentence speaks of, and by which words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from homeagent.languages.concepts import ListAction, Role, ShoppingWord, Topic
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frames.shopping import shopping_lists
from homeagent.understanding.items_said import LISTS
from homeagent.understanding.spans import Cell, Named, OfKind
from indexer.words import words


def called_after(clause: Clause, place: int) -> tuple[str, ...]:
    """The one list whose name holds a word for what is on it, behind a preposition ("dans mes tâches")."""
    cell = clause.cells[place]
    articled = place > 0 and clause.cells[place - 1].says(Role.ARTICLE) and not clause.cells[place - 1].says(Role.PLACE)
    lead = place - articled
    if not cell.says(ListAction.ITEM) or not clause.next_to(lead, Role.PLACE, Role.TO):
        return ()
    said = {t.text for t in clause.tokens[cell.first : cell.end]}
    lists = clause.names.of_domain(LISTS)
    found = tuple(e.entity_id for e in lists if any(said <= set(words(name)) for name in e.names))
    return found if len(found) == 1 else ()


def of_what_is_bought(clause: Clause) -> list[int]:
    """The indexes of the words for what is to be bought that stand for the list of it, where something is put there or
    taken from there ("장볼 거에 두부 적어 줘").
    """
    said = [i for i in sorted(clause.of(ShoppingWord) & clause.at(ShoppingWord.BUY)) if not clause.cells[i].free]
    deeds = clause.at(ListAction.ADD, ListAction.REMOVE) - {*said}
    if not said or not deeds or clause.asks or not shopping_lists(clause.names):
        return []
    last = said[-1]
    beside = last - 1 if not clause.postpositions else last
    items = last + 1 < len(clause.cells) and clause.cells[last + 1].says(ListAction.ITEM)
    led = clause.cells[last + 1 if items and clause.postpositions else beside]
    if not led.says(Role.PLACE, Role.TO, Role.FILLER):
        return []
    return [last, last + 1] if items else [last]


def heading(clause: Clause, named: Collection[int]) -> list[int]:
    """The indexes of the words before a colon, where these say nothing but a list; empty where none is so headed."""
    end = next((i for i in range(1, len(clause.cells)) if ":" in clause.mark(i)), 0)
    head = range(end)
    alone = all(i in named or clause.cells[i].means(Role.FILLER, Role.ARTICLE, Role.PLACE, Role.TO) for i in head)
    return [*head] if named and alone else []


def lists_named(cell: Cell) -> tuple[str, ...]:
    """The lists that a cell names, each once."""
    named = (i for named in cell.all(Named) for i in named.entity_ids if i.startswith(f"{LISTS}."))
    return tuple(dict.fromkeys(named))


def is_list(cell: Cell) -> bool:
    """Whether a cell names a list or the word for one."""
    return bool(lists_named(cell)) or any(LISTS in c.domains for kind in cell.all(OfKind) for c in kind.concepts)


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
