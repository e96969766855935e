"""What nothing is done for: a greeting, another time, a "don't", a complaint, an aside, what the home has not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.domains import PROFILES, profile_of
from homeagent.domains.actions import domains_for
from homeagent.languages.concepts import (
    Amount,
    Colour,
    Complaint,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    Mode,
    Particle,
    Question,
    Reference,
    Role,
    Share,
    StateWord,
    Sunlight,
    Topic,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ORDERS, VETOES, ActKind, Feature, Features, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.awaited_states import asks_how_it_is
from homeagent.understanding.frames.control import BY_PARTICLE
from homeagent.understanding.frames.sunlight import shading
from homeagent.understanding.grounding import from_antecedent, members
from homeagent.understanding.noun_phrases import Phrase, Target, target_of
from homeagent.understanding.reference import pointed_at
from homeagent.understanding.request import LEFT_ALONE, NOT_CHECKED, NOT_LATER, About, Act, Asked, Request, Scope
from homeagent.understanding.segmentation import (
    DEEDS,
    ends_a_condition,
    ends_a_refusal,
    ends_an_order,
    orders_anew,
)
from homeagent.understanding.spans import Free, Named, OfKind
from homeagent.understanding.statement_clauses import complains_of_several, copulas, describes, unneeded
from homeagent.understanding.unknown_words import unknown_places
from indexer.lexicon import concept
from indexer.selector import Selector

_OF_AN_ORDER = (
    *(Verb, Particle, Heading, Dimension, Level, Share, Colour, White, Mode, Amount, DayWord, Count, Unit, StateWord),
)
_OF_MORE = (Verb, Heading, Particle, StateWord, Question, Named, OfKind, Count, Free)
"""What a complaint about a place holds none of: it needs no word then that says how it is."""
_LEFT_ON = frozenset({"light"})
"""Of what alone it may be said that nothing else is to stay on."""
_IDLE = (Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN)
_SAID_ALONE = (StateWord, Verb, Heading, Particle, Level, Mode, Colour, Count, Complaint)
"""What says something of its own by itself: "heating", "dim"."""
_MOVING = (Particle.OUT, Particle.UP, Particle.DOWN)
_BROUGHT_BY = {particle: verb.value for particle, verb in BY_PARTICLE.items() if particle not in _MOVING}
"""The action that leads to a state."""
_OF_ITS_VALUE = (Feature.GUESSED_DIMENSION, Feature.ODD_VALUE, Feature.MODE, Feature.WITHOUT_VERB, Feature.INCAPABLE)
_TOLD_OR_ASKED = frozenset({Feature.ASKS, Feature.DESCRIBES, Feature.NEGATED, Feature.CONDITIONAL, Feature.FOR_LATER})
REMEDIES: Mapping[Complaint, tuple[str, str, Mapping[str, object]]] = {
    r.complaint: (d, r.action, r.parameters) for d, p in PROFILES.items() for r in p.remedies
}
"""What could be done about a complaint: domain, action, parameters."""

_SAYING_MORE = frozenset({Feature.LEFT_WORD, Feature.LEFT_NOUN, Feature.LEFT_QUESTION})
_HALF = 0.5
_MOST_OFFERED = 3
"""More things than these are not offered in place of what is not known."""


def later(clause: Clause) -> Iterator[Frame]:
    """A frame that answers an order for another time, under a condition or denied with the reason
    why nothing is done.
    """
    of_days = {i - 1 for i in clause.of(DayWord)} & clause.at(Role.PLACE)  # "on Friday" turns nothing on
    orders = bool(clause.of(Verb, Particle, Heading) - of_days) and not describes(clause)
    opening = clause.cells[clause.opening]
    asks = opening.has(Question) and not opening.says(Role.COURTESY) and not opening.has(Verb)
    times = clause.times | clause.at(Role.TIMER) | (clause.of(DayWord) - clause.at(DayWord.TODAY))
    waits = bool(times)
    if orders and not asks:
        times |= clause.at(Role.CONDITION)
    work = clause.of(*_OF_AN_ORDER) | clause.at(Role.EXCEPT, Role.ENSURE, Topic.MEDIA)
    if clause.at(Verb.ARM, Verb.DISARM):
        times -= clause.at(Role.TIMER)  # it is no alarm clock that is armed
    if times and (orders or clause.at(Role.TIMER)) and not (asks and clause.of(Heading)):
        cells = times | work | clause.at(Role.PLACE, Role.AT)
        against = {Feature.SEVERAL_VERBS: _HALF * _is_apart(clause), Feature.UNCHECKED: float(not waits)}
        asks_now = not waits and asks_how_it_is(clause, clause.at(Role.CONDITION))
        yield _told(clause, ActKind.LATER, NOT_CHECKED if asks_now else NOT_LATER, cells, against)
    negation = clause.at(Role.NEGATION) - {i - 1 for i in clause.at(Role.ONLY)}  # "not only the lamp, also the fan"
    negation |= clause.at(Verb.KEEP) if clause.keeps else set()
    work |= clause.at(Question.YESNO) if clause.keeps_another else set()
    negation -= {*clause.excepted} - {clause.exception}
    negation -= {i for i in clause.at(Reference.INSTEAD) if i + 1 < len(clause.cells) and "," in clause.mark(i + 1)}
    if negation and orders and not asks and not unneeded(clause):  # "no, off again" puts right what was done
        apart = _orders_before(clause, min(negation)) or _orders_behind(clause)
        ordered = {Feature.SEVERAL_VERBS: float(apart), Feature.UNCHECKED: float(bool(clause.at(Role.CONDITION)))}
        told = _told(clause, ActKind.REFUSAL, LEFT_ALONE, negation | work, ordered)
        yield _all_others(clause) or _kept(clause, told) or told


def _is_apart(clause: Clause) -> bool:
    """Whether the order behind a leading condition may be read by itself."""
    places = range(1, len(clause.cells))
    return not clause.postpositions and any(ends_a_condition(clause.cells, i) and not clause.mark(i) for i in places)


def _all_others(clause: Clause) -> Frame | None:
    """ "Leave only the lamp on": the order to turn off all else of its kind, in the place said; where a name tells what
    is left on, else in the speaker's room if it is there, else everywhere. None where it asks for nothing of the sort.
    """
    only = clause.at(Role.ONLY)
    if not (clause.keeps and only and clause.particles(Particle.ON)) or clause.at(Role.NEGATION):
        return None
    said = clause.names.pack.phrases
    before = [c for t in clause.tokens[: clause.cells[0].first] for c in said.get(t.text, ())]
    if any(isinstance(c, Verb | Particle) for c in before):
        return None  # "turn all off, leave only the lamp on": what is ordered before excepts it
    cells = clause.at(Verb.KEEP) | clause.of(Particle) | only
    target = target_of(clause, cells)
    left = [e for p in target.phrases for e in members(p, clause.names)]
    if not left or target.unknown or target.excepted is not None:
        return None
    named = all(p.entity_ids for p in target.phrases)
    here = Selector(area_ids=(clause.area_id,)) if named and clause.area_id else Selector()
    told = Selector(area_ids=target.areas, floor_ids=target.floors) if named else Selector()
    place = told if target.areas or target.floors else here if all(map(here.matches, left)) else Selector()
    domains = {e.domain for e in left}
    alike = [e for e in clause.names.entities if e.domain in domains and e.in_plurals and place.matches(e)]
    others = [e.entity_id for e in alike if e not in left]
    if not others or not domains <= _LEFT_ON:
        return None
    scope = Scope(tuple((i,) for i in others), every=True)
    request = Request(Act.CONTROL, scope, action=Verb.TURN_OFF.value)
    made = frame(clause, ActKind.CONTROL, request, cells, target)
    asked: Features = {f: v for f, v in made.features.items() if f is not Feature.NEGATED}
    return replace(made, features=asked, entity_ids=frozenset(others))


def _kept(clause: Clause, told: Frame) -> Frame | None:
    """ "Leave it on": where a thing is in another state, the offer to bring it there; None where
    nothing is to be kept.
    """
    state = next((a for p, a in _BROUGHT_BY.items() if clause.particles(p)), None)
    target = target_of(clause, clause.at(Verb.KEEP) | clause.of(Particle))
    found = {e.entity_id for p in target.phrases for e in members(p, clause.names)}
    if not clause.keeps or state is None or not found or told.request is None:
        return None
    scope = Scope(tuple((i,) for i in sorted(found)), every=True)
    return replace(told, request=replace(told.request, scope=scope, action=state))


def _orders_before(clause: Clause, negation: int) -> bool:
    """Whether a part before the negation holds an order of its own."""
    verbs, things = sorted(clause.of(Verb)), sorted(clause.of(*THINGS))
    instead = clause.cells[negation].says(Reference.INSTEAD, Reference.CORRECTS) and not clause.postpositions
    if instead and verbs and things and verbs[-1] < negation and things[0] < negation < things[-1]:
        return True  # "the patio, not the porch"
    opening = (Role.JOIN, Role.REASON, Role.STATEMENT)
    parts = [i for i in range(1, negation + 1) if clause.mark(i) or clause.cells[i].means(*opening)]
    return not clause.postpositions and any(clause.cells[i].has(*DEEDS) for i in range(max(parts, default=0)))


def _orders_behind(clause: Clause) -> bool:
    """Whether another order follows the denied one ("don't turn off the TV lower the volume")."""
    cells = clause.cells
    places = range(1, len(cells))
    if clause.postpositions:
        ended = (i for i in places if ends_a_refusal(cells, i) or ends_an_order(cells, i))
        return any(c.has(*DEEDS) for i in ended for c in cells[i + 1 :])
    return any(orders_anew(cells, i) for i in places)


def _told(
    clause: Clause, act: ActKind, phrase: str, cells: set[int], against: Mapping[Feature, float] | None = None
) -> Frame:
    target = target_of(clause, cells)
    # whom it would have been for does not matter, hence no unknown word of a phrase either, but what is told of others
    unknown = target.unknown - clause.at(Role.STATEMENT, Role.REASON)
    opening = clause.cells[clause.opening]
    if act is ActKind.REFUSAL and (_tells_of_oneself(clause, target) or (target.empty and not opening.has(Verb))):
        against = {**(against or {}), Feature.LEFT_STATEMENT: 1.0}
    told = frame(clause, act, Request(Act.SAY, say=phrase), cells | target.cells | unknown, extra=against)
    target = next(pointed_at(clause, target, clause.last), target) if clause.last is not None else target
    if target.pronoun and not target.phrases and act is ActKind.REFUSAL:
        target = from_antecedent(target, clause.antecedent)
    ids = frozenset(e.entity_id for p in target.phrases for e in members(p, clause.names))
    if target.phrases and target.only_places:  # "the one in the bathroom can stay on"
        place = Selector(area_ids=target.areas, floor_ids=target.floors)
        ids = frozenset(e.entity_id for e in clause.names.entities if place.matches(e))
    return replace(told, entity_ids=ids, target=target)


def _tells_of_oneself(clause: Clause, target: Target) -> bool:
    """Whether somebody says that they do not, or cannot, do something, in a part that names no thing: "I can't get up",
    "the lamp on low, I don't want to wake him".
    """
    denied = min(clause.at(Role.NEGATION) - clause.at(Reference.CORRECTS), default=0)
    marks = [i for i in range(1, len(clause.cells)) if clause.mark(i)]
    part, end = max((i for i in marks if i <= denied), default=0), min((i for i in marks if i > denied), default=None)
    own = {*range(part, len(clause.cells) if end is None else end)}
    if any(not p.cells or own & {*p.cells} for p in target.phrases):
        return False
    opening = clause.cells[clause.opening]
    if opening.says(Role.STATEMENT) and opening.says(Role.NEGATION):
        return True
    said = {i for i in clause.at(Role.STATEMENT) if not clause.cells[i].says(Role.COURTESY, Role.FILLER)}
    return any(part <= i <= denied for i in said)


def complaint(clause: Clause) -> Iterator[Frame]:
    """A frame for a complaint about how it is: nothing is done, the remedy is offered."""
    for place, said in clause.said(Complaint) if not complains_of_several(clause) else ():
        asks = clause.cells[clause.opening].has(Question) and clause.opening != place - 1
        turned = clause.at(Question.YESNO) - {clause.opening}  # "in the kitchen is it cold", word for word
        describes = (copulas(clause) or turned) and not asks
        at_its_end = clause.postpositions and place == len(clause.cells) - 1
        unwanted = _wants_it_otherwise(clause)
        told = describes or at_its_end or clause.at(Role.STATEMENT, Role.HERE) or not clause.of(*_OF_MORE) or unwanted
        if (
            (clause.asks and not unwanted)
            or not told
            or (said is Complaint.BRIGHT and clause.at(Sunlight.SUN) and shading(clause))
            or (clause.postpositions and clause.cells[place].says(Role.REASON))
        ):
            continue
        domain, action, parameters = REMEDIES[said]
        small = clause.at(Role.STATEMENT, Role.PRONOUN, Role.HERE, Topic.MEDIA) | copulas(clause) | turned
        exclaims = {i for i in clause.of(Question) if i == clause.opening == place - 1}  # "qué oscuro"
        cells = {place} | clause.neutral | small | clause.of(Amount, Dimension) | exclaims | unwanted
        target = target_of(clause, cells)
        areas = target.areas or ((clause.area_id,) if clause.area_id else ())
        named = [e for p in target.phrases if p.entity_ids for e in members(p, clause.names) if e.domain == domain]
        whole = Scope(selector=Selector(domains=(domain,), area_ids=areas))
        request = Request(
            Act.SAY,
            Scope(tuple((e.entity_id,) for e in named), every=True) if named else whole,
            action=action,
            parameters=parameters,
            say="suggest",
            about=About(complaint=said.value),
        )
        made = frame(clause, ActKind.COMPLAINT, request, cells, target)
        blames = target.areas or (target.only_places and clause.antecedent is None)
        yield replace(made, target=_blamed(target, domain, areas)) if blames and target.only_places else made


def _wants_it_otherwise(clause: Clause) -> set[int]:
    """The indexes of the "not" in a courtesy about how something should not be ("could you not have it so bright");
    with them the verb, which does nothing then.
    """
    polite = clause.at(Role.COURTESY, Role.ENSURE)
    if clause.of(Verb) - clause.neutral - clause.at(Verb.KEEP) or clause.of(Particle, Heading, Count, Level):
        return set()
    denied = clause.at(Role.NEGATION)
    return denied | clause.at(Verb.KEEP) if polite and denied and min(polite) < min(denied) else set()


def _blamed(target: Target, domain: str, areas: tuple[str, ...]) -> Target:
    """The target of the remedy where "it" is complained about: in a known place all things of the domain."""
    blamed = Phrase(areas=areas, kinds=(concept(domain),), plural=bool(areas))
    return replace(target, phrases=(blamed,), every=bool(areas), pronoun=False)


def unknown(clause: Clause, wanted: Sequence[Frame] = ()) -> Iterator[Frame]:
    """A frame for an order or a question about something that the home does not have: it says which words are unknown.

    ``wanted``: the clause's other frames; those that fit but for the unknown words may be offered instead.
    """
    orders = clause.of(Verb, Particle, Heading) | {
        i for n in clause.numbers if n.lead and not n.of_time for i in n.cells
    }
    free = sorted(i for i, c in enumerate(clause.cells) if c.free)
    target = target_of(clause, orders)
    asked = next((f for f in wanted if f.act is ActKind.ASKING and Feature.UNKNOWN_IN_PHRASE in f.features), None)
    stranger = _asked_of_a_stranger(clause, free, wanted) if asked is None and target.empty else None
    if stranger is not None:
        about = About(clause.text(free[0], free[-1]))
        request = Request(Act.SAY, say="unknown_device", about=about)
        yield frame(clause, ActKind.UNKNOWN, request, {*free} | stranger.explained, extra={Feature.STRANGER: _HALF})
        return
    known = [f for f in wanted if f.act in ORDERS and f.acts and Feature.UNKNOWN_IN_PHRASE in f.features]
    known = [f for f in known if _TOLD_OR_ASKED.isdisjoint(f.features)]
    if not (orders or asked or known) or not (target.unknown or (free and target.empty)):
        return
    span = sorted(target.unknown) or free
    if all(clause.cells[i].has(Named) for i in span):
        return  # it is known, and only not as part of that phrase
    places = target.unknown & set(unknown_places(clause, 0, len(clause.cells), orders))
    described = any(min(p.cells) == span[-1] + 1 for p in target.phrases if p.kinds)  # "of the left speaker"
    of_place = bool(places) and places == target.unknown and not described
    phrases = () if of_place else target.phrases
    before = [min(p.cells) for p in phrases if max(p.cells) + 1 == span[0]]
    first, last = min([span[0], *before]), span[-1]
    behind = next((p for p in phrases if min(p.cells) == last + 1), None)
    while behind is not None and last + 1 in behind.cells:
        last += 1
    kinds = {k.domain: None for c in (behind.kinds if behind is not None else ()) for k in c.kinds}
    about = About(clause.text(first, last), domains=tuple(kinds), area_ids=tuple(target.areas))
    cells = orders | set(free) | set(range(first, last + 1)) | target.cells
    say = "unknown_place" if of_place else "unknown_device"
    request = Request(Act.SAY, say=say, about=about)
    ends = clause.of(Particle, Count) - clause.of(Named)
    apart = any(min(ends, default=j) < j < max(ends, default=j) for j in clause.at(Role.JOIN))  # "A on and B off"
    strangers = {Feature.STRANGER: float(len(free) or 1), Feature.SEVERAL_VERBS: float(apart)}
    if asked is not None and not known:
        if kinds:
            yield frame(clause, ActKind.UNKNOWN, request, cells | asked.explained, extra=strangers)
        return
    for order in known:
        said = replace(order.request or request, act=Act.SAY, say=say, about=about)
        odd = {f: v for f, v in order.features.items() if f in _OF_ITS_VALUE}
        yield frame(clause, ActKind.UNKNOWN, said, cells | order.explained, extra={**odd, **strangers})
    if not known:
        yield frame(clause, ActKind.UNKNOWN, request, cells, extra=strangers)


def _asked_of_a_stranger(clause: Clause, free: Sequence[int], wanted: Sequence[Frame]) -> Frame | None:
    """The question whether something is in a state, where that something is one noun that nothing explains ("is the
    sauna on"); None for other questions.
    """
    run = bool(free) and list(free) == list(range(free[0], free[-1] + 1)) and not clause.postpositions
    if not run or not free[0] or not clause.cells[free[0] - 1].says(Role.ARTICLE):
        return None
    if any(f.adverb or f.quoted for i, f in clause.said(Free) if i in free):
        return None
    return next(
        (
            f
            for f in wanted
            if f.act is ActKind.ASKING
            and f.request is not None
            and f.request.states
            and f.request.asked is Asked.YESNO
            and f.features.get(Feature.LEFT_UNKNOWN) == len(free)
            and not (VETOES | _SAYING_MORE) & f.features.keys()
        ),
        None,
    )


def bare(clause: Clause) -> Iterator[Frame]:
    """A frame for a sentence that only names a thing or a place: it asks what to do."""
    whole = clause.cells[0].first == 0 and clause.cells[-1].end == len(clause.tokens)
    idle = _IDLE if clause.last is not None else (*_IDLE, Reference.CORRECTS)  # "no, the lamp", said of nothing
    content = [i for i, c in enumerate(clause.cells) if not c.means(*idle) or c.has(*THINGS)]
    if not whole or clause.asks or not content or clause.at(Topic.UPCOMING, Topic.CALENDAR, Topic.WEATHER):
        return
    if not all(clause.cells[i].has(*THINGS, Topic) and not clause.cells[i].has(*_SAID_ALONE) for i in content):
        return
    target = target_of(clause, set())
    found = [e for p in target.phrases if not p.is_place for e in members(p, clause.names)]
    if target.unknown or any(profile_of(e.domain).told_alone for e in found):
        return
    ids = frozenset(e.entity_id for e in found)
    scope = Scope(tuple((i,) for i in sorted(ids)) if len(ids) <= _MOST_OFFERED else (), every=True)
    said = clause.text(content[0], content[-1])
    request = Request(Act.SAY, scope, say="what_with", about=About(said[:1].upper() + said[1:]))
    yield replace(frame(clause, ActKind.UNKNOWN, request, range(len(clause.cells)), target), entity_ids=ids)


def not_there(clause: Clause, ordered: Frame) -> Iterator[Frame]:
    """The ``ordered`` frame as an answer that the home has none of that kind, with related things as an offer."""
    request, target, names = ordered.request, ordered.target, clause.names
    if request is None or request.act is not Act.CONTROL or target is None or target.unknown:
        return
    kinds_said = [p for p in target.phrases if p.kinds and p.cells and not p.entity_ids]
    missing = next((p for p in kinds_said if not any(map(names.of_kind, p.kinds))), None)
    if missing is not None:
        domains = dict.fromkeys(d for k in missing.kinds for d in k.domains)
        if domains.keys().isdisjoint(domains_for(request.action, request.parameters)):
            return  # nothing of that kind does this
        about = About(clause.kinds_as_said(missing.cells), domains=tuple(domains), area_ids=tuple(missing.areas))
        near = tuple(i for k in missing.kinds for i in names.of_kind(k, near=True))
        near = near if len(target.phrases) == 1 and len(near) <= _MOST_OFFERED else ()
        instead = replace(request, act=Act.SAY, scope=Scope((near,) if near else ()), say="unknown_device", about=about)
    elif not target.phrases and (implied := request.scope.selector.domains) and not any(map(names.of_domain, implied)):
        instead = Request(Act.SAY, say="none_of_kind", about=About(kinds=implied[:1]))
    else:
        return
    yield replace(ordered, act=ActKind.UNKNOWN, request=instead, features={**ordered.features, Feature.NONE: 0.0})
