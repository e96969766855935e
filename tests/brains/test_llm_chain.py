"""Several models, one after the other: which is asked, which is left alone, and what is told of it; on the wire."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from homeagent.agent import Agent, Limits
from homeagent.brains.llm.breaker import Breaker, Circuit
from homeagent.brains.llm.chain import Chain, Link
from homeagent.brains.llm.client import Completion, LitellmClient, LlmModel, OnText
from homeagent.brains.llm.language_model import LanguageModel, LlmOptions
from homeagent.brains.llm.profile import Profile
from homeagent.errors import LlmAuthError, LlmError, LlmQuotaUsedUp, LlmRateLimited, LlmTimeout, LlmUnavailable
from homeagent.events import Emitter, ModelCircuit, ModelSwitched
from homeagent.ha.home import Home
from indexer.process import ChildProcess
from tests.conftest import connected_home
from tests.llm_server import Breaks, Fails, LlmServer, Say, Silent, call, shown_ids
from tests.turning import Stage

LOOP = {"loop_scope": "session"}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_breaker_opens_after_failures_in_a_row_and_lets_one_try_after_its_pause() -> None:
    clock, told = Clock(), list[Circuit]()
    breaker = Breaker(3, 30.0, changed=lambda state, _: told.append(state), clock=clock)
    for failure in (LlmUnavailable("down"), LlmTimeout("slow")):
        assert breaker.enter()
        breaker.failed(failure)
    assert breaker.enter()
    breaker.succeeded()  # in a row only
    for _ in range(3):
        assert breaker.enter()
        breaker.failed(LlmUnavailable("down"))
    assert breaker.state is Circuit.OPEN
    assert not breaker.enter()
    clock.now = 30.0
    assert breaker.enter()
    assert not breaker.enter()  # one alone
    breaker.failed(LlmUnavailable("still down"))
    clock.now = 60.0
    assert not breaker.enter()  # the pause is doubled
    clock.now = 90.0
    assert breaker.enter()
    breaker.succeeded()
    assert breaker.enter()
    assert told == [Circuit.OPEN, Circuit.HALF_OPEN, Circuit.OPEN, Circuit.HALF_OPEN, Circuit.CLOSED]


@pytest.mark.parametrize("error", [LlmAuthError("no"), LlmQuotaUsedUp("empty")])
def test_what_only_the_owner_can_mend_opens_it_at_once_and_for_longer(error: LlmError) -> None:
    clock = Clock()
    breaker = Breaker(3, 30.0, clock=clock)
    assert breaker.enter()
    breaker.failed(error)
    clock.now = 299.0
    assert not breaker.enter()
    clock.now = 300.0
    assert breaker.enter()


def test_a_rate_limit_holds_as_long_as_the_provider_says_and_is_told_with_what_is_left() -> None:
    clock = Clock()
    breaker = Breaker(3, 30.0, clock=clock)
    assert breaker.enter()
    breaker.failed(LlmRateLimited("slow down", retry_after=40.0))
    clock.now = 15.0
    reason = breaker.reason()
    assert isinstance(reason, LlmRateLimited)
    assert reason.retry_after == 25.0
    clock.now = 40.0
    assert breaker.enter()


def test_a_try_that_was_called_off_tells_nothing() -> None:
    clock = Clock()
    breaker = Breaker(1, 30.0, clock=clock)
    assert breaker.enter()
    breaker.failed(LlmUnavailable("down"))
    clock.now = 30.0
    assert breaker.enter()
    breaker.left()
    assert breaker.state is Circuit.OPEN
    assert breaker.enter()


class Scripted:
    """Answers with what its script says; a number is slept first."""

    def __init__(self, *script: LlmError | str | float) -> None:
        self.script = list(script)
        self.asked = 0

    async def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] = (),
        on_text: OnText | None = None,
    ) -> Completion:
        self.asked += 1
        reply = self.script.pop(0)
        if isinstance(reply, float):
            await asyncio.sleep(reply)
            reply = self.script.pop(0)
        if isinstance(reply, LlmError):
            raise reply
        return Completion(reply)


def chain(*clients: Scripted, seconds: float = 5.0, failures: int = 3) -> Chain:
    return Chain([Link(f"m{n}", c, Breaker(failures)) for n, c in enumerate(clients)], lambda: seconds)


async def test_the_error_that_is_told_is_that_of_the_model_that_was_to_answer() -> None:
    with pytest.raises(LlmQuotaUsedUp):
        await chain(Scripted(LlmQuotaUsedUp("empty")), Scripted(LlmUnavailable("down"))).ask([])


async def test_a_model_that_hangs_leaves_time_for_the_next() -> None:
    started = time.perf_counter()
    completion = await chain(Scripted(30.0, "late"), Scripted("here"), seconds=1.0).ask([])
    assert (completion.text, completion.profile) == ("here", "m1")
    assert time.perf_counter() - started < 0.9


async def test_the_only_model_has_all_of_the_time_and_no_more() -> None:
    assert (await chain(Scripted(0.3, "late"), seconds=0.5).ask([])).text == "late"
    with pytest.raises(LlmTimeout):
        await chain(Scripted(30.0, "never"), seconds=0.2).ask([])
    spent = Scripted("never asked")
    with pytest.raises(LlmTimeout):
        await chain(spent, seconds=0.0).ask([])
    assert spent.asked == 0


async def test_a_model_that_hangs_when_it_is_tried_out_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LitellmClient, "ask", Scripted(30.0, "never").ask)
    options = LlmOptions(deadline=0.1, breaker_failures=1)
    model = LanguageModel([Profile("main", LlmModel("openai/main"))], Home(), lambda _: [], Emitter(), options)
    with pytest.raises(LlmTimeout):
        await model.try_out("main")
    assert model.status()[0].circuit is Circuit.OPEN


async def test_an_open_model_is_passed_over_without_being_asked() -> None:
    first, second = Scripted(LlmUnavailable("down"), "never"), Scripted("one", "two")
    both = chain(first, second, failures=1)
    assert [(await both.ask([])).text for _ in range(2)] == ["one", "two"]
    assert first.asked == 1


@pytest_asyncio.fixture(**LOOP)
async def stage(demo_inventory: Any, tmp_path: Path) -> AsyncIterator[Stage]:
    async with connected_home(demo_inventory) as (_, ha):
        stage = Stage(ha, tmp_path, limits=Limits(turn_timeout=60.0))
        yield stage
        await stage.close()


class Chained:
    """An agent with a main model and another behind it, each on a scripted server of its own."""

    def __init__(self, stage: Stage, child: ChildProcess, main: LlmServer, other: LlmServer) -> None:
        self.main, self.other = main, other
        profiles = [
            Profile("main", LlmModel("openai/main", main.url, "sk-1", timeout=20.0, section="models.main"), attempts=1),
            Profile("other", LlmModel("openai/other", other.url, "sk-2", timeout=20.0, section="models.other")),
        ]
        home, schemas = stage.ha.home, stage.toolbox.schemas
        options = LlmOptions(deadline=50.0, reserve=1.0, breaker_failures=2, breaker_pause=0.5)
        self.llm = LanguageModel(profiles, home, schemas, stage.emitter, options, child=child)
        self.agent: Agent = stage.agent(self.llm.brain, "llm")


@pytest_asyncio.fixture(**LOOP)
async def chained(stage: Stage, child: ChildProcess) -> AsyncIterator[Chained]:
    async with AsyncExitStack() as stack:
        yield Chained(stage, child, *[await stack.enter_async_context(LlmServer()) for _ in range(2)])


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
@pytest.mark.parametrize("failure", [Fails(503), Fails(401), Fails(429, "no", code="insufficient_quota"), Breaks("O")])
async def test_where_the_main_model_fails_the_other_acts_and_it_is_told(
    stage: Stage, chained: Chained, failure: Fails | Breaks
) -> None:
    chained.main.script(failure, Fails(503), Say("The kitchen ceiling is on."))
    act = call("ha_control", lambda r: {"action": "turn_on", "entity_id": shown_ids(r, "light")[0]})
    chained.other.script(act, Say("The kitchen ceiling is on."))
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    reply = await chained.agent.process("turn on the kitchen ceiling", say=say)
    assert reply.error is None
    assert "The kitchen ceiling is on." in reply.response
    assert "".join(said).strip() == reply.response
    assert stage.ha.home.state_text("light.kitchen_ceiling") == "on"
    assert set(chained.other.keys) == {"Bearer sk-2"}
    switched = (await stage.events(ModelSwitched))[0]
    assert (switched.profile, switched.instead, switched.turn_id) == ("main", "other", reply.turn_id)


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
async def test_it_is_left_alone_then_tried_and_used_again(stage: Stage, chained: Chained) -> None:
    chained.main.script(Fails(503), Fails(503), Say("Back again."))
    chained.other.script(*[Say("I stand in.")] * 3)
    answers = [(await chained.agent.process(f"tell me joke number {n}")).response for n in range(3)]
    assert answers == ["I stand in."] * 3
    assert len(chained.main.requests) == 2  # the third sentence passed it over
    status = chained.llm.status()
    assert [one.circuit for one in status] == [Circuit.OPEN, Circuit.CLOSED]
    assert status[0].seconds_left <= 0.5
    await asyncio.sleep(0.6)
    assert (await chained.agent.process("tell me another")).response == "Back again."
    assert [one.circuit for one in chained.llm.status()] == [Circuit.CLOSED] * 2
    told = [(e.profile, e.state) for e in await stage.events(ModelCircuit)]
    assert told == [("main", "open"), ("main", "half open"), ("main", "closed")]


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
async def test_the_hint_names_the_setting_of_the_profile(chained: Chained) -> None:
    chained.main.script(Fails(401))
    with pytest.raises(LlmAuthError) as refused:
        await chained.llm.try_out("main")
    assert "models.main.api_key" in refused.value.hint
    assert chained.llm.status()[0].circuit is Circuit.OPEN


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
async def test_rounds_share_the_time_of_the_turn(stage: Stage, chained: Chained) -> None:
    """The second request of a turn gets what the first has left, and its end is told as that of the model."""
    stage.limits = Limits(turn_timeout=3.0)
    act = call("ha_control", lambda r: {"action": "turn_on", "entity_id": shown_ids(r, "light")[0]})
    for server in (chained.main, chained.other):
        server.script(act, Silent(), Silent(), Silent())
    agent = stage.agent(chained.llm.brain, "llm")
    started = time.perf_counter()
    reply = await agent.process("turn on the kitchen ceiling")
    assert time.perf_counter() - started < 2.9
    assert reply.error == "llm_timeout"
    assert stage.ha.home.state_text("light.kitchen_ceiling") == "on"
    async with asyncio.timeout(5):
        while chained.main.waiting or chained.other.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
