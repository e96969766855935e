"""The time that Home Assistant keeps for waking is set, asked for and put back; no alarm is set beside it."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from pathlib import Path

import pytest

from homeagent.timers.due import At
from homeagent.timers.timer import TimerKind
from tests.demo.showing import shown

WAKE_UP = "input_datetime.wake_up"
SAID = {
    "en": ("bump the wake-up time to quarter past seven", "when does my alarm go off?", "move my alarm to 7:30"),
    "de": (
        "stell meine Weckzeit auf viertel nach sieben",
        "wann geht mein Wecker?",
        "verschieb meinen Wecker auf 7:30",
    ),
    "fr": ("mets l'heure de réveil à 7h15", "à quelle heure est mon réveil ?", "déplace mon réveil à 7h30"),
    "es": ("pon la hora de despertar a las 7:15", "¿a qué hora es mi despertador?", "cambia mi despertador a las 7:30"),
    "nl": ("zet de wektijd op kwart over zeven", "op welke tijd staat mijn wekker?", "verzet mijn wekker naar 7:30"),
    "ko": ("기상 시간을 7시 15분으로 바꿔줘", "내 알람 몇 시야?", "알람을 7시 30분으로 바꿔줘"),
}


LATER = {
    "en": ("what time is the wake-up time set to?", "make the wake-up time half an hour later", "back to what it was"),
    "de": (
        "wann ist die Weckzeit?",
        "stell die Weckzeit eine halbe Stunde später",
        "wieder wie vorher",
    ),
    "fr": (
        "à quelle heure est mon réveil ?",
        "décale l'heure de réveil d'une demi-heure",
        "remets comme avant",
    ),
    "es": ("¿a qué hora está la hora de despertar?", "retrasa la hora de despertar media hora", "déjalo como estaba"),
    "nl": ("op hoe laat staat de wektijd?", "zet de wektijd een half uur later", "zoals het was"),
    "ko": ("기상 시간 몇 시로 돼 있어?", "기상 시간 30분 늦춰 줘", "원래대로 돌려놔"),
}
"""How it is asked for, moved by half an hour, and put back."""
MOVED = {
    "en": ("set an alarm for 7 tomorrow", "make it a quarter of an hour earlier"),
    "de": ("stell einen Wecker auf morgen 7 Uhr", "mach den eine Viertelstunde früher"),
    "fr": ("mets un réveil à 7 h demain", "finalement un quart d'heure plus tôt"),
    "es": ("pon una alarma mañana a las 7", "mejor un cuarto de hora antes"),
    "nl": ("zet een wekker om 7 uur morgen", "maak er een kwartier eerder van"),
    "ko": ("내일 7시에 알람 하나 맞춰줘", "15분만 앞당겨 줘"),
}


@pytest.mark.parametrize("language", LATER)
async def test_it_is_moved_and_put_back(language: str, tmp_path: Path) -> None:
    question, later, back = LATER[language]
    async with shown(tmp_path, language) as home:
        before = home.state(WAKE_UP)
        assert before[:5] in (await home.ask(question)).response
        said = await home.ask(later)
        moved = datetime.strptime(home.state(WAKE_UP), "%H:%M:%S") - datetime.strptime(before, "%H:%M:%S")
        assert moved == timedelta(minutes=30), said.response
        await home.ask(back, said.conversation_id)
        assert home.state(WAKE_UP) == before


@pytest.mark.parametrize("language", MOVED)
async def test_an_alarm_is_moved_and_its_change_taken_back(language: str, tmp_path: Path) -> None:
    order, earlier = MOVED[language]
    async with shown(tmp_path, language) as home:
        said = await home.ask(order)
        moved = await home.ask(earlier, said.conversation_id)
        (alarm,) = await home.app.timers.find()
        assert isinstance(alarm.due, At), moved.response
        assert alarm.due.time == time(6, 45)
        await home.ask(LATER[language][2], said.conversation_id)
        (alarm,) = await home.app.timers.find()
        assert isinstance(alarm.due, At)
        assert alarm.due.time == time(7)


@pytest.mark.parametrize("language", SAID)
async def test_it_is_set_and_told(language: str, tmp_path: Path) -> None:
    order, question, move = SAID[language]
    async with shown(tmp_path, language) as home:
        before = home.state(WAKE_UP)
        said = await home.ask(order)
        assert home.state(WAKE_UP) == "07:15:00", said.response
        assert await home.app.timers.find() == []
        assert "07:15" in (await home.ask(question)).response
        await home.ask(move)
        assert home.state(WAKE_UP) == "07:30:00"
        assert await home.app.timers.find() == []
        if language == "en":
            await home.ask("undo", said.conversation_id)
            assert home.state(WAKE_UP) == before


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "set alarms for 7 on weekdays and 9 on Saturday"),
        ("de", "stell Wecker auf 7 unter der Woche und auf 9 am Samstag"),
        ("fr", "réveille-moi à 7 h en semaine et à 9 h le samedi"),
        ("es", "despiértame a las 7 entre semana y a las 9 el sábado"),
        ("nl", "maak me om 7 uur wakker op werkdagen en om 9 uur op zaterdag"),
        ("ko", "평일 7시랑 토요일 9시에 깨워 줘"),
    ],
)
async def test_each_of_several_alarms_is_of_its_own_day(language: str, text: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        await home.ask(text)
        alarms = {t.due.time: t.due for t in await home.app.timers.find()}
        assert set(alarms) == {time(7), time(9)}
        assert len(alarms[time(7)].days) == 5
        assert isinstance(alarms[time(9)], At)
        assert alarms[time(9)].day.weekday() == 5


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "start a timer for 12 minutes and set another alarm for 6:45"),
        ("en", "set an alarm for 6:45 and a 12 minute timer"),
        ("de", "Timer auf 12 Minuten und einen Wecker für 6:45 bitte"),
        ("fr", "mets un réveil à 6h45 et un minuteur de 12 minutes"),
        ("es", "pon un temporizador de 12 minutos y una alarma a las 6:45"),
        ("nl", "zet een wekker om 6:45 en een timer van 12 minuten"),
        ("ko", "12분 타이머랑 6시 45분 알람 하나 맞춰 줘"),
    ],
)
async def test_an_alarm_and_a_timer_are_each_what_they_are_called(language: str, text: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        await home.ask(text)
        kinds = {t.kind: t.due for t in await home.app.timers.find()}
        assert set(kinds) == {TimerKind.ALARM, TimerKind.TIMER}
        assert kinds[TimerKind.ALARM].time == time(6, 45)
        assert not isinstance(kinds[TimerKind.TIMER], At)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "wake me at 7 every day except Sunday"),
        ("de", "Weck mich jeden Tag um 7 außer sonntags"),
        ("fr", "réveille-moi tous les jours à 7 h sauf le dimanche"),
        ("es", "despiértame todos los días a las 7 excepto los domingos"),
        ("nl", "maak me elke dag om 7 uur wakker behalve zondag"),
        ("ko", "일요일 빼고 매일 7시에 깨워 줘"),
    ],
)
async def test_an_alarm_never_rings_on_the_day_that_is_excepted(language: str, text: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        await home.ask(text)
        alarms = await home.app.timers.find()
        assert [t.due.days for t in alarms] == ([{0, 1, 2, 3, 4, 5}] if language != "ko" else [])


OF_THE_HOME = {
    "en": ("get me up tomorrow at 6:30", "wake me half an hour earlier than usual", "set an alarm for 7"),
    "de": ("weck uns morgen um 6:30", "weck mich eine halbe Stunde früher als sonst", MOVED["de"][0]),
    "fr": ("réveille-nous demain à 6h30", "réveille-moi une demi-heure plus tôt que d'habitude", MOVED["fr"][0]),
    "es": ("mañana despiértame a las 6:30", "despiértame media hora antes de lo normal", MOVED["es"][0]),
    "nl": ("morgen om 6:30 wakker maken graag", "wek me een half uur eerder dan anders", MOVED["nl"][0]),
    "ko": ("내일 6시 30분에 깨워 줘", "평소보다 30분 일찍 깨워 줘", MOVED["ko"][0]),
}
"""Who is woken, and when so much earlier; and another alarm, that is none of the home's."""


