"""Answers about sentences that went wrong."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from homeagent.own_tests.own_test import Right


class OwnTestAnswer(BaseModel):
    """A sentence that went wrong, and what would have been right."""

    id: int
    at: datetime
    turn_id: str
    language: str
    text: str
    answer: str = Field(description="What was answered.")
    calls: list[dict[str, Any]] = Field(description="What was called: name and parameters.")
    led_up: list[str] = Field(description="The sentences before it, oldest first.")
    area: str | None
    user_id: str | None
    right: Right
    home: dict[str, Any] | None = Field(default=None, description="The home that it is tried in, where asked for.")


class OwnTestsAnswer(BaseModel):
    """The tests of the owner's own, newest first."""

    tests: list[OwnTestAnswer]
