"""One WebSocket connection: authentication, commands, subscriptions, and what is sent in answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from homeagent.demo import registry_commands  # noqa: F401 -- registers its commands
from homeagent.demo.commands import ADMIN_ONLY, COMMANDS, USER_ID, VERSION, Message
from homeagent.demo.failures import CallFailed, InvalidFormat, NotFound, Unauthorized, UnknownCommand
from homeagent.demo.state_machine import Context, State, acting
from homeagent.demo.world import World

AUTH_TIMEOUT = 10.0


class IdReuse(CallFailed):
    """A message's id is not higher than the last one's."""

    code = "id_reuse"


class Connection:
    """Serves one client. ``token``: the one it must show; ``admin``: whether that is an administrator's."""

    def __init__(self, socket: WebSocket, world: World, token: str, *, admin: bool) -> None:
        self._socket = socket
        self._world = world
        self._token = token
        self._admin = admin
        self._last_id = 0
        self._coalesce = False
        self._outbox: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
        self._subscriptions: dict[int, Callable[[], None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._own: dict[str, Callable[[Message], Awaitable[None]]] = {
            "ping": self._ping,
            "auth/current_user": self._current_user,
            "config/auth/list": self._users,
            "call_service": self._call_service,
            "subscribe_events": self._subscribe_events,
            "subscribe_entities": self._subscribe_entities,
            "unsubscribe_events": self._unsubscribe,
            "supported_features": self._supported_features,
        }

    async def serve(self) -> None:
        """Until the client goes away, or fails to authenticate."""
        await self._socket.accept()
        writer = asyncio.create_task(self._write())
        try:
            if await self._authenticate():
                while True:
                    self._take(json.loads(await self._socket.receive_text()))
        except (WebSocketDisconnect, json.JSONDecodeError, TimeoutError):
            pass
        finally:
            for unsubscribe in self._subscriptions.values():
                unsubscribe()
            for task in self._tasks:
                task.cancel()
            await self._flush(writer)

    async def close(self) -> None:
        """Hang up."""
        if self._socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await self._socket.close(1001)

    def send(self, message: Mapping[str, object]) -> None:
        """Put a message into the outbox; never waits."""
        self._outbox.put_nowait(message)

    async def _flush(self, writer: asyncio.Task[None]) -> None:
        self._outbox.put_nowait(None)
        await writer
        await self.close()

    async def _write(self) -> None:
        """Send what is in the outbox; several messages in one frame if the client can take that."""
        while (message := await self._outbox.get()) is not None:
            batch = [message]
            while self._coalesce and not self._outbox.empty() and (more := self._outbox.get_nowait()) is not None:
                batch.append(more)
            text = json.dumps(batch if len(batch) > 1 else message, ensure_ascii=False, separators=(",", ":"))
            try:
                await self._socket.send_text(text)
            except (WebSocketDisconnect, RuntimeError):
                return

    async def _authenticate(self) -> bool:
        self.send({"type": "auth_required", "ha_version": VERSION})
        async with asyncio.timeout(AUTH_TIMEOUT):
            given = json.loads(await self._socket.receive_text())
        if given.get("type") != "auth" or given.get("access_token") != self._token:
            self.send({"type": "auth_invalid", "message": "Invalid access token or password"})
            return False
        self.send({"type": "auth_ok", "ha_version": VERSION})
        return True

    def _take(self, received: Any) -> None:
        for message in received if isinstance(received, list) else [received]:
            task = asyncio.create_task(self._answer(message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Message) -> None:
        number = message.get("id")
        try:
            if not isinstance(number, int) or not isinstance(message.get("type"), str):
                raise InvalidFormat("Message incorrectly formatted.")
            if number <= self._last_id:
                raise IdReuse("Identifier values have to increase.")
            self._last_id = number
            await self._obey(number, message)
        except CallFailed as failure:
            error = {"code": failure.code, "message": failure.words}
            self.send({"id": number, "type": "result", "success": False, "error": error})

    async def _obey(self, number: int, message: Message) -> None:
        name = message["type"]
        if own := self._own.get(name):
            await own(message)
        elif run := COMMANDS.get(name):
            if name in ADMIN_ONLY and not self._admin:
                raise Unauthorized("Unauthorized")
            self._result(number, run(self._world, message))
        else:
            raise UnknownCommand("Unknown command.")

    def _result(self, number: int, result: object) -> None:
        self.send({"id": number, "type": "result", "success": True, "result": result})

    async def _ping(self, message: Message) -> None:
        self.send({"id": message["id"], "type": "pong"})

    async def _supported_features(self, message: Message) -> None:
        self._coalesce = bool(message.get("features", {}).get("coalesce_messages"))
        self._result(message["id"], None)

    async def _current_user(self, message: Message) -> None:
        user = {
            "id": USER_ID,
            "name": "Demo",
            "is_owner": self._admin,
            "is_admin": self._admin,
            "credentials": [],
            "mfa_modules": [],
        }
        self._result(message["id"], user)

    async def _users(self, message: Message) -> None:
        if not self._admin:
            raise Unauthorized("Unauthorized")
        user = {"id": USER_ID, "name": "Demo", "is_owner": True, "is_active": True, "system_generated": False}
        self._result(message["id"], [{**user, "username": "demo", "group_ids": ["system-admin"]}])

    async def _call_service(self, message: Message) -> None:
        context = Context(user_id=USER_ID)
        acting.set(context)
        wants_response = bool(message.get("return_response"))
        response = await self._world.services.call(
            str(message.get("domain")),
            str(message.get("service")),
            message.get("service_data"),
            message.get("target"),
            return_response=wants_response,
        )
        result: dict[str, Any] = {"context": context.as_dict()}
        if wants_response:
            result["response"] = response
        self._result(message["id"], result)

    async def _subscribe_events(self, message: Message) -> None:
        number, wanted = message["id"], message.get("event_type")

        def tell(event: dict[str, object]) -> None:
            if wanted in (None, event["event_type"]):
                self.send({"id": number, "type": "event", "event": event})

        self._subscriptions[number] = self._world.on_event(tell)
        self._result(number, None)

    async def _subscribe_entities(self, message: Message) -> None:
        number = message["id"]
        wanted = set(message["entity_ids"]) if message.get("entity_ids") else None

        def tell(old: State | None, new: State | None) -> None:
            known = new or old
            if known is not None and (wanted is None or known.entity_id in wanted):
                self.send({"id": number, "type": "event", "event": difference(known.entity_id, old, new)})

        self._result(number, None)
        first = {s.entity_id: compressed(s) for s in self._world.states if wanted is None or s.entity_id in wanted}
        self.send({"id": number, "type": "event", "event": {"a": first}})
        self._subscriptions[number] = self._world.states.listen(tell)

    async def _unsubscribe(self, message: Message) -> None:
        unsubscribe = self._subscriptions.pop(message.get("subscription", 0), None)
        if unsubscribe is None:
            raise NotFound("Subscription not found.")
        unsubscribe()
        self._result(message["id"], None)


def compressed(state: State) -> dict[str, object]:
    """A state in the short keys of ``subscribe_entities``: s, a, c, lc, and lu where it differs from lc."""
    short: dict[str, Any] = {
        "s": state.state,
        "a": dict(state.attributes),
        "c": _context(state),
        "lc": state.last_changed.timestamp(),
    }
    if state.last_updated != state.last_changed:
        short["lu"] = state.last_updated.timestamp()
    return short


def difference(entity_id: str, old: State | None, new: State | None) -> dict[str, Any]:
    """What changed, as ``subscribe_entities`` tells it: added, changed (``+`` and ``-``) or removed."""
    if new is None:
        return {"r": [entity_id]}
    if old is None:
        return {"a": {entity_id: compressed(new)}}
    added: dict[str, object] = {"c": _context(new)}
    if old.state != new.state:
        added["s"] = new.state
    if old.last_changed != new.last_changed:
        added["lc"] = new.last_changed.timestamp()
    else:
        added["lu"] = new.last_updated.timestamp()
    changed = {k: v for k, v in new.attributes.items() if k not in old.attributes or old.attributes[k] != v}
    if changed:
        added["a"] = changed
    gone = [key for key in old.attributes if key not in new.attributes]
    return {"c": {entity_id: {"+": added, **({"-": {"a": gone}} if gone else {})}}}


def _context(state: State) -> str | dict[str, str | None]:
    context = state.context
    return context.id if context.user_id is None and context.parent_id is None else context.as_dict()
