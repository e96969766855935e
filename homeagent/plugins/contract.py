"""The contract of tools that others write: a class with an id, a description, parameters and ``execute``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from homeagent.values.jsonable import jsonable


class Category(StrEnum):
    """What a tool is about; a whole category can be switched off."""

    HOME_ASSISTANT = "home_assistant"
    WEB = "web"
    DATA = "data"
    UTILITY = "utility"


TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "list": list[Any],
    "dict": dict[str, Any],
}
"""The types of parameters."""


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """A parameter. ``type``: one of `TYPES`. One with a default, or not ``required``, may be left out."""

    name: str
    type: str
    description: str = ""
    required: bool = True
    default: Any = None
    enum: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ToolError(f"The parameter {self.name} has the type {self.type!r}; types are {', '.join(TYPES)}.")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives: ``output`` for the model, ``error`` where ``success`` is false."""

    output: Any = None
    success: bool = True
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The whole of it as JSON can hold it."""
        return {
            "output": jsonable(self.output),
            "success": self.success,
            "title": self.title,
            "metadata": jsonable(dict(self.metadata)),
            "error": self.error,
        }


class ToolError(Exception):
    """A tool that cannot be registered, or that fails: ``tool_id`` and ``details`` are told with it."""

    def __init__(self, message: str, *, tool_id: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.tool_id = tool_id
        self.details = dict(details or {})


class Tool(ABC):
    """A tool. A model reads ``description`` and ``parameters``; keep both short, they are in every prompt."""

    id: ClassVar[str] = ""
    description: ClassVar[str] = ""
    category: ClassVar[str] = Category.UTILITY
    parameters: ClassVar[Sequence[ToolParameter]] = ()
    only_looks: ClassVar[bool] = False
    """Whether it changes nothing anywhere. One that does asks for a yes, unless `tools.allow` names it."""
    own_words: ClassVar[bool] = False
    """Whether all of its output is the tool's own; what others wrote is marked, and a model asks before it acts."""
    timeout: ClassVar[float] = 30.0
    """Seconds that a call may take."""

    @abstractmethod
    async def execute(self, **kwargs: Any) -> ToolResult:
        """Do it, with the parameters by name. What is raised becomes the result's error."""
