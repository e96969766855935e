"""Who answers a sentence: our agent, or Home Assistant's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

from homeagent.app import App
from homeagent.evaluation.cases import Case
from homeagent.evaluation.retrieved import Injected, Showing, Shown
from homeagent.evaluation.trial_homes import House
from homeagent.ha.link import Access
from homeagent.ha.rest import checked_token, tls_context
from homeagent.ha.websocket import Socket
from homeagent.turns.reply import Reply

_PATIENCE = 60.0
"""Seconds for an answer: its agent may ask a model."""
_BUILT_IN = "conversation.home_assistant"
_ALIKE_WITHIN = 2.0


class Speaker(Protocol):
    """Takes sentences of a conversation."""

    async def say(self, case: Case, text: str, conversation_id: str | None) -> Reply:
        """What is answered to a sentence; ``conversation_id`` None begins a conversation."""

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
        self.app, self.showing = app, Showing(app.ha)
        self._confirms, self._devices, self._injected = confirms, devices or {}, Injected()

    async def start(self) -> None:
        """Get ready to tell what was shown."""
        await self.showing.load()
        self.app.emitter.add(self._injected)

    async def say(self, case: Case, text: str, conversation_id: str | None) -> Reply:
        """Asked in the case's language, at the device that the case names, with a trace."""
        return await self.app.agent.process(
            text,
            conversation_id=conversation_id,
            device_id=self._devices.get(case.context_device or "", case.context_device),
            language=case.language,
            trace=True,
        )

    async def agree(self, reply: Reply) -> Reply:
        """Confirm everything that waits, where yes may be said; the last answer."""
        for pending in reply.pending if self._confirms else ():
            reply = await self.app.agent.confirm(pending.id, True, user_id=pending.user_id, device_id=pending.device_id)
        return reply

    async def caught_up(self, house: House) -> None:
        """Wait, within a limit, until the agent's home shows the states that the house has."""
        home, states = self.app.home, await house.snapshot()

        def same() -> bool:
            return all(home.state_text(i) == state["state"] for i, state in states.items())

        await home.wait_until(same, tuple(states), _ALIKE_WITHIN)

    async def shown(self, reply: Reply) -> Shown | None:
        """What the model was shown where one answered, else what was retrieved; None where nothing was."""
        traced = (reply.trace or {}).get("retrieval")
        if not traced:
            return None
        if (reply.trace or {}).get("brain") == "llm" and (event := await self._injected.of(reply.turn_id)):
            return self.showing.injected(event, traced)
        return self.showing.traced(traced)


class HomeAssistantSpeaker:
    """Home Assistant's built-in agent, asked as its own interface asks it.

    Usage: ``async with HomeAssistantSpeaker(access) as speaker``. Opening raises HomeAssistantAuthError and
    HomeAssistantUnavailable, speaking HomeAssistantError.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    async def __aenter__(self) -> Self:
        access = self._access
        self._socket = await Socket.open(
            access.url,
            checked_token(access.token),
            tls=await tls_context(access.url, access.verify),
            timeout=access.timeout,
            keep_alive=access.keep_alive,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def say(self, case: Case, text: str, conversation_id: str | None) -> Reply:
        """Asked through ``conversation/process``. An error as response counts as not understood."""
        answer = await self._socket.command(
            "conversation/process",
            timeout=_PATIENCE,
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
        """Home Assistant never asks for a yes: the answer as it is."""
        return reply

    async def caught_up(self, house: House) -> None:
        """Home Assistant knows its own states: returns at once."""

    async def shown(self, reply: Reply) -> Shown | None:
        """Always None: it does not tell."""
        return None
