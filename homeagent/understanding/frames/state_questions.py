"""Questions about how things are: their state, or something that they measure or are set to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.domains import ON_OFF, PROFILES, profile_of
from homeagent.domains.actions import BROUGHT_BY
from homeagent.domains.person import PEOPLE
from homeagent.domains.states import ATTRIBUTES, FINISHED, OPENS, OPPOSITES, domains_in, raw_of
from homeagent.knowledge import SOURCES
from homeagent.languages.concepts import (
    Attribute,
    Complaint,
    Dimension,
    Extreme,
    Heading,
    Particle,
    Quality,
    Question,
    Reference,
    Role,
    SafetyWord,
    StateWord,
    Topic,
    Verb,
)
from homeagent.safety.dangers import heats
from homeagent.safety.guards import LOCKED
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Features, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.outdoors import contrasts, measure_said
from homeagent.understanding.grounding import Grounded, TargetFit, by_locks, from_antecedent, members, of_place
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.noun_phrases import Phrase, Target, target_of
from homeagent.understanding.reference import meanings
from homeagent.understanding.request import About, Act, Asked, Request, Scope, WeatherMeasure
from homeagent.understanding.spans import InArea, Named, OfKind, OnFloor
from indexer.entity import Entity
from indexer.lexicon import domains_of
from indexer.selector import Selector

_FORMS = (
    (Question.HOW_LONG, Asked.HOW_LONG),
    (Question.HOW_MANY, Asked.HOW_MANY),
    (Question.WHERE, Asked.WHERE),
    (Question.WHEN, Asked.HOW_LONG),
    (Question.WHICH, Asked.WHICH),
    (Question.ANY, Asked.ANY),
    (Question.ALL, Asked.ALL),
    (Question.YESNO, Asked.YESNO),
    (Question.VALUE, Asked.VALUE),
)
"""Forms of questions, the one that tells most first."""
_DONE = {Verb(action): state for state, action in BROUGHT_BY.items() if action != Verb.PLAY.value}
"""The state that a deed leads to; of what is played it is asked by its title."""
_DEFAULT = "default"
_MEASURED = (Attribute.TEMPERATURE, Attribute.HUMIDITY, Attribute.POWER, Attribute.ENERGY)
"""What is only told, and not set by its name alone."""
_SET_TO = frozenset({Attribute.TEMPERATURE, Attribute.TARGET_TEMPERATURE})
"""What a word for "set to" stands for, where nothing else is asked for."""
_WHOLE = {Attribute.DOING: "doing", Attribute.FINISHED: FINISHED, None: ""}
"""What is asked of a thing as a whole."""
_WHOLE_ATTRIBUTES = tuple(a for a in _WHOLE if a is not None)
_LONGEST_OPENING = 4
_CLOSED = (Asked.YESNO, Asked.ANY)
_OF_SOME = (Asked.ANY, Asked.WHICH, Asked.HOW_MANY)
_COUNTED = (Asked.YESNO, Asked.ANY, Asked.WHICH, Asked.HOW_MANY)
_NEEDS_A_STATE = (Asked.YESNO, Asked.ANY, Asked.ALL)
_SENSED, _TRUE = "binary_sensor", "on"
_PRESENT = "home"
_LEFT_ON = frozenset(d for d, p in PROFILES.items() if p.left_on)
States = dict[str, tuple[str, ...]]


def asking(clause: Clause) -> Iterator[Frame]:
    """Frames for the questions that a clause may ask about attributes and states."""
    forms = {q for _, q in clause.said(Question)}
    worded = _worded_as_questions(clause) | _verb_of_a_state(clause)
    asks_for_something = forms or worded or clause.asks or _names_a_measure(clause)
    if Question.OTHER in forms or not asks_for_something or _asks_for_no_state(clause):
        return
    if contrasts(clause) or measure_said(clause) is WeatherMeasure.HUMIDITY:
        return  # asked of the open air
    asked = form_of(clause)
    if {Question.WHERE, Question.ALL} <= forms:
        yield from _where_all_are(clause)
    cells = {i for i, _ in clause.said(Question) if not (i and clause.cells[i].has(OfKind, Named))} | worded
    opening = next((i for i, c in enumerate(clause.cells) if not c.says(Role.JOIN)), 0)
    asks = clause.asks and not clause.at(Role.COURTESY)
    opens = opening in cells or (clause.postpositions and bool(cells)) or _is_tagged(clause)
    looks_for = bool(cells & clause.at(Verb.LOCATE))
    against = {} if (opens or asks) and not looks_for else {Feature.WEAK_QUESTION: 1.0}
    if clause.of(Extreme) or (clause.of(Heading) and clause.at(Role.OR)):
        return  # which of them has most is a comparison
    states, said = _states(clause, asked)
    if states and asked in _OF_SOME and (denied := clause.at(Role.NEGATION)):
        states = {kind: tuple(OPPOSITES.get(raw, raw) for raw in raws) for kind, raws in states.items()}
        said |= denied
    if asked is Asked.YESNO and not states:
        # "is it at 21?": the value that it has tells whether
        cells |= {p for n in clause.numbers if not n.of_time for p in n.cells} | clause.at(Role.TO)
    if not (states and asked is Asked.YESNO) or _qualities(clause, asked):
        yield from _attributes(clause, asked, cells, against)
    if asks_twice(clause, said):
        against = {**against, Feature.SEVERAL_VERBS: 1.0}
    yield from _of_states(clause, asked, cells | said, states, against)


def _asks_what_plays(clause: Clause, asked: Asked) -> bool:
    """Whether it asks which piece is playing ("what's this song")."""
    others = clause.of(Verb, StateWord, Particle, Heading, Dimension, OfKind) - clause.neutral - clause.at(Verb.HEAR)
    return (
        asked in (Asked.VALUE, Asked.WHICH) and bool(clause.at(Topic.MEDIA)) and not (others - clause.at(Topic.MEDIA))
    )


def asks_twice(clause: Clause, states: Collection[int]) -> bool:
    """Whether a conjunction and another thing stand between two states, so that each is asked of its own thing. The
    conjunction may hang on the first one.
    """
    first, *between = clause.cells[min(states) : max(states)] if len(states) > 1 else (None,)
    joined = any(c.says(Role.JOIN) for c in (first, *between) if c is not None)
    return joined and any(c.has(*THINGS) for c in between)


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


def _verb_of_a_state(clause: Clause) -> set[int]:
    """The index of a verb that says a state and opens the clause before its subject, in languages with the verb second
    ("saugt der Roboter"): that asks, with or without a mark.
    """
    place = clause.opening
    opening, behind = clause.cells[place], clause.cells[place + 1 : place + 3]
    verb = opening.has(StateWord) and not opening.has(Particle, Verb, Heading, *THINGS)
    subject = any(c.has(Named, OfKind) for c in behind) and not clause.of(Verb, Particle, Heading)
    return {place} if clause.names.pack.separable and verb and subject else set()


def _worded_as_questions(clause: Clause) -> set[int]:
    """The indexes of phrases for an attribute that open with a question word ("wie heißt das Lied")."""
    said = clause.names.pack.phrases
    first = {i: clause.tokens[clause.cells[i].first].text for i in clause.of(Attribute)}
    media = clause.at(Attribute.MEDIA)
    things = clause.of(Named, OfKind) - media
    opens = {i for i in media if i == clause.opening and not things}  # "läuft gerade Musik"
    whether = {i for i in opens if Question.YESNO in said.get(first[i], ())}
    return whether | {i for i, word in first.items() if {Question.VALUE, Question.WHICH} & {*said.get(word, ())}}


def _is_tagged(clause: Clause) -> bool:
    """Whether it ends with a tag such as "or not"."""
    last = clause.cells[-1]
    return last.says(Question.YESNO) and last.end - last.first > 1 and not clause.postpositions


def _names_a_measure(clause: Clause) -> bool:
    """Whether it names nothing but a measure or a sensor ("solar power", "bedroom temperature")."""
    small = (Role.FILLER, Role.PLACE)
    content = [c for c in clause.cells if not c.says(*small)]
    measures = bool(clause.at(*_MEASURED)) and all(c.has(Attribute, *THINGS) for c in content)
    ids = [i for _, named in clause.said(Named) for i in named.entity_ids]
    sensors = bool(ids) and all(i.startswith("sensor.") for i in ids) and all(c.has(*THINGS) for c in content)
    return measures or sensors


def form_of(clause: Clause) -> Asked:
    """The most specific form of question that is said; yes-or-no only where its word comes first."""
    forms = {q for _, q in clause.said(Question)}
    first = min(clause.of(Question), default=0)
    said = [(q, form) for q, form in _FORMS if q in forms]
    if len(said) > 1 and not clause.cells[first].says(Question.YESNO):
        said = [(q, form) for q, form in said if q is not Question.YESNO]
    if clause.opening in _worded_as_questions(clause):
        said = [(q, form) for q, form in said if q is not Question.YESNO]  # "what station is on"
    if any(form is Asked.YESNO for _, form in said[:1]) and clause.at(Reference.BOTH) and _of_people(clause):
        return Asked.ALL  # "are we both home"
    closed = (clause.asks or bool(_verb_of_a_state(clause))) and not clause.at(Attribute.DOING)
    return said[0][1] if said else Asked.YESNO if closed else Asked.VALUE


def _attributes(clause: Clause, asked: Asked, question: set[int], against: dict[Feature, float]) -> Iterator[Frame]:
    said = {a for _, a in clause.said(Attribute)}
    if not said and _asks_what_plays(clause, asked):
        said, question = {Attribute.MEDIA}, question | clause.at(Topic.MEDIA, Verb.HEAR, Role.PRONOUN) | clause.neutral
    qualities = _qualities(clause, asked) if not said else set()
    if qualities:
        said, question = {q.attribute for _, q in clause.said(Quality)}, question | qualities
    target_value = Attribute.TARGET_TEMPERATURE in said
    for attribute in [a for a in Attribute if a in said]:
        if target_value and said - {*_SET_TO, attribute} and attribute in _SET_TO:
            continue  # "how loud is it set": of nothing else it is the temperature
        meant = Attribute.TARGET_TEMPERATURE if target_value and attribute in _SET_TO else attribute
        own = clause.at(attribute) | clause.at(Attribute.TARGET_TEMPERATURE)
        cells = question | own | (clause.of(Dimension) & clause.of(Attribute))
        if attribute is Attribute.MEDIA and not clause.of(Named, OfKind):
            cells |= clause.at(Particle.ON, Particle.UP)  # "what station is on"
        for target, more in _of_before(clause, cells, meant):
            if qualities and target.empty and not target.here:
                continue  # of nothing in particular it is the weather that is asked for
            for domain, device_class, name in ATTRIBUTES.get(meant.value, ()):
                grounded = measuring(clause, target, domain, device_class, name if meant in _MEASURED else "")
                if grounded.entity_ids:
                    form = Asked.VALUE if asked in (*_CLOSED, Asked.HOW_MANY) else asked
                    request = Request(Act.QUERY, grounded.scope, asked=form, attribute=name)
                    untold = {Feature.ROOM_IGNORED: float(_untold(clause, target, grounded))}
                    yield frame(clause, ActKind.ASKING, request, cells, target, grounded, {**against, **more, **untold})
                    break


def _qualities(clause: Clause, asked: Asked) -> set[int]:
    """The adjectives of which it is surely asked whether they hold: by a question mark, or a word that asks and does
    not as well open a statement ("hace frío").
    """
    sure = clause.asks or bool(clause.at(Question.YESNO) - clause.at(Role.STATEMENT))
    return clause.of(Quality) if asked is Asked.YESNO and sure else set()


def _of_before(clause: Clause, cells: set[int], attribute: Attribute) -> Iterator[tuple[Target, Features]]:
    """The targets of a question for an attribute. One that can be set, asked without a thing, is asked of what was
    spoken of last ("how loud?").
    """
    for target, against in _meant(clause, cells):
        if (
            target.empty
            and not target.every
            and attribute not in (*_MEASURED, Attribute.MEDIA)
            and clause.antecedent is not None
        ):
            yield from_antecedent(target, clause.antecedent), against
            against = {**against, Feature.NOBODY: 1.0}
        yield target, against


def _meant(clause: Clause, cells: set[int]) -> Iterator[tuple[Target, Features]]:
    """The targets of a question; a pronoun without anything to refer to stands for nothing."""
    for target, against in meanings(clause, target_of(clause, cells)):
        yield (from_antecedent(target, Target()) if target.pronoun else target), against


def _asks_for_no_state(clause: Clause) -> bool:
    """Whether the first words are together a phrase for what no state tells ("how do I")."""
    first = clause.cells[0].first
    openings = (
        clause.tokens[first:end] for end in range(first + 2, min(first + _LONGEST_OPENING, len(clause.tokens)) + 1)
    )
    phrases = clause.names.pack.phrases
    return any(Question.OTHER in phrases.get(" ".join(t.text for t in opening), ()) for opening in openings)


def measuring(clause: Clause, target: Target, domain: str, device_class: str, name: str = "") -> Grounded:
    """The things that have the attribute of this domain and device class: those of the target, else all of the home.
    ``name``: of the attribute, where only those tell it that have it now.
    """
    names = clause.names
    if target.empty and not target.every:
        area = (clause.area_id,) if clause.area_id and target.here else ()
        selector = Selector(domains=(domain,), device_classes=(device_class,) if device_class else (), area_ids=area)
        found = tuple(e for e in names.of_domain(domain) if selector.matches(e) and _tells(e, name, names))
        return _grounded(Scope(selector=selector), found, TargetFit.SET)
    meant = [e for p in target.phrases for e in told_of(p, clause)]
    able = [e for e in meant if e.domain == domain and (not device_class or e.device_class == device_class)]
    able = [e for e in able if _tells(e, name, names)]
    ids = tuple(dict.fromkeys(e.entity_id for e in able))
    named = any(p.entity_ids for p in target.phrases)
    groups = (ids,) if len(target.phrases) == 1 else tuple((i,) for i in ids)
    return _grounded(Scope(groups, every=target.every or not named), able, TargetFit.EXACT)


def _untold(clause: Clause, target: Target, grounded: Grounded) -> int:
    """How many of several things or places an answer leaves out."""
    several = target.phrases if len(target.phrases) > 1 else ()
    return sum(grounded.entity_ids.isdisjoint(e.entity_id for e in told_of(p, clause)) for p in several)


def _tells(entity: Entity, name: str, names: HomeNames) -> bool:
    """Whether a thing has an attribute, as far as its attributes are known."""
    known = names.attributes(entity.entity_id) if name else {}
    return not known or name in known


def told_of(phrase: Phrase, clause: Clause, states: Mapping[str, tuple[str, ...]] | None = None) -> Sequence[Entity]:
    """The things that a phrase may mean and that can be in one of the states; of a mere place everything there."""
    if not phrase.is_place:
        return members(phrase, clause.names, accepts=(lambda e: bool(raw_of(e, states))) if states else None)
    return of_place(phrase, clause.names)


def _grounded(scope: Scope, found: Sequence[Entity], standing: TargetFit) -> Grounded:
    return Grounded(scope, standing if found else TargetFit.NONE, frozenset(e.entity_id for e in found))


def _states(clause: Clause, asked: Asked) -> tuple[States, set[int]]:
    """The raw states asked about, by device class, and the indexes that say them.

    Without a word for a state a verb says one ("did I lock it"), or the kind of sensor does ("is there motion").
    """
    states, cells = states_said(clause)
    if states:
        return states, cells | clause.at(Verb.KEEP)
    if asked in _CLOSED and (there := is_there(clause)):
        return {_DEFAULT: (PROFILES[PEOPLE[0]].active,)}, there
    if asked in _CLOSED and (deeds := {i: _DONE[v] for i, v in clause.said(Verb) if v in _DONE}):
        return {_DEFAULT: tuple(deeds.values())}, set(deeds)
    still = clause.at(SafetyWord.STILL) if asked in _CLOSED else set()
    still |= clause.at(Question.ANY) if asked is Asked.WHERE else set()
    if still and _of_light(clause):
        return {_DEFAULT: (_TRUE,)}, still  # "noch Licht im Flur?", "in welchen Zimmern brennt noch Licht"
    return (sensed(clause) if asked in (*_CLOSED, Asked.WHICH) else {}), cells


def _of_people(clause: Clause) -> bool:
    """Whether it asks whether somebody is at home."""
    return any(raw == PROFILES[PEOPLE[0]].active for _, word in clause.said(StateWord) for _, raw in word.raw)


def _of_light(clause: Clause) -> bool:
    """Whether all that is named, places aside, is light."""
    kinds = [k.domain for _, kind in clause.said(OfKind) for c in kind.concepts for k in c.kinds]
    return "light" in kinds and not clause.of(Named)


def is_there(clause: Clause) -> set[int]:
    """The index of a word like "in" at the end that leads to no place: of people it says that they are at home."""
    last = len(clause.cells) - 1
    people = all(e.partition(".")[0] in PEOPLE for _, n in clause.said(Named) for e in n.entity_ids)
    said = clause.cells[last].means(Role.PLACE) and not clause.cells[last].has(Particle, StateWord, *THINGS)
    small = (Role.FILLER, Role.COPULA)
    within = all(c.has(Question, Named) or c.says(*small) for c in clause.cells[:last])
    return {last} if said and people and within and last else set()


def sensed(clause: Clause) -> States:
    """For the kinds of binary sensors named: that they are ``on``, which is what they are named after ("is there
    motion").
    """
    kinds = [c.kinds for _, kind in clause.said(OfKind) for c in kind.concepts]
    classes = [k.device_class for several in kinds if all(k.domain == _SENSED for k in several) for k in several]
    return {device_class: (_TRUE,) for device_class in classes if device_class}


def states_said(clause: Clause, without: Collection[int] = ()) -> tuple[States, set[int]]:
    """The raw states said, by device class, and the indexes of their words; those ``without`` are skipped."""
    states: States = {}
    cells: set[int] = set()
    kinds, named = clause.of(OfKind), clause.of(Named)
    places, others = clause.of(InArea, OnFloor), clause.of(StateWord)
    for place, word in clause.said(StateWord):
        if clause.cells[place].says(Particle.UP, Particle.DOWN) and not (kinds or named):
            continue  # of nothing in particular it says no state
        if place in without or (place in places and others - {place}):
            continue  # "is everything off upstairs": the place is no second state
        if clause.leads_to_a_thing(place) and (others - {place} or not places):
            continue  # "playing on the radio"; but "on upstairs"
        if place not in kinds or len(kinds) > 1 or named:
            cells.add(place)
            for device_class, raw in word.raw:
                states[device_class] = (*states.get(device_class, ()), raw)
    return states, cells


def _of_states(
    clause: Clause, asked: Asked, cells: set[int], states: Mapping[str, tuple[str, ...]], against: dict[Feature, float]
) -> Iterator[Frame]:
    for target, more in _meant(clause, cells):
        of_it = asked is Asked.YESNO or (asked is Asked.VALUE and clause.at(Attribute.DOING, Attribute.FINISHED))
        if of_it and target.empty and not target.every:
            target = from_antecedent(target, clause.antecedent)  # "is it on?", "elle est allumée ?"
        if set(states.get(_DEFAULT, ())) & LOCKED:
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
    if by_name and not states and asked is Asked.YESNO and all(e.domain == _SENSED for e in found):
        states = {_DEFAULT: (_TRUE,)}  # "is the washer running", of what is called so
    if not states and asked is Asked.YESNO and found and all(e.domain == PEOPLE[0] for e in found):
        states = {_DEFAULT: (_PRESENT,)}  # "is Anna there"
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
    if not states and clause.at(*_MEASURED) and phrases and all(p.is_place for p in phrases):
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
    scope = Scope(selector=Selector(domains=tuple(dict.fromkeys(k.domain for k in kinds)), device_classes=classes))
    about = About(clause.kinds_as_said([i for p in target.phrases for i in p.cells]))
    request = Request(Act.QUERY, scope, asked=asked, about=about)
    yield frame(clause, ActKind.ASKING, request, cells, target, None, against)


def _likeliest(able: Sequence[Entity], states: Mapping[str, tuple[str, ...]], asked: Asked) -> list[Entity]:
    """The things that a state without a name is asked of: lights, players, fans and heaters for on and off; else those
    of the first domain that has the state, with all openings where any of several counts.
    """
    said = states.get(_DEFAULT, ())
    left_on = [e for e in able if heats(e) or _LEFT_ON.intersection(domains_of(e))]
    if said and set(said) <= set(ON_OFF) and left_on:
        return left_on
    first = domains_in(states)[:1]
    openings = asked in (Asked.ANY, Asked.WHICH) and first != PEOPLE[:1]
    return [e for e in able if e.domain in first or (openings and e.domain in (*OPENS, _SENSED))]


def _scope(clause: Clause, target: Target, able: Sequence[Entity], standing: TargetFit) -> Scope:
    if not any(p.entity_ids for p in target.phrases):
        return Scope(tuple((e.entity_id,) for e in able), every=True)
    if standing is TargetFit.EXACT:
        groups = [tuple(e.entity_id for e in members(p, clause.names) if e in able) for p in target.phrases]
    else:
        groups = [p.entity_ids for p in target.phrases]
    return replace(Scope(every=target.every), named=tuple(g for g in groups if g))
