"""Running a data set: each case on a fresh home, through the same app that serves people."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from homeagent.agent import Reply
from homeagent.app import App
from homeagent.config.settings import HomeAssistantSettings, PolicyRule, PolicySettings, RuleDecision, Settings
from homeagent.demo.inventory import load_inventory
from homeagent.demo.server import DemoServer
from homeagent.evaluation.dataset import Case, Change, DataSet, Say
from homeagent.evaluation.judge import Judgement, Reaction, Snapshot, Verdict, judge
from indexer.status import Phase

_SETTLED = 2.0
"""Seconds that the live home gets to show what the demo home shows."""

_WARM_WITHIN = 600.0
_READS = "get_"
"""Services that only answer, such as `todo.get_items`, begin so; to a device they do nothing."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Measured:
    """One sentence of a case, and what came of it. ``latency_ms``: from the sentence to the first call that reached a
    device, else to the answer."""

    case: Case
    say: Say
    reply: Reply
    judgement: Judgement
    latency_ms: float

    @property
    def refused(self) -> bool:
        """Whether no brain took it: an honest "I can't"."""
        return (self.reply.trace or {}).get("brain") in (None, "none")


@dataclass(slots=True)
class Run:
    """A finished run, in the order of the data set."""

    measured: list[Measured] = field(default_factory=list)
    problems: tuple[str, ...] = ()
    policy: str = "everything allowed"


async def run(
    dataset: DataSet, settings: Settings, *, real_policy: bool = False, progress: Progress | None = None
) -> Run:
    """Try every case. ``settings`` say which brain and model; home, data folder and policy are set here.

    With ``real_policy`` what must be confirmed is answered with a yes, once it was asked.
    """
    result = Run(problems=dataset.problems, policy="as delivered" if real_policy else "everything allowed")
    total, done = len(dataset.cases), 0
    for home, cases in groupby(dataset.cases, key=lambda case: case.home):
        async with _trial(home, settings, real_policy) as trial:
            for case in cases:
                result.measured.extend(await trial.try_case(case))
                done += 1
                if progress:
                    progress(done, total)
    return result


@asynccontextmanager
async def _trial(home: Path, settings: Settings, real_policy: bool) -> AsyncIterator[Trial]:
    with tempfile.TemporaryDirectory(prefix="homeagent-eval-") as folder:
        async with DemoServer(load_inventory(home), settle=0.0) as server:
            app = App(_for_trial(settings, Path(folder), server, real_policy))
            await app.start()
            try:
                await app.wait_for_home()
                await _until_warm(app)
                yield Trial(server, app, real_policy)
            finally:
                await app.stop()


async def _until_warm(app: App) -> None:
    """Wait for the vectors, or until it is clear that there will be none: what is measured is a home that is up."""
    async with asyncio.timeout(_WARM_WITHIN):
        while True:
            status = app.index.status
            if status.phase is Phase.DEGRADED or (status.phase is Phase.READY and status.vectors >= status.entities):
                return
            await asyncio.sleep(0.1)


def _for_trial(settings: Settings, folder: Path, server: DemoServer, real_policy: bool) -> Settings:
    home = HomeAssistantSettings.model_validate({"url": server.url, "token": server.token})
    anything = PolicySettings(rules=(PolicyRule(decision=RuleDecision.ALLOW),))
    return settings.model_copy(
        update={
            "data_dir": folder,
            "home_assistant": home,
            "policy": settings.policy if real_policy else anything,
            "events": settings.events.model_copy(update={"log": False}),
        }
    )


class Trial:
    """A demo home and the app over it, for many cases."""

    def __init__(self, server: DemoServer, app: App, real_policy: bool) -> None:
        self._server, self._app, self._real_policy = server, app, real_policy

    async def try_case(self, case: Case) -> list[Measured]:
        """Reset the home, prepare it, and say the case's sentences, one conversation."""
        self._server.world.reset()
        for entity_id, change in case.setup.items():
            self._server.set_state(entity_id, change.state, change.attributes)
        await self._caught_up(self._server.world.devices)
        measured, conversation_id = [], None
        for say in case.says:
            one = await self._say(case, say, conversation_id)
            conversation_id = one.reply.conversation_id
            measured.append(one)
            if one.judgement.verdict is not Verdict.RIGHT:
                break  # what follows builds on it
        return measured

    async def _say(self, case: Case, say: Say, conversation_id: str | None) -> Measured:
        before = self._snapshot()
        self._server.calls.clear()
        started = time.monotonic()
        reply = await self._app.agent.process(
            say.text,
            conversation_id=conversation_id,
            device_id=case.context_device,
            language=case.language,
            trace=True,
        )
        latency = (time.monotonic() - started) * 1000
        if self._server.calls:
            latency = (self._server.calls[0].at - started) * 1000
        asked = reply
        if self._real_policy:
            for pending in reply.pending:
                asked = await self._app.agent.confirm(pending.id, True)
        await asyncio.sleep(0)  # what takes no time at all has happened by now
        calls = [call for call in self._server.calls if not call.service.startswith(_READS)]
        reaction = Reaction(before, self._snapshot(), calls, asked.response, reply.question)
        await self._caught_up({call.entity_id for call in calls})
        return Measured(case, say, reply, judge(say.acceptable, reaction), latency)

    def _snapshot(self) -> Snapshot:
        return {entity_id: _plain(self._server.state(entity_id)) for entity_id in self._server.world.devices}

    async def _caught_up(self, entity_ids: Iterable[str]) -> None:
        """Wait until the app has seen the home as it is: the next sentence meets no state of the last case."""
        home, ids = self._app.home, tuple(entity_ids)

        def same() -> bool:
            return all(home.state_text(i) == self._server.state(i)["state"] for i in ids)

        await home.wait_until(same, ids, _SETTLED)


def _plain(state: Mapping[str, Any]) -> dict[str, Any]:
    return {"state": state["state"], "attributes": dict(state["attributes"])}


__all__ = ["Change", "Measured", "Run", "Trial", "run"]
