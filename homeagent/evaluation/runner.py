"""Running a data set: each case on a home as it was at first, through the same app that serves people."""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from homeagent.app import App
from homeagent.brains.llm.client import Prices
from homeagent.config.settings import HomeAssistantSettings, PolicyRule, PolicySettings, RuleDecision, Settings
from homeagent.demo.inventory import Inventory, parse_inventory
from homeagent.demo.server import DemoServer
from homeagent.evaluation.cases import Case, DataSet, Lookup, OutcomeKind, Say
from homeagent.evaluation.judge import Judgement, Reaction, Verdict, judge
from homeagent.evaluation.retrieved import Showing, Shown
from homeagent.evaluation.speakers import AgentSpeaker, HomeAssistantSpeaker, Speaker
from homeagent.evaluation.trial_homes import DemoHouse, House, open_real, own_devices, started
from homeagent.ha.link import Access
from homeagent.turns.reply import Reply
from indexer.retrieval import Situation

_NOT_TOLD = "Home Assistant's own agent cannot be told through this interface."

Progress = Callable[[int], None]
"""Told how many more are done."""


@dataclass(frozen=True, slots=True)
class How:
    """How a set is tried. ``real_policy``: as delivered, asked for a yes. ``home_assistant``: its own agent answers.

    ``url`` and ``token`` of a real home in place of a demo.
    """

    real_policy: bool = False
    home_assistant: bool = False
    url: str | None = None
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """One sentence of a case, and what came of it. ``latency_ms``: from the sentence to the first call that reached a
    device, else to the answer."""

    case: Case
    say: Say
    reply: Reply
    judgement: Judgement
    latency_ms: float
    shown: Shown | None = None

    @property
    def refused(self) -> bool:
        """Whether no brain took it: an honest "I can't"."""
        return (self.reply.trace or {}).get("brain") in (None, "none")


@dataclass(frozen=True, slots=True)
class Looked:
    """One look-up, and what was found. ``ms``: what finding took."""

    lookup: Lookup
    shown: Shown
    ms: float


@dataclass(slots=True)
class Run:
    """A finished run, in the order of the data set. ``prices``: US dollars a token, where they are known."""

    measured: list[Measured] = field(default_factory=list)
    looked: list[Looked] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    policy: str = "everything allowed"
    prices: Prices | None = None
    sizes: dict[Path, int] = field(default_factory=dict)
    """How many entities each home has."""


async def run(dataset: DataSet, settings: Settings, how: How | None = None, *, progress: Progress | None = None) -> Run:
    """Try every case and look-up. ``settings`` say which brain and model; home, data folder and policy are set here.

    With the real policy what must be confirmed is answered with a yes, once it was asked. Raises InvalidInput where a
    real home lacks entities of the data set, HomeAssistantError where it cannot be read.
    """
    how = how or How()
    result = Run(problems=list(dataset.problems))
    tell = progress or (lambda _: None)
    for path, raw in dataset.homes.items():
        cases = [c for c in dataset.cases if c.home == path]
        lookups = [q for q in dataset.lookups if q.home == path]
        if cases or lookups:
            inventory = parse_inventory(raw)
            result.sizes[path] = len(inventory.entities)
            async with _trial(inventory, settings, how) as trial:
                result.policy = trial.policy
                if how.home_assistant and (unaware := sum(c.context_device is not None for c in cases)):
                    result.problems.append(f"{unaware} sentences depend on the speaker's room, which {_NOT_TOLD}")
                await trial.try_all(cases, lookups, result, tell)
    return result


