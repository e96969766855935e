"""Alarms and locks that want a code: said with the command, or when it is asked for, and kept nowhere."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import Ask, reached

PANEL, SIREN = "alarm_control_panel.home", "siren.hall"


def _all_bytes(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def _armed(demo: DemoServer, home_assistant: HomeAssistant) -> None:
    demo.set_state(PANEL, "armed_away")
    await home_assistant.home.wait_until(lambda: home_assistant.home.state_text(PANEL) == "armed_away", [PANEL], 2)


@pytest.mark.parametrize(
    ("language", "text", "yes"),
    [
        ("en", "disarm the alarm with code 4321", "yes"),
        ("en", "disarm the alarm 4321", "yes"),
        ("en", "disarm the alarm, my code is four three two one", "yes"),
        ("de", "entschärfe den Alarm mit dem Code 4321", "ja"),
        ("fr", "désarme Alarm avec le code 4321", "oui"),
        ("es", "desarma Alarm con el código 4321", "sí"),
        ("nl", "ontwapen Alarm met code 4321", "ja"),
        ("ko", "코드 4321, Alarm 경보 해제해줘", "응"),
        ("ko", "코드 4321로 Alarm 경보 해제해줘", "응"),
    ],
)
async def test_a_code_may_be_said_with_the_command(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, language: str, text: str, yes: str
) -> None:
    await _armed(demo, home_assistant)
    asked = await ask(text, language=language)
    assert asked.pending, asked.response
    await ask(yes, language=language)
    assert demo.state(PANEL)["state"] == "disarmed"


@pytest.mark.parametrize("code", ["4321", "it's 4321", "four three two one"])
async def test_a_code_that_was_asked_for_is_taken_and_kept_nowhere(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, code: str
) -> None:
    await _armed(demo, home_assistant)
    asked = await ask("turn off the alarm")
    assert asked.question
    given = await ask(code)
    assert given.pending, given.response
    await ask("yes")
    assert demo.state(PANEL)["state"] == "disarmed"
    kept = await asyncio.to_thread(_all_bytes, tmp_path)
    # ids and times are digits, too
    assert not re.search(rb"(?<![0-9a-f.])4321(?![0-9a-f])", kept)
    assert b"four three two one" not in kept
    assert not re.search(r"(?<![0-9a-f.])4321(?![0-9a-f])", str(given.trace))


async def test_a_number_out_of_the_blue_is_no_code(ask: Ask, demo: DemoServer, home_assistant: HomeAssistant) -> None:
    await _armed(demo, home_assistant)
    await ask("turn off the alarm")
    await ask("turn on the hall light")
    demo.calls.clear()
    await ask("4321")
    assert not reached(demo)


async def test_the_alarm_is_the_panel_unless_a_siren_sounds(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant
) -> None:
    await _armed(demo, home_assistant)
    await ask("turn off the alarm")
    assert SIREN not in reached(demo)
    demo.set_state(SIREN, "on")
    await home_assistant.home.wait_until(lambda: home_assistant.home.state_text(SIREN) == "on", [SIREN], 2)
    asked = await ask("turn off the alarm")
    assert reached(demo) == set()  # a siren that sounds protects
    assert [pending.targets for pending in asked.pending] == [(SIREN,)]
    await ask("yes")
    assert reached(demo) == {SIREN}


async def test_turning_on_the_alarm_sounds_no_siren(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the alarm")
    assert SIREN not in reached(demo)


async def test_a_setting_beside_a_lock_is_no_code(ask: Ask, demo: DemoServer) -> None:
    await ask("set the study light to 100 and lock the front door")
    assert reached(demo) == {"light.study", "lock.front_door"}
