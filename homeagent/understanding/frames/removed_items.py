"""An item that is told of and then struck by a pronoun: "got the eggs already, so take those off the list"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from homeagent.languages.concepts import (
    DayWord,
    ListAction,
    Particle,
    PastWord,
    Question,
    Reference,
    Role,
    ShoppingWord,
    StateWord,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.endings import bare
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.list_items import without_article
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.home_names import LISTS
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import InArea, OnFloor, TimeGone

_ACTIONS = {ListAction.REMOVE: "remove_item", ListAction.COMPLETE: "complete_item"}
_SMALL = (
    *(Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN, Role.REASON, Role.PRONOUN, Role.PLACE, Role.TO),
    *(Role.ENSURE, Reference.TOO, Reference.INSTEAD, Reference.THERE, ListAction.ITEM, Verb.DO),
)
"""What may stand beside the verb of such an order."""
_WITHIN = (Role.FILLER, Role.ARTICLE, Role.PLACE, Role.TO, Role.PRONOUN)
"""What may stand within the name of an item."""
_TELLING = (
    Role.STATEMENT,
    Role.AUXILIARY,
    Role.COPULA,
    Role.TOLD,
    ShoppingWord.BUY,
    ShoppingWord.NEED,
    ListAction.COMPLETE,
)
_BETWEEN = (
    *(*_TELLING, *_SMALL, Role.NEGATION, Role.HERE, Role.WHOLE_HOME, Role.TIME),
    *(ShoppingWord.GONE, ListAction.ADD, ListAction.REMOVE),
)
_OTHER = (DayWord, TimeGone, PastWord, Reference, StateWord, InArea, OnFloor, Particle, Question)
"""What a word of an item says nothing of."""
_NEVER = (Role.CONDITION, Role.OR, Role.TIMER, Role.EXCEPT)
_DROPPED = {Feature.ACROSS_A_MARK, Feature.DESCRIBES, Feature.SEVERAL_VERBS, Feature.ASKS}
"""What counts against a single order, and is the form of this one."""


def removed_item(clause: Clause) -> Iterator[Frame]:
    """A frame that completes or removes the item that the clause's statement or the previous turn names, where the
    order has only a pronoun for it, or nothing ("got the eggs already, so take those off the list").
    """
    lists = tuple(e.entity_id for e in clause.names.of_domain(LISTS))
    asks = (clause.asks and not clause.at(Role.COURTESY)) or any(
        "?" in clause.mark(i) for i in range(len(clause.cells))
    )
    if not lists or asks or clause.at(*_NEVER):
        return
    for start in _starts(clause):
        order = range(start, len(clause.cells))
        found = _deed(clause, order)
        if found is None:
            continue
        action, deed = found
        told = range(start)
        run = _item(clause, told)
        item = _without_endings(clause, run) if run else ""
        before = clause.last.request if clause.last is not None else None
        ids = _named(clause, order) or lists
        inherits = not run and before is not None and bool(before.parameters.get("item") or before.details.item)
        if inherits and before is not None and clause.last is not None and _points(clause, order):
            item = before.parameters.get("item") or before.details.item
            ids = _named(clause, order) or tuple(i for i in clause.last.entity_ids if i in lists) or lists
        elif not run or not _tells(clause, told, run):
            continue
        request = Request(Act.CONTROL, each(ids), action=action, parameters={"item": item})
        extra = {Feature.OPEN_TEXT: OPEN_WORD * max(len(run), 1), Feature.INHERITED: float(inherits)}
        grounded = Grounded(request.scope, TargetFit.EXACT, frozenset(ids))
        places = {*range(len(clause.cells))} - clause.at(Role.TIMER) - {i for i in deed if i < start}
        made = frame(clause, ActKind.LIST, request, places, None, grounded, extra)
        yield replace(made, features={f: v for f, v in made.features.items() if f not in _DROPPED})
        return


def _starts(clause: Clause) -> Iterator[int]:
    """The indexes where the order may begin, the last one first: behind a mark, a conjunction or a reason, or at the
    opening.
    """
    for i in range(len(clause.cells) - 1, 0, -1):
        before = clause.cells[i - 1]
        reason = before.says(Role.REASON) and (clause.postpositions or not before.says(Role.STATEMENT))
        if clause.mark(i) or clause.cells[i].says(Role.JOIN, Role.REASON) or reason:
            yield i
    yield 0


def _deed(clause: Clause, order: Sequence[int]) -> tuple[str, set[int]] | None:
    """The action of an order that names no item, and the indexes of its verb; None for other actions."""
    found: list[tuple[ListAction, set[int]]] = []
    for i in order:
        found += [(d, {i}) for d in clause.cells[i].all(ListAction) if d in _ACTIONS]
        found += [(d, {i, k}) for k in order if k > i for d in _apart(clause, i, k)]
    if not found or clause.at(Role.NEGATION) & {*order} - clause.at(Role.FILLER):
        return None
    whole = max(found, key=lambda f: (len(f[1]), f[0] is ListAction.COMPLETE and _marks(clause, f[1])))
    verbs = set().union(*(places for _, places in found))
    lists = {i for i in order if clause.cells[i].is_of(LISTS)}
    if not lists and not _points(clause, order) and not order[0]:
        return None
    for i in order:
        cell = clause.cells[i]
        if i in verbs | lists or (not cell.free and cell.says(*_SMALL, Role.STATEMENT)):
            continue
        if not cell.has(Particle):
            return None
    return _ACTIONS[whole[0]], whole[1]


def _marks(clause: Clause, places: set[int]) -> bool:
    """Whether a word says that something is done, and nothing else that is done with a list."""
    return all(set(clause.cells[i].all(ListAction)) <= {ListAction.COMPLETE} for i in places)


def _apart(clause: Clause, verb: int, particle: int) -> Iterator[ListAction]:
    """The meaning of two words with a pronoun between them ("cross it off")."""
    between = clause.cells[verb + 1 : particle]
    if not between or not all(not c.free and c.says(*_SMALL) for c in between):
        return
    one, other = clause.cells[verb], clause.cells[particle]
    said = (clause.tokens[one.end - 1].text, clause.tokens[other.first].text)
    for phrase in (" ".join(said), "".join(reversed(said))):
        yield from (d for d in clause.names.pack.phrases.get(phrase, ()) if isinstance(d, ListAction) and d in _ACTIONS)


def _points(clause: Clause, order: Sequence[int]) -> bool:
    return any(clause.cells[i].says(Role.PRONOUN) for i in order)


def _named(clause: Clause, order: Sequence[int]) -> tuple[str, ...]:
    """The lists that an order names; empty where it only says "the list"."""
    return tuple(dict.fromkeys(i for place in order for i in clause.cells[place].named(LISTS)))


def _tells(clause: Clause, told: Sequence[int], run: Sequence[int]) -> bool:
    """Whether the part before the order says that the item is there or done, and orders nothing itself."""
    opening = next((i for i in told if not clause.cells[i].means(Role.JOIN, Role.FILLER, Role.COURTESY)), 0)
    first = clause.cells[opening]
    known = first.says(*_TELLING) or _settled(clause, opening) or opening in run or first.says(Role.ARTICLE)
    if not known and first.has(Verb, ListAction, Question):
        return False
    if first.has(Question) and first.says(Role.COPULA) and not first.says(Role.STATEMENT, Role.FILLER):
        return False  # "is the milk bought, …"
    denied, needed = clause.at(Role.NEGATION) & {*told}, clause.at(ShoppingWord.NEED) & {*told}
    if bool(denied) != bool(needed) or any(clause.cells[i].is_of(LISTS) for i in told):
        return False
    return any(clause.cells[i].says(*_TELLING) or _settled(clause, i) for i in told if i not in run)


def _item(clause: Clause, told: Sequence[int]) -> list[int]:
    """The indexes of the item: the first unexplained run in the last part between marks that has one."""
    stretches: list[list[int]] = [[]]
    for i in told:
        if clause.mark(i):
            stretches.append([])
        stretches[-1].append(i)
    for stretch in reversed(stretches):
        runs: list[list[int]] = [[]]
        for i in stretch:
            cell = clause.cells[i]
            if _is_of_item(clause, i):
                runs[-1].append(i)
            elif runs[-1] and not cell.says(*_WITHIN):
                runs.append([])
        if found := next((r for r in runs if r), None):
            return found
    return []


def _is_of_item(clause: Clause, place: int) -> bool:
    cell = clause.cells[place]
    if _settled(clause, place):
        return False
    return cell.free or not (cell.means(*_BETWEEN) or cell.has(*_OTHER))


def _settled(clause: Clause, place: int) -> bool:
    """Whether a word says that something is done with, as the language has such words."""
    cell = clause.cells[place]
    words = [t.text for t in clause.tokens[cell.first : cell.end]]
    settled = clause.names.pack.settled
    if clause.postpositions:
        return any(words[0].startswith(s) for s in settled)
    return any(w in settled for w in words) and all(w in settled or len(w) <= 1 for w in words)


def _without_endings(clause: Clause, run: Sequence[int]) -> str:
    """The item as typed, without a contraction behind its last word ("the plumber's been called")."""
    text = without_article(clause.text(run[0], run[-1]), clause)
    for mark in ("'", "’"):
        stem, found, rest = text.rpartition(mark)
        if found and stem and rest.casefold() in clause.names.pack.contractions:
            text = stem
    return bare(text, clause.names) if clause.postpositions and " " not in text else text
