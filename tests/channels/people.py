"""People with phones and chats, an agent that asks them, and the door it asks about."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from homeagent.agent import Agent
from homeagent.channels.asking import Asking
from homeagent.channels.channel import Target
from homeagent.channels.phones import PRESSED, Phones
from homeagent.channels.sent_questions import SentQuestions
from homeagent.channels.telegram import Telegram
from homeagent.channels.telegram_api import TelegramApi
from homeagent.confirmations import Confirmations
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.audit import AuditLog
from homeagent.policy.policy import Policy
from homeagent.tools.ha_control import HaControl
from tests.telegram_server import TOKEN, TelegramServer
from tests.turning import ScriptedBrain, Stage, control, step

LOCK = "lock.front_door"
ASKED = "That unlocks Front door. Shall I?"
PHONE, TABLET = "notify.mobile_app_demo_phone", "notify.mobile_app_demo_tablet"
CHAT, OTHER_CHAT, STRANGE_CHAT = 1001, -2002, 666


class Device:
    """A phone with the companion app: the notifications that it shows now, by tag."""

    def __init__(self, demo: DemoServer, service: str = PHONE) -> None:
        self.shown: dict[str, dict[str, Any]] = {}
        self.heard: list[str] = []
        self._demo = demo
        self._service = service.partition(".")[2]
        demo.world.on_event(self._event)

    def _event(self, event: dict[str, Any]) -> None:
        called = event["data"]
        if event["event_type"] != "call_service" or called.get("service") != self._service:
            return
        given = called["service_data"]
        tag = given.get("data", {}).get("tag", "")
        if given["message"] == "clear_notification":
            self.shown.pop(tag, None)
        else:
            self.shown[tag] = given
            self.heard.append(given["message"])

    @property
    def text(self) -> str:
        """What stands there last; empty where nothing does."""
        return list(self.shown.values())[-1]["message"] if self.shown else ""

    @property
    def asking(self) -> dict[str, Any]:
        """The last notification there that has buttons."""
        return next((one for one in reversed(self.shown.values()) if one.get("data", {}).get("actions")), {})

    @property
    def buttons(self) -> dict[str, str]:
        actions = self.asking.get("data", {}).get("actions", [])
        return {action["title"]: action["action"] for action in actions}

    def press(self, button: str) -> None:
        """As the app does it: the notification goes, and an event is fired."""
        action = self.buttons[button]
        del self.shown[self.asking["data"]["tag"]]
        self.fire(action)

    def fire(self, action: object) -> None:
        self._demo.world.fire(PRESSED, {"action": action})


@dataclass
class People:
    """``asked_on``: what is asked when the service starts. `running` starts and stops it, again and again."""

    demo: DemoServer
    telegram: TelegramServer
    folder: Path
    phones: tuple[Target, ...] = (Target(PHONE),)
    chats: tuple[Target, ...] = (Target(str(CHAT)),)
    token: str = TOKEN
    aloud: list[tuple[str | None, str]] = field(default_factory=list)
    phone: Device = field(init=False)

    def __post_init__(self) -> None:
        self.phone = Device(self.demo)

    @asynccontextmanager
    async def running(self, *script: Any, name: str = "local") -> AsyncIterator[Running]:
        """The service, with a brain that plays this script."""
        ha = HomeAssistant(self.demo.url, self.demo.token)
        phones = Phones(ha, self.phones)
        await ha.start()
        assert await ha.wait_ready(10), ha.status
        stage = Stage(ha, self.folder)
        stage.confirmations = Confirmations(stage.engine, 90.0)
        audit = AuditLog(stage.engine)
        tool = HaControl(ha, Policy(), stage.confirmations, settle=1.0, audit=audit)
        stage.toolbox._tools["ha_control"] = tool
        brain = ScriptedBrain(*script, name=name)
        agent = stage.agent(brain)
        telegram = Telegram(TelegramApi(self.telegram.url, self.token), self.chats, audit, poll=5)
        asking = Asking(
            [phones, telegram],
            SentQuestions(stage.engine),
            stage.confirmations,
            agent,
            audit,
            language=lambda: "en",
            aloud=self._say_aloud,
        )
        phones.start(asking)
        telegram.start(asking)
        await asking.start()
        try:
            yield Running(self, stage, agent, asking, audit, brain)
        finally:
            await asking.stop()
            await telegram.stop()
            await phones.stop()
            await stage.close()
            await ha.stop()

    async def _say_aloud(self, device_id: str | None, text: str) -> None:
        self.aloud.append((device_id, text))

    @property
    def chat(self) -> Any:
        """The last message in the chat."""
        return self.telegram.in_chat(CHAT)[-1]

    @property
    def locked(self) -> bool:
        return self.demo.state(LOCK)["state"] == "locked"

    def times_unlocked(self) -> int:
        return sum(call.entity_id == LOCK for call in self.demo.calls)


@dataclass
class Running:
    people: People
    stage: Stage
    agent: Agent
    asking: Asking
    audit: AuditLog
    brain: ScriptedBrain

    async def ask(self, user_id: str | None = None, **more: Any) -> Any:
        """Somebody wants the door unlocked; waits until the phone and the chat have asked."""
        reply = await self.agent.process("unlock the front door", user_id=user_id, **more)
        assert reply.pending
        return reply

    async def asked_everywhere(self) -> None:
        await until(lambda: bool(self.people.phone.buttons))
        await until(lambda: any(m.buttons for m in self.people.telegram.messages))

    def let_time_run_out(self, seconds: float = 0.3) -> None:
        """What waits now runs out of time in so many seconds, however long it took until it was asked."""
        at = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")
        with self.stage.engine.begin() as connection:
            connection.execute(text("UPDATE confirmations SET expires_at = :at WHERE decided_at IS NULL"), {"at": at})
        self.asking.wake()

    def answers(self, conversation_id: str) -> list[str]:
        """What was answered in a conversation, in order."""
        with self.stage.engine.connect() as connection:
            query = text("SELECT answer FROM turns WHERE conversation_id = :it ORDER BY number")
            return list(connection.scalars(query, {"it": conversation_id}))

    async def refusals(self) -> list[dict[str, Any]]:
        """What the audit log tells of answers that were not taken, the newest first."""
        entries = await self.audit.entries(100)
        return [entry["parameters"] for entry in entries if entry["action"] == "answer_refused"]


def unlocking(*after: Any) -> list[Any]:
    """Wants to unlock the door; what is said then, and after a yes."""
    return [step(control("unlock", LOCK)), step(text=""), *after]


async def until(there: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(seconds):
        while not there():  # noqa: ASYNC110 -- what it waits for tells nobody
            await asyncio.sleep(0.01)


async def settled(seconds: float = 0.3) -> None:
    """Time for something to happen that must not."""
    await asyncio.sleep(seconds)
