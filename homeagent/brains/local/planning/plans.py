"""What is to come of a request: tool calls, or something to say instead; and the questions back to the person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from homeagent.brains.local.surroundings import Surroundings
from homeagent.errors import CodeRequired
from homeagent.timers.timer_errors import AmbiguousTimer
from homeagent.turn import ToolCall, Turn, new_id
from homeagent.turns.question_back import QuestionBack, QuestionKind
from homeagent.understanding.request import NOT_CHECKED, NOT_LATER, Act, Request
from indexer.selector import Selector

CONTROL = "ha_control"
QUERY = "ha_query"
EXPLAIN = "explain_change"
KNOW = "retrieve_knowledge"
TIMER = "timer"
KEEP = "keep_own_test"
_NOT_THERE = frozenset({"unknown_device", "unknown_place", "none_there", "none_of_kind", "not_ahead"})
"""Phrases that tell that the home has nothing, or knows nothing, of what was meant."""
_NOT_DONE = frozenset(
    {
        NOT_LATER,
        NOT_CHECKED,
        "unsupported",
        "is_off",
        "no_search",
        "nothing_to_do",
        "timer_unknown",
        "timer_no_back",
        "no_announcing",
        "choices",
    }
)
"""Phrases that tell that what was ordered is not done."""
_OF_AN_ITEM = "_item"
"""How the actions on what is on a list end."""
MOST_ASKED = 5
"""More than these are not read out when the person has to choose."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A phrase of the answer: its key, what is put into it, and the entities it names."""

    key: str
    words: Mapping[str, str] = field(default_factory=dict)
    entity_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """One request with the calls that serve it, or what is said instead; ``question`` is kept for the next turn."""

    request: Request
    calls: tuple[ToolCall, ...] = ()
    saying: Saying | None = None
    question: QuestionBack | None = None
    waiting: tuple[Request, ...] = ()
    """What is done where the calls tell that its condition holds."""

    @property
    def asks_when(self) -> bool:
        """Whether it asks for the time of what is to happen later."""
        return self.question is not None and self.question.kind is QuestionKind.WHEN

    @property
    def denies(self) -> bool:
        """Whether the plan only says that there is no such thing."""
        return self.saying is not None and self.saying.key in _NOT_THERE

    @property
    def leaves_undone(self) -> bool:
        """Whether the plan only says that what was ordered is not done."""
        return self.denies or (self.saying is not None and self.saying.key in _NOT_DONE)


def call(tool: str, parameters: Mapping[str, object]) -> ToolCall:
    """A tool call with a fresh id; parameters without a value are left out."""
    return ToolCall(new_id(), tool, {k: v for k, v in parameters.items() if v not in ({}, [], None)})


def target_of(selector: Selector) -> dict[str, object]:
    """A selector as the tools take it."""
    parts = {
        "domain": selector.domains,
        "device_class": selector.device_classes,
        "area": selector.area_ids,
        "floor": selector.floor_ids,
        "label": selector.labels,
        "exclude": selector.exclude,
    }
    return {key: list(values) for key, values in parts.items() if values}


def none_there(request: Request, around: Surroundings) -> Plan:
    """Say that the home has none of what was asked for, there or at all."""
    selector = request.scope.selector
    places = [around.home.areas[a].name for a in selector.area_ids if a in around.home.areas]
    places += [around.home.floors[f].name for f in selector.floor_ids if f in around.home.floors]
    kinds = selector.device_classes or selector.domains[:1]
    key = "none_there" if places else "none_of_kind"
    words = {"kinds": " ".join(kinds), "place": ", ".join(places), "text": request.about.text}
    return Plan(request, saying=Saying(key, words))


def ask_which(request: Request, ids: Sequence[str]) -> Plan:
    """Ask the person which of these is meant, and remember what to do with the answer."""
    question = QuestionBack(QuestionKind.WHICH, tuple(ids), request)
    key = "which_one" if len(ids) <= MOST_ASKED else "which_many"
    return Plan(request, saying=Saying(key, many(ids), tuple(ids[:MOST_ASKED])), question=question)


def many(ids: Sequence[str]) -> dict[str, str]:
    """The words for how many of what there is to choose from."""
    domains = {i.partition(".")[0] for i in ids}
    return {"count": str(len(ids)), "kinds": domains.pop() if len(domains) == 1 else "any"}


def ask_target(request: Request) -> Plan:
    """Ask the person for the thing that a command was for."""
    question = QuestionBack(QuestionKind.TARGET, request=request)
    listed = request.action.endswith(_OF_AN_ITEM) and not request.parameters
    return Plan(request, saying=Saying("which_item" if listed else "which_target"), question=question)


def question_after(turn: Turn, plans: Sequence[Plan]) -> QuestionBack | None:
    """What to remember where the calls have asked something: a lock or an alarm its code, and several timers which of
    them is meant. The next sentence may be nothing but that.
    """
    for done in turn.rounds:
        for asked, result in zip(done.step.tool_calls, done.results, strict=True):
            if result.error_type == AmbiguousTimer.code and isinstance(result.result, Mapping):
                several = tuple(str(timer["id"]) for timer in result.result.get("timers", ()))
                return QuestionBack(QuestionKind.TIMER, several, Request(Act.TIMER, parameters=asked.parameters))
            made = next((p for p in plans if asked in p.calls), None)
            ids = asked.parameters.get("entity_id")
            if made and ids and result.error_type == CodeRequired.code:
                request = replace(made.request, action=str(asked.parameters.get("action", "")))
                candidates = (ids,) if isinstance(ids, str) else tuple(ids)
                return QuestionBack(QuestionKind.CODE, candidates, request)
    return None


def asking_when(made: Plan, text: str) -> Plan:
    """The plan with the sentence, where it asks for its time: the answer is read together with it."""
    return replace(made, question=QuestionBack(QuestionKind.WHEN, text=text)) if made.asks_when else made


def may_be_told(request: Request) -> bool:
    """Whether a memory may answer it better than the home: an appointment by its title, or safety words that no
    sentence was understood from.
    """
    titled = request.attribute == "events" and bool(request.details.title)
    return titled or (request.safety is not None and request.safety.second)
