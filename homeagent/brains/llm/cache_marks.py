"""Marks in a request up to where a provider keeps it in its cache, for those that do not find that out themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MARK = {"type": "ephemeral"}
_CLAUDE = ("anthropic/", "claude", "bedrock/anthropic", "bedrock/converse/anthropic", "vertex_ai/claude")
_ROUTED = ("openrouter/anthropic/",)


def wants_marks(model: str) -> bool:
    """Whether the provider caches what is marked only: Anthropic's models. OpenAI, Gemini and local servers find it out
    themselves."""
    return model.startswith(_CLAUDE + _ROUTED) or (model.startswith("bedrock/") and ".anthropic." in model)


def marked(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages with three marks, with that of the tools as many as Anthropic takes: behind the fixed part, behind
    the past turns, and at the end, for the next round of the same turn."""
    copies = [dict(message) for message in messages]
    last_user = max((n for n, message in enumerate(copies) if message["role"] == "user"), default=0)
    for place in {0, last_user - 1, len(copies) - 1} & set(range(len(copies))):
        copies[place] = _with_mark(copies[place])
    return copies


def marked_tools(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tools, the last one with a mark: they are kept though the text behind them changes."""
    return [*map(dict, tools[:-1]), *({**tool, "cache_control": _MARK} for tool in tools[-1:])]


def _with_mark(message: dict[str, Any]) -> dict[str, Any]:
    """Marks are on blocks of content; a tool's result carries its own. What has no content has no place for one."""
    if message["role"] == "tool":
        return {**message, "cache_control": _MARK}
    if not message.get("content"):
        return message
    return {**message, "content": [{"type": "text", "text": message["content"], "cache_control": _MARK}]}
