"""What is said while a timer rings: it is silenced in few words, in six languages, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from homeagent.timers.due import After
from homeagent.timers.timer import SetBy, TimerKind, TimerState
from tests.demo.showing import Shown, shown

SAID = {
    "en": ("stop", "turn it off", "turn off the alarm", "be quiet"),
    "de": ("stopp", "mach aus", "Ruhe", "Wecker aus"),
    "fr": ("stop", "arrête ça", "tais-toi", "éteins le réveil"),
    "es": ("para", "apágala", "cállate", "apaga la alarma"),
    "nl": ("stop", "zet uit", "stil", "wekker uit"),
    "ko": ("그만", "꺼", "조용히 해", "알람 꺼줘"),
}


async def ring(home: Shown, kind: TimerKind = TimerKind.ALARM, ago: timedelta = timedelta()) -> None:
    timers = home.app.timers
    timer = await timers.set(kind, After(timedelta(hours=1)), SetBy(language=home.language))
    now = timers.now()
    assert await timers.store.replace(
        timer, replace(timer, state=TimerState.RINGING, next_due=None, fired_at=now - ago), now
    )


@pytest.mark.parametrize("language", sorted(SAID))
async def test_it_is_silenced_and_nothing_else_changes(language: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        for text in SAID[language]:
            await ring(home)
            await home.ask(text)
            assert await home.app.timers.store.live() == [], text
        assert home.server.calls == []


async def test_what_is_named_is_meant_and_not_what_rings(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        await ring(home)
        await home.ask("turn off the hall light")
        assert home.state("light.hall") == "off"
        assert len(await home.app.timers.store.live()) == 1


async def test_it_is_what_was_spoken_of(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        said = await home.app.agent.process("turn on the kitchen ceiling light", language="en")
        await ring(home)
        await home.app.agent.process("turn it off", language="en", conversation_id=said.conversation_id)
        assert home.state("light.kitchen_ceiling") == "off"
        assert len(await home.app.timers.store.live()) == 1


async def test_what_rang_long_ago_is_not_meant(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        await ring(home, ago=timedelta(minutes=12))
        assert (await home.ask("turn it off")).question
        assert len(await home.app.timers.store.live()) == 1
