"""Questions about how things are: their state, or something that they measure or are set to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.domains import ON_OFF, PROFILES, profile_of
from homeagent.domains.person import PEOPLE
from homeagent.domains.states import FINISHED, OPENS, OPPOSITES, domains_in, raw_of
from homeagent.knowledge import SOURCES
from homeagent.languages.concepts import (
    Attribute,
    Complaint,
    Extreme,
    Heading,
    Question,
    Role,
    Verb,
)
from homeagent.safety.dangers import heats
from homeagent.safety.guards import LOCKED
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.attribute_questions import (
    MEASURED,
    asking_attributes,
    names_a_measure,
    said_qualities,
    targets_asked,
    told_of,
)
from homeagent.understanding.frames.outdoors import contrasts, measure_said
from homeagent.understanding.frames.question_form import (
    asks_for_no_state,
    asks_twice,
    form_of,
    is_tagged,
    verb_of_a_state,
    worded_as_questions,
)
from homeagent.understanding.frames.states_asked import DEFAULT, SENSED, TRUE, asked_states
from homeagent.understanding.grounding import Grounded, TargetFit, by_locks, from_antecedent, members
from homeagent.understanding.noun_phrases import Target
from homeagent.understanding.request import About, Act, Asked, Request, Scope, WeatherMeasure
from homeagent.understanding.spans import Named, OfKind
from indexer.entity import Entity
from indexer.lexicon import domains_of
from indexer.selector import Selector

_WHOLE = {Attribute.DOING: "doing", Attribute.FINISHED: FINISHED, None: ""}
"""What is asked of a thing as a whole."""
_WHOLE_ATTRIBUTES = tuple(a for a in _WHOLE if a is not None)
_OF_SOME = (Asked.ANY, Asked.WHICH, Asked.HOW_MANY)
_COUNTED = (Asked.YESNO, Asked.ANY, Asked.WHICH, Asked.HOW_MANY)
_NEEDS_A_STATE = (Asked.YESNO, Asked.ANY, Asked.ALL)
_PRESENT = "home"
_OF_PEOPLE = frozenset({"occupancy", "presence"})
"""Device classes of what tells that somebody is there."""
_LEFT_ON = frozenset(d for d, p in PROFILES.items() if p.left_on)


def asking(clause: Clause) -> Iterator[Frame]:
    """Frames for the questions that a clause may ask about attributes and states."""
    forms = {q for _, q in clause.said(Question)}
    worded = worded_as_questions(clause) | verb_of_a_state(clause)
    asks_for_something = forms or worded or clause.asks or names_a_measure(clause)
    if Question.OTHER in forms or not asks_for_something or asks_for_no_state(clause):
        return
    if contrasts(clause) or measure_said(clause) is WeatherMeasure.HUMIDITY:
        return  # asked of the open air
    asked = form_of(clause)
    if {Question.WHERE, Question.ALL} <= forms:
        yield from _where_all_are(clause)
    cells = {i for i, _ in clause.said(Question) if not (i and clause.cells[i].has(OfKind, Named))} | worded
    opening = next((i for i, c in enumerate(clause.cells) if not c.says(Role.JOIN)), 0)
    asks = clause.asks and not clause.at(Role.COURTESY)
    opens = opening in cells or (clause.postpositions and bool(cells)) or is_tagged(clause)
    looks_for = bool(cells & clause.at(Verb.LOCATE))
    against = {} if (opens or asks) and not looks_for else {Feature.WEAK_QUESTION: 1.0}
    if clause.of(Extreme) or (clause.of(Heading) and clause.at(Role.OR)):
        return  # which of them has most is a comparison
    states, said = asked_states(clause, asked)
    if states and asked in _OF_SOME and (denied := clause.at(Role.NEGATION)):
        states = {kind: tuple(OPPOSITES.get(raw, raw) for raw in raws) for kind, raws in states.items()}
        said |= denied
    if asked is Asked.YESNO and not states:
        # "is it at 21?": the value that it has tells whether
        cells |= {p for n in clause.numbers if not n.of_time for p in n.cells} | clause.at(Role.TO)
    if not (states and asked is Asked.YESNO) or said_qualities(clause, asked):
        yield from asking_attributes(clause, asked, cells, against)
    if asks_twice(clause, said):
        against = {**against, Feature.SEVERAL_VERBS: 1.0}
    yield from _of_states(clause, asked, cells | said, states, against)


def _where_all_are(clause: Clause) -> Iterator[Frame]:
    """A frame for "where is everybody": where the people of the home are."""
    people = next((found for domain in PEOPLE if (found := clause.names.of_domain(domain))), ())
    small = (Role.FILLER, Role.COPULA, Role.EVERY, Role.EVERYTHING)
    if not people or not all(c.has(Question) or c.says(*small) for c in clause.cells):
        return
    scope = Scope(tuple((e.entity_id,) for e in people), every=True)
    grounded = Grounded(scope, TargetFit.EXACT, frozenset(e.entity_id for e in people))
    request = Request(Act.QUERY, scope, asked=Asked.WHERE)
    yield frame(clause, ActKind.ASKING, request, range(len(clause.cells)), None, grounded)


def _of_states(
    clause: Clause, asked: Asked, cells: set[int], states: Mapping[str, tuple[str, ...]], against: dict[Feature, float]
) -> Iterator[Frame]:
    for target, more in targets_asked(clause, cells):
        of_it = asked is Asked.YESNO or (asked is Asked.VALUE and clause.at(Attribute.DOING, Attribute.FINISHED))
        if of_it and target.empty and not target.every:
            target = from_antecedent(target, clause.antecedent)  # "is it on?", "elle est allumée ?"
        if set(states.get(DEFAULT, ())) & LOCKED:
            target = by_locks(target, clause.names)
        yield from _of_state(clause, asked, cells, states, target, {**against, **more})


def _of_state(
    clause: Clause,
    asked: Asked,
    cells: set[int],
    states: Mapping[str, tuple[str, ...]],
    target: Target,
    against: dict[Feature, float],
) -> Iterator[Frame]:
    phrases = target.phrases
    of_the_piece = asked is Asked.VALUE or (asked is Asked.WHICH and clause.at(Role.PRONOUN))
    media = clause.at(Attribute.MEDIA)
    if of_the_piece and media and all({*p.cells} <= media for p in phrases):
        return  # "what's playing?", "who's this playing?": the title
    if asked is Asked.VALUE and phrases and _measures(clause):
        return  # "how far are the blinds open": how far is told
    if not states and clause.leading_joins and not clause.of(Question) and all(p.is_place for p in phrases):
        return  # "… and in the kitchen": what is asked was said before
    whole = _WHOLE.get(next((a for _, a in clause.said(Attribute) if a in _WHOLE), None))
    if whole and phrases and not all(p.is_place for p in phrases) and (asked is Asked.VALUE or whole == FINISHED):
        states, cells = {}, cells | clause.at(Attribute.DOING, Attribute.FINISHED)
        asked = Asked.VALUE
        if whole == FINISHED and clause.at(Question.WHEN):
            return  # what is to come no state tells
    else:
        whole = ""
    if not (phrases or target.everything) and (asked in (Asked.HOW_MANY, Asked.WHERE) or not states):
        return
    if asked is Asked.HOW_MANY and not states and phrases and all(p.entity_ids and not p.plural for p in phrases):
        return  # one thing is not counted
    found = [e for p in phrases for e in told_of(p, clause, states)]
    if whole == "doing" and found and all(e.domain in SOURCES for e in found):
        return  # what it does, not what it is doing
    by_name = bool(phrases) and all(p.entity_ids for p in phrases) and clause.of(Question)
    if by_name and not states and asked is Asked.YESNO and all(e.domain == SENSED for e in found):
        states = {DEFAULT: (TRUE,)}  # "is the washer running", of what is called so
    if not states and asked is Asked.YESNO and found and all(e.domain == PEOPLE[0] for e in found):
        states = {DEFAULT: (_PRESENT,)}  # "is Anna there"
    if not phrases:
        found = [e for e in clause.names.entities if e.in_plurals]
    able = [e for e in found if not states or raw_of(e, states)]
    if states and all(p.is_place for p in phrases):
        able = _likeliest(able, states, asked)
    raw = tuple(dict.fromkeys(r for e in able for r in raw_of(e, states)))
    named = any(p.entity_ids for p in phrases)
    if asked is Asked.VALUE and raw and not named:
        if all(e.domain in PEOPLE for e in able):
            return  # "was steht da drauf" asks for nobody
        asked = Asked.WHICH
    standing = TargetFit.EXACT if able else TargetFit.INCAPABLE if found else TargetFit.NONE
    if not states and asked in _NEEDS_A_STATE:
        standing = TargetFit.INCAPABLE
    scope = _scope(clause, target, able, standing)
    if (
        not found
        and not named
        and asked in _COUNTED
        and not clause.at(Role.TIMER, *Complaint)
        and phrases
        and all(p.kinds and not p.areas and not p.floors for p in phrases)
    ):
        yield from _of_none(clause, asked, cells, target, against)
        return
    if not scope.named or (found and all(profile_of(e.domain).own_questions for e in found)):
        return
    if not states and clause.at(*MEASURED) and phrases and all(p.is_place for p in phrases):
        return  # what is measured there is asked for, and not how everything is
    grounded = Grounded(scope, standing, frozenset(e.entity_id for e in able))
    request = Request(Act.QUERY, scope, asked=asked, states=raw, attribute=whole)
    yield frame(clause, ActKind.ASKING, request, cells, target, grounded, against)


def _measures(clause: Clause) -> bool:
    """Whether it asks for how much of something that can be set ("how far", "how bright")."""
    return bool(clause.of(Attribute) - clause.at(*_WHOLE_ATTRIBUTES, Attribute.MEDIA))


def _of_none(
    clause: Clause, asked: Asked, cells: Collection[int], target: Target, against: dict[Feature, float]
) -> Iterator[Frame]:
    """A query for a kind that the home has none of; its answer says so. Not where its words end the sentence with one
    that would lead a place: "is anyone in" is asked of people.
    """
    ended = clause.names.pack.phrases.get(clause.tokens[clause.cells[-1].end - 1].text, ())
    if Role.PLACE in ended and clause.cells[-1].has(OfKind) and not clause.postpositions:
        return
    kinds = [k for p in target.phrases for c in p.kinds for k in c.kinds]
    classes = tuple(dict.fromkeys(k.device_class for k in kinds if k.device_class))
    if not _OF_PEOPLE.isdisjoint(classes) and any(map(clause.names.of_domain, PEOPLE)):
        return  # "is there anybody in the house" asks for them
    scope = Scope(selector=Selector(domains=tuple(dict.fromkeys(k.domain for k in kinds)), device_classes=classes))
    about = About(clause.kinds_as_said([i for p in target.phrases for i in p.cells]))
    request = Request(Act.QUERY, scope, asked=asked, about=about)
    yield frame(clause, ActKind.ASKING, request, cells, target, None, against)


def _likeliest(able: Sequence[Entity], states: Mapping[str, tuple[str, ...]], asked: Asked) -> list[Entity]:
    """The things that a state without a name is asked of: lights, players, fans and heaters for on and off; else those
    of the first domain that has the state, with all openings where any of several counts.
    """
    said = states.get(DEFAULT, ())
    left_on = [e for e in able if heats(e) or _LEFT_ON.intersection(domains_of(e))]
    if said and set(said) <= set(ON_OFF) and left_on:
        return left_on
    first = domains_in(states)[:1]
    openings = asked in (Asked.ANY, Asked.WHICH) and first != PEOPLE[:1]
    return [e for e in able if e.domain in first or (openings and e.domain in (*OPENS, SENSED))]


def _scope(clause: Clause, target: Target, able: Sequence[Entity], standing: TargetFit) -> Scope:
    if not any(p.entity_ids for p in target.phrases):
        return Scope(tuple((e.entity_id,) for e in able), every=True)
    if standing is TargetFit.EXACT:
        groups = [tuple(e.entity_id for e in members(p, clause.names) if e in able) for p in target.phrases]
    else:
        groups = [p.entity_ids for p in target.phrases]
    return replace(Scope(every=target.every), named=tuple(g for g in groups if g))
