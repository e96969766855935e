"""What the tests of a turn share: an agent on the demo home, its events, a brain that plays a script."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from homeagent.agent import Agent, Limits
from homeagent.confirmations import Confirmations
from homeagent.conversations import Conversations
from homeagent.events import Emitter, Event
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.timers.agreed_actions import Later
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timers import Timers
from homeagent.tools.ha_control import HaControl
from homeagent.tools.timer import TimerTool
from homeagent.tools.toolbox import Tool, Toolbox
from homeagent.turn import Brain, Say, Step, ToolCall, Turn, new_id
from indexer.index import Index
from memory.recall import floor_for
from tests.databases import database

Decision = Step | Exception | Callable[[Turn, Say], Awaitable[Step | None]] | None


@dataclass(frozen=True)
class Remembered:
    id: str
    content: str
    type: str = "fact"
    importance: float = 0.5
    sensitivity: str = "public"


@dataclass(frozen=True)
class Found:
    memory: Remembered
    relevance_score: float = 0.9


@dataclass
class Guard:
    """Takes sentences that end with one of these words for secrets."""

    words: tuple[str, ...]

    async def tell(self, texts: Sequence[tuple[str, str | None]]) -> list[bool]:
        return [text.rstrip(".").endswith(self.words) for text, _ in texts] if self.words else [False] * len(texts)


class OneMemory:
    """Recalls the same, whatever is asked. What ends with one of ``secret_words`` is a secret."""

    def __init__(self, content: str, *secret_words: str) -> None:
        self._found = Found(Remembered("m1", content))
        self.floors: list[float] = []
        self.secrets = Guard(secret_words)

    async def search(self, query: str, *, unanswered: bool = False, **_options: object) -> list[Found]:
        self.floors.append(floor_for(query, unanswered=unanswered))
        return [self._found]

    async def nicknames(self, user_id: str | None = None) -> list[Remembered]:
        return []


class Recorder:
    """Keeps every event."""

    name = "recorder"

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def handle(self, event: Event) -> None:
        self.events.append(event)


class ScriptedBrain:
    """Decides what its script says, step by step; notes the turns that it was asked about."""

    def __init__(self, *script: Decision, name: str = "local") -> None:
        self.name = name
        self.script = list(script)
        self.turns: list[Turn] = []

    async def next_step(self, turn: Turn, say: Say) -> Step | None:
        self.turns.append(turn)
        decision = self.script.pop(0)
        if isinstance(decision, Exception):
            raise decision
        if isinstance(decision, Step) or decision is None:
            return decision
        return await decision(turn, say)


def control(action: str, entity_id: str | Sequence[str], **parameters: Any) -> ToolCall:
    asked = {"action": action, "entity_id": entity_id, **({"parameters": parameters} if parameters else {})}
    return ToolCall(new_id(), "ha_control", asked)


def step(*calls: ToolCall, text: str = "") -> Step:
    return Step(text=text, tool_calls=calls)


@dataclass
class Stage:
    """An agent with what it is made of. Leave it with ``await close()`` to have all events."""

    ha: HomeAssistant
    folder: Path
    emitter: Emitter = field(default_factory=Emitter)
    recorder: Recorder = field(default_factory=Recorder)
    tools: Sequence[Tool] = ()
    memories: Any = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self.engine = database(self.folder)
        self.emitter.add(self.recorder)
        self.confirmations = Confirmations(self.engine, 90.0)
        self.conversations = Conversations(self.engine)
        control = HaControl(self.ha, Policy(), self.confirmations, settle=1.0)
        self.timers = Timers(TimerStore(self.engine, most=50), self.ha.home, self.emitter)
        timer = TimerTool(self.timers, Later(control, self.confirmations), self.ha.home)
        own = {tool.name for tool in self.tools}
        tools = [*(t for t in (control, timer) if t.name not in own), *self.tools]
        self.toolbox = Toolbox(tools, self.emitter, confirmations=self.confirmations)
        self.index = Index(self.folder, self.engine)
        home = self.ha.home
        self.index.put(home.exposed(), areas=home.areas.values(), floors=home.floors.values())

    def agent(self, brains: Mapping[str, Brain | None] | Brain, mode: str = "auto", **more: Any) -> Agent:
        if not isinstance(brains, Mapping):
            brains = {brains.name: brains}
        return Agent(
            self.ha,
            self.index,
            self.memories,
            brains,
            mode,
            self.toolbox,
            self.confirmations,
            self.conversations,
            self.emitter,
            self.limits,
            **more,
        )

    async def events(self, *kinds: type[Event]) -> list[Any]:
        """What was told so far, of these kinds."""
        for queue in tuple(self.emitter._queues.values()):
            async with asyncio.timeout(2):
                await queue.join()
        return [e for e in self.recorder.events if not kinds or isinstance(e, kinds)]

    async def close(self) -> None:
        await self.emitter.close()
        await self.index.stop()
        self.engine.dispose()
