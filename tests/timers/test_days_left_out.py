"""A day of an alarm that repeats is left out, as people say it; the other days stay."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from homeagent.timers.due import AtSun, Due, Every, Sun, Weekday, as_json, from_json
from homeagent.timers.next_time import next_time
from tests.demo.showing import shown

EVERY_DAY = frozenset(Weekday)
SAID = {
    "en": ("wake me at 7 every day", "not tomorrow though", "skip tomorrow", "no alarm tomorrow"),
    "de": ("weck mich jeden Tag um 7", "morgen aber nicht", "lass es morgen ausfallen", "kein Wecker morgen"),
    "fr": ("réveille-moi à 7 h tous les jours", "mais pas demain", "saute demain", "pas de réveil demain"),
    "es": ("despiértame a las 7 todos los días", "pero mañana no", "sáltate mañana", "ninguna alarma mañana"),
    "nl": ("maak me elke dag om 7 uur wakker", "morgen niet", "sla morgen over", "geen wekker morgen"),
    "ko": ("매일 7시에 깨워줘", "내일은 빼줘", "내일은 건너뛰어", "내일 알람은 빼 줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_the_day_is_left_out_and_told(language: str, tmp_path: Path) -> None:
    order, *skips = SAID[language]
    async with shown(tmp_path, language) as home:
        zone = home.app.home.config.time_zone
        for skip in skips:
            talk = (await home.ask(order)).conversation_id
            tomorrow = home.app.timers.now().astimezone(zone).date() + timedelta(days=1)
            reply = await home.app.agent.process(skip, language=language, conversation_id=talk)
            (timer,) = await home.app.timers.find()
            assert isinstance(timer.due, Every), reply.response
            assert timer.due.without == {tomorrow}, reply.response
            assert timer.next_due is not None
            assert timer.next_due.astimezone(zone).date() != tomorrow
            assert "07:00" in reply.response
            await home.app.timers.cancel([timer])
        assert home.server.calls == []


async def test_what_comes_once_is_cancelled_and_what_is_not_due_then_stays(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        talk = (await home.ask("set an alarm for tomorrow at 7")).conversation_id
        days = {0: "monday", 3: "thursday"}
        tomorrow = home.app.timers.now().astimezone(home.app.home.config.time_zone).weekday() + 1
        other = next(name for day, name in days.items() if day != tomorrow % 7)
        reply = await home.app.agent.process(f"skip {other}", language="en", conversation_id=talk)
        assert not reply.handled
        assert len(await home.app.timers.find()) == 1
        reply = await home.app.agent.process("skip tomorrow", language="en", conversation_id=talk)
        assert reply.response == "Cancelled: Alarm."
        assert await home.app.timers.find() == []


DAY = date(2026, 5, 4)


@pytest.mark.parametrize(
    "due",
    [
        Every(time(7), frozenset({Weekday.MONDAY}), frozenset({DAY, DAY + timedelta(days=7)})),
        AtSun(Sun.SUNRISE, timedelta(), EVERY_DAY, frozenset({DAY})),
    ],
)
def test_the_next_time_is_on_a_day_that_is_not_left_out_and_the_database_keeps_it(due: Due) -> None:
    now = datetime(2026, 5, 3, 12, tzinfo=UTC)
    found = next_time(due, now, ZoneInfo("UTC"), lambda _: datetime(2026, 5, 4, 5, tzinfo=UTC))
    assert found is not None
    assert found.date() == (date(2026, 5, 18) if isinstance(due, Every) else date(2026, 5, 5))
    assert from_json(as_json(due)) == due
