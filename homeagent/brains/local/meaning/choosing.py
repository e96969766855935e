"""Settings that are chosen from a device's own list: a TV's source, a mode, the option of a select."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from homeagent.brains.language.lexicon import words_of
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground
from indexer.entity import Entity

LISTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "media_player": (("source_list", "source"), ("sound_mode_list", "sound_mode")),
    "select": (("options", "option"),),
    "input_select": (("options", "option"),),
    "light": (("effect_list", "effect"),),
    "fan": (("preset_modes", "preset_mode"),),
    "climate": (("preset_modes", "preset_mode"), ("fan_modes", "fan_mode"), ("swing_modes", "swing_mode")),
    "humidifier": (("available_modes", "mode"),),
    "vacuum": (("fan_speed_list", "fan_speed"),),
    "water_heater": (("operation_list", "operation_mode"),),
}
"""By domain: attributes that list what can be chosen, and the parameter that chooses."""
PLAIN = frozenset({"on", "off", "none"})
"""Choices that are rather the words for switching."""


def choice_positions(reading: Reading, around: Ground) -> frozenset[int]:
    """The positions of the words that name a choice of something that was found."""
    said = (positions for entity in around.retrieved for *_, positions in _choices(reading, around, entity))
    return frozenset().union(*said)


def _choices(reading: Reading, around: Ground, entity: Entity) -> Iterable[tuple[str, str, frozenset[int]]]:
    """What the clause says of what an entity offers: the parameter, the choice, the positions of its words."""
    state = around.home.state(entity.entity_id)
    for attribute, parameter in LISTS.get(entity.domain, ()):
        offered = state.attributes.get(attribute) if state is not None else None
        for choice, positions in _said(reading, offered or ()):
            yield parameter, choice, positions


def _said(reading: Reading, offered: Iterable[object]) -> Iterable[tuple[str, frozenset[int]]]:
    """The choices that the clause says, the longest first, with the positions of their words."""
    texts = [w.text for w in reading.words]
    for choice in sorted((str(o) for o in offered), key=len, reverse=True):
        words = [w.text for w in words_of(choice)]
        if not words or (len(words) == 1 and words[0] in PLAIN):
            continue
        if (start := _find(texts, words)) is not None:
            yield choice, frozenset(range(start, start + len(words)))


def _find(texts: Sequence[str], words: Sequence[str]) -> int | None:
    return next((i for i in range(len(texts) - len(words) + 1) if list(texts[i : i + len(words)]) == list(words)), None)
