"""Where a timer rings: at the satellite it was set at, at the thing that is set for it, or as a notification."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime

from homeagent.background_tasks import in_background
from homeagent.errors import HomeAssistantError, ServiceCallFailed
from homeagent.ha.connection import HomeAssistant
from homeagent.timers import timer_texts
from homeagent.timers.timer import Timer

_TITLE = "homeagent"
_TALKING = ("listening", "processing", "responding")
"""States of a satellite (Home Assistant's AssistSatelliteState) in which somebody speaks, who may be stopping it."""
Tells = Callable[[str | None, str], Awaitable[bool]]
"""Tells a user (None: the household) a text on phones and in chats; whether it arrived anywhere."""


class Ringing:
    """``ring_on``: an entity of the domains assist_satellite, media_player (by Home Assistant's text to speech) or
    notify."""

    def __init__(self, ha: HomeAssistant, ring_on: str | None = None, tell: Tells | None = None) -> None:
        """``tell``: what tells it on phones and in chats, besides."""
        self._ha = ha
        self._ring_on = ring_on
        self._tell = tell
        self._telling: set[asyncio.Task[bool]] = set()

    async def ring(self, timer: Timer, due: datetime | None) -> None:
        """Say what it is, and when it was ``due`` where that is told because it is late.

        Where a satellite or another thing does not take it, it becomes a notification. Raises HomeAssistantError
        where that does not work either.
        """
        text = timer_texts.ring(timer, due, self._ha.home)
        telling = self._told(timer, text)
        target = self._satellite(timer.set_by.device_id) or self._ring_on
        if target is not None:
            try:
                await self._say(target, text)
                return
            except HomeAssistantError:
                pass
        await self._notify(timer, text, telling)

    async def ring_again(self, timer: Timer) -> None:
        """Say it once more, where it is said aloud and nobody speaks there now; a notification stays by itself.

        Raises HomeAssistantError.
        """
        target = self._satellite(timer.set_by.device_id) or self._ring_on
        if target is None or target.startswith("notify.") or self._ha.home.state_text(target) in _TALKING:
            return
        await self._say(target, timer_texts.ring(timer, None, self._ha.home))

    async def notify(self, timer: Timer) -> None:
        """Tell what became of it as a notification in Home Assistant. Raises HomeAssistantError."""
        text = timer_texts.note(timer, self._ha.home)
        await self._notify(timer, text, self._told(timer, text))

    def _told(self, timer: Timer, text: str) -> asyncio.Task[bool]:
        """Tells it elsewhere at the same time; whether it arrived."""

        async def tell() -> bool:
            return self._tell is not None and await self._tell(timer.set_by.user_id, text)

        task = in_background(tell(), "tell a timer elsewhere")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)
        return task

    async def announce(self, device_id: str | None, text: str) -> None:
        """Say something at a device, where it has a satellite and can be reached."""
        target = self._satellite(device_id)
        if target is not None:
            with contextlib.suppress(HomeAssistantError):
                await self._say(target, text)

    def _satellite(self, device_id: str | None) -> str | None:
        """The satellite of the device that was spoken to."""
        if device_id is None:
            return None
        found = self._ha.home.of_domain("assist_satellite")
        return next((entity.entity_id for entity in found if entity.device_id == device_id), None)

    async def _say(self, target: str, text: str) -> None:
        domain = target.partition(".")[0]
        state = self._ha.home.state(target)
        if state is None or not state.available:
            raise ServiceCallFailed(f"{target} is not there.")
        if domain == "assist_satellite":
            await self._ha.call_service(domain, "announce", entity_ids=[target], data={"message": text})
        elif domain == "notify":
            await self._ha.call_service(domain, "send_message", entity_ids=[target], data={"message": text})
        else:
            voices = self._ha.home.of_domain("tts")
            if not voices:
                raise ServiceCallFailed("Home Assistant has no text to speech.")
            data = {"media_player_entity_id": target, "message": text}
            await self._ha.call_service("tts", "speak", entity_ids=[voices[0].entity_id], data=data)

    async def _notify(self, timer: Timer, text: str, telling: Awaitable[bool]) -> None:
        """A notification in Home Assistant. Raises HomeAssistantError where that fails and nobody else was told."""
        data = {"title": _TITLE, "message": text, "notification_id": f"homeagent_timer_{timer.id}"}
        try:
            await self._ha.call_service("persistent_notification", "create", data=data)
        except HomeAssistantError:
            if not await telling:
                raise
