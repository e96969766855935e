"""Home Assistant's intents as requests: what a sentence that the grammar knows asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from homeagent.brains.language.grammar import Match
from homeagent.languages.concepts import Role, StateWord
from homeagent.languages.pack import Pack, load_pack
from homeagent.understanding.request import Act, Asked, Request, Scope
from indexer.lexicon import lexicon
from indexer.mentions import MentionKind, Mentions
from indexer.places import stands_as_place
from indexer.selector import Selector
from indexer.words import normalise, words

_ACTIONS: Mapping[str, str] = {
    "HassTurnOn": "turn_on",
    "HassTurnOff": "turn_off",
    "HassToggle": "toggle",
    "HassMediaPause": "pause",
    "HassMediaUnpause": "play",
    "HassMediaNext": "next",
    "HassMediaPrevious": "previous",
    "HassMediaPlayerMute": "mute",
    "HassMediaPlayerUnmute": "unmute",
    "HassVacuumStart": "start",
    "HassVacuumReturnToBase": "return_to_base",
    "HassLawnMowerStartMowing": "start",
    "HassLawnMowerDock": "return_to_base",
    "HassStopMoving": "stop",
}

_DOMAINS: Mapping[str, tuple[str, ...]] = {
    "HassMedia": ("media_player",),
    "HassSetVolume": ("media_player",),
    "HassVacuum": ("vacuum",),
    "HassLawnMower": ("lawn_mower",),
    "HassClimate": ("climate",),
    "HassFanSetSpeed": ("fan",),
    "HassLightSet": ("light",),
    "HassGetWeather": ("weather",),
    "HassList": ("todo",),
    "HassShoppingList": ("todo",),
}
"""Domains by the beginning of the intent's name, where the sentence names no thing."""


_LONGEST_ZONE = 3
"""Words of a zone."""
_SAY = {"HassNevermind": "nothing", "HassRespond": "respond"}


def request_of(match: Match, language: str) -> Request | None:
    """The request that a match stands for; None for intents that this home cannot serve."""
    pack = load_pack(language)
    if "state" in match.wildcards:
        match = replace(match, slots={**match.slots, "state": _raw_state(str(match.slots["state"]), pack)})
    if "item" in match.slots:
        match = replace(match, slots={**match.slots, "item": _bare_item(str(match.slots["item"]), pack)})
    if match.intent == "HassStartTimer":
        return Request(Act.SAY, say="no_timer", intent=match.intent)
    if say := _SAY.get(match.intent):
        return Request(Act.SAY, say=say, intent=match.intent, response=match.response)
    if match.intent in ("HassGetCurrentTime", "HassGetCurrentDate"):
        return Request(Act.TIME if match.intent.endswith("Time") else Act.DATE, intent=match.intent)
    if action := _ACTIONS.get(match.intent):
        return _control(match, action, {})
    if make := _MAKERS.get(match.intent):
        return make(match)
    return None


def _scope(match: Match) -> Scope:
    slots = match.slots
    if "name" in slots and isinstance(slots["name"], tuple):
        # the room of the speaking device must not narrow what was called by its name
        area = () if "area" in match.from_context else _one(slots.get("area"))
        return Scope((slots["name"],), Selector(area_ids=area, floor_ids=_one(slots.get("floor"))))
    domains = _one(slots.get("domain")) or next((d for p, d in _DOMAINS.items() if match.intent.startswith(p)), ())
    selector = Selector(
        domains=domains,
        device_classes=_one(slots.get("device_class")),
        area_ids=_one(slots.get("area")),
        floor_ids=_one(slots.get("floor")),
    )
    return Scope(selector=selector, every=match.response.endswith("_all"))


def _one(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list | tuple) else (str(value),)


def _control(match: Match, action: str, parameters: Mapping[str, object]) -> Request:
    return Request(
        Act.CONTROL,
        _scope(match),
        action=action,
        parameters=parameters,
        intent=match.intent,
        response=match.response,
    )


def _light(match: Match) -> Request:
    slots = match.slots
    parameters: dict[str, Any] = {}
    if "brightness" in slots:
        if int(slots["brightness"]) == 0:
            return _control(match, "turn_off", {})
        parameters["brightness_pct"] = int(slots["brightness"])
    if "color" in slots:
        parameters["color"] = str(slots["color"])
    if "temperature" in slots:
        parameters["color_temp_kelvin"] = int(slots["temperature"])
    return _control(match, "turn_on", parameters)


def _setting(slot: str, parameter: str, convert: Callable[[Any], Any]) -> Callable[[Match], Request]:
    return lambda match: _control(match, "set_value", {parameter: convert(match.slots[slot])})


