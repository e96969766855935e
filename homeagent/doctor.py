"""Tries each part for real and says what to do about what fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from homeagent.brains.llm.language_model import TRIAL
from homeagent.database import check
from homeagent.errors import DatabaseError, HomeAgentError
from indexer.errors import IndexerError
from indexer.status import Phase

if TYPE_CHECKING:
    from homeagent.app import App
    from homeagent.brains.llm.client import Completion
    from homeagent.brains.llm.external_model import ExternalModel, MemoryModel
    from homeagent.brains.llm.language_model import LanguageModel, ModelStatus
    from homeagent.brains.llm.profile import Profile

_PATIENCE = 15.0
"""Seconds that a connection or the model may take."""
_LLM = "language model"
_LOADING = 120.0
"""Seconds that the embedder may take to load on a small machine."""


class CheckOutcome(StrEnum):
    """How trying a part went."""

    OK = "ok"
    FAILED = "failed"
    OFF = "off"
    """Not configured, which is no fault."""
    SKIPPED = "skipped"
    """Could not be tried, because what it stands on failed."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was found out about a part, and what to do where it failed."""

    part: str
    status: CheckOutcome
    detail: str
    hint: str = ""


async def examine(app: App) -> list[Check]:
    """Every part of a started app, one after the other."""
    return [
        await _checked("Home Assistant", lambda: _home_assistant(app)),
        await _checked("database", lambda: _database(app)),
        await _checked("embedder", lambda: _embedder(app)),
        await _checked("index", lambda: _index(app)),
        *await _models(app),
        *await examine_channels(app),
    ]


async def examine_without_database(app: App, error: DatabaseError) -> list[Check]:
    """What can be tried of an app that could not start for want of its database."""
    await app.ha.start()
    try:
        home = await _checked("Home Assistant", lambda: _home_assistant(app))
    finally:
        await app.ha.stop()
    return [
        home,
        Check("database", CheckOutcome.FAILED, error.message, error.hint),
        *(Check(part, CheckOutcome.SKIPPED, "Needs the database.") for part in ("embedder", "index", "language model")),
    ]


async def _checked(part: str, check: Callable[[], Awaitable[Check]]) -> Check:
    try:
        return await check()
    except HomeAgentError as error:
        return Check(part, CheckOutcome.FAILED, error.message, error.hint)
    except IndexerError as error:
        return Check(part, CheckOutcome.FAILED, str(error), error.hint)
    except TimeoutError:
        return Check(part, CheckOutcome.FAILED, "It did not get ready in time.", "Look at the log.")


async def _home_assistant(app: App) -> Check:
    ready = await app.wait_for_home(_PATIENCE)
    status = app.ha.status
    if not ready:
        raise status.error or HomeAgentError("Home Assistant does not get ready.", hint="Look at its log.")
    exposed = len(app.home.exposed())
    detail = f"version {status.version}, {len(app.home.entities)} entities, {exposed} exposed"
    if not exposed:
        hint = "Expose entities to Assist in Home Assistant (Settings > Voice assistants > Expose)."
        return Check("Home Assistant", CheckOutcome.FAILED, f"{detail}: nothing can be controlled.", hint)
    return Check("Home Assistant", CheckOutcome.OK, detail, " ".join(status.warnings))


async def _database(app: App) -> Check:
    problems = await asyncio.to_thread(check, app.engine)
    if problems:
        return Check("database", CheckOutcome.FAILED, "; ".join(problems[:3]), "Restore a backup of the data folder.")
    return Check("database", CheckOutcome.OK, "opens, is up to date and whole")


async def _embedder(app: App) -> Check:
    async with asyncio.timeout(_LOADING):
        await app.index.wait_ready()
    vectors = await app.index.embed(["is the kitchen light on"])
    return Check("embedder", CheckOutcome.OK, f"{app.index.status.embedder}, {vectors.shape[1]} dimensions")


async def _index(app: App) -> Check:
    status = app.index.status
    detail = f"{status.entities} entities, {status.vectors} vectors, {status.store}"
    if status.phase is Phase.DEGRADED:
        return Check("index", CheckOutcome.FAILED, status.detail or detail, "Run `homeagent reindex`.")
    return Check("index", CheckOutcome.OK, detail)


async def _models(app: App) -> list[Check]:
    """Every language model that is set, each asked for one word, whatever its breaker says."""
    llm = app.llm
    if llm is None:
        checks = [Check(_LLM, CheckOutcome.OFF, "none is configured; everyday sentences need none")]
    else:
        await llm.loaded()
        checks = [await _checked(part, partial(_model, llm, part, one)) for part, one in _chain(llm)]
    for part, other in (("language model for memories", app.memory_model), ("other language model", app.external)):
        if other is not None:
            checks.append(await _checked(part, partial(_other_model, part, other)))
    return checks


def _chain(llm: LanguageModel) -> list[tuple[str, ModelStatus]]:
    names = [_LLM, *(f"{_LLM}, fallback {status.profile.name}" for status in llm.status()[1:])]
    return list(zip(names, llm.status(), strict=True))


async def _model(llm: LanguageModel, part: str, status: ModelStatus) -> Check:
    completion = await llm.try_out(status.profile.name)
    detail = f"{_answered(status.profile, completion)}; its window is {status.window} tokens"
    if status.problem:
        return Check(part, CheckOutcome.FAILED, f"{detail}.", status.problem)
    return Check(part, CheckOutcome.OK, detail)


async def _other_model(part: str, model: ExternalModel | MemoryModel) -> Check:
    return Check(part, CheckOutcome.OK, _answered(model.profile, await model.ask(TRIAL)))


async def examine_channels(app: App) -> list[Check]:
    """Whoever is asked for a yes elsewhere: each way there, and each phone and chat."""
    checks = []
    for channel in app.channels:
        whole = await _checked(channel.name, partial(_channel, channel.name, channel.try_out))
        checks.append(whole)
        for target in channel.targets:
            part = f"{channel.name} {target.address}"
            check = await _checked(part, partial(_channel, part, partial(channel.try_target, target.address)))
            same = check.status is whole.status is CheckOutcome.FAILED and check.detail == whole.detail
            checks.append(Check(part, CheckOutcome.SKIPPED, f"Needs {channel.name}.") if same else check)
    if app.settings.telegram.chats and app.settings.telegram.token is None:
        checks.append(
            Check("telegram", CheckOutcome.FAILED, "Chats are set, and no token.", "Set `telegram.token` to a bot's.")
        )
    return checks or [Check("phones and chats", CheckOutcome.OFF, "none is set: a yes is asked for where it came up")]


async def _channel(part: str, trial: Callable[[], Awaitable[str]]) -> Check:
    async with asyncio.timeout(_PATIENCE):
        return Check(part, CheckOutcome.OK, await trial())


def _answered(profile: Profile, completion: Completion) -> str:
    said = " ".join(completion.text.split())[:60]
    return f"{profile.model.name} answered in {completion.ms:.0f} ms: {said}"
