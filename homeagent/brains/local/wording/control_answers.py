"""What is said after something was to be done: what is so now, what could not be done, what still needs a yes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homeagent.brains.call_outcomes import NOT_TRIED
from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.entity_names import spoken, unique_names
from homeagent.brains.local.wording.spoken_values import attribute_words, state_words
from homeagent.brains.local.wording.value_limits import value_words
from homeagent.brains.local.wording.weather_answers import added
from homeagent.domains import profile_of
from homeagent.ha.home import Home
from homeagent.turn import ToolCall, ToolResult

_SILENT = frozenset({"script", "automation", "todo"})
"""Domains whose state tells nothing of what was done."""
_ITEMS = {"add_item": "added", "complete_item": "completed", "remove_item": "removed"}
_NOT_DONE = ("failed", "not_called")
_ERRORS = {
    "entity_unavailable": "unavailable",
    "unsupported_action": "unsupported",
    "invalid_parameters": "invalid",
    "code_required": "needs_code",
    "denied": "denied",
    "not_exposed": "not_exposed",
    "home_assistant_unavailable": "no_home_assistant",
    "not_confirmed": "unconfirmed",
}
"""Phrases for errors of a whole call, by the error's code."""

Line = Mapping[str, Any]


def words(done: Sequence[tuple[ToolCall, ToolResult]], home: Home, phrases: Phrases) -> list[tuple[str, bool]]:
    """The parts of the answer, each with whether it asks the person back."""
    parts: list[tuple[str, bool]] = []
    for call, result in done:
        lines = _lines(result)
        parts += (
            _of_lines(call, lines, result, home, phrases) if lines else [(_error(call, result, home, phrases), False)]
        )
    return parts


def _lines(result: ToolResult) -> list[Line]:
    found = result.result.get("targets", ()) if isinstance(result.result, Mapping) else ()
    return [line for line in found if isinstance(line, Mapping)]


def _of_lines(
    call: ToolCall, lines: Sequence[Line], result: ToolResult, home: Home, phrases: Phrases
) -> list[tuple[str, bool]]:
    by_outcome: dict[str, list[Line]] = {}
    for line in lines:
        by_outcome.setdefault(str(line.get("outcome")), []).append(line)
    parts = [(text, False) for text in _done(call, by_outcome, result, home, phrases)]
    if silent := by_outcome.get("no_reaction"):
        parts.append((phrases.say("unconfirmed", names=_names(silent, home, phrases)), False))
    parts += [(text, False) for text in _failed([x for o in _NOT_DONE for x in by_outcome.get(o, ())], home, phrases)]
    if left_out := by_outcome.get("left_out"):
        parts.append((phrases.say("left_out", names=_names(left_out, home, phrases)), False))
    return parts  # what waits for a yes is asked about by the agent


def _done(
    call: ToolCall, by_outcome: Mapping[str, Sequence[Line]], result: ToolResult, home: Home, phrases: Phrases
) -> Iterable[str]:
    """What is so now: things that came to the same are told together."""
    item = str((call.parameters.get("parameters") or {}).get("item", ""))
    action = str(call.parameters.get("action", ""))
    done = [*by_outcome.get("done", ()), *by_outcome.get("under_way", ())]
    if action in _ITEMS and item and done:
        real = next((line["item"] for line in done if line.get("item")), item)
        yield phrases.say(_ITEMS[action], item=str(real), name=_names(done, home, phrases))
        return
    parameters = call.parameters.get("parameters") or {}
    if action == "create_event" and done and (text := added(parameters, _names(done, home, phrases), home, phrases)):
        yield text
        return
    told: dict[str, list[Line]] = {}
    for line in done:
        told.setdefault(_now(call, line, home, phrases), []).append(line)
    more = (result.result.get("more") or {}).get("done", 0) if isinstance(result.result, Mapping) else 0
    for state, group in told.items():
        names = _names(group, home, phrases, more if len(told) == 1 else 0)
        if not state:
            yield phrases.say("done_stateless", names=names)
        else:
            yield phrases.say("one" if len(group) + more == 1 else "many", name=names, names=names, state=state)
    if sent := by_outcome.get("sent"):
        yield phrases.say("sent", names=_names(sent, home, phrases))


def _now(call: ToolCall, line: Line, home: Home, phrases: Phrases) -> str:
    """The state now, with the settings that show it; empty where a state tells nothing."""
    entity = home.entity(str(line["entity_id"]))
    if entity is None or entity.domain in _SILENT or profile_of(entity.domain).momentary:
        return ""
    state = state_words(entity, str(line.get("after")), phrases)
    shown = [_setting(name, value, call, phrases, home) for name, value in (line.get("attributes") or {}).items()]
    return ", ".join([state, *(s for s in shown if s)])


def _setting(name: str, value: Any, call: ToolCall, phrases: Phrases, home: Home) -> str:
    if name == "hs_color":
        color = (call.parameters.get("parameters") or {}).get("color")
        return str(color) if color else ""
    if name == "is_volume_muted":
        return phrases.say("muted" if value else "unmuted")
    label = phrases.say(f"attr_{name}")
    value = ("off", "on")[value] if isinstance(value, bool) else value
    return f"{label} {attribute_words(name, value, phrases, home)}".strip() if label else ""


def _failed(lines: Sequence[Line], home: Home, phrases: Phrases) -> Iterable[str]:
    away = [x for x in lines if (s := home.state(str(x["entity_id"]))) is None or not s.available]
    if away:
        yield phrases.say("unavailable", names=_names(away, home, phrases))
    other = [line for line in lines if line not in away]
    if lists := [line for line in other if line.get("items")]:
        note = spoken(str(lists[0]["note"]), home) if phrases.language == "en" and len(lists) == 1 else ""
        yield note or phrases.say("failed_names", names=_names(lists, home, phrases))
        for line in lists:
            yield phrases.say("list", name=_names([line], home, phrases), items=", ".join(line["items"]))
        other = [line for line in other if line not in lists]
    if other:
        note = str(other[0].get("note", "")) if phrases.language == "en" and len(other) == 1 else ""
        yield spoken(note, home) or phrases.say("failed_names", names=_names(other, home, phrases))


def _error(call: ToolCall, result: ToolResult, home: Home, phrases: Phrases) -> str:
    """Why a call did nothing at all."""
    if result.success or result.error_type in NOT_TRIED:
        return ""
    ids = call.parameters.get("entity_id") or ()
    names = phrases.names(unique_names([ids] if isinstance(ids, str) else ids, home))
    key = _ERRORS.get(result.error_type or "", "failed")
    if key == "invalid" and (entity_id := ids if isinstance(ids, str) else next(iter(ids), "")):
        given = call.parameters.get("parameters") or {}
        if said := value_words(entity_id, names, given, home, phrases):
            return said
    if phrases.language == "en" and key == "failed" and result.error:
        return spoken(result.error, home)
    return phrases.say(key if names or key == "no_home_assistant" else "failed", names=names, name=names, error="")


def _names(lines: Sequence[Line], home: Home, phrases: Phrases, more: int = 0) -> str:
    names = unique_names([str(line["entity_id"]) for line in lines], home)
    return phrases.names([*names, *[""] * more])
