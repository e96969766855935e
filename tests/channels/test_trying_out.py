"""`homeagent doctor` on phones and chats: what is found, and what to do about what does not work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from homeagent.demo.inventory import Inventory
from homeagent.demo.server import DemoServer
from homeagent.doctor import CheckOutcome, examine_channels
from tests.channels.people import CHAT, OTHER_CHAT, PHONE, Device, until
from tests.channels.test_service import service
from tests.telegram_server import TOKEN, TelegramServer

_LOST = "notify.mobile_app_lost"


def _chats(telegram: TelegramServer, *numbers: int, token: str = TOKEN) -> dict[str, Any]:
    return {"token": token, "api_url": telegram.url, "chats": [{"id": one} for one in numbers], "poll": 5}


async def _found(demo: DemoServer, folder: Path, **settings: Any) -> dict[str, tuple[CheckOutcome, str, str]]:
    """What is found of each part: how it is, detail, hint."""
    async with service(demo, folder, **settings) as app:
        return {check.part: (check.status, check.detail, check.hint) for check in await examine_channels(app)}


async def test_each_phone_and_chat_is_tried_and_nobody_hears_of_it(
    demo: DemoServer, telegram: TelegramServer, tmp_path: Path
) -> None:
    phone = Device(demo)
    telegram.chats = {CHAT: {"type": "private", "first_name": "Anna"}}
    phones = {"ask": [{"notify": PHONE}, {"notify": _LOST}]}
    found = await _found(demo, tmp_path, phones=phones, telegram=_chats(telegram, CHAT, OTHER_CHAT))
    assert found["phone"][0] is found[f"phone {PHONE}"][0] is CheckOutcome.OK
    status, detail, hint = found[f"phone {_LOST}"]
    assert status is CheckOutcome.FAILED
    assert _LOST in detail
    assert PHONE in hint
    assert found["telegram"] == (CheckOutcome.OK, "@our_home_bot answers", "")
    assert found[f"telegram {CHAT}"] == (CheckOutcome.OK, "Anna", "")
    status, detail, hint = found[f"telegram {OTHER_CHAT}"]
    assert status is CheckOutcome.FAILED
    assert "chat not found" in detail
    assert "telegram.chats" in hint
    assert telegram.messages == []
    assert phone.heard == []


async def test_a_chat_that_has_blocked_the_bot_and_a_bot_that_others_listen_to(
    demo: DemoServer, telegram: TelegramServer, tmp_path: Path
) -> None:
    telegram.blocked, telegram.webhook = {CHAT}, "https://elsewhere.example/secret"
    found = await _found(demo, tmp_path, telegram=_chats(telegram, CHAT))
    assert "unblock" in found[f"telegram {CHAT}"][2]
    assert "webhook" in found["telegram"][1]
    assert "secret" not in str(found)


async def test_a_wrong_token_is_said_once(demo: DemoServer, telegram: TelegramServer, tmp_path: Path) -> None:
    found = await _found(demo, tmp_path, telegram=_chats(telegram, CHAT, token="1:no"))
    assert found["telegram"][0] is CheckOutcome.FAILED
    assert "telegram.token" in found["telegram"][2]
    assert found[f"telegram {CHAT}"][0] is CheckOutcome.SKIPPED


async def test_another_program_that_takes_the_answers_is_named(
    demo: DemoServer, telegram: TelegramServer, tmp_path: Path
) -> None:
    telegram.taken_by_another = True
    async with service(demo, tmp_path, telegram=_chats(telegram, CHAT)) as app:
        await until(lambda: telegram.polls)
        found = {check.part: check for check in await examine_channels(app)}
    assert "Another program" in found["telegram"].hint
    assert found[f"telegram {CHAT}"].status is CheckOutcome.OK


async def test_what_is_set_in_half_is_said(demo: DemoServer, telegram: TelegramServer, tmp_path: Path) -> None:
    nowhere = await _found(demo, tmp_path / "1", telegram=_chats(telegram))
    assert "@our_home_bot" in nowhere["telegram"][2]
    unnamed = await _found(demo, tmp_path / "2", telegram={"chats": [{"id": CHAT}]})
    assert unnamed["telegram"] == (
        CheckOutcome.FAILED,
        "Chats are set, and no token.",
        "Set `telegram.token` to a bot's.",
    )
    nothing = await _found(demo, tmp_path / "3")
    assert [status for status, _, _ in nothing.values()] == [CheckOutcome.OFF]


async def test_presses_that_a_plain_token_does_not_hear_are_told(demo_inventory: Inventory, tmp_path: Path) -> None:
    async with DemoServer(demo_inventory, admin=False) as plain:
        found = await _found(plain, tmp_path, phones={"ask": [{"notify": PHONE}]})
    assert found["phone"][0] is CheckOutcome.FAILED
    assert "administrator" in found["phone"][2]
    assert found[f"phone {PHONE}"][0] is CheckOutcome.OK
