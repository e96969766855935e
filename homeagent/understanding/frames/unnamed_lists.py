"""Items for a list that is not named: which of the home's lists they belong on, by what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.languages.concepts import Count, Heading, ListAction, Particle, Role, Verb
from homeagent.languages.dictionary import base_form, is_word
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.list_items import said_items
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.home_names import LISTS, HomeNames
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import Act, Request, Scope
from indexer.selector import Selector
from indexer.words import normalise

BETWEEN_ITEMS = (Role.FILLER, Role.COURTESY, Role.JOIN)
ADDING = "add_item"
_SHORTEST_TASK = 2
"""Words of a task: of one alone, a verb is hard to tell from a noun."""


def unlisted(clause: Clause, actions: Mapping[ListAction, str]) -> Iterator[Frame]:
    """A verb with an item and no list: for the list spoken of last, or the home's only one."""
    place = max(clause.of(ListAction), default=0) if clause.postpositions else clause.opening_deed
    deed = next((d for d in clause.cells[place].all(ListAction) if d in actions), None)
    if deed is None or clause.cells[place].has(Verb, Heading) or clause.asks:
        return
    behind = range(place) if clause.postpositions else range(place + 1, len(clause.cells))
    parted = clause.of(Particle) | clause.at(deed) if not clause.postpositions else set()
    apart = parted.intersection(behind[-1:])  # "schreib Mehl auf"
    run = [i for i in behind if clause.cells[i].free or clause.cells[i].has(Count)]
    if not run or not all(i in run or i in apart or clause.cells[i].means(*BETWEEN_ITEMS) for i in behind):
        return
    spoken = [i for p in (clause.antecedent.phrases if clause.antecedent else ()) for i in p.entity_ids]
    lists = tuple(i for i in spoken if i.startswith(f"{LISTS}."))
    known = lists or tuple(e.entity_id for e in clause.names.entities if e.domain == LISTS)
    scope = Scope((lists,)) if lists else Scope(selector=Selector(domains=(LISTS,)))
    grounded = Grounded(scope, TargetFit.EXACT if lists else TargetFit.SET, frozenset(known))
    scope = scope if lists or deed is ListAction.ADD else each(sorted(known))
    request = Request(Act.CONTROL, scope, action=actions[deed], parameters={"item": said_items(clause, run)})
    extra = {Feature.OPEN_TEXT: OPEN_WORD * len(run), Feature.INHERITED: 1.0}
    if known:
        made = frame(clause, ActKind.LIST, request, {place, *apart, *range(run[0], run[-1] + 1)}, None, grounded, extra)
        yield made.without(Feature.ACROSS_A_MARK)


def on_its_list(found: Frame, clause: Clause) -> Frame:
    """The frame, for the list that an item is for by what it is where none is said: a task, or a thing to buy."""
    request, bought = found.request, clause.names.shopping_lists
    lists = [e.entity_id for e in clause.names.of_domain(LISTS)]
    if request is None or request.action != ADDING or len(lists) <= len(bought) or not bought:
        return found
    if clause.cells[-1].end < len(clause.tokens):
        return found  # what follows may be more items
    item = request.parameters.get("item")
    if not item or not found.entity_ids >= {*lists}:
        return found
    sorts = {is_task(str(one), clause.names) for one in (item if isinstance(item, list) else [item])}
    if None in sorts or len(sorts) != 1:
        return found
    (task,) = sorts
    ids = tuple(i for i in lists if (i in bought) is not task)
    return replace(found, request=replace(request, scope=Scope((ids,))), entity_ids=frozenset(ids))


def is_task(item: str, names: HomeNames) -> bool | None:
    """Whether it is to be done and not to be bought, by its verb; None where a word may be a verb and a noun."""
    pack, said = names.pack, item.split()
    if pack.tasks is None or not said:
        return None
    word = said[-1 if pack.tasks.last else 0]
    also = tuple(pack.tasks.also)
    if word.casefold().endswith(also) if pack.tasks.last else word.casefold() in also:
        return len(said) > 1 or pack.postpositions
    if len(said) < _SHORTEST_TASK:
        return False
    if pack.tasks.gerund:
        return _leads_a_thing(said, pack.tasks.gerund, names)
    if word[0].isupper() or not word.endswith(tuple(pack.tasks.endings)):
        return False
    if not any(base_form(_form(word, form), pack.language) == word for form in pack.tasks.forms):
        return False
    noun = base_form(word.capitalize(), pack.language)
    if noun[0].isupper() and f"{noun}n" == word.capitalize() and not any(w[0].isupper() for w in said):
        return None  # "saure gurken", "böden putzen"
    return True


def _form(word: str, form: str) -> str:
    cut, _, ending = form.partition(":")
    return word[: len(word) - int(cut)] + ending


def _leads_a_thing(said: Sequence[str], gerund: str, names: HomeNames) -> bool | None:
    """Whether an article stands behind the first word ("descale the kettle"). None where that word may be a verb all
    the same ("milk chocolate").
    """
    known = names.pack.phrases
    first, second = ({*known.get(normalise(word), ())} for word in said[:2])
    if Role.ARTICLE in second and not first & {Role.ARTICLE, Role.EVERY}:
        return True
    return None if is_word(f"{said[0].rstrip('e')}{gerund}", names.pack.language) else False