@pytest.mark.parametrize("language", OF_THE_HOME)
async def test_who_is_woken_is_so_at_the_time_that_the_home_keeps(language: str, tmp_path: Path) -> None:
    order, earlier, another = OF_THE_HOME[language]
    async with shown(tmp_path, language) as home:
        said = await home.ask(order)
        assert home.state(WAKE_UP) == "06:30:00", said.response
        said = await home.ask(earlier)
        assert home.state(WAKE_UP) == "06:00:00", said.response
        assert await home.app.timers.find() == []
        await home.ask(another)
        (alarm,) = await home.app.timers.find()
        assert alarm.due.time == time(7)
        assert home.state(WAKE_UP) == "06:00:00"
        told = (await home.ask(SAID[language][1])).response
        assert "07:00" in told, told
        assert "06:00" in told, told


@pytest.mark.parametrize("text", ["wake me at 3 pm", "wake me on saturday at 9", "wake me in 20 minutes"])
async def test_what_is_not_of_each_morning_is_an_alarm(text: str, tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        before = home.state(WAKE_UP)
        await home.ask(text)
        assert len(await home.app.timers.find()) == 1
        assert home.state(WAKE_UP) == before


NOT_ORDERED = {
    "en": (
        "is my alarm set for six?",
        "if I asked you to wake me at six, would you?",
        "you don't have to wake me at seven",
        "no alarm at seven tomorrow please",
        "did the alarm ring at six?",
        "the hotel will wake me at six",
        "wake me at seven, just kidding",
    ),
    "de": (
        "klingelt der Wecker um sieben?",
        "weck mich morgen nicht um sieben",
        "hat der Wecker um sechs geklingelt?",
        "das Hotel weckt mich um sechs",
        "weck mich um sieben, Quatsch, ich hab Urlaub",
    ),
    "fr": (
        "est-ce que mon réveil est réglé à six heures ?",
        "le réveil est bien à sept heures ?",
        "pas de réveil à sept heures demain",
        "je me suis réveillé à cinq heures",
        "d'habitude je me lève à six heures et demie",
        "réveille-moi à sept heures, non je plaisante",
    ),
    "es": (
        "¿está puesto mi despertador a las seis?",
        "mañana no me despiertes a las siete",
        "no hace falta que me despiertes a las siete",
        "normalmente me levanto a las seis",
        "el hotel me despierta a las seis",
        "despiértame a las siete, era broma",
    ),
    "nl": (
        "gaat de wekker om zeven uur?",
        "je hoeft me niet om zeven uur te wekken",
        "mijn wekker ging vanochtend om zes uur",
        "het hotel maakt me om zes uur wakker",
        "maak me om zeven uur wakker, geintje",
    ),
    "ko": (
        "알람 일곱 시 맞지?",
        "내일 일곱 시 알람 필요 없어",
        "알람 여섯 시로 돼 있어?",
        "호텔에서 6시에 깨워 준대",
        "7시에 깨워 줘, 농담이야",
    ),
}
"""What asks first, then what denies, tells of the past, of a habit or of somebody else, or takes itself back."""


@pytest.mark.parametrize("language", NOT_ORDERED)
async def test_what_orders_nothing_sets_nothing(language: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        before = home.state(WAKE_UP)
        for text in NOT_ORDERED[language]:
            said = await home.ask(text)
            assert home.state(WAKE_UP) == before, text
            assert await home.app.timers.find() == [], text
            if text == NOT_ORDERED[language][0]:
                assert before[:5] in said.response


@pytest.mark.parametrize(
    ("language", "order", "ends", "once"),
    [
        ("en", "wake me at seven", ("cancel that", "cancel the alarm"), "wake me tomorrow at 7, only tomorrow"),
        ("de", "weck mich um sieben", ("vergiss es", "lösch den Wecker"), "weck mich morgen um 7, aber nur morgen"),
        ("fr", "réveille-moi à 7 h", ("annule", "annule le réveil"), "réveille-moi demain à 7 h, seulement demain"),
        ("es", "despiértame a las 7", ("cancela eso", "cancela la alarma"), "despiértame mañana a las 7, solo mañana"),
        ("nl", "wek me om zeven uur", ("annuleer dat", "zet de wekker uit"), "wek me morgen om 7 uur, alleen morgen"),
        ("ko", "7시에 깨워 줘", ("취소해", "알람 취소해 줘"), "내일만 7시에 깨워 줘"),
    ],
)
async def test_it_is_cancelled_as_an_alarm_and_not_set_for_one_day(
    language: str, order: str, ends: tuple[str, str], once: str, tmp_path: Path
) -> None:
    async with shown(tmp_path, language) as home:
        before = home.state(WAKE_UP)
        for end in ends:
            said = await home.ask(order)
            assert home.state(WAKE_UP) == "07:00:00", said.response
            said = await home.ask(end, said.conversation_id)
            assert home.state(WAKE_UP) == before, end
            assert before[:5] in said.response
        await home.ask(once)
        assert home.state(WAKE_UP) == before