def _whole(value: Any) -> float | int:
    number = float(value)
    return int(number) if number.is_integer() else number


def _volume_step(match: Match) -> Request:
    step = match.slots["volume_step"]
    sign = {"up": 10, "down": -10}.get(str(step))
    return _control(match, "set_value", {"volume_step_pct": sign if sign is not None else _whole(step)})


def _search(match: Match) -> Request:
    kind = str(match.slots.get("media_class", "music"))
    return _control(
        match, "play_media", {"media_content_id": str(match.slots["search_query"]), "media_content_type": kind}
    )


def _state(match: Match) -> Request:
    wanted = _one(match.slots.get("state"))
    asked = {
        "one": Asked.VALUE,
        "default": Asked.VALUE,
        "one_yesno": Asked.YESNO,
        "any": Asked.ANY,
        "all": Asked.ALL,
        "which": Asked.WHICH,
        "how_many": Asked.HOW_MANY,
        "where": Asked.WHERE,
    }
    kind = asked.get(match.response) or next((a for k, a in asked.items() if match.response.startswith(k)), Asked.VALUE)
    return Request(Act.QUERY, _scope(match), asked=kind, states=wanted, intent=match.intent, response=match.response)


def _temperature(match: Match) -> Request:
    attribute = "temperature" if match.response == "target_temperature" else "current_temperature"
    return Request(Act.QUERY, _scope(match), attribute=attribute, intent=match.intent, response=match.response)


def _weather(match: Match) -> Request:
    return Request(Act.QUERY, _scope(match), attribute="weather", intent=match.intent, response=match.response)


def _list_item(action: str) -> Callable[[Match], Request]:
    return lambda match: _control(match, action, {"item": str(match.slots["item"])})


def _broadcast(match: Match) -> Request:
    request = _control(match, "announce", {"message": str(match.slots["message"]).strip()})
    return replace(request, scope=Scope(selector=Selector(domains=("assist_satellite",)), every=True))


_MAKERS: Mapping[str, Callable[[Match], Request]] = {
    "HassLightSet": _light,
    "HassClimateSetTemperature": _setting("temperature", "temperature", _whole),
    "HassClimateSetFanMode": _setting("fan_mode", "fan_mode", str),
    "HassFanSetSpeed": _setting("percentage", "percentage", _whole),
    "HassSetPosition": _setting("position", "position", _whole),
    "HassSetVolume": _setting("volume_level", "volume_level", lambda v: round(float(v) / 100, 3)),
    "HassSetVolumeRelative": _volume_step,
    "HassMediaSearchAndPlay": _search,
    "HassGetState": _state,
    "HassClimateGetTemperature": _temperature,
    "HassGetWeather": _weather,
    "HassListAddItem": _list_item("add_item"),
    "HassShoppingListAddItem": _list_item("add_item"),
    "HassListCompleteItem": _list_item("complete_item"),
    "HassShoppingListCompleteItem": _list_item("complete_item"),
    "HassListRemoveItem": _list_item("remove_item"),
    "HassBroadcast": _broadcast,
}


def is_zone(text: str, mentions: Mentions, language: str) -> bool:
    """Whether ``text``, which the grammar takes for any state of a person, may be a zone, such as work.

    It stands where a place does, and nothing of the home is spoken of: no room, and no kind of thing. "Who is the
    queen" asks for no place.
    """
    of_home = (MentionKind.AREA, MentionKind.FLOOR, MentionKind.DEVICE_CLASS)
    things = [m for m in mentions.of(MentionKind.DOMAIN) if "person" not in m.values]
    if things or any(mentions.of(kind) for kind in of_home):
        return False
    spoken, zone = words(mentions.text), words(text)
    if len(zone) > _LONGEST_ZONE:
        return False  # "home who could let the cat out"
    starts = (i for i in range(len(spoken)) if zone and spoken[i : i + len(zone)] == zone)
    return any(stands_as_place(spoken, i, i + len(zone), lexicon(language)) for i in starts)


def _raw_state(spoken: str, pack: Pack | None) -> str:
    """The raw state of a person or a plain thing that a word says; the word itself where none is known."""
    said = pack.phrases.get(normalise(spoken), ()) if pack is not None else ()
    raws = (raw for word in said if isinstance(word, StateWord) for kind, raw in word.raw if kind == "default")
    return next(raws, spoken)


def _bare_item(item: str, pack: Pack | None) -> str:
    """An item as it stands on a list: without the article or the "some" before it."""
    said = item.split()
    fillers = pack.phrases if pack is not None else {}
    first = next((i for i, word in enumerate(said) if Role.FILLER not in fillers.get(normalise(word), ())), 0)
    return " ".join(said[first:])
