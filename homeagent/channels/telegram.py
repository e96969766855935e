"""Asks in chats of Telegram, as messages with buttons. Only chats that are set are asked, told or listened to."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.background_tasks import ended, finished, in_background
from homeagent.channels import words
from homeagent.channels.channel import GRACE, Answers, ChannelError, Question, Refusals, Target
from homeagent.channels.telegram_api import TelegramApi, WrongToken
from homeagent.ha.shapes import mapping, text

_log = logging.getLogger(__name__)
_YES, _NO = "y:", "n:"
_PAUSE = 5.0
_LONGEST_PAUSE = 60.0
_LONGEST_TEXT, _LONGEST_NOTE = 4000, 190
"""Characters that Telegram takes in a message, and in what comes up when a button was pressed."""
_NOTED_AGAIN = 3600.0
_FIND_CHAT = "Write to {name}: `homeagent audit` then shows the number of the chat, for `telegram.chats`."
_MOST_NOTED = 50
"""Strange chats that are noted within an hour: anybody may write to a bot, and may not fill the audit log."""


class Telegram:
    """``targets``: their addresses are ids of chats. ``poll``: seconds that Telegram is asked to wait for something new
    before it answers."""

    name = "telegram"

    def __init__(self, api: TelegramApi, targets: Sequence[Target], audit: Refusals, *, poll: float = 50.0) -> None:
        self.targets = tuple(targets)
        self._api = api
        self._audit = audit
        self._poll = poll
        self._deaf: ChannelError | None = None
        """Why nothing that is pressed is heard at the moment."""
        self._noted: dict[str, float] = {}
        self._listening: asyncio.Task[None] | None = None
        self._taking: set[asyncio.Task[None]] = set()

    def start(self, answers: Answers) -> None:
        """Listen, and hand what is pressed to ``answers``."""
        self._listening = in_background(self._listen(answers), "listen to Telegram")

    async def stop(self) -> None:
        """Listen no more."""
        await ended(self._listening)
        await finished(GRACE, *self._taking)
        await self._api.close()

    async def ask(self, target: str, question: Question) -> str:
        """A message with a yes and a no; its id."""
        buttons = [
            {"text": words.word("yes", question.language), "callback_data": _YES + question.key},
            {"text": words.word("no", question.language), "callback_data": _NO + question.key},
        ]
        sent = await self._api.call(
            "sendMessage", **_message(target, question.text), reply_markup={"inline_keyboard": [buttons]}
        )
        number = mapping(sent).get("message_id")
        if not isinstance(number, int):
            raise ChannelError("Telegram did not tell which message it made.")
        return str(number)

    async def told(self, target: str, message: str, question: str, outcome: str) -> None:
        """The message keeps its question, tells the outcome below, and has no buttons any more."""
        try:
            text = f"{question[: _LONGEST_TEXT // 2]}\n\n{outcome}"
            await self._api.call("editMessageText", **_message(target, text), message_id=int(message))
        except ChannelError as error:
            if "not modified" not in error.message:
                raise

    async def withdraw(self, target: str, message: str, question: str, reason: str) -> None:
        """As `told`: a chat keeps what was."""
        await self.told(target, message, question, reason)

    async def tell(self, target: str, text: str) -> None:
        """A plain message."""
        await self._api.call("sendMessage", **_message(target, text))

    async def try_out(self) -> str:
        """The token is a bot's, and nobody else takes what is pressed."""
        bot = mapping(await self._api.call("getMe"))
        name = f"@{text(bot.get('username')) or bot.get('id')}"
        if text(mapping(await self._api.call("getWebhookInfo")).get("url")):
            raise ChannelError(
                f"{name} sends what is pressed to a webhook, so that it is not heard here.",
                hint="Make a bot for homeagent alone, or take the webhook away (Bot API: deleteWebhook).",
            )
        if self._deaf is not None:
            raise self._deaf
        if not self.targets:
            raise ChannelError(f"{name} is there, but no chat is set.", hint=_FIND_CHAT.format(name=name))
        return f"{name} answers"

    async def try_target(self, target: str) -> str:
        """The bot knows the chat and may write there; all that shows is that it is typing."""
        chat = mapping(await self._api.call("getChat", chat_id=int(target)))
        await self._api.call("sendChatAction", chat_id=int(target), action="typing")
        return text(chat.get("title")) or text(chat.get("first_name")) or text(chat.get("username")) or "it is there"

    async def _listen(self, answers: Answers) -> None:
        """Take what comes, each once: asking for what is behind it tells Telegram that it was taken."""
        behind, pause = 0, _PAUSE
        while True:
            try:
                updates = await self._api.call(
                    "getUpdates",
                    wait=self._poll,
                    offset=behind,
                    timeout=int(self._poll),
                    allowed_updates=["callback_query", "message"],
                )
                pause, self._deaf = _PAUSE, None
            except WrongToken as error:
                self._deaf = error
                _log.error("nobody can be asked by Telegram: %s", error)
                return
            except ChannelError as error:
                self._deaf = error
                _log.warning("Telegram is not listened to now: %s", error)
                await asyncio.sleep(max(pause, error.pause))
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            for update in map(mapping, updates if isinstance(updates, list) else ()):
                number = update.get("update_id")
                if isinstance(number, int):
                    behind = max(behind, number + 1)
                    self._in_background(self._take(update, answers))

    def _in_background(self, work: Any) -> None:
        """A deed may take long, and no other chat waits for it."""
        task = in_background(work, "take an answer")
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _take(self, update: Mapping[str, Any], answers: Answers) -> None:
        """An answer from a chat that is set; anything else is left alone."""
        query = mapping(update.get("callback_query"))
        message = mapping(query.get("message")) if query else mapping(update.get("message"))
        chat, sender = _id(message.get("chat")), _id(mapping(query or message).get("from"))
        if chat not in [target.address for target in self.targets]:
            await self._note_stranger(chat, sender)
            return
        data, number = text(query.get("data")) or "", text(query.get("id"))
        approve = data.startswith(_YES)
        if number is None or not (approve or data.startswith(_NO)):
            return
        told = await answers.answered(self.name, chat, data[len(_YES) :], approve=approve)
        try:  # it ends the waiting that the app shows
            await self._api.call("answerCallbackQuery", callback_query_id=number, text=told[:_LONGEST_NOTE])
        except ChannelError as error:
            _log.debug("a pressed button was not acknowledged: %s", error)

    async def _note_stranger(self, chat: str, sender: str) -> None:
        """Note in the audit log that somebody else has written, once an hour."""
        now = time.monotonic()
        self._noted = {one: at for one, at in self._noted.items() if now - at < _NOTED_AGAIN}
        if chat not in self._noted and len(self._noted) < _MOST_NOTED:
            self._noted[chat] = now
            await self._audit.refuse(self.name, "unknown_chat", chat=chat, sender=sender)


def _message(chat: str, text: str) -> dict[str, Any]:
    """Plain text: names of the home mark nothing up and preview nothing."""
    return {"chat_id": int(chat), "text": text[:_LONGEST_TEXT], "link_preview_options": {"is_disabled": True}}


def _id(value: object) -> str:
    """The id of a chat or a user, as text; empty where there is none."""
    number = mapping(value).get("id")
    return str(number) if isinstance(number, int) else ""
