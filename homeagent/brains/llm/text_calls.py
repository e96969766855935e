"""Tool calls that a model wrote as its text instead of making them.

What a model writes may be read out of the home: a to-do item, a title, a name can hold a call. So a written call is
believed only where the whole answer is that one call, no data of the turn looks like a call, and the model made no call
in the conversation the proper way, which shows that it can.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence

from homeagent.brains.llm.client import RawCall
from homeagent.prompting.prompt import round_messages
from homeagent.turn import Turn
from homeagent.values.jsonable import parsed

_DECODER = json.JSONDecoder()
_NAMED = re.compile(r"<function\s*=\s*([\w.]+)\s*>\s*(?=\{)")
_NAME_KEYS = ("name", "tool", "tool_name", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_LONGEST = 20_000
_KEPT = 1000
"""Conversations that are remembered."""
_WRAPPING = re.compile(
    r"```\w*|</?\|?tool_calls?\|?>|\[/?TOOL_CALLS\]|<\|python_tag\|>|</?function[^>]*>", re.IGNORECASE
)
_MARKUP = re.compile(r"tool_call|function\s*=|python_tag|[\"'](?:arguments|parameters)\\*[\"']\s*:")


class TextCalls:
    """Which written calls are run. Remembers the conversations in which the model made calls the proper way."""

    def __init__(self) -> None:
        self._proper: OrderedDict[str, None] = OrderedDict()

    def believed(self, turn: Turn, text: str, made: Sequence[RawCall], known: Collection[str]) -> tuple[RawCall, ...]:
        """The call that the text is; none where there is no reason to believe it. ``made``: calls made properly."""
        if made:
            self._proper[turn.conversation_id] = None
            while len(self._proper) > _KEPT:
                self._proper.popitem(last=False)
        if made or turn.conversation_id in self._proper:
            return ()
        calls = whole_call(text, known)
        return (
            ()
            if any(_speaks_of_calls(data, known) or _squashed(text) in _squashed(data) for data in _data(turn))
            else calls
        )


def whole_call(text: str, known: Collection[str]) -> tuple[RawCall, ...]:
    """The one call that the whole text is, with or without the marks that models put around it; else none."""
    calls = find_calls(text, known)
    bare = _WRAPPING.sub("", text).strip()
    return calls if len(calls) == 1 and isinstance(parsed(bare), Mapping | list) else ()


def _data(turn: Turn) -> Iterator[str]:
    """All that the model was shown and did not write itself."""
    yield turn.shown or ""
    for message in (*(m for past in turn.gathered.history for m in past.messages), *round_messages(turn.rounds)):
        yield message.content


def _squashed(text: str) -> str:
    """Letters and digits alone: quoted, escaped or set otherwise, a text is the same."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _speaks_of_calls(data: str, known: Collection[str]) -> bool:
    """Whether data holds the name of a tool, or a call's markup."""
    folded = data.casefold()
    return any(tool in folded for tool in known) or bool(_MARKUP.search(folded))


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


def _json_values(text: str) -> Iterator[tuple[int, object]]:
    """Every outermost object or list in the text, with its offset."""
    place = 0
    while (found := re.compile(r"[\[{]").search(text, place)) is not None:
        try:
            value, place = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.start() + 1
        else:
            yield found.start(), value


def _calls_in(value: object, known: Collection[str]) -> Iterator[RawCall]:
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


def _name_of(value: Mapping[str, object]) -> object:
    return next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)


def _arguments_of(value: Mapping[str, object]) -> object:
    return next((value[key] for key in _ARGUMENT_KEYS if isinstance(value.get(key), Mapping | str)), {})
