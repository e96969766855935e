"""What guards a model's client: tries, waits, limits, an end; and its process coming back from the dead."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from homeagent.brains.llm.client import Completion, LitellmClient, LlmModel, OnText, StreamBroken
from homeagent.brains.llm.language_model import LanguageModel
from homeagent.brains.llm.profile import Profile
from homeagent.brains.llm.resilience import Deadline, RateLimit, Retrying, StreamFallback, TokenLimit, guarded
from homeagent.errors import LlmAuthError, LlmError, LlmQuotaUsedUp, LlmRateLimited, LlmTimeout, LlmUnavailable
from homeagent.events import Emitter
from homeagent.ha.home import Home
from homeagent.turn import Tokens
from homeagent.turns.agent_phrases import error_phrase, languages
from indexer.process import ChildProcess


class Server:
    """A client that plays a script, and notes when and how it was asked."""

    def __init__(self, *script: LlmError | Completion | str, slow: float = 0.0) -> None:
        self.script = list(script)
        self.asked: list[tuple[float, bool]] = []
        self._slow = slow

    async def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] = (),
        on_text: OnText | None = None,
    ) -> Completion:
        self.asked.append((time.perf_counter(), on_text is not None))
        await asyncio.sleep(self._slow)
        reply = self.script.pop(0)
        if isinstance(reply, LlmError):
            raise reply
        return reply if isinstance(reply, Completion) else Completion(reply)


async def heard(_piece: str) -> None:
    pass


@pytest.mark.parametrize("failures", [0, 1, 2])
async def test_what_fails_for_the_moment_is_tried_again(failures: int) -> None:
    server = Server(*[LlmUnavailable("down")] * failures, "up")
    assert (await Retrying(server, 3, patience=0.05).ask([])).text == "up"
    assert len(server.asked) == failures + 1


@pytest.mark.parametrize(
    "error", [LlmAuthError("no"), LlmError("bad request"), LlmTimeout("slow"), LlmQuotaUsedUp("empty")]
)
async def test_what_cannot_get_better_is_not(error: LlmError) -> None:
    server = Server(error, "never")
    with pytest.raises(type(error)):
        await Retrying(server, 3).ask([])
    assert len(server.asked) == 1


@pytest.mark.parametrize("language", languages())
def test_a_used_up_quota_has_words_of_its_own_in_every_language(language: str) -> None:
    said = {error_phrase(error, language) for error in (LlmQuotaUsedUp("x"), LlmRateLimited("x"), LlmError("x"))}
    assert len(said) == 3
    if language != "en":
        assert said.isdisjoint({error_phrase(LlmQuotaUsedUp("x"), "en")})


async def test_it_waits_as_long_as_it_is_asked_to() -> None:
    server = Server(LlmRateLimited("429", retry_after=0.3), "up")
    await Retrying(server, 3).ask([])
    assert server.asked[1][0] - server.asked[0][0] >= 0.3


async def test_nobody_waits_for_a_long_rate_limit() -> None:
    server = Server(LlmRateLimited("429", retry_after=60.0), "never")
    with pytest.raises(LlmRateLimited) as limited:
        await Retrying(server, 3, patience=10.0).ask([])
    assert limited.value.retry_after == 60.0
    assert len(server.asked) == 1


async def test_a_broken_stream_is_asked_for_whole() -> None:
    server, told = Server(StreamBroken("cut"), "whole"), []
    assert (await StreamFallback(server, told.append).ask([], (), heard)).text == "whole"
    assert [streamed for _, streamed in server.asked] == [True, False]
    assert len(told) == 1


async def test_all_tries_together_have_an_end() -> None:
    server = Server(*["late"] * 9, slow=5.0)
    started = time.perf_counter()
    with pytest.raises(LlmTimeout):
        await Deadline(server, 0.2).ask([])
    assert time.perf_counter() - started < 2.0


async def test_ones_own_limit_tells_how_long_to_wait() -> None:
    now = [0.0]
    limited = RateLimit(Server("a", "b", "c"), 2, clock=lambda: now[0])
    await limited.ask([])
    now[0] = 20.0
    await limited.ask([])
    with pytest.raises(LlmRateLimited) as refused:
        await limited.ask([])
    assert refused.value.retry_after == 40.0
    now[0] = 61.0
    await limited.ask([])


async def test_ones_own_limit_of_tokens_is_told_as_that_and_ends_with_the_day() -> None:
    now, many = [0.0], Completion("x", tokens=Tokens(prompt=900, completion=100))
    limited = TokenLimit(Server(many, "b", "c"), 1000, "models.cheap", clock=lambda: now[0])
    await limited.ask([])
    now[0] = 23 * 3600.0
    with pytest.raises(LlmQuotaUsedUp) as refused:
        await limited.ask([])
    assert "models.cheap.tokens_per_day" in refused.value.hint
    now[0] = 24 * 3600.0
    assert (await limited.ask([])).text == "b"


async def test_without_streaming_nothing_is_streamed() -> None:
    server = Server("whole")
    client = guarded(server, attempts=1, stream=False)
    await client.ask([], (), heard)
    assert [streamed for _, streamed in server.asked] == [False]


@pytest.mark.slow
async def test_a_process_that_cannot_start_is_a_named_error_and_the_rest_goes_on() -> None:
    child = ChildProcess("homeagent.no_such_module:make", name="litellm")
    model = LanguageModel([Profile("llm", LlmModel("openai/m"))], Home(), lambda _ids: [], Emitter(), child=child)
    model.start()
    await model.loaded()
    assert isinstance(model.error, LlmUnavailable)
    assert not model.ready
    await model.stop()


class Crashing:
    """Lives in a child: dies of its first request, and again of the second where ``twice``."""

    def __init__(self, marker: str, deaths: int) -> None:
        self._marker, self._deaths = marker, deaths

    def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        import os
        from pathlib import Path

        marker = Path(self._marker)
        lived = len(marker.read_text()) if marker.exists() else 0
        if lived < self._deaths:
            marker.write_text("x" * (lived + 1))
            os._exit(9)
        return {"text": "alive", "calls": [], "tokens": {}, "cost": None}


@pytest.mark.slow
@pytest.mark.parametrize(("deaths", "survives"), [(1, True), (2, False)])
async def test_a_process_that_dies_is_started_once_more(tmp_path: Any, deaths: int, survives: bool) -> None:
    child = ChildProcess(f"{__name__}:Crashing", str(tmp_path / "lives"), deaths, name="litellm")
    client = LitellmClient(LlmModel("openai/m"), child)
    try:
        if survives:
            assert (await client.ask([])).text == "alive"
        else:
            with pytest.raises(LlmUnavailable):
                await client.ask([])
    finally:
        await client.stop()
