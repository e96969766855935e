"""The values of a turn: one user sentence and all that follows until the answer."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from homeagent.events import Event
from homeagent.policy.verdicts import Verdict
from homeagent.privacy.redact import FEWEST, secrets_in
from homeagent.turns.question_back import QuestionBack
from indexer.retrieval import Retrieval

E = TypeVar("E", bound=Event)
Say = Callable[[str], Awaitable[None]]
"""Takes a piece of the answer as it is made, for streaming."""


def new_id() -> str:
    """A fresh id for a turn, a conversation, a confirmation: 32 hexadecimal digits."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class SaidCode:
    """A code or password that was said: ``text`` as it stands in the sentence, ``code`` as a lock takes it."""

    text: str
    code: str


@dataclass(frozen=True, slots=True)
class Written:
    """A call as a model wrote it with tools of another form (`toolsets`). ``ids_by_name``: it asked for name → id."""

    name: str
    parameters: dict[str, Any]
    ids_by_name: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A brain's wish to use a tool. ``id`` ties the result to it; ``written`` is what the model is shown of it, where
    that is another call."""

    id: str
    name: str
    parameters: dict[str, Any]
    written: Written | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The one result shape: exactly one of ``result`` (success) and ``error`` (what went wrong and what to do).

    A failed call may still carry ``result`` where part of it was done. ``error_type`` is an error's code.
    """

    success: bool
    result: Any = None
    error: str | None = None
    error_type: str | None = None
    duration_ms: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """What a model or a program is shown."""
        return {"success": self.success, "result": self.result, "error": self.error}


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one or several model calls; all zero where no model was asked."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0

    @property
    def total(self) -> int:
        """Of prompt and completion; cached ones are part of the prompt."""
        return self.prompt + self.completion

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.prompt + other.prompt, self.completion + other.completion, self.cached + other.cached)


@dataclass(frozen=True, slots=True)
class Step:
    """What a brain decided: tool calls to run next, or (none of these) the final ``text``.

    ``question`` tells that the text asks the person back, so that a voice device should listen again. ``at_a_loss``:
    the sentence was not wholly understood, or the text says that the home has nothing of what was meant; what is
    remembered may tell more. ``undone``: the text only says that what was ordered is not done.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tokens: Tokens = Tokens()
    llm_ms: float = 0.0
    cost: float | None = None
    """US dollars; None: no model was asked, or its price is not known."""
    question: bool = False
    at_a_loss: bool = False
    undone: bool = False


def sum_known(*costs: float | None) -> float | None:
    """The sum of those that are known; None where none is."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class Round:
    """A step with tool calls and their results, in the same order: each call has exactly one."""

    step: Step
    results: tuple[ToolResult, ...]


class Role(StrEnum):
    """Whose message it is, in OpenAI's words."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, as kept in the database and shown to a model."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A finished turn of the conversation: what was said, done and answered.

    ``messages`` start with the user's and end with the assistant's. ``calls`` are the tool calls that succeeded.
    ``targets`` are the entity ids that the turn was about. ``number`` is its place in the conversation, from 1.
    """

    turn_id: str
    text: str
    answer: str
    calls: tuple[ToolCall, ...] = ()
    targets: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    question: QuestionBack | None = None
    number: int = 1


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A memory that was recalled for this turn."""

    memory_id: str
    content: str
    type: str
    importance: float
    relevance_score: float
    sensitive: bool = False


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What was gathered for the sentence before a brain was asked."""

    retrieval: Retrieval
    memories: tuple[RecalledMemory, ...] = ()
    history: tuple[PastTurn, ...] = ()
    happened: tuple[str, ...] = ()
    """Days of things and places that the sentence is about, a line each, the best first."""

    @property
    def asked(self) -> QuestionBack | None:
        """What the last turn asked the person back."""
        return self.history[-1].question if self.history else None


