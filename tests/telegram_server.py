"""Telegram's Bot API as far as a bot with buttons uses it: messages that it keeps, and updates until they are taken."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from homeagent.service.listening import listen, url_of

TOKEN = "123456789:AAHfiqksKZ8WmR2zSjiQ7EXAMPLEexample"


@dataclass
class Message:
    chat: int
    id: int
    text: str
    buttons: dict[str, str] = field(default_factory=dict)
    """What is pressed, by what stands on it."""


@dataclass
class TelegramServer:
    """A bot's messages by chat. Presses wait until the bot asks for them; each is given out until it is confirmed."""

    url: str = ""
    messages: list[Message] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    refused: int = 0
    """So many of the next messages are refused."""
    answer: dict[str, Any] | None = None
    """What every request is answered with instead."""
    polls: int = 0
    webhook: str = ""
    chats: dict[int, dict[str, Any]] | None = None
    """The only chats that the bot knows, with what Telegram tells of each; None: any."""
    taken_by_another: bool = False
    blocked: set[int] = field(default_factory=set)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def in_chat(self, chat: int) -> list[Message]:
        return [message for message in self.messages if message.chat == chat]

    def press(self, message: Message, button: str) -> None:
        """Somebody presses a button that stands there now."""
        self.send_callback(message.chat, message.buttons[button], message.id)

    def send_callback(self, chat: int, data: str, message: int = 1, number: int | None = None) -> None:
        """A callback as Telegram would send it, for whatever data."""
        query = {
            "id": str(next(self._numbers)),
            "from": {"id": 77, "is_bot": False, "first_name": "A"},
            "message": {"message_id": message, "chat": {"id": chat, "type": "private"}, "text": "…"},
            "data": data,
        }
        self._add({"callback_query": query}, number)

    def write(self, chat: int, text: str) -> None:
        """Somebody writes to the bot."""
        told = {"message_id": 5, "chat": {"id": chat, "type": "private"}, "from": {"id": 77}, "text": text}
        self._add({"message": told}, None)

    def _add(self, update: dict[str, Any], number: int | None) -> None:
        self.updates.append({"update_id": next(self._numbers) if number is None else number, **update})
        self._news.set()

    async def handle(self, request: Request) -> JSONResponse:
        if self.answer is not None:
            return JSONResponse(self.answer, self.answer.get("error_code", 200))
        if request.path_params["token"] != TOKEN:
            return _refusal(401, "Unauthorized")
        given = await request.json()
        method = request.path_params["method"]
        return await {
            "sendMessage": self._send_message,
            "editMessageText": self._edit,
            "answerCallbackQuery": self._acknowledge,
            "getUpdates": self._get_updates,
            "getMe": self._get_me,
            "getWebhookInfo": self._get_webhook,
            "getChat": self._get_chat,
            "sendChatAction": self._show_typing,
        }[method](given)

    async def _send_message(self, given: dict[str, Any]) -> JSONResponse:
        if self.refused:
            self.refused -= 1
            return _refusal(429, "Too Many Requests: retry after 1", retry_after=0)
        assert isinstance(given["chat_id"], int)
        assert "parse_mode" not in given
        message = Message(given["chat_id"], next(self._numbers), given["text"], _buttons(given))
        self.messages.append(message)
        return _result({"message_id": message.id, "chat": {"id": message.chat}})

    async def _edit(self, given: dict[str, Any]) -> JSONResponse:
        for message in self.messages:
            if (message.chat, message.id) == (given["chat_id"], given["message_id"]):
                message.text, message.buttons = given["text"], _buttons(given)
                return _result(True)
        return _refusal(400, "Bad Request: message to edit not found")

    async def _acknowledge(self, given: dict[str, Any]) -> JSONResponse:
        assert len(given["text"]) <= 200
        self.acknowledged.append(given["text"])
        return _result(True)

    async def _get_updates(self, given: dict[str, Any]) -> JSONResponse:
        self.polls += 1
        if self.taken_by_another:
            return _refusal(409, "Conflict: terminated by other getUpdates request")
        self.updates = [update for update in self.updates if update["update_id"] >= given["offset"]]
        if not self.updates:
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(given["timeout"]):
                    await self._news.wait()
        return _result(self.updates)

    async def _get_me(self, given: dict[str, Any]) -> JSONResponse:
        return _result({"id": 123456789, "is_bot": True, "first_name": "Home", "username": "our_home_bot"})

    async def _get_webhook(self, given: dict[str, Any]) -> JSONResponse:
        return _result({"url": self.webhook, "pending_update_count": 0})

    async def _get_chat(self, given: dict[str, Any]) -> JSONResponse:
        if self.chats is not None and given["chat_id"] not in self.chats:
            return _refusal(400, "Bad Request: chat not found")
        return _result({"id": given["chat_id"], **(self.chats or {}).get(given["chat_id"], {})})

    async def _show_typing(self, given: dict[str, Any]) -> JSONResponse:
        if given["chat_id"] in self.blocked:
            return _refusal(403, "Forbidden: bot was blocked by the user")
        return _result(True)


def _buttons(given: dict[str, Any]) -> dict[str, str]:
    rows = given.get("reply_markup", {}).get("inline_keyboard", [])
    made = {button["text"]: button["callback_data"] for row in rows for button in row}
    assert all(1 <= len(data.encode()) <= 64 for data in made.values())
    return made


def _result(value: object) -> JSONResponse:
    return JSONResponse({"ok": True, "result": value})


def _refusal(status: int, words: str, **parameters: object) -> JSONResponse:
    return JSONResponse({"ok": False, "error_code": status, "description": words, "parameters": parameters}, status)


@asynccontextmanager
async def telegram_server() -> AsyncIterator[TelegramServer]:
    """It runs while the context lasts."""
    fake = TelegramServer()
    app = Starlette(routes=[Route("/bot{token}/{method}", fake.handle, methods=["POST"])])
    with listen("127.0.0.1", 0) as listener:
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        fake.url = url_of(listener)
        serving = asyncio.create_task(server._serve([listener]))
        while not server.started:  # noqa: ASYNC110 -- uvicorn has no event for it
            await asyncio.sleep(0.01)
        yield fake
        fake._news.set()
        server.should_exit = True
        await serving
