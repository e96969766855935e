"""One authenticated WebSocket connection to Home Assistant: commands, subscriptions, and noticing that it is dead."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import ssl
from collections.abc import Callable, Mapping
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus, WebSocketException

from homeagent.errors import HomeAssistantAuthError, HomeAssistantError, HomeAssistantUnavailable
from homeagent.ha.message_decoding import decode
from homeagent.ha.rest import answered_with, cannot_reach, not_home_assistant
from homeagent.ha.shapes import MALFORMED, mapping, tell

_log = logging.getLogger(__name__)
# The library writes every frame to its logger at DEBUG, the one with the token too. This one never goes below INFO.
_wire_log = logging.getLogger(__name__ + ".wire")
_wire_log.setLevel(logging.INFO)

LARGEST_FRAME = 128 * 1024 * 1024
"""Bytes. The registries of a large home are several MB; what is far beyond would only fill the memory."""
_LEAVING = 1.0
"""Seconds that the end of a subscription is waited for: nothing depends on it."""

Handler = Callable[[list[Any]], None]
"""Takes the events of a subscription that came in one frame, on the event loop, in order. Must not block."""


class CommandFailed(HomeAssistantError):
    """Home Assistant refused a command. ``wire_code`` is its code, such as ``unauthorized`` or ``not_found``."""

    def __init__(self, message: str, *, wire_code: str) -> None:
        super().__init__(message)
        self.wire_code = wire_code


class CommandTimeout(HomeAssistantUnavailable):
    """No answer in time, though the connection seems alive."""

    hint = "It may be busy; try again."


class Socket:
    """An open connection; ``Socket.open`` makes one."""

    def __init__(self, connection: ClientConnection, timeout: float) -> None:
        self._connection = connection
        self._timeout = timeout
        self._last_id = 0
        self._sending = asyncio.Lock()
        self._answers: dict[int, asyncio.Future[object]] = {}
        self._handlers: dict[int, Handler] = {}
        self._reader = asyncio.create_task(self._read(), name="home-assistant:reader")

    @classmethod
    async def open(
        cls, url: str, token: str, *, tls: ssl.SSLContext | None, timeout: float, keep_alive: float
    ) -> Socket:
        """Connect to ``url`` (http or https) and log in.

        ``timeout`` in seconds holds for each step and, later, for each command. A peer that leaves a ping unanswered
        for ``keep_alive`` seconds (one is sent as often) counts as gone. Raises HomeAssistantAuthError,
        HomeAssistantUnavailable.
        """
        try:
            connection = await connect(
                "ws" + url.removeprefix("http") + "/api/websocket",
                ssl=tls,
                max_size=LARGEST_FRAME,
                compression=None,  # Home Assistant's CPU is scarcer than a home's network
                open_timeout=timeout,
                close_timeout=1,
                ping_interval=keep_alive,
                ping_timeout=keep_alive,
                logger=_wire_log,
            )
        except InvalidStatus as error:
            raise answered_with(url, error.response.status_code) from None
        except (OSError, TimeoutError, WebSocketException) as error:
            if isinstance(error, InvalidMessage) and not isinstance(error.__cause__, EOFError):
                raise not_home_assistant(url) from None
            raise cannot_reach(url, error) from None
        try:
            async with asyncio.timeout(timeout):
                await _log_in(connection, token, url)
            socket = cls(connection, timeout)
            await socket.command("supported_features", features={"coalesce_messages": 1})
        except BaseException as error:
            await connection.close()
            if isinstance(error, TimeoutError | ConnectionClosed):
                raise cannot_reach(url, error) from None
            raise
        return socket

    async def command(self, kind: str, *, timeout: float | None = None, **fields: object) -> Any:
        """Send a command and return its result.

        Raises CommandFailed with Home Assistant's words, CommandTimeout, or HomeAssistantUnavailable where the
        connection is lost (the command may then have been carried out or not).
        """
        _, result = await self._request(kind, fields, timeout, None)
        return result

    async def subscribe(self, kind: str, handler: Handler, **fields: object) -> int:
        """Send a command whose events go to ``handler``; returns what `unsubscribe` takes."""
        number, _ = await self._request(kind, fields, None, handler)
        return number

    async def unsubscribe(self, subscription: int) -> None:
        """End a subscription; its handler gets nothing any more, also where Home Assistant does not confirm that."""
        self._handlers.pop(subscription, None)
        with contextlib.suppress(HomeAssistantError):
            await self.command("unsubscribe_events", timeout=_LEAVING, subscription=subscription)

    async def wait_for(self, event: asyncio.Event) -> None:
        """Wait for ``event``. Raises HomeAssistantUnavailable where it does not come in time, or at all."""
        waiting = asyncio.ensure_future(event.wait())
        await asyncio.wait([waiting, self._reader], timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not event.is_set():
            raise _lost() if self._reader.done() else CommandTimeout("Home Assistant did not send its states in time.")

    async def wait_closed(self) -> None:
        """Wait until the connection is gone."""
        await asyncio.wait([self._reader])

    async def close(self) -> None:
        """Close the connection; commands under way fail with HomeAssistantUnavailable."""
        await self._connection.close()
        await asyncio.wait([self._reader])

    async def _request(
        self, kind: str, fields: Mapping[str, object], timeout: float | None, handler: Handler | None
    ) -> tuple[int, Any]:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        number = 0
        try:
            async with asyncio.timeout(timeout or self._timeout):
                async with self._sending:  # ids must arrive in rising order
                    if self._reader.done():
                        raise _lost()
                    number = self._last_id = self._last_id + 1
                    self._answers[number] = answer
                    if handler:
                        self._handlers[number] = handler
                    await self._connection.send(json.dumps({"id": number, "type": kind, **fields}))
                return number, await answer
        except ConnectionClosed:
            raise _lost() from None
        except TimeoutError:
            raise CommandTimeout(f"Home Assistant did not answer {kind} in time.") from None
        finally:
            self._answers.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # nobody may be left to take it, and that is all right

    async def _read(self) -> None:
        try:
            while True:
                data = await self._connection.recv(decode=False)
                try:
                    frame = await decode(data)
                except MALFORMED as error:  # what waits for it is told in time; all else goes on
                    tell("a frame", error)
                else:
                    self._take(frame if isinstance(frame, list) else [frame])
        except ConnectionClosed as closed:
            _log.debug("connection to Home Assistant closed: %s", closed)
        finally:
            self._fail_waiting()

    def _take(self, messages: list[object]) -> None:
        """Hand results to who waits for them, and the events of each subscription together."""
        events: dict[int, list[Any]] = {}
        for message in map(mapping, messages):
            number, kind = message.get("id"), message.get("type")
            if not isinstance(number, int):
                continue
            if kind == "event":
                events.setdefault(number, []).append(message.get("event"))
            elif kind == "result" and (answer := self._answers.get(number)) and not answer.done():
                _settle(answer, message)
        for number, group in events.items():
            if handler := self._handlers.get(number):
                try:
                    handler(group)
                except MALFORMED as error:
                    tell("an event", error)

    def _fail_waiting(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(_lost())


async def _log_in(connection: ClientConnection, token: str, url: str) -> None:
    try:
        greeting = json.loads(await connection.recv())
        if greeting["type"] == "auth_required":
            await connection.send(json.dumps({"type": "auth", "access_token": token}))
            greeting = json.loads(await connection.recv())
        kind = greeting["type"]
    except MALFORMED:
        raise not_home_assistant(url) from None
    if kind == "auth_invalid":
        raise HomeAssistantAuthError(f"Home Assistant at {url} does not accept the token.")
    if kind != "auth_ok":
        raise not_home_assistant(url)


def _settle(answer: asyncio.Future[object], message: Mapping[str, object]) -> None:
    if message.get("success") is True:
        answer.set_result(message.get("result"))
        return
    error = mapping(message.get("error"))
    words = str(error.get("message") or "no reason given")
    answer.set_exception(CommandFailed(words, wire_code=str(error.get("code", "unknown_error"))))


def _lost() -> HomeAssistantUnavailable:
    return HomeAssistantUnavailable("The connection to Home Assistant was lost.")
