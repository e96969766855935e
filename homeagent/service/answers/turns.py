"""Answers about turns: what a sentence came to, what waits for a yes, and the trace of how it went."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from homeagent.turn import RecalledMemory
from homeagent.turns.reply import ResponseType
from indexer.selector import Selector


class Question(BaseModel):
    """An action that waits for a yes."""

    id: str
    number: int | None = Field(description="How people call it; unique among those of about a day.")
    question: str = Field(description="What the yes is to, and the question, for the person.")
    description: str = Field(description="The same for logs.")
    targets: list[str] = Field(description="Ids of the entities.")
    user_id: str | None = Field(description="Who was asked; null: the household.")
    device_id: str | None = Field(description="The device at which it was asked, where one was.")
    expires_at: datetime


class Mention(BaseModel):
    """Words of the sentence that name something of the home."""

    kind: str
    text: str
    values: list[Any]


class FoundTrace(BaseModel):
    """An entity that the sentence may mean."""

    entity_id: str
    score: float = Field(description="0 to 1.")
    reasons: list[str]


class RetrievalTrace(BaseModel):
    """How the entities were found."""

    query: str
    total: int
    selector: Selector | None = Field(description="Set where a whole set is meant.")
    undecided: bool = Field(description="Nothing tells apart what may be meant.")
    also: list[Selector]
    embedded: bool = Field(description="Whether a vector was needed.")
    degraded: str | None = Field(description="Why vectors were needed and not to be had.")
    ms: float
    mentions: list[Mention]
    found: list[FoundTrace] = Field(description="The best 50.")


class CallTrace(BaseModel):
    """A tool call and its result."""

    name: str
    parameters: dict[str, Any]
    success: bool
    result: Any
    error: str | None
    ms: float


class StepTrace(BaseModel):
    """A decision of the brain: its words, and the calls that it made."""

    text: str
    calls: list[CallTrace]


class TokenFigures(BaseModel):
    """Tokens of the language model; all zero where none was asked."""

    prompt: int
    completion: int
    cached: int
    total: int


class TraceError(BaseModel):
    """What went wrong on the way."""

    type: str
    message: str
    component: str


class GuessTrace(BaseModel):
    """What a sentence that words left open was taken to be for, by its meaning."""

    intent: str
    share: float = Field(ge=0, le=1, description="How sure that was.")
    read_as: str = Field(description="The plain sentence that was read in its place; empty where there is none.")


class Trace(BaseModel):
    """All of a turn: what was found, remembered, called and answered, and how long it took. Codes are hidden."""

    brain: str = Field(description="`local`, `llm`, or `none` where no brain was sure.")
    language: str
    area_id: str | None = Field(description="The room that it was said in.")
    guess: GuessTrace | None = Field(default=None, description="Null where the words said it.")
    heard: str | None = Field(
        default=None, description="Words that sound like those that were written, where these were read in their place."
    )
    retrieval: RetrievalTrace | None
    memories: list[RecalledMemory]
    suspicious: dict[str, list[str]] = Field(description="Names and memories that look like instructions, by id.")
    from_outside: list[str] = Field(
        default=[], description="Whose texts a model was shown: it must ask before it changes anything."
    )
    history_turns: int = Field(description="Past turns that were looked at.")
    steps: list[StepTrace]
    tokens: TokenFigures
    cost: float | None = Field(default=None, description="US dollars, as far as the price is known.")
    timings_ms: dict[str, float] = Field(description="`total`, and of it `context`, `brain`, `tool` and `llm`.")
    errors: list[TraceError]


class TurnAnswer(BaseModel):
    """What came of a sentence, or of a yes."""

    response: str = Field(description="The answer, for the person.")
    conversation_id: str
    turn_id: str
    pending: list[Question] = Field(description="What waits for a yes because of it.")
    question: bool = Field(description="The person is asked back: a voice device should listen again.")
    handled: bool = Field(
        description="Understood and dealt with: answered, asked about, or done, in part at least. False where nothing "
        "was done of what was ordered."
    )
    response_type: ResponseType
    targets: list[str] = Field(description="Ids of the entities that it was about.")
    error: str | None = Field(default=None, description="Code of the failure that the answer tells of; else absent.")
    trace: Trace | None = Field(default=None, description="Only where it was asked for.")


class DataAnswer(BaseModel):
    """What was made for an automation."""

    data: str | dict[str, Any] = Field(description="Text, or an object of the structure that was asked for.")
    conversation_id: str
    handled: bool = Field(description="The instruction was understood and answered.")


class PendingAnswer(BaseModel):
    """What waits for a yes, oldest first."""

    pending: list[Question]


class ToolView(BaseModel):
    """A tool as models are offered it."""

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON schema.")


class ToolsAnswer(BaseModel):
    """The tools, in the order in which a model sees them."""

    tools: list[ToolView]


class ToolAnswer(BaseModel):
    """The tool's result: one of `result` and `error`, or both where part of it was done."""

    success: bool
    result: Any
    error: str | None
