"""Answers about tokens, what may be done and what was, and how the service is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from homeagent.access import Scope
from homeagent.access_tokens import NamedToken
from homeagent.doctor import Check
from homeagent.policy.verdicts import Consequence, Decision
from homeagent.service.health import Health
from homeagent.tools.carry_out import Outcome


class NewTokenAnswer(BaseModel):
    """A new token, shown this once."""

    name: str
    scopes: list[Scope]
    user_id: str | None
    token: str


class PairingAnswer(BaseModel):
    """A code to pair with, as it is shown, and how many seconds it is good for."""

    code: str
    seconds: float


class PairedAnswer(BaseModel):
    """The token of whoever paired, shown this once, and the service's version."""

    token: str
    version: str


class TokensAnswer(BaseModel):
    """All named tokens."""

    tokens: list[NamedToken]


class RevokedAnswer(BaseModel):
    """The name of the token that opens nothing any more."""

    revoked: str


class VerdictView(BaseModel):
    """What is decided about one target, and why."""

    entity_id: str
    name: str
    decision: Decision
    reason: str
    effects: list[Consequence]


class VerdictsAnswer(BaseModel):
    """What would be reached, with which effects, and what is decided."""

    verdicts: list[VerdictView]


class AuditTarget(BaseModel):
    """What came of an action for one target. What the policy said is absent where it was not asked."""

    entity_id: str
    name: str
    decision: Decision | None = None
    reason: str | None = None
    effects: list[Consequence] | None = None
    outcome: Outcome
    before: str | None = Field(description="Its state before; null where it was not called.")
    after: str | None


class AuditEntry(BaseModel):
    """One action: who asked, what it came to, what was decided, and what came of it. Codes are hidden."""

    id: int
    at: datetime
    turn_id: str
    conversation_id: str
    user_id: str | None
    device_id: str | None
    text: str = Field(description="What was said; empty where a tool was used outright.")
    action: str
    parameters: dict[str, Any]
    confirmation_id: str | None = Field(description="The question that was asked because of it.")
    approved: bool = Field(description="Whether it ran upon a yes.")
    answered_on: str | None = Field(
        description="Where an answer came from, if not from the conversation: telegram:12345."
    )
    targets: list[AuditTarget]


class AuditAnswer(BaseModel):
    """Actions, newest first."""

    entries: list[AuditEntry]


class PartView(BaseModel):
    """How a part is; besides these, each tells its own figures."""

    model_config = ConfigDict(extra="allow")

    status: Health
    error: str | None = None
    hint: str | None = None


class HealthAnswer(BaseModel):
    """How the whole and its parts are."""

    status: Health
    version: str
    home_assistant_bus: bool
    parts: dict[str, PartView]


class DoctorAnswer(BaseModel):
    """Each part, tried for real."""

    checks: list[Check]
