"""A candidate for what a clause asks for, with what counts for and against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from homeagent.domains.actions import action_for
from homeagent.languages.concepts import Verb
from homeagent.timers.timer import TimerAction
from homeagent.understanding.noun_phrases import Target
from homeagent.understanding.request import Act, Request, Scope


class ActKind(StrEnum):
    """What sort of thing a frame asks for."""

    CONTROL = "control"
    SETTING = "setting"
    STEPPING = "stepping"
    FOLLOWING = "following"
    ASKING = "asking"
    PAST = "past"
    LIST = "list"
    MEDIA = "media"
    MAKING = "making"
    WEATHER = "weather"
    CALENDAR = "calendar"
    CLOCK = "clock"
    CHAT = "chat"
    COMPLAINT = "complaint"
    LATER = "later"
    REFUSAL = "refusal"
    ASIDE = "aside"
    UNKNOWN = "unknown"
    PLANNING = "planning"
    """An event for a calendar."""
    TIMED = "timed"
    """An order for another time, or about a timer."""
    CONDITION = "condition"
    """How a thing has to be for an order that is told beside it."""


ORDERS = frozenset(
    {
        *(ActKind.CONTROL, ActKind.SETTING, ActKind.STEPPING, ActKind.LIST, ActKind.MEDIA, ActKind.MAKING),
        *(ActKind.TIMED, ActKind.PLANNING),
    }
)
"""Frames that something is done for."""


class Feature(StrEnum):
    """Something that counts against a frame, or for it (with a negative weight). weights.yaml says
    how much, and why.
    """

    # how the sentence is cut
    DEARER_COVER = "dearer_cover"
    BROKEN_NAME = "broken_name"
    BROKEN_VERB = "broken_verb"
    CUT = "cut"
    ACROSS_A_MARK = "across_a_mark"
    # words that the frame explains
    EXPLAINED = "explained"
    CORRECTED = "corrected"
    HEARD = "heard"
    PART_OF_NAME = "part_of_name"
    UNSURE_SORT = "unsure_sort"
    OPEN_TEXT = "open_text"
    # words that it leaves over
    LEFT_UNKNOWN = "left_unknown"
    LEFT_ADVERB = "left_adverb"
    LEFT_SMALL = "left_small"
    LEFT_WORD = "left_word"
    LEFT_NOUN = "left_noun"
    LEFT_LIGHT = "left_light"
    LEFT_QUESTION = "left_question"
    LEFT_STATEMENT = "left_statement"
    # what must never be left over
    NEGATED = "negated"
    CONDITIONAL = "conditional"
    FOR_LATER = "for_later"
    GONE_BY = "gone_by"
    SECOND_VALUE = "second_value"
    ALTERNATIVE = "alternative"
    QUOTED = "quoted"
    RELAYED = "relayed"
    QUALIFIED = "qualified"
    UNKNOWN_IN_PHRASE = "unknown_in_phrase"
    UNKNOWN_EXCEPTION = "unknown_exception"
    # how it stands in the home
    SET = "set"
    SEVERAL = "several"
    NONE = "none"
    INCAPABLE = "incapable"
    NOBODY = "nobody"
    # the form of the clause
    ASKS = "asks"
    DESCRIBES = "describes"
    WITHOUT_VERB = "without_verb"
    SEVERAL_VERBS = "several_verbs"
    INHERITED = "inherited"
    GUESSED_DIMENSION = "guessed_dimension"
    ODD_VALUE = "odd_value"
    MODE = "mode"
    ROOM_IGNORED = "room_ignored"
    WEAK_QUESTION = "weak_question"
    NO_VALUE = "no_value"
    NO_ITEM = "no_item"
    GUARDED = "guarded"
    UNCHECKED = "unchecked"
    # asides
    COURTESY = "courtesy"
    REASON = "reason"
    COMPLAINT = "complaint"
    STATEMENT = "statement"
    ADDRESS = "address"
    ASIDE_WORD = "aside_word"
    ASIDE_THING = "aside_thing"
    ASIDE_VERB = "aside_verb"
    ASIDE_NUMBER = "aside_number"
    STRANGER = "stranger"


VETOES = frozenset(
    {
        Feature.NEGATED,
        Feature.CONDITIONAL,
        Feature.FOR_LATER,
        Feature.GONE_BY,
        Feature.SECOND_VALUE,
        Feature.ALTERNATIVE,
        Feature.QUOTED,
        Feature.UNKNOWN_IN_PHRASE,
        Feature.UNKNOWN_EXCEPTION,
    }
)
"""What is never dropped: a frame that leaves one of these over does nothing."""

DOUBTS = frozenset(
    {
        *(Feature.CORRECTED, Feature.HEARD, Feature.PART_OF_NAME, Feature.UNSURE_SORT, Feature.ODD_VALUE, Feature.MODE),
        *(Feature.LEFT_UNKNOWN, Feature.LEFT_WORD, Feature.LEFT_NOUN, Feature.LEFT_LIGHT, Feature.LEFT_QUESTION),
        *(Feature.LEFT_STATEMENT, Feature.NONE, Feature.INCAPABLE, Feature.NOBODY, Feature.SEVERAL),
    }
)
"""With one of these an order is not so sure that nothing else has to be looked at."""

ANSWERED = frozenset({ActKind.ASKING, ActKind.PAST, ActKind.WEATHER, ActKind.CALENDAR, ActKind.CLOCK})
"""Frames that something is told for."""
_NOT_THERE = frozenset({Feature.NONE, Feature.INCAPABLE})
_WHOLLY = {(("position", "100"),): "open", (("position", "0"),): "close"}
_NOTANSWERED = _NOT_THERE | {Feature.LEFT_UNKNOWN, Feature.LEFT_NOUN}

Features = Mapping[Feature, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a clause may ask for. ``request`` is None for an aside. ``explained``: the indexes of the cells it explains;
    ``entity_ids``: what it would reach; ``cost``: set when it is weighed.
    """

    act: ActKind
    request: Request | None
    explained: frozenset[int]
    features: Features = field(default_factory=dict)
    entity_ids: frozenset[str] = frozenset()
    target: Target | None = None
    cost: float = 0.0
    otherwise: bool = False
    """Whether it is for where a condition told before is not so."""
    hangs: bool = False
    """Whether a word leads it that makes it hang on what was asked before: "is it cold? Then …"."""
    then: tuple[object, ...] = ()
    """The effects of what is ordered for another time."""
    told_in: Target | None = None
    """The place in which an aside tells that somebody is, or how it is there."""

    def without(self, *features: Feature) -> Frame:
        """The same where these features do not tell against it."""
        return replace(self, features={f: cost for f, cost in self.features.items() if f not in features})

    @property
    def effect(self) -> tuple[object, ...]:
        """What it would do, whatever the words: of frames with one effect only the cheapest counts."""
        request = self.request
        if request is None:
            return (self.act,)
        if (timing := request.timing) is not None:
            return (request.act, *timing.effect, *self.then)
        if Feature.NOBODY in self.features:
            return (request.act, Feature.NOBODY)  # whatever is to be done, it is asked with whom
        parameters = tuple(sorted((k, str(v)) for k, v in request.parameters.items()))
        domains = {i.partition(".")[0] for i in self.entity_ids}
        said = request.action
        if parameters in _WHOLLY:  # all the way up is open
            said, parameters = _WHOLLY[parameters], ()
        actions = tuple(sorted({action_for(said, d) for d in domains})) or said
        whom = tuple(sorted(self.entity_ids)) or str(request.scope)
        return (
            request.act,
            actions,
            parameters,
            whom,
            request.asked,
            request.attribute,
            request.say,
            request.about,
            request.details,
            request.past,
            str(request.given),
        )

    @property
    def effects(self) -> tuple[tuple[object, ...], ...]:
        """Its effect in parts: adding several items is the same as adding each."""
        items = self.request.parameters.get("item") if self.request is not None else None
        if self.request is None or not isinstance(items, list):
            return (self.effect,)
        return tuple(replace(self, request=replace(self.request, parameters={"item": item})).effect for item in items)

    @property
    def acts(self) -> bool:
        """Whether it changes something without asking first which of several is meant."""
        request = self.request
        if request is not None and request.timing is not None:
            return request.timing.deed is not TimerAction.LIST
        return request is not None and request.act is Act.CONTROL and not request.scope.either

    @property
    def courteous(self) -> bool:
        """Whether it is an aside of nothing but words of courtesy and praise."""
        return self.act is ActKind.ASIDE and self.features.keys() <= {Feature.COURTESY, Feature.EXPLAINED}

    @property
    def doubtful(self) -> bool:
        """Whether it has one of the features in `DOUBTS`, so that other readings have to be looked at."""
        return any(feature in DOUBTS for feature in self.features)

    @property
    def refuses(self) -> bool:
        """Whether it is an order that cannot be carried out, since the thing cannot do it or the home has none, and
        that is said.
        """
        phrases = self.target.phrases if self.target is not None else ()
        if not self.acts or not phrases:
            return False
        cannot = Feature.INCAPABLE in self.features and all(p.entity_ids for p in phrases)
        return cannot or (Feature.NONE in self.features and all(p.kinds and not p.entity_ids for p in phrases))

    @property
    def vetoed(self) -> bool:
        """Whether it must not be carried out: it leaves over a word that is never dropped, reaches only part of what
        was named, answers a question with an unexplained word, or asks of nothing in particular across a mark.
        """
        kept = VETOES
        nothing = self.target is None or self.target.empty
        guarded = Feature.GUARDED in self.features
        if self.act is ActKind.ASKING and nothing and not guarded and Feature.ACROSS_A_MARK in self.features:
            return True  # what is asked of nothing in particular is asked in one breath
        if self.act in ORDERS:
            kept = VETOES | (set() if self.refuses else _NOT_THERE)
        elif self.act in ANSWERED:
            kept = VETOES | _NOTANSWERED
        return any(feature in kept for feature in self.features)


