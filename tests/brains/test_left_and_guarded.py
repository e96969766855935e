"""What may have been left on, what keeps a home from being called safe, and how an alarm is armed."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other

HOME = """
areas:
  - {id: hall, name: Hall}
  - {id: bathroom, name: Bathroom}
entities:
  - {name: Hall lamp, id: light.hall, area: hall, state: "off"}
  - {name: Speaker, id: media_player.speaker, area: hall, state: idle}
  - {name: Hair straightener, id: switch.straightener, area: bathroom, state: STRAIGHTENER}
  - {name: Oven light, id: light.oven, state: "off"}
  - {name: Living room radiator, id: climate.radiator, state: heat, attributes: {hvac_modes: [heat, "off"]}}
  - {name: Front door, id: lock.front, area: hall, state: locked}
  - {name: Water main, id: valve.water, state: WATER, attributes: {device_class: water}}
  - {name: Gas pipe, id: valve.gas, state: GAS, attributes: {device_class: gas}}
  - {name: Driveway camera, id: camera.driveway, state: CAMERA}
  - {name: Smoke alarm, id: switch.smoke_alarm, state: SMOKE}
  - {name: Lock up at night, id: automation.lock_up, state: AUTOMATION}
  - {name: House alarm, id: alarm_control_panel.home, state: ALARM, attributes: {code_arm_required: false}}
"""
WELL = {
    "STRAIGHTENER": "off", "WATER": "closed", "GAS": "closed", "CAMERA": "idle", "SMOKE": "on", "AUTOMATION": "on",
    "ALARM": "armed_away",
}  # fmt: skip
FINE = "Everything that I can see is fine."
REST = "Everything else is fine."


def home(**states: str) -> str:
    text = HOME
    for key, state in (WELL | {k.upper(): s for k, s in states.items()}).items():
        text = text.replace(f"state: {key}", f'state: "{state}"')
    # more than can be asked for one by one
    return text + "".join(f'  - {{name: Spot {n}, id: light.spot_{n}, state: "off"}}\n' for n in range(40))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is everything off?", "No, not Hair straightener."),
        ("did I leave anything on?", "Yes: Hair straightener."),
        ("is everything off in the bathroom?", "No, not Hair straightener."),
        ("what is on in the bathroom?", "Hair straightener."),
        ("is everything off in the hall?", "Yes."),
    ],
)
async def test_what_gets_hot_is_among_what_was_left_on(other_home: Other, text: str, said: str) -> None:
    async with other_home(home(straightener="on")) as (ask, _):
        assert (await ask(text)).response == said


async def test_where_nothing_is_on_that_is_said(other_home: Other) -> None:
    """A player that waits is neither on nor left on, nor is a radiator that keeps a temperature."""
    async with other_home(home()) as (ask, _):
        assert (await ask("is everything off?")).response == "Yes."


@pytest.mark.parametrize("text", ["is the house protected?", "is the house safe?", "can I leave the house?"])
@pytest.mark.parametrize(
    ("states", "said"),
    [
        ({}, f"Yes. {FINE}"),
        ({"alarm": "disarmed"}, f"House alarm is disarmed. {REST}"),
        ({"camera": "off"}, f"Driveway camera is off. {REST}"),
        ({"smoke": "off"}, f"Smoke alarm is off. {REST}"),
        ({"automation": "off"}, f"Lock up at night is off. {REST}"),
        ({"water": "open"}, f"Water main is open. {REST}"),
        ({"gas": "open"}, f"No. Gas pipe is open. {REST}"),
        ({"straightener": "on"}, f"No. Hair straightener is on. {REST}"),
    ],
    ids=str,
)
async def test_what_keeps_a_home_from_being_safe_is_told(
    other_home: Other, text: str, states: dict[str, str], said: str
) -> None:
    async with other_home(home(**states)) as (ask, _):
        assert (await ask(text)).response == said


@pytest.mark.parametrize(
    ("state", "text", "said"),
    [
        ("armed_home", "is the alarm armed away?", "No, House alarm is armed home."),
        ("armed_away", "is the alarm armed away?", "Yes, House alarm is armed away."),
        ("armed_home", "is the alarm armed?", "Yes, House alarm is armed home."),
        ("armed_home", "is the house armed away?", "No, House alarm is armed home."),
        ("armed_away", "is the home alarm armed?", "Yes, House alarm is armed away."),
        ("armed_away", "is my home armed?", "Yes, House alarm is armed away."),
        ("disarmed", "is the alarm armed?", "No, House alarm is disarmed."),
        ("arming", "is the alarm armed?", "House alarm is arming."),
        ("triggered", "is the alarm armed?", "House alarm is triggered."),
        ("triggered", "is the alarm disarmed?", "No, House alarm is triggered."),
    ],
)
async def test_an_alarm_is_armed_only_where_it_is_so(other_home: Other, state: str, text: str, said: str) -> None:
    async with other_home(home(alarm=state)) as (ask, _):
        assert (await ask(text)).response == said
