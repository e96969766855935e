"""What Home Assistant tells a language model that it gives its intents: instructions, an overview in YAML, the time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from homeagent.context import DIRECT, Budget, ContextBuilder, Prompt
from homeagent.events import ContextInjected, Emitter
from homeagent.ha.home import Home
from homeagent.privacy.redact import scrubbed
from homeagent.prompting.firewall import clean
from homeagent.prompting.token_counting import CountTokens
from homeagent.turn import Message, Turn
from indexer.entity import Entity

INSTRUCTIONS = """You are a voice assistant for Home Assistant.
Answer questions about the world truthfully.
Answer in plain text. Keep it simple and to the point.
When controlling Home Assistant always call the intent tools. Use HassTurnOn to lock and HassTurnOff to unlock a lock. \
When controlling a device, prefer passing just name and domain. When controlling an area, prefer passing just area \
name and domain."""
_NO_AREA = (
    "When a user asks to turn on all devices of a specific type, ask user to specify an area, unless there is only one "
    "device of that type."
)
_IN_AREA = "You are in area {place} and all generic commands like 'turn on the lights' should target this area."
_NO_TIMERS = "This device is not able to start timers."
_OVERVIEW = "An overview of the areas and the devices in this smart home:"
_ATTRIBUTES = (
    *("temperature", "current_temperature", "temperature_unit", "brightness", "humidity", "unit_of_measurement"),
    *("device_class", "current_position", "percentage", "volume_level", "media_title", "media_artist"),
    "media_album_name",
)
"""Those that Home Assistant tells."""
_PLAIN = re.compile(r"[^\W\d_][\w '().,/&+-]*")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_LONGEST = 100


class AssistContext(ContextBuilder):
    """Requests in Assist's form, over the entities that were found. The instructions are the front that stays; what
    changes ends the system text, the time last."""

    def __init__(self, home: Home, count: CountTokens, emitter: Emitter, budget: Budget | None = None) -> None:
        super().__init__(home, count, emitter, budget, system=INSTRUCTIONS)

    def build(self, turn: Turn, tools_text: str, notes: Sequence[Message] = ()) -> Prompt:
        """As `ContextBuilder.build`; the sentence stands alone, and all rounds of a turn are told the same."""
        turn.shown = turn.text
        if turn.told is None:
            turn.told = self._about(turn)
        prompt = super().build(turn, tools_text + turn.told, notes)
        prompt.messages[0] |= {"content": f"{INSTRUCTIONS}\n{turn.told}"}
        return prompt

    def _about(self, turn: Turn) -> str:
        now = self._home.now()
        lines, kept = self._overview(turn)
        self._emitter.emit(
            turn.stamp(
                ContextInjected(
                    mode=self.mode(),
                    entities_included=tuple(kept),
                    memories_included=(),
                    token_count=self._count("\n".join(lines)),
                    vector_db_query=scrubbed(turn.gathered.retrieval.query, turn.secrets()),
                )
            )
        )
        return "\n".join([self._place(turn), _NO_TIMERS, *([_OVERVIEW, *lines] if lines else []), _time(now)])

    def _overview(self, turn: Turn) -> tuple[list[str], list[str]]:
        """Lines of as many things as fit, best first, and their ids."""
        lines: list[str] = []
        kept: list[str] = []
        room = self.budget.entities
        for entity in self._shown(turn, direct=self.mode() == DIRECT):
            about = self._thing(entity)
            room -= self._count("\n".join(about)) + 1
            if room < 0:
                break
            lines += about
            kept.append(entity.entity_id)
        return lines, kept

    def _thing(self, entity: Entity) -> list[str]:
        state = self._home.state(entity.entity_id)
        areas = (entity.area.name, *entity.area.aliases) if entity.area else ()
        attributes = {key: state.attributes[key] for key in _ATTRIBUTES if state and key in state.attributes}
        told = (f"    {key}:{_value(value)}" for key, value in attributes.items())
        return [
            f"- names:{_scalar(', '.join(entity.names))}",
            f"  state: {_quoted(state.state if state else 'unavailable')}",
            f"  areas:{_scalar(', '.join(areas))}",
            "  attributes:",
            *told,
        ]

    def _place(self, turn: Turn) -> str:
        area = self._home.areas.get(turn.area_id) if turn.area_id else None
        if area is None:
            return _NO_AREA
        floor = self._home.floors.get(area.floor_id) if area.floor_id else None
        where = clean(area.name, _LONGEST) + (f" (floor {clean(floor.name, _LONGEST)})" if floor else "")
        return _IN_AREA.format(place=where)


def _time(now: datetime) -> str:
    return f"Current time is {now:%H:%M:%S}. Today's date is {now:%Y-%m-%d}."


def _value(value: object) -> str:
    """An attribute behind its colon; nothing where it is empty."""
    if value is None or value == "":
        return ""
    return f" {_quoted(str(value))}" if isinstance(value, int) else _scalar(str(value))


def _scalar(text: str) -> str:
    text = clean(text, _LONGEST * 3)
    if not text:
        return ""
    plain = _PLAIN.fullmatch(text) and text == text.strip() and text.casefold() not in _WORDS_OF_YAML
    return f" {text if plain else _quoted(text)}"


def _quoted(text: str) -> str:
    return "'" + clean(text, _LONGEST * 3).replace("'", "''") + "'"