def without_refused(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The orders without the things that a later clause leaves alone ("all off, but the lamp stays on"), or that an
    earlier one leaves as they are ("leave the lamp on and turn all else off"); an order for nothing else is dropped.
    What is not wanted of a thing, and then what is, is that order ("the heating needn't be on, turn it off").
    """
    made = list(frames)
    for i, refused in enumerate(frames):
        if refused.act is ActKind.REFUSAL and i + 1 < len(frames) and _says_instead(refused, frames[i + 1]):
            made[i] = replace(refused, act=ActKind.ASIDE, request=None)
            continue
        for k, ordered in enumerate(made) if refused.act is ActKind.REFUSAL and not refused.otherwise else ():
            request = ordered.request
            if request is None or not ordered.acts or ordered.entity_ids.isdisjoint(refused.entity_ids):
                continue
            if k > i and not _would_change_what_stays(ordered, refused):
                continue
            if request.action == Verb.STOP.value:
                continue  # "stop, don't close them"
            left = ordered.entity_ids - refused.entity_ids
            idle, about = (i, refused) if left else (k, ordered)
            made[idle] = replace(about, act=ActKind.ASIDE, request=None)
            if left:
                scope = _without(request.scope, ordered.entity_ids, refused.entity_ids)
                made[k] = replace(ordered, request=replace(request, scope=scope), entity_ids=left)
    return tuple(made)


def _would_change_what_stays(ordered: Frame, refused: Frame) -> bool:
    """Whether an order for more things brings what is to stay in one state into another."""
    stays = refused.request.action if refused.request is not None else ""
    other = ordered.request is not None and not ordered.request.parameters and ordered.request.action != stays
    return bool(stays) and other and ordered.entity_ids > refused.entity_ids


def _says_instead(refused: Frame, ordered: Frame) -> bool:
    """Whether an order takes up the things that something was not wanted of."""
    goes_on = ordered.acts and Feature.INHERITED in ordered.features
    return goes_on and ordered.entity_ids <= refused.entity_ids


def _without(scope: Scope, ids: frozenset[str], refused: frozenset[str]) -> Scope:
    """The scope, which reaches ``ids``, without the ``refused``; a set stays a set, of which it may be asked which."""
    if scope.named or not scope.is_set:
        return Scope(tuple((e,) for e in sorted(ids - refused)), every=True)
    exclude = tuple(dict.fromkeys((*scope.selector.exclude, *sorted(ids & refused))))
    return replace(scope, selector=replace(scope.selector, exclude=exclude))
