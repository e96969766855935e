"""The policy over the demo home, judging what is really planned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from homeagent.domains import canonical_action
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Verdict
from homeagent.tools.carry_out import Job
from homeagent.tools.judging import calls_of
from homeagent.tools.plan import Asked, make_plan
from indexer.entity import Entity

Judge = Callable[..., Awaitable[Verdict]]


@pytest.fixture
def judge(home_assistant: HomeAssistant) -> Judge:
    return judging(home_assistant)


@pytest.fixture
def judge_only(looked_at: HomeAssistant) -> Judge:
    """In a home that nothing is changed in."""
    return judging(looked_at)


def judging(home_assistant: HomeAssistant) -> Judge:
    """The verdict on an action, planned as `ha_control` plans it."""

    async def verdict(
        action: str,
        target: str | Entity,
        parameters: Mapping[str, Any] | None = None,
        *,
        policy: Policy | None = None,
        like: str | None = None,
    ) -> Verdict:
        home = home_assistant.home
        entity = home.entities[target] if isinstance(target, str) else target
        state = home.state(like or entity.entity_id)
        assert state is not None
        asked = Asked(
            canonical_action(entity.domain, action) or action, parameters or {}, ("en",), home.config.time_zone
        )
        job = Job(entity, state, make_plan(entity, state, asked))
        return await (policy or Policy()).judge(calls_of(job), entity, home_assistant)

    return verdict
