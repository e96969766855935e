"""The whole service with phones and chats as the settings say, and messages that ask for nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from homeagent.app import App
from homeagent.config import loading
from homeagent.config.settings import Settings
from homeagent.demo.server import DemoServer
from homeagent.errors import ConfigError
from homeagent.timers.due import After
from homeagent.timers.timer import SetBy, TimerKind
from tests.channels.people import ASKED, CHAT, LOCK, PHONE, TABLET, Device, until
from tests.telegram_server import TOKEN, TelegramServer


@asynccontextmanager
async def service(demo: DemoServer, folder: Path, **more: Any) -> AsyncIterator[App]:
    settings = Settings.model_validate(
        {
            "data_dir": folder,
            "home_assistant": {"url": demo.url, "token": demo.token},
            "index": {"endpoint": "http://127.0.0.1:9", "model": "none"},
            "agent": {"brain": "local"},
            **more,
        }
    )
    app = App(settings)
    await app.start()
    try:
        assert await app.ha.wait_ready(20)
        yield app
    finally:
        await app.stop()


async def test_what_is_set_is_asked_and_answers(demo: DemoServer, telegram: TelegramServer, tmp_path: Path) -> None:
    phone = Device(demo)
    chats = {"token": TOKEN, "api_url": telegram.url, "chats": [{"id": CHAT}], "poll": 5}
    async with service(demo, tmp_path, phones={"ask": [{"notify": PHONE}]}, telegram=chats) as app:
        asked = await app.agent.process("unlock the front door")
        assert asked.response == ASKED
        await until(lambda: phone.buttons and telegram.messages)
        phone.press("Yes")
        await until(lambda: demo.state(LOCK)["state"] == "unlocked")
        await until(lambda: phone.text == "Front door is unlocked.")
        await until(lambda: telegram.messages[0].text.endswith("Answered elsewhere: yes."))


async def test_nobody_is_asked_where_nothing_is_set(demo: DemoServer, tmp_path: Path) -> None:
    phone = Device(demo)
    async with service(demo, tmp_path) as app:
        assert (await app.agent.process("unlock the front door")).pending
        assert await app.asking.tell(None, "Hello") is False
    assert phone.heard == []


@pytest.mark.parametrize("kind", [TimerKind.TIMER, TimerKind.REMINDER])
async def test_what_rings_is_told_where_that_is_set(
    demo: DemoServer, telegram: TelegramServer, tmp_path: Path, kind: TimerKind
) -> None:
    phone, tablet = Device(demo), Device(demo, TABLET)
    phones = [
        {"notify": "notify.mobile_app_lost", "timers": True},
        {"notify": PHONE, "timers": True},
        {"notify": TABLET},
    ]
    chats = {
        "token": TOKEN,
        "api_url": telegram.url,
        "chats": [{"id": CHAT, "timers": True, "users": ["anna"]}, {"id": 5, "timers": True}],
        "poll": 5,
    }
    async with service(demo, tmp_path, phones={"ask": phones}, telegram=chats) as app:
        due = After(timedelta(seconds=0.2))
        await app.timers.set(kind, due, SetBy(None, None, None, None, "en"), name="pasta")
        await app.timers.set(kind, due, SetBy(None, "anna", None, None, "de"), name="Nudeln")
        await until(lambda: phone.heard and len(telegram.messages) == 2)
        assert "pasta" in phone.text
        assert {message.chat: "Nudeln" in message.text for message in telegram.messages} == {CHAT: True, 5: False}
    assert tablet.heard == []


def test_settings_come_from_the_file_and_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f"[[phones.ask]]\nnotify = '{PHONE}'\nusers = ['anna', 'household']\ntimers = true\n")
    monkeypatch.setenv("HOMEAGENT_TELEGRAM__TOKEN", TOKEN)
    monkeypatch.setenv("HOMEAGENT_TELEGRAM__CHATS", '[{"id": -100, "users": "*"}]')
    settings = loading.load(file)
    (phone,), (chat,) = settings.phones.ask, settings.telegram.chats
    assert (phone.notify, phone.users, phone.timers) == (PHONE, ("anna", "household"), True)
    assert (chat.id, chat.users, chat.timers) == (-100, ("*",), False)
    assert TOKEN not in repr(settings)


@pytest.mark.parametrize(
    "text",
    ["[[phones.ask]]\nnotify = 'light.kitchen'", "[[phones.ask]]\nusers = ['anna']", "[[telegram.chats]]\nid = 'me'"],
)
def test_what_is_no_phone_and_no_chat_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigError):
        loading.load(file)
