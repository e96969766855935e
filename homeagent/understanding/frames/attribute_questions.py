"""Questions about what things measure or are set to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from homeagent.domains.states import ATTRIBUTES, raw_of
from homeagent.languages.concepts import (
    Attribute,
    Dimension,
    Heading,
    Particle,
    Quality,
    Question,
    Role,
    StateWord,
    Topic,
    Verb,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Features, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.question_form import CLOSED
from homeagent.understanding.grounding import Grounded, TargetFit, from_antecedent, members, of_place
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.noun_phrases import Phrase, Target, target_of
from homeagent.understanding.reference import meanings
from homeagent.understanding.request import Act, Asked, Request, Scope
from homeagent.understanding.spans import Named, OfKind
from indexer.entity import Entity
from indexer.selector import Selector

MEASURED = (Attribute.TEMPERATURE, Attribute.HUMIDITY, Attribute.POWER, Attribute.ENERGY)
"""What is only told, and not set by its name alone."""
_SET_TO = frozenset({Attribute.TEMPERATURE, Attribute.TARGET_TEMPERATURE})
"""What a word for "set to" stands for, where nothing else is asked for."""


def asking_attributes(
    clause: Clause, asked: Asked, question: set[int], against: dict[Feature, float]
) -> Iterator[Frame]:
    said = {a for _, a in clause.said(Attribute)}
    if not said and _asks_what_plays(clause, asked):
        said, question = {Attribute.MEDIA}, question | clause.at(Topic.MEDIA, Verb.HEAR, Role.PRONOUN) | clause.neutral
    qualities = said_qualities(clause, asked) if not said else set()
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
                grounded = measuring(clause, target, domain, device_class, name if meant in MEASURED else "")
                if grounded.entity_ids:
                    form = Asked.VALUE if asked in (*CLOSED, Asked.HOW_MANY) else asked
                    request = Request(Act.QUERY, grounded.scope, asked=form, attribute=name)
                    untold = {Feature.ROOM_IGNORED: float(_untold(clause, target, grounded))}
                    yield frame(clause, ActKind.ASKING, request, cells, target, grounded, {**against, **more, **untold})
                    break
            else:
                if meant in MEASURED and not target.pronoun and (target.only_places or target.empty):
                    yield _unmeasured(clause, meant, cells, target, {**against, **more})


def _unmeasured(clause: Clause, attribute: Attribute, cells: set[int], target: Target, against: Features) -> Frame:
    """A frame for what nothing measures, there or in the whole home: that is told."""
    device_class = next(c for domain, c, _ in ATTRIBUTES[attribute.value] if domain == "sensor")
    places = Selector(
        domains=("sensor",), device_classes=(device_class,), area_ids=target.areas, floor_ids=target.floors
    )
    request = Request(Act.QUERY, Scope(selector=places), asked=Asked.VALUE)
    return frame(clause, ActKind.ASKING, request, cells, target, Grounded(request.scope, TargetFit.SET), against)


def _asks_what_plays(clause: Clause, asked: Asked) -> bool:
    """Whether it asks which piece is playing ("what's this song")."""
    others = clause.of(Verb, StateWord, Particle, Heading, Dimension, OfKind) - clause.neutral - clause.at(Verb.HEAR)
    return (
        asked in (Asked.VALUE, Asked.WHICH) and bool(clause.at(Topic.MEDIA)) and not (others - clause.at(Topic.MEDIA))
    )


def said_qualities(clause: Clause, asked: Asked) -> set[int]:
    """The adjectives of which it is surely asked whether they hold: by a question mark, or a word that asks and does
    not as well open a statement ("hace frío").
    """
    sure = clause.asks or bool(clause.at(Question.YESNO) - clause.at(Role.STATEMENT))
    return clause.of(Quality) if asked is Asked.YESNO and sure else set()


def _of_before(clause: Clause, cells: set[int], attribute: Attribute) -> Iterator[tuple[Target, Features]]:
    """The targets of a question for an attribute. One that can be set, asked without a thing, is asked of what was
    spoken of last ("how loud?").
    """
    for target, against in targets_asked(clause, cells):
        if (
            target.empty
            and not target.every
            and attribute not in (*MEASURED, Attribute.MEDIA)
            and clause.antecedent is not None
        ):
            yield from_antecedent(target, clause.antecedent), against
            against = {**against, Feature.NOBODY: 1.0}
        yield target, against


def targets_asked(clause: Clause, cells: set[int]) -> Iterator[tuple[Target, Features]]:
    """The targets of a question; a pronoun without anything to refer to stands for nothing."""
    for target, against in meanings(clause, target_of(clause, cells)):
        yield (from_antecedent(target, Target()) if target.pronoun else target), against


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


def names_a_measure(clause: Clause) -> bool:
    """Whether it names nothing but a measure or a sensor ("solar power", "bedroom temperature")."""
    small = (Role.FILLER, Role.PLACE)
    content = [c for c in clause.cells if not c.says(*small)]
    measures = bool(clause.at(*MEASURED)) and all(c.has(Attribute, *THINGS) for c in content)
    ids = [i for _, named in clause.said(Named) for i in named.entity_ids]
    sensors = bool(ids) and all(i.startswith("sensor.") for i in ids) and all(c.has(*THINGS) for c in content)
    return measures or sensors


def _grounded(scope: Scope, found: Sequence[Entity], standing: TargetFit) -> Grounded:
    return Grounded(scope, standing if found else TargetFit.NONE, frozenset(e.entity_id for e in found))
