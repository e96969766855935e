"""get_user_profile and update_user_profile: keyed memories, of which each key has one value at a time."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from homeagent.errors import InvalidParameters, in_homeagents_words
from homeagent.tools.memory_tools import may_be_told, refuse_codes
from homeagent.tools.toolbox import Tool
from homeagent.turn import Turn
from memory.model import INFERRED, TOLD, Source, Subject, SubjectKind
from memory.store import Memories

_LEAST_SURE = 0.3
"""Confidence of what is told."""
Category = Literal["preference", "habit", "pattern", "fact"]


class _GetUserProfileParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    category: Category | None = Field(default=None, description="Only this category")


class _UpdateUserProfileParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    category: Category
    key: str = Field(min_length=1, max_length=150, description="What it is about: night temperature, wake-up time")
    value: str = Field(min_length=1, max_length=500, description="What the person said of it")
    confidence: float | None = Field(
        default=None, ge=0, le=1, allow_inf_nan=False, description="0 to 1; absent: 0.9 if told, less if inferred"
    )
    sensitivity: Literal["public", "private", "sensitive"] = Field(
        default="public", description="sensitive: health, money, faith"
    )
    inferred: bool = Field(default=False, description="true if the person did not say it in so many words")


class GetUserProfile(Tool):
    """Reads what is kept under keys: the speaker's own and the household's."""

    name = "get_user_profile"
    description = "What is known of the person who speaks: preferences, habits, patterns, facts, each by its key."
    Params = _GetUserProfileParams

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def run(self, params: _GetUserProfileParams, turn: Turn) -> dict[str, Any]:
        """The speaker's own and the household's keyed memories. Raises DatabaseError."""
        found = await self._memories.profile(turn.user_id)
        return {
            "profile": [
                {
                    "memory_id": memory.id,
                    "category": memory.category,
                    "key": memory.key,
                    "value": memory.value,
                    "confidence": memory.confidence,
                    "sensitivity": str(memory.sensitivity),
                    "whose": "own" if memory.user_id else "household",
                }
                for memory in found
                if params.category in (None, memory.category)
                and memory.confidence >= _LEAST_SURE
                and may_be_told(memory, turn)
            ]
        }


class UpdateUserProfile(Tool):
    """Keeps a value under a key for the speaker; the value before it becomes history."""

    name = "update_user_profile"
    description = (
        "Keep one thing about the person who speaks under a key; a new value takes the place of the old one. Only what "
        "lasts: never states of devices, and never what was only asked or done."
    )
    in_dry_run = False
    Params = _UpdateUserProfileParams

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def run(self, params: _UpdateUserProfileParams, turn: Turn) -> dict[str, Any]:
        """What is kept now, and what it replaced. Raises InvalidParameters, also for what is private of nobody, and
        DatabaseError."""
        if params.sensitivity != "public" and turn.user_id is None:
            raise InvalidParameters(
                "That would be the household's: who speaks is not known.", hint="Keep it as public, or not at all."
            )
        content = f"{params.key}: {params.value}"
        refuse_codes(turn, params.key, params.value)
        told = INFERRED if params.inferred else TOLD
        about = (Subject(SubjectKind.USER, turn.user_id),) if turn.user_id else ()
        with in_homeagents_words():
            memory = await self._memories.add(
                content,
                type="preference" if params.category == "preference" else "fact",
                user_id=turn.user_id,
                language=turn.language,
                source=Source("tool", turn.conversation_id, turn.turn_id, turn.user_id),
                subjects=about,
                sensitivity=params.sensitivity,
                category=params.category,
                key=params.key,
                value=params.value,
                confidence=told if params.confidence is None else params.confidence,
                inferred=params.inferred,
            )
            before = await self._memories.history(memory.id, turn.user_id)
        return {
            "memory_id": memory.id,
            "key": memory.key,
            "value": memory.value,
            "confidence": memory.confidence,
            "before": before[0].value if before else None,
        }
