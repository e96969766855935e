"""Telegram's Bot API over HTTP. The token is part of each address, so no address is ever told."""

from __future__ import annotations

from typing import Any

import httpx

from homeagent.channels.channel import ChannelError
from homeagent.ha.shapes import mapping
from homeagent.privacy.redact import MASK

_TIMEOUT = 10.0
_GONE = (400, 403)
"""What was asked for cannot be: the message is deleted, the chat has blocked the bot …"""
_WRONG_TOKEN = (401, 404)
_HINTS = {
    400: "Check the number under `telegram.chats`, and write something to the bot from that chat.",
    403: "Let the bot in: start it in that chat, unblock it, or make it a member of the group.",
    409: "Another program takes what this bot is sent: end it, or make a bot for homeagent alone with BotFather.",
}
"""What to do, by Telegram's status."""
_UNREACHED = "Check `telegram.api_url`, and whether this machine reaches it."


class WrongToken(ChannelError):
    """Telegram knows no bot with this token."""

    code = "telegram_token"
    hint = "Set `telegram.token` to the one that BotFather gave."


class TelegramApi:
    """``url``: where the Bot API is, without the token."""

    def __init__(self, url: str, token: str) -> None:
        self._token = token
        self._client = httpx.AsyncClient(base_url=f"{url}/bot{token}/", timeout=_TIMEOUT, trust_env=True)

    async def call(self, method: str, *, wait: float = 0.0, **fields: object) -> Any:
        """Call a method; its result. ``wait``: seconds longer than usual that the answer may take.

        Raises ChannelError with Telegram's words, WrongToken.
        """
        try:
            answer = await self._client.post(method, json=fields, timeout=_TIMEOUT + wait)
        except httpx.HTTPError as error:  # its words may hold the address
            raise ChannelError(f"Telegram cannot be reached: {type(error).__name__}.", hint=_UNREACHED) from None
        try:
            told = mapping(answer.json())
        except ValueError:
            told = {}
        if told.get("ok") is True:
            return told.get("result")
        if answer.status_code in _WRONG_TOKEN:
            raise WrongToken("Telegram does not accept the token.", for_good=True)
        parameters = mapping(told.get("parameters"))
        words = str(told.get("description") or f"status {answer.status_code}").replace(self._token, MASK)[:300]
        pause = parameters.get("retry_after")
        raise ChannelError(
            f"Telegram refused {method}: {words}",
            hint=_hint(answer.status_code, parameters.get("migrate_to_chat_id")),
            for_good=answer.status_code in _GONE,
            pause=float(pause) if isinstance(pause, int | float) else 0.0,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _hint(status: int, moved_to: object) -> str | None:
    """``moved_to``: the number that a group has got since."""
    return f"The group has another number now: {moved_to}." if isinstance(moved_to, int) else _HINTS.get(status)