@dataclass(slots=True)
class Turn:
    """A turn under way. Brains and tools read it; the agent fills it."""

    text: str
    language: str = "en"
    turn_id: str = field(default_factory=new_id)
    conversation_id: str = field(default_factory=new_id)
    user_id: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    context: TurnContext | None = None
    rounds: list[Round] = field(default_factory=list)
    rest: str = ""
    """What the sentence says beside what it asked of memory, which is done."""
    whole: str | None = None
    """The whole sentence while ``text`` is only that rest; None: ``text`` is all of it."""
    said_codes: tuple[SaidCode, ...] = ()
    """Codes in the sentence: used in this turn, hidden in all that is kept or told of it."""
    secret_texts: tuple[str, ...] = ()
    """What else of the sentence tells a secret, hidden in the same way and used for nothing."""
    only_asks: bool = False
    """Whether the sentence surely is a question: then nothing may be changed."""
    may_confirm: bool = True
    """Whether a yes of this speaker counts."""
    by_model: bool = False
    """Whether a language model decides at the moment: it may obey what it reads."""
    keeps_back: bool = False
    """Whether what is sensitive is not told: the model that decides runs on somebody else's machines."""
    touchable: frozenset[str] | None = None
    """Of a question that may be a wish, the entities that may be changed for it; None: any."""
    last_brain: bool = True
    """Whether no other brain can be asked after the one whose turn it is."""
    confirmed: bool = False
    """Set only by the agent when it runs a call that the person has confirmed."""
    approved: frozenset[str] = frozenset()
    """Digests of the deeds that the person said yes to, beside ``confirmed``."""
    interrupted: frozenset[str] = frozenset()
    """The turns that waited for the yes that this one brings."""
    answered_on: str | None = None
    """The channel and whom it reaches, where that yes came from elsewhere."""
    dry_run: bool = False
    """Whether nothing is to be done but to find out what would be."""
    verdicts: list[Verdict] = field(default_factory=list)
    """What the policy said of the calls of this turn."""
    ends: float | None = None
    """When its time is over, by the event loop's clock; None: never."""
    meant: str = ""
    """The sentence before as this one puts it right, read in its place; empty where it puts nothing right."""
    guess: dict[str, object] | None = None
    """What the sentence was taken to be for by its meaning, how sure that was, and the plain sentence read instead."""
    heard: str | None = None
    """The words that sound like those that were written, and were read in their place."""
    shown: str | None = None
    """The data of the home as the language model was shown it: made once a turn, so that its steps share a prefix."""
    told: str | None = None
    """The same where the system text ends with it: made once a turn, too."""
    question: QuestionBack | None = None
    """What it asked the person back: the next turn finds it in ``gathered.asked``."""

    @property
    def asked(self) -> QuestionBack | None:
        """What the last turn asked back and this sentence may answer; none where it puts that turn right instead."""
        return None if self.meant else self.gathered.asked

    @property
    def gathered(self) -> TurnContext:
        """The context; only asked for after the agent has gathered it."""
        assert self.context is not None
        return self.context

    def secrets(self) -> set[str]:
        """What of this turn is never kept or told: codes and other secrets that were said, and those in its calls'
        parameters."""
        found = secrets_in([call.parameters for done in self.rounds for call in done.step.tool_calls])
        said = {text for code in self.said_codes for text in (code.text, code.code)}
        return said | set(self.secret_texts) | {secret for secret in found if len(secret) >= FEWEST}

    def stamp(self, event: E) -> E:
        """The event with this turn's ids."""
        return replace(event, conversation_id=self.conversation_id, user_id=self.user_id, turn_id=self.turn_id)


class Brain(Protocol):
    """Decides the next step of a turn. ``None`` means: not sure, let the next brain try.

    One that may be out of reach says so in ``available``.
    """

    name: str

    async def next_step(self, turn: Turn, say: Say) -> Step | None:
        """The tool calls or the answer that come next; ``say`` takes the answer's text as it is made."""
