"""What a turn works with: its tools, its limits, what it was and what waits for a yes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from homeagent.agent import Limits
from homeagent.brains.llm.external_model import ExternalModel
from homeagent.config.settings import Form
from homeagent.confirmations import Confirmations
from homeagent.context import IN_SHORT
from homeagent.conversations import Conversations
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.audit import AuditLog
from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Decision, Rule
from homeagent.remembering.finished_turns import why_not_worth_it
from homeagent.timers.agreed_actions import Later
from homeagent.timers.timers import Timers
from homeagent.tools.explain_change import ExplainChange
from homeagent.tools.ha_control import HaControl
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.keep_own_test import KeepOwnTest
from homeagent.tools.memory_tools import ForgetMemory, RecallMemory, StoreMemory
from homeagent.tools.query_external_llm import QueryExternalLlm
from homeagent.tools.retrieve_knowledge import RetrieveKnowledge
from homeagent.tools.timer import TimerTool
from homeagent.tools.toolbox import Tool, Toolbox
from homeagent.tools.user_profile import GetUserProfile, UpdateUserProfile
from homeagent.toolsets.service_tools import RESTRICTED
from memory.store import Memories

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.config.loading import Settings
    from homeagent.events import Emitter


_TOLD = 1.0
"""Seconds that a tool has longer than the model it asks, so that the model's own failure is told."""


def make_confirmations(settings: Settings, engine: Engine) -> Confirmations:
    """Confirmations that wait as long as ``agent.confirmation_ttl`` says."""
    return Confirmations(engine, settings.agent.confirmation_ttl)


def make_conversations(settings: Settings, engine: Engine) -> Conversations:
    """Conversations that are over after ``agent.conversation_idle``."""
    return Conversations(engine, idle=timedelta(seconds=settings.agent.conversation_idle))


def make_toolbox(
    settings: Settings,
    ha: HomeAssistant,
    confirmations: Confirmations,
    memories: Memories,
    external: ExternalModel | None,
    emitter: Emitter,
    retrieving: RetrieveKnowledge,
    audit: AuditLog,
    timers: Timers,
    own_tests: KeepOwnTest,
    added: Sequence[Tool] = (),
) -> Toolbox:
    """The tools that there are, as set. ``added``: those of the web and of others."""
    rules = [Rule(Decision(r.decision.value), r.action, r.target) for r in settings.policy.rules]
    restricted = RESTRICTED if settings.agent.toolset is Form.SERVICES else ()
    policy = Policy(rules, restricted=restricted, read_only=settings.policy.read_only)
    control = HaControl(ha, policy, confirmations, settle=settings.agent.settle_timeout, audit=audit)
    tools: list[Tool] = [
        control,
        HaQuery(ha),
        retrieving,
        ExplainChange(ha, unexposed=settings.knowledge.unexposed),
        TimerTool(timers, Later(control, confirmations), ha.home),
        own_tests,
    ]
    if settings.memory.enabled:
        judge = partial(why_not_worth_it, ha.home)
        tools += [StoreMemory(memories, judge), RecallMemory(memories), ForgetMemory(memories, confirmations)]
        tools += [GetUserProfile(memories), UpdateUserProfile(memories)]
    if external is not None:
        tools.append(QueryExternalLlm(external.complete, timeout=external.profile.model.timeout + _TOLD))
    tools += added
    return Toolbox(tools, emitter, confirmations=confirmations)


def limits(settings: Settings) -> Limits:
    """What bounds a turn, from the settings; no memories are looked for where memory is switched off."""
    return Limits(
        entities=settings.index.retrieve_limit,
        memories=settings.memory.recall_limit if settings.memory.enabled else 0,
        history_turns=settings.agent.history_turns + (IN_SHORT if settings.llm.configured else 0),
        rounds=settings.agent.max_rounds,
        turn_timeout=settings.agent.turn_timeout,
    )
