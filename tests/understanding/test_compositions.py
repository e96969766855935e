"""Core commands keep their meaning among courtesies, names, reasons, fillers and other commands."""

from __future__ import annotations

import random

import pytest

from tests.examples import share
from tests.understanding.reading import Done, deeds, done

CORES = {
    "turn on the kitchen lights": done("turn_on", "light.kitchen_ceiling", "light.counter"),
    "turn the reading lamp off": done("turn_off", "light.reading_lamp"),
    "set the floor lamp to 30 percent": done("turn_on", "light.floor_lamp", brightness_pct=30),
    "make the bedside lamp red": done("turn_on", "light.bedside", color="red"),
    "open the living room blinds": done("open", "cover.blinds"),
    "lock the front door": done("lock", "lock.front"),
    "set the bedroom thermostat to 21.5 degrees": done("set_value", "climate.bedroom", temperature=21.5),
    "start the vacuum": done("start", "vacuum.robot"),
    "pause the kitchen speaker": done("pause", "media_player.speaker"),
    "set the volume of the tv to 25 percent": done("set_value", "media_player.tv", volume_level=0.25),
    "add oat milk to the shopping list": done("add_item", "todo.shopping", item="oat milk"),
    "switch on the coffee machine": done("turn_on", "switch.coffee"),
    "close the garage door": done("close", "cover.garage"),
}
BEFORE = ("please", "could you", "can you please", "I'd like you to", "do me a favor and", "would you be so kind as to")
BEHIND = ("please", "thank you", "if you don't mind", "for me")
ADDRESS = ("hey jarvis,", "ok computer,", "Barnaby,", "hi there,")
REASONS_BEFORE = ("I can't see anything,", "it's getting late,", "we're going to bed,", "since the guests are here,")
REASONS_BEHIND = ("because I can't see anything", "since we're leaving", ", I'm tired", ", the baby is asleep")
ADVERBS = ("right now", "quickly", "immediately", "as soon as possible")
JOINTS = (" and ", " and then ", ", then ", " and also ")


def _compositions(count: int) -> list[tuple[str, tuple[Done, ...]]]:
    chance = random.Random(7)
    made: dict[str, tuple[Done, ...]] = {}
    while len(made) < count:
        text, want = chance.choice(list(CORES.items()))
        expected = (want,)
        if chance.random() < 0.3:
            text = f"{text} {chance.choice(ADVERBS)}"
        if chance.random() < 0.4:
            other, second = chance.choice(list(CORES.items()))
            if second == want:
                continue
            text, expected = f"{text}{chance.choice(JOINTS)}{other}", (want, second)
        if chance.random() < 0.4:
            text = f"{chance.choice(BEFORE)} {text}"
        if chance.random() < 0.2:
            text = f"{text} {chance.choice(BEHIND)}"
        place = chance.random()
        if place < 0.25:
            text = f"{chance.choice(REASONS_BEFORE)} {text}"
        elif place < 0.5:
            reason = chance.choice(REASONS_BEHIND)
            text = f"{text}{reason}" if reason.startswith(",") else f"{text} {reason}"
        if chance.random() < 0.25:
            text = f"{chance.choice(ADDRESS)} {text}"
        made[text] = expected
    return list(made.items())


def test_compositions_do_what_their_cores_say() -> None:
    """Nothing else is ever done; nearly all of it is done."""
    compositions = _compositions(share(150))
    found = {text: tuple(deeds(text)) for text, _ in compositions}
    wrong = [(text, found[text]) for text, want in compositions if any(d not in want for d in found[text])]
    assert not wrong
    right = [text for text, want in compositions if found[text] == want]
    missed = sorted(set(found) - set(right))
    assert len(missed) <= max(1, 0.03 * len(compositions)), missed


@pytest.mark.parametrize(("text", "want"), CORES.items())
def test_the_cores_alone(text: str, want: Done) -> None:
    assert deeds(text) == [want]
