"""Orders that choose from a thing's own list: a source of the TV, an effect of a lamp, the option of a select."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.languages.concepts import Attribute, Dimension, Listed, Question, Role, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.control import led, moving
from homeagent.understanding.grounding import Grounded, TargetFit, from_antecedent, in_area, members
from homeagent.understanding.lattice import Choices
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.request import About, Act, Request, Scope
from homeagent.understanding.spans import OfChoice

_SELECTS = ("select.", "input_select.")


def options(clause: Clause) -> Iterator[Frame]:
    """Frames that set a choice of a thing's own list, for the thing named or spoken of last. Without a verb only where
    the thing is a select, or "to" leads the choice.
    """
    for place, offered in clause.said(OfChoice):
        verbs = clause.neutral | moving(clause) | clause.at(Verb.START, Verb.PLAY, Verb.HEAR)
        cells = {place} | verbs | led(clause, place)
        target = target_of(clause, cells)
        inherited = (target.empty and clause.antecedent is not None) or target.pronoun
        if inherited:
            target = from_antecedent(target, clause.antecedent)
        meant = _meant(clause, target, offered)
        if target.empty and (anywhere := _of_any_player(offered, clause)) and clause.of(Verb) & cells:
            yield frame(clause, ActKind.SETTING, anywhere, cells | (clause.of(Listed) - {place}), target)
        for choice in offered.choices:
            if choice.entity_id not in meant or (choice.by_word and not target.phrases):
                continue
            spoken = any(clause.cells[i].has(Verb) for i in cells)
            told = spoken or led(clause, place) or choice.entity_id.startswith(_SELECTS)
            if not told and not (choice.parameter == Listed.SOURCE.value and target.phrases and not clause.asks):
                continue  # "Radio 1 in the kitchen"
            against = {} if spoken else {Feature.WITHOUT_VERB: 1.0}
            if inherited and not clause.at(Role.PRONOUN):
                against[Feature.INHERITED] = 1.0
            scope = Scope(((choice.entity_id,),))
            grounded = Grounded(scope, TargetFit.EXACT, frozenset({choice.entity_id}))
            parameters = {choice.parameter: choice.value}
            request = Request(Act.CONTROL, scope, action="set_value", parameters=parameters)
            own = cells | (clause.of(Dimension, Listed) - {place})
            yield frame(clause, ActKind.SETTING, request, own, target, grounded, against)


def _of_any_player(offered: OfChoice, clause: Clause) -> Request | None:
    """The request for a source that several players have, where none is named: of those in the speaker's room, if there
    are any, it is asked which."""
    if {(c.parameter, c.value) for c in offered.choices} != {(Listed.SOURCE.value, offered.choices[0].value)}:
        return None
    known = [e for c in offered.choices if (e := clause.names.by_id.get(c.entity_id)) is not None]
    near = in_area(known, [clause.area_id] if clause.area_id else [], []) or known
    scope = Scope((tuple(dict.fromkeys(e.entity_id for e in near)),))
    parameters = {Listed.SOURCE.value: offered.choices[0].value}
    several = len({e.entity_id for e in known}) > 1
    return Request(Act.CONTROL, scope, action="set_value", parameters=parameters) if several else None


def _meant(clause: Clause, target: Target, offered: OfChoice) -> set[str]:
    """The things that a choice may be set on; of a mere place those there that offer it."""
    if not target.only_places:
        return {e.entity_id for p in target.phrases for e in members(p, clause.names)}
    known = [e for c in offered.choices if (e := clause.names.by_id.get(c.entity_id)) is not None]
    found = in_area(known, target.areas, target.floors) if target.phrases else known
    return {e.entity_id for e in found if target.phrases or len(known) == 1}


def offering(clause: Clause, choices: Choices) -> Iterator[Frame]:
    """A frame that lists the choices, where something else was said ("set the source of the TV to the moon")."""
    said = {kind.value for _, kind in clause.said(Listed)}
    free = {i for i, c in enumerate(clause.cells) if c.free}
    if len(said) != 1 or not free or not clause.neutral:
        return
    cells = free | clause.neutral | clause.of(Listed) | clause.at(Role.TO)
    target = target_of(clause, cells)
    meant = {e.entity_id for p in target.phrases for e in members(p, clause.names)}
    own = {c: None for of in choices.values() for c in of if c.entity_id in meant and c.parameter in said}
    ids = {c.entity_id for c in own}
    chosen = any(c in own for _, offered in clause.said(OfChoice) for c in offered.choices)
    if len(ids) == 1 and not chosen:
        about = About(name=clause.names.by_id[ids.pop()].name, choices=tuple(c.value for c in own))
        yield frame(clause, ActKind.SETTING, Request(Act.SAY, say="choices", about=about), cells, target)


def choosable(clause: Clause, choices: Choices) -> Iterator[Frame]:
    """A frame for the question what a thing can be set to ("which sources does the TV have"). A word that as well is
    what is told of it ("source") asks for that.
    """
    said = clause.of(Listed) - clause.of(Attribute)
    kinds = {kind.value for i, kind in clause.said(Listed) if i in said}
    if len(kinds) != 1 or not clause.of(Question) or clause.of(OfChoice):
        return
    cells = said | clause.of(Question) | clause.neutral
    target = target_of(clause, cells)
    offered = tuple(c for of in choices.values() for c in of if c.parameter in kinds and not c.by_word)
    meant = _meant(clause, target, OfChoice(offered))
    own = {c: None for c in offered if c.entity_id in meant}
    for entity_id in sorted({c.entity_id for c in own}):
        values = tuple(c.value for c in own if c.entity_id == entity_id)
        about = About(name=clause.names.by_id[entity_id].name, choices=values)
        scope = Scope(((entity_id,),))
        grounded = Grounded(scope, TargetFit.EXACT, frozenset({entity_id}))
        yield frame(clause, ActKind.ASKING, Request(Act.SAY, say="choices", about=about), cells, target, grounded)
