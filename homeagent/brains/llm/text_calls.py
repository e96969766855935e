"""Tool calls that a model wrote into its text instead of making them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from homeagent.brains.llm.client import RawCall

_DECODER = json.JSONDecoder()
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(
    r"<\s*/?\s*(?:\|?tool|function|parameter|\|python_tag)|\[TOOL_CALLS\]|\{\s*[\"']|(?-i:[a-z]_[a-z_]+\(|(?m:^)\s*[a-z]+_[a-z_]+\s*[:=])",
    re.IGNORECASE,
)
_NAMED = re.compile(r"<function\s*=\s*([\w.]+)\s*>\s*(?=\{)")
_NAME_KEYS = ("name", "tool", "tool_name", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_LONGEST = 20_000


def without_thoughts(text: str) -> str:
    """The text without what a model thinks aloud."""
    return _THOUGHT.sub("", text).strip()


def looks_like_call(text: str) -> bool:
    """Whether the text holds something that only a program should read: an object in JSON, a call's markup, or a
    call or field as code writes it (``ha_control(``, ``entity_id:``)."""
    return bool(_MARKUP.search(text))


def find_calls(text: str, known: Collection[str]) -> tuple[RawCall, ...]:
    """The calls to ``known`` tools that the text holds, in its order; ids are left empty."""
    text = text[:_LONGEST]
    named = {match.end(): match[1] for match in _NAMED.finditer(text)}
    calls: list[RawCall] = []
    for start, value in _json_values(text):
        if start in named:
            value = {"name": named[start], "arguments": value}
        calls += _calls_in(value, known)
    return tuple(calls)


def _json_values(text: str) -> Iterator[tuple[int, Any]]:
    """Every outermost object or list in the text, with its offset."""
    place = 0
    while (found := re.compile(r"[\[{]").search(text, place)) is not None:
        try:
            value, place = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.start() + 1
        else:
            yield found.start(), value


def _calls_in(value: Any, known: Collection[str]) -> Iterator[RawCall]:
    if isinstance(value, list):
        for item in value:
            yield from _calls_in(item, known)
    elif isinstance(value, Mapping):
        name, arguments = _name_of(value), _arguments_of(value)
        if isinstance(name, str) and name in known:
            yield RawCall("", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
        else:
            for key in ("tool_calls", "function", "tool_call"):
                if isinstance(value.get(key), Mapping | list):
                    yield from _calls_in(value[key], known)


def _name_of(value: Mapping[str, Any]) -> Any:
    return next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)


def _arguments_of(value: Mapping[str, Any]) -> Any:
    return next((value[key] for key in _ARGUMENT_KEYS if isinstance(value.get(key), Mapping | str)), {})