@asynccontextmanager
async def _trial(inventory: Inventory, settings: Settings, how: How) -> AsyncIterator[Trial]:
    no_devices: Mapping[str, str] = {}
    async with AsyncExitStack() as stack:
        if how.url is None:
            server = await stack.enter_async_context(DemoServer(inventory, settle=0.0))
            house: House = DemoHouse(server)
            real_policy, devices = how.real_policy, no_devices
        else:
            real = await stack.enter_async_context(open_real(how.url, how.token or "", inventory, settings))
            house, devices = real, own_devices(inventory, real.home)
            real_policy = how.real_policy or not real.is_test
        if how.home_assistant:
            given = settings.home_assistant
            access = Access(house.url, house.token, verify=given.trust, timeout=given.timeout)
            speaker = await stack.enter_async_context(HomeAssistantSpeaker(access))
            yield Trial(house, speaker, inventory, "Home Assistant's own")
            return
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="homeagent-eval-"))
        app = App(for_trial(settings, Path(folder), house, real_policy=real_policy))
        await stack.enter_async_context(started(app))
        agent = AgentSpeaker(app, confirms=real_policy, devices=devices)
        await agent.start()
        yield Trial(house, agent, inventory, "as delivered" if real_policy else "everything allowed")


def for_trial(settings: Settings, folder: Path, house: House, *, real_policy: bool) -> Settings:
    """The settings for one home that is tried, with a data folder of its own."""
    given = settings.home_assistant.model_dump()
    home = HomeAssistantSettings.model_validate({**given, "url": house.url, "token": house.token})
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
    """A home and whoever answers in it, for many cases. Only our own agent can be asked what it finds."""

    def __init__(self, house: House, speaker: Speaker, inventory: Inventory, policy: str) -> None:
        self._house, self._speaker, self._inventory = house, speaker, inventory
        self.policy = policy

    async def try_all(self, cases: list[Case], lookups: list[Lookup], result: Run, tell: Progress) -> None:
        """Try every case and lookup; what came of each is added to ``result``. ``tell`` is called with 1 after each."""
        for case in cases:
            if reason := await self._house.prepare(case):
                result.problems.append(f"{case.case_id} was left out: {reason}")
            else:
                result.measured.extend(await self._try(case))
            tell(1)
        if isinstance(self._speaker, AgentSpeaker):
            app, showing = self._speaker.app, self._speaker.showing
            for lookup in lookups:
                result.looked.append(await self._look(app, showing, lookup))
                tell(1)
            if app.llm is not None:
                result.prices = await app.llm.prices()

    async def _try(self, case: Case) -> list[Measured]:
        """Say the case's sentences, one conversation."""
        await self._speaker.caught_up(self._house)
        measured: list[Measured] = []
        conversation_id = None
        for say in case.says:
            one = await self._say(case, say, conversation_id)
            conversation_id = one.reply.conversation_id
            measured.append(one)
            if one.judgement.verdict is not Verdict.RIGHT:
                break  # what follows builds on it
        return measured

    async def _say(self, case: Case, say: Say, conversation_id: str | None) -> Measured:
        before = await self._house.snapshot()
        await self._house.reached()
        started = time.monotonic()
        reply = await self._speaker.say(case, say.text, conversation_id)
        latency = (time.monotonic() - started) * 1000
        early = await self._house.reached()
        if early and early[0].at is not None:
            latency = (early[0].at - started) * 1000
        # Where a question back is what is right, nobody says yes to it.
        wanted = any(outcome.kind is OutcomeKind.CHANGES for outcome in say.acceptable)
        agreed = await self._speaker.agree(reply) if wanted else reply
        after = await self._house.snapshot()
        calls = [*early, *(await self._house.reached())]
        reaction = Reaction(before, after, calls, agreed.response, reply.question)
        await self._speaker.caught_up(self._house)
        return Measured(case, say, reply, judge(say.acceptable, reaction), latency, await self._speaker.shown(reply))

    async def _look(self, app: App, showing: Showing, lookup: Lookup) -> Looked:
        situation = Situation(
            language=lookup.language,
            state_of=app.home.state_text,
            area_id=self._area_id(app, lookup.context_area),
        )
        found = await app.index.retrieve(lookup.sentence, situation, limit=app.settings.index.retrieve_limit)
        return Looked(lookup, showing.retrieved(found), found.duration_ms)

    def _area_id(self, app: App, area: str | None) -> str | None:
        """The home's id of a room that the data set names, by name or by its own id."""
        named = next((a.name for a in self._inventory.areas if area in (a.id, a.name)), area)
        return next((a.area_id for a in app.home.areas.values() if named == a.name), None) if named else None
