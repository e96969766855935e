"""Who answers a sentence: our agent, or Home Assistant's own."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from typing import Any, Protocol, Self

import websockets

from homeagent.agent import Reply
from homeagent.app import App
from homeagent.errors import HomeAssistantAuthError, HomeAssistantError
from homeagent.evaluation.cases import Case
from homeagent.evaluation.houses import House
from homeagent.evaluation.shown import Injected, Showing, Shown

_PATIENCE = 60.0
_BUILT_IN = "conversation.home_assistant"
_ALIKE_WITHIN = 2.0


class Speaker(Protocol):
    """Takes sentences of a conversation."""

    async def say(self, case: Case, text: str, conversation_id: str | None) -> Reply: ...

    async def agree(self, reply: Reply) -> Reply:
        """Say yes to whatever waits for it."""

    async def caught_up(self, house: House) -> None:
        """Wait until it has seen the home as it is: the next sentence meets no state of the last case."""

    async def shown(self, reply: Reply) -> Shown | None:
        """What was laid before it for the sentence; None where it does not tell."""


class AgentSpeaker:
    """Our agent, over this home. ``confirms``: whether a yes is ever said.

    ``devices`` gives a home's own ids for those of the data set, where these are not its own.
    """

    def __init__(self, app: App, *, confirms: bool, devices: Mapping[str, str] | None = None) -> None:
        self._app, self._confirms, self._devices = app, confirms, devices or {}
        self._showing, self._injected = Showing(app.ha), Injected()

    async def start(self) -> None:
        """Get ready to tell what was shown."""
        await self._showing.load()
        self._app.emitter.add(self._injected)

    async def say(self, case: Case, text: str, conversation_id: str | None) -> Reply:
        return await self._app.agent.process(
            text,
            conversation_id=conversation_id,
            device_id=self._devices.get(case.context_device or "", case.context_device),
            language=case.language,
            trace=True,
        )

    async def agree(self, reply: Reply) -> Reply:
        for pending in reply.pending if self._confirms else ():
            reply = await self._app.agent.confirm(pending.id, True)
        return reply

    async def caught_up(self, house: House) -> None:
        home, states = self._app.home, await house.snapshot()

        def same() -> bool:
            return all(home.state_text(i) == state["state"] for i, state in states.items())

        await home.wait_until(same, tuple(states), _ALIKE_WITHIN)

    async def shown(self, reply: Reply) -> Shown | None:
        traced = (reply.trace or {}).get("retrieval")
        if not traced:
            return None
        if (reply.trace or {}).get("brain") == "llm" and (event := await self._injected.of(reply.turn_id)):
            return self._showing.injected(event, traced)
        return self._showing.traced(traced)


class HomeAssistantSpeaker:
    """Home Assistant's built-in agent, asked as its own interface asks it.

    Usage: ``async with HomeAssistantSpeaker(url, token) as speaker``
    """

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self._ids = itertools.count(1)

    async def __aenter__(self) -> Self:
        address = self._url.replace("http", "ws", 1) + "/api/websocket"
        self._socket = await websockets.connect(address, max_size=None)
        await self._socket.recv()
        await self._socket.send(json.dumps({"type": "auth", "access_token": self._token}))
        if json.loads(await self._socket.recv())["type"] != "auth_ok":
            raise HomeAssistantAuthError("Home Assistant does not accept the token.")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def say(self, case: Case, text: str, conversation_id: str | None) -> Reply:
        answer = await self._command(
            type="conversation/process",
            text=text,
            language=case.language,
            agent_id=_BUILT_IN,
            conversation_id=conversation_id,
        )
        response = answer["response"]
        speech = response.get("speech", {}).get("plain", {}).get("speech") or ""
        refused = response.get("response_type") == "error"
        return Reply(
            speech,
            answer.get("conversation_id") or "",
            "",
            trace={"brain": None if refused else "home_assistant", "response": response},
            question=bool(answer.get("continue_conversation")),
        )

    async def agree(self, reply: Reply) -> Reply:
        return reply

    async def caught_up(self, house: House) -> None:
        return None

    async def shown(self, reply: Reply) -> Shown | None:
        return None

    async def _command(self, **fields: Any) -> dict[str, Any]:
        number = next(self._ids)
        await self._socket.send(json.dumps({"id": number, **fields}))
        async with asyncio.timeout(_PATIENCE):
            while (message := json.loads(await self._socket.recv())).get("id") != number:
                pass
        if not message["success"]:
            raise HomeAssistantError(f"Home Assistant refused the sentence: {message['error']['message']}")
        result: dict[str, Any] = message["result"]
        return result
