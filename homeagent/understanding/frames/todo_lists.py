"""Lists: what is to be put on one, taken off or checked off, and what is on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from homeagent.languages.concepts import (
    Count,
    DayWord,
    Heading,
    ListAction,
    Particle,
    Purpose,
    Question,
    Reference,
    Role,
    SafetyWord,
    ShoppingWord,
    StateWord,
    Topic,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.done_items import not_wanted
from homeagent.understanding.endings import bare
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.list_items import item_cells, said_items
from homeagent.understanding.frames.list_names import of_what
from homeagent.understanding.frames.question_form import form_of, is_of_the_speaker
from homeagent.understanding.frames.unnamed_lists import BETWEEN_ITEMS, on_its_list, unlisted
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.home_names import LISTS
from homeagent.understanding.items_said import NO_ITEM
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import LEFT_ALONE, About, Act, Asked, Details, Request, Scope
from homeagent.understanding.spans import Cell, InArea, Items, Named, OfKind, OnFloor
from indexer.normalise import decomposed
from indexer.selector import Selector

_ACTIONS = {
    ListAction.ADD: "add_item",
    ListAction.REMOVE: "remove_item",
    ListAction.COMPLETE: "complete_item",
}
_BARE = 0.4
_MOST_LEFT = 2
"""So many unexplained words may ask for what is left on a list."""


def listing(clause: Clause) -> Iterator[Frame]:
    """Frames for adding, removing or completing items, for making a list, and for asking what is on one."""
    return (on_its_list(found, clause) for found in _of_lists(clause))


def _of_lists(clause: Clause) -> Iterator[Frame]:
    named = [i for i, cell in enumerate(clause.cells) if cell.is_of(LISTS)]
    if not named and (undone := _still_to_do(clause)):
        yield from _shown(clause, undone, _all_but_shopping(clause))
        return
    if struck := tuple(_struck_again(clause, named)):
        yield from struck
        return
    if not named:
        talk = tuple(_of_the_last(clause))
        yield from talk or unlisted(clause, _ACTIONS)
        return
    ids = next((ids for i in named if (ids := clause.cells[i].named(LISTS))), ())
    scope = Scope((ids,)) if ids else Scope(selector=Selector(domains=(LISTS,)))
    everything = tuple(e.entity_id for e in clause.names.entities if e.domain == LISTS)
    grounded = Grounded(scope, TargetFit.EXACT if ids else TargetFit.SET, frozenset(ids or everything))
    if unknown := of_what(clause, named, ids):
        yield from _unknown_list(clause, named, unknown)
        return
    if clause.of(Items):
        yield from _said_of_items(clause, named, grounded)
        return
    if clause.at(*NO_ITEM) and clause.at(ListAction.ADD) and not clause.asks and not any(c.free for c in clause.cells):
        yield _left_alone(clause, grounded)  # "add nothing to the list"
    yield from _without_item(clause, named, grounded)
    yield from _held(clause, named, grounded)
    yield from _shown(clause, named, grounded)


def _struck_again(clause: Clause, named: Sequence[int]) -> Iterator[Frame]:
    """What the previous turn spoke of taken off or ticked off, by a pronoun for it ("take it off again"). Behind
    another clause it is what that names ("we have cheese, take it off").
    """
    last, before = clause.last, clause.last.request if clause.last is not None else None
    item = (before.parameters.get("item") or before.details.item) if before is not None else None
    deed = next((d for _, d in clause.said(ListAction) if d in (ListAction.REMOVE, ListAction.COMPLETE)), None)
    if last is None or not item or deed is None or clause.asks or not clause.at(Role.PRONOUN):
        return
    if any(t.text not in clause.names.pack.vocabulary for t in clause.tokens[: clause.cells[0].first]):
        return
    apart = {i for i, c in enumerate(clause.cells) if clause.tokens[c.first].text in clause.names.pack.separable}
    if clause.at(Role.NEGATION) or any(c.free for i, c in enumerate(clause.cells) if i not in apart):
        return
    ids = next((ids for i in named if (ids := clause.cells[i].named(LISTS))), last.entity_ids)
    request = Request(Act.CONTROL, each(ids), action=_ACTIONS[deed], parameters={"item": item})
    grounded = Grounded(request.scope, TargetFit.EXACT, frozenset(ids))
    cells = {*named} | clause.at(deed, Role.PRONOUN, Reference.AGAIN, *BETWEEN_ITEMS) | clause.of(Particle) | apart
    yield frame(clause, ActKind.LIST, request, cells, None, grounded, {Feature.INHERITED: 1.0})


def _still_to_do(clause: Clause) -> list[int]:
    """The indexes of the verbs where it is asked what the speaker still has to do, with no day ("was muss ich noch
    erledigen").
    """
    undone = clause.at(ListAction.COMPLETE)
    still = undone | clause.at(SafetyWord.STILL)
    if clause.at(ShoppingWord.NEED) - undone:
        return []  # "what do we still need" is to be bought
    if not (clause.asks or clause.of(Question)):
        return []  # "ik ben klaar hier"
    if not still or clause.of(DayWord) or form_of(clause) is not Asked.VALUE or not is_of_the_speaker(clause):
        return []
    verbs = undone | clause.neutral
    small = clause.of(Question) | clause.at(Role.STATEMENT, Role.FILLER, Role.COURTESY, SafetyWord.STILL)
    return sorted(verbs) if all(i in verbs | small for i in range(len(clause.cells))) else []


def _all_but_shopping(clause: Clause) -> Grounded:
    """The lists of what is to be done."""
    bought = clause.names.shopping_lists
    ids = tuple(e.entity_id for e in clause.names.of_domain(LISTS) if e.entity_id not in bought)
    return Grounded(
        Scope(tuple((i,) for i in ids), every=True), TargetFit.EXACT if ids else TargetFit.NONE, frozenset(ids)
    )


_LIKELY = 0.2
"""What it costs at most that a question which names nothing is for the list of the turn before."""


def _of_the_last(clause: Clause) -> Iterator[Frame]:
    """A clause about the one list that was spoken of last ("and eggs and bread", "what's on it?"). Another thing of the
    home in it is that thing and no item.
    """
    spoken = clause.antecedent.phrases if clause.antecedent is not None else ()
    ids = tuple(i for p in spoken for i in p.entity_ids)
    another = any(c.has(Named, InArea, OnFloor) or (c.has(OfKind) and not c.has(Purpose)) for c in clause.cells)
    if not ids or not all(i.startswith(f"{LISTS}.") for i in ids) or another:
        return
    grounded = Grounded(Scope((ids,)) if len(ids) == 1 else each(ids), TargetFit.EXACT, frozenset(ids))
    articles = {i for i in clause.at(Role.PRONOUN) if i + 1 < len(clause.cells) and clause.cells[i + 1].free}
    on_it = sorted(clause.at(Role.PRONOUN, Reference.THERE) - articles)
    yield from _deeds(clause, on_it, grounded)
    if on_it:
        yield from _held(clause, on_it, grounded)
    if more := _more_of_it(clause):
        for found in _shown(clause, more, grounded):
            yield replace(found, features={Feature.WEAK_QUESTION: found.features.get(Feature.WEAK_QUESTION, _LIKELY)})
    elif on_it := on_it or _rest_of_it(clause):
        yield from _shown(clause, on_it, grounded)
    before = clause.last.request if clause.last is not None else None
    if before is not None and before.action == _ACTIONS[ListAction.ADD] and not clause.asks:
        yield from _not_that(clause, before, grounded)
    joins = clause.leading_joins | clause.at(Reference.TOO)
    too = any(cell.free and _ends_with_too(cell, clause) for cell in clause.cells)
    goes_on = joins or too or _beside_a_denial(clause)
    if before is not None and before.action in _ACTIONS.values() and goes_on and not clause.asks:
        corrects = clause.at(Reference.CORRECTS, Reference.INSTEAD, Role.NEGATION)
        run = item_cells(clause, -1, (), joins | corrects)
        denied = run and run[0] and clause.cells[run[0] - 1].says(Role.NEGATION) and not clause.mark(run[0])
        denied = denied or (run and clause.cells[run[-1]].says(Role.NEGATION))  # "Gurken doch nicht"
        denied = denied or (not (joins or too) and len(clause.text(run[0], run[-1]).split()) > 1 if run else False)
        if run and not denied and any(clause.cells[i].free or clause.cells[i].has(Purpose) for i in run):
            request = Request(
                Act.CONTROL, grounded.scope, action=before.action, parameters={"item": said_items(clause, run)}
            )
            extra = {Feature.OPEN_TEXT: OPEN_WORD * len(run), Feature.INHERITED: float(not clause.at(Reference.TOO))}
            cells = {*joins, *range(run[0], run[-1] + 1)} | clause.at(Reference.CORRECTS)
            made = frame(clause, ActKind.LIST, request, cells, None, grounded, extra)
            yield made.without(Feature.ACROSS_A_MARK) if corrects and max(corrects) < run[0] else made


def _rest_of_it(clause: Clause) -> list[int]:
    """The indexes of the words that nothing explains in a question for what there is, right behind an order for a list
    in the same sentence: "… and tell me what's left".
    """
    asked = clause.last is None and clause.cells[0].first > 0 and clause.of(Question) and form_of(clause) is Asked.VALUE
    free = [i for i, c in enumerate(clause.cells) if c.free]
    others = clause.of(Verb, ListAction, StateWord, DayWord, Count) - clause.neutral
    return free if asked and len(free) <= _MOST_LEFT and not others - clause.at(Role.DELEGATION) else []


def _more_of_it(clause: Clause) -> list[int]:
    """The indexes of all words of a question that only asks what there is, what else, or what is left ("¿qué más
    había?", "what's on there now?").
    """
    there_is = clause.of(Heading, SafetyWord) | clause.at(Reference.OTHER, Reference.LEFT, Reference.THERE)
    there_is |= clause.at(ListAction.ITEM, Particle.ON, Role.EVERYTHING, Role.EVERY, Role.PRONOUN, Role.STATEMENT)
    there_is |= clause.at(Question.YESNO, Question.ANY) - clause.at(Role.COPULA)
    there_is |= clause.neutral | clause.at(Verb.KEEP, ListAction.ADD)
    small = there_is | clause.of(Question) | clause.at(Role.FILLER, Role.COPULA, Role.AUXILIARY, Role.JOIN)
    small |= clause.at(Reference.THEN, Role.COURTESY, Role.REASON)
    asks = clause.last is not None and clause.last.fresh and form_of(clause) in (Asked.VALUE, Asked.WHICH)
    return [*range(len(clause.cells))] if asks and there_is and len(small) == len(clause.cells) else []


def _not_that(clause: Clause, before: Request, grounded: Grounded) -> Iterator[Frame]:
    """What was just put on the list taken off again ("no, not apples", "leave the apples off")."""
    items = before.parameters.get("item")
    said = [t.text for t in clause.tokens[clause.cells[0].first : clause.cells[-1].end]]
    denied = not_wanted(said, items if isinstance(items, list) else [str(items)], clause.names)
    free = [i for i, c in enumerate(clause.cells) if c.free]
    if not denied and free and not_wanted(said, [clause.text(free[0], free[-1])], clause.names):
        yield _left_alone(clause, grounded)
    for item in denied:
        parameters = {"item": item}
        request = Request(Act.CONTROL, grounded.scope, action=_ACTIONS[ListAction.REMOVE], parameters=parameters)
        yield frame(clause, ActKind.LIST, request, {*range(len(clause.cells))}, None, grounded).without(Feature.NEGATED)


def _left_alone(clause: Clause, grounded: Grounded) -> Frame:
    """The frame that says that nothing is done."""
    made = frame(clause, ActKind.REFUSAL, Request(Act.SAY, say=LEFT_ALONE), {*range(len(clause.cells))}, None, grounded)
    return made.without(Feature.NEGATED)


def _beside_a_denial(clause: Clause) -> bool:
    """Whether something beside the clause, behind a mark, denies or corrects: "not apples, pears", "no wait, pears"."""
    said = clause.names.pack.phrases
    first, end = clause.cells[0].first, clause.cells[-1].end
    before = clause.tokens[:first] if clause.mark(0) else ()
    behind = clause.tokens[end:] if end < len(clause.tokens) and clause.tokens[end].mark else ()
    denies = {Role.NEGATION, Reference.CORRECTS}
    return any(denies & {*said.get(t.text, ())} for t in (*before, *behind))


def _ends_with_too(cell: Cell, clause: Clause) -> bool:
    """Whether a suffix says "too"."""
    raw = clause.tokens[cell.end - 1].raw
    hanging = decomposed(raw.removeprefix(bare(raw, clause.names)))
    return Reference.TOO in clause.names.pack.endings.get(hanging, ())


def _unknown_list(clause: Clause, named: Sequence[int], told: set[int]) -> Iterator[Frame]:
    """A frame for a list that the home does not have: it says so."""
    if not clause.of(ListAction) or clause.asks:
        return
    about = About(clause.text(max(named), max(told)))
    request = Request(Act.SAY, say="unknown_device", about=about)
    yield frame(clause, ActKind.UNKNOWN, request, range(len(clause.cells)))


def _said_of_items(clause: Clause, named: Sequence[int], grounded: Grounded) -> Iterator[Frame]:
    """The frame for items that stand beside the list that they are for, or for the question whether they are on it."""
    (place, items), *more = clause.said(Items)
    if more:
        return
    item = list(items.texts) if len(items.texts) > 1 else items.texts[0]
    told = clause.at(ShoppingWord.GONE, ShoppingWord.NEED)
    cells = {*named, place} | clause.of(ListAction, Particle) | clause.neutral | told
    lists, action = _lists_for(items.deed, grounded), _ACTIONS[items.deed]
    request = Request(Act.CONTROL, lists, action=action, parameters={"item": item})
    made = frame(clause, ActKind.LIST, request, cells, _spoken(named, grounded), grounded)
    dropped = {Feature.LEFT_STATEMENT, Feature.ACROSS_A_MARK} if told else set()  # "milk is out, add it to the list"
    ordered = min(clause.at(*_ACTIONS), default=0)
    if clause.at(ShoppingWord.GONE) and max(clause.at(Role.NEGATION), default=0) < place < ordered:
        dropped |= {Feature.NEGATED, Feature.DESCRIBES}  # "wir haben keine Milch mehr, setz sie auf die Liste"
    yield made.without(*dropped)
    was_done = clause.at(Role.AUXILIARY, SafetyWord.DONE, SafetyWord.WAS)
    if was_done and (clause.asks or clause.of(Question)):  # "did I put milk on the list"
        request = Request(
            Act.QUERY, grounded.scope, asked=Asked.YESNO, attribute="items", details=Details(item=items.texts[0])
        )
        whether = clause.at(Question.YESNO, Question.ANY) | was_done | clause.at(Role.STATEMENT)
        yield frame(clause, ActKind.ASKING, request, cells | whether, None, grounded)


def _deeds(clause: Clause, named: Sequence[int], grounded: Grounded) -> Iterator[Frame]:
    """Frames for verbs with an item and only a pronoun for the list, or nothing: the longest run of cells that nothing
    else explains.
    """
    ordering = _orders_it(clause)
    told = clause.at(ShoppingWord.GONE, *((ShoppingWord.NEED,) if ordering else ()))
    told |= clause.at(ShoppingWord.BUY) & clause.at(Role.REASON)
    for place, deed in clause.said(ListAction):
        action = _ACTIONS.get(deed)
        if action is None or (ordering and place not in ordering):
            continue
        edges = {*named, place} | _apart(clause, deed) | (told - {place})
        run = item_cells(clause, place, named, edges)
        if run and all(clause.cells[k].says(Role.EVERYTHING, *NO_ITEM) for k in run):
            continue
        if not run or all(clause.cells[k].has(ListAction) and not clause.cells[k].free for k in run):
            continue
        if deed is not ListAction.ADD and _stands_for_what_is_told(clause, run):
            continue
        cells = edges | set(range(run[0], run[-1] + 1)) | clause.neutral | clause.of(Particle)
        parameters = {"item": said_items(clause, run)}
        request = Request(Act.CONTROL, _lists_for(deed, grounded), action=action, parameters=parameters)
        open_text = {Feature.OPEN_TEXT: OPEN_WORD * len(run)}
        yield frame(clause, ActKind.LIST, request, cells, _spoken(named, grounded), grounded, open_text)


def _lists_for(deed: ListAction, grounded: Grounded) -> Scope:
    """The lists that something is done to: what is taken off where none is named is on one of them."""
    open_ = deed is ListAction.ADD or grounded.scope.named
    return grounded.scope if open_ else each(sorted(grounded.entity_ids))


def _spoken(named: Sequence[int], grounded: Grounded) -> Target | None:
    """The list as what is spoken of by these cells; None where any may be meant."""
    ids = tuple(i for group in grounded.scope.named for i in group)
    return Target(phrases=(Phrase(entity_ids=ids, cells=tuple(named)),)) if ids else None


def _stands_for_what_is_told(clause: Clause, run: Sequence[int]) -> bool:
    """Whether the item is only a pronoun for what the clause before tells, or is itself a statement."""
    cells = [clause.cells[i] for i in run]
    pronoun = all(not c.free and (c.says(Role.PRONOUN) or c.has(Particle)) for c in cells)
    return (pronoun and clause.cells[0].first > 0) or (
        clause.postpositions and any(clause.cells[i].says(Role.REASON) for i in run)
    )


def _orders_it(clause: Clause) -> set[int]:
    """The indexes of verbs with a pronoun joined to them, which order what the words before only tell ("milk is out,
    add-it").
    """
    behind = (i for i in range(1, len(clause.cells)) if clause.tokens[clause.cells[i].first].hangs)
    return {i - 1 for i in behind} & clause.of(ListAction)


def _held(clause: Clause, named: Sequence[int], grounded: Grounded) -> Iterator[Frame]:
    """Whether an item is on the list, or how much of it."""
    forms = {q for _, q in clause.said(Question)}
    whether = bool(forms & {Question.YESNO, Question.ANY, Question.HOW_MANY}) or (clause.asks and not forms)
    leads = clause.cells[: min(clause.of(Question), default=0)]
    told = clause.cells[len(leads)].says(Role.COPULA) if len(leads) < len(clause.cells) else False
    wished = not clause.asks and any(c.says(Role.COURTESY, Role.ENSURE) for c in leads)
    if wished and not told:
        return
    past = clause.at(Role.AUXILIARY, SafetyWord.DONE, SafetyWord.WAS)  # "did I put milk on the list"
    was_done = clause.cells[clause.opening].has(Question) and not leads and (not clause.neutral or bool(past))
    deeds = clause.at(ListAction.NEW, ListAction.WIPE) | (set() if was_done else clause.at(*_ACTIONS))
    if not whether or deeds - {*named}:
        return
    small = clause.of(Question, Particle) | clause.at(*_ACTIONS, Role.TO, Role.STATEMENT, Role.COPULA, ListAction.ITEM)
    edges = {*named} | {i for i in small if not clause.cells[i].free} | clause.at(Role.ENSURE)
    run = item_cells(clause, -1, named, edges)
    if not run:
        return
    cells = edges | set(range(run[0], run[-1] + 1))
    open_text = {Feature.OPEN_TEXT: OPEN_WORD * len(run)}
    if wished:  # "make sure that milk is on the list"
        item = {"item": clause.text(run[0], run[-1])}
        request = Request(Act.CONTROL, grounded.scope, action=_ACTIONS[ListAction.ADD], parameters=item)
        yield frame(clause, ActKind.LIST, request, cells, None, grounded, open_text)
        return
    counted = Question.HOW_MANY in forms  # "how many jobs are left": what is counted there is no item
    details = Details() if counted else Details(item=clause.text(run[0], run[-1]))
    asked = Asked.VALUE if counted else Asked.YESNO
    request = Request(Act.QUERY, grounded.scope, asked=asked, attribute="items", details=details)
    yield frame(clause, ActKind.ASKING, request, cells, None, grounded, open_text)


def _apart(clause: Clause, deed: ListAction) -> set[int]:
    """The indexes of a verb and its particle that only together say what to do."""
    separable = clause.names.pack.separable
    places = clause.at(deed)
    return places if any(clause.tokens[clause.cells[i].first].text in separable for i in places) else set()


def _without_item(clause: Clause, named: Sequence[int], grounded: Grounded) -> Iterator[Frame]:
    """A frame that asks what: a list is to be made, or something without a name added."""
    deeds = {d for _, d in clause.said(ListAction)}
    adds = bool(deeds & {ListAction.NEW, ListAction.ADD})
    all_of_it = ListAction.ITEM in deeds or clause.at(Role.EVERYTHING)
    takes = ListAction.WIPE in deeds or (all_of_it and bool(deeds & {ListAction.REMOVE, ListAction.COMPLETE}))
    if not adds and not takes:
        return
    small = clause.at(Role.COURTESY, Role.FILLER) | clause.of(Particle)
    cells = {*named} | clause.of(ListAction) | clause.neutral | small | clause.at(Verb.START, Verb.OPEN, Verb.CLEAN)
    request = Request(Act.CONTROL, Scope(), action=_ACTIONS[ListAction.ADD if adds else ListAction.REMOVE])
    yield frame(clause, ActKind.LIST, request, cells, None, grounded, {Feature.NO_ITEM: 1.0})


def _shown(clause: Clause, named: Sequence[int], grounded: Grounded) -> Iterator[Frame]:
    """A frame for the question what is on a list."""
    deeds = {d for i, d in clause.said(ListAction) if i not in named}
    questions = clause.of(Question)
    if deeds & {ListAction.NEW, ListAction.WIPE, ListAction.ADD, ListAction.REMOVE}:
        return
    if not (questions or clause.asks or not deeds - {ListAction.ITEM}):
        return
    if clause.of(DayWord) - clause.at(DayWord.TODAY) and not questions:
        return  # what is to be on it another day
    opened = clause.at(Verb.OPEN, Verb.DO, Verb.START)
    cells = {*named} | questions | clause.at(ListAction.ITEM) | opened | clause.at(Topic.CALENDAR, Particle.ON)
    cells |= clause.of(DayWord, StateWord)
    request = Request(Act.QUERY, grounded.scope, asked=Asked.VALUE, attribute="items")
    weak = 0.0 if questions or clause.asks or opened else _BARE
    extra = {Feature.WEAK_QUESTION: weak}
    yield frame(clause, ActKind.ASKING, request, cells, _spoken(named, grounded), grounded, extra)
