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
    "en": ("stop", "turn it off", "turn off the alarm", "be quiet", "ok I heard it", "I'm up", "got it"),
    "de": ("stopp", "mach aus", "Ruhe", "Wecker aus", "ok, habs gehört"),
    "fr": ("stop", "arrête ça", "tais-toi", "éteins le réveil", "c'est bon, j'ai entendu"),
    "es": ("para", "apágala", "cállate", "apaga la alarma", "vale, ya lo he oído"),
    "nl": ("stop", "zet uit", "stil", "wekker uit", "oké, ik heb het gehoord"),
    "ko": ("그만", "꺼", "조용히 해", "알람 꺼줘", "응 들었어"),
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
        await ring(home)
        await ring(home, TimerKind.TIMER)
        await home.ask(SAID[language][0])
        assert await home.app.timers.store.live() == [], "two rang"
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


WHICH = {
    "en": ("set a timer for 10 minutes", "pasta timer for 12 minutes", "cancel the timer", "the pasta one", "both"),
    "de": ("Timer 10 Minuten", "Nudeltimer 12 Minuten", "brich den Timer ab", "der Nudeltimer", "alle"),
    "fr": ("minuteur 10 minutes", "minuteur pâtes 12 minutes", "annule le minuteur", "celui des pâtes", "les deux"),
    "es": ("temporizador 9 minutos", "temporizador pasta 8 minutos", "cancela el temporizador", "pasta", "los dos"),
    "nl": ("timer 10 minuten", "pastatimer 12 minuten", "annuleer de timer", "die voor de pasta", "allebei"),
    "ko": ("10분 타이머 맞춰줘", "파스타 타이머 12분 맞춰줘", "타이머 취소해", "파스타", "둘 다"),
}  # fmt: skip


@pytest.mark.parametrize("language", WHICH)
async def test_of_several_timers_it_is_asked_which_and_the_answer_is_understood(language: str, tmp_path: Path) -> None:
    first, second, cancel, one, both = WHICH[language]
    async with shown(tmp_path, language) as home:
        talk = (await home.ask(first)).conversation_id

        async def say(text: str) -> str:
            return (await home.app.agent.process(text, language=language, conversation_id=talk)).response

        await say(second)
        asked = await say(cancel)
        timers = await home.app.timers.find()
        assert len(timers) == 2, asked
        assert all(timer.name in asked for timer in timers), asked
        await say(one)
        assert [timer.name for timer in await home.app.timers.find()] == [""]
        await say(second)
        await say(cancel)
        await say(both)
        assert await home.app.timers.find() == []
