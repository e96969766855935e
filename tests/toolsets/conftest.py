"""Somebody who speaks to a model that is offered the home's tools in another form, and does as its script says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from homeagent.brains.llm.brain import LlmBrain
from homeagent.brains.llm.client import Completion, OnText, RawCall
from homeagent.claims.answer_checker import Checker
from homeagent.config.settings import Form
from homeagent.ha.connection import HomeAssistant
from homeagent.prompting.token_counting import load_counter
from homeagent.tools.ha_query import HaQuery
from homeagent.toolsets.making import make_context, make_toolset
from homeagent.turns.reply import Reply
from tests.turning import Stage

Asked = tuple[str, dict[str, Any]]


@dataclass
class Model:
    """Answers with its script: calls, or a text. ``requests``: messages and tools as they came."""

    script: list[list[Asked] | str] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)

    async def ask(self, messages: Any, tools: Any = (), on_text: OnText | None = None) -> Completion:
        self.requests.append({"messages": json.loads(json.dumps(messages)), "tools": json.loads(json.dumps(tools))})
        step = self.script.pop(0)
        if isinstance(step, str):
            return Completion(step)
        return Completion("", tuple(RawCall(f"c{n}", name, json.dumps(given)) for n, (name, given) in enumerate(step)))

    def result(self, request: int = -1) -> Mapping[str, Any]:
        """The last result of a tool that a request shows."""
        return next(
            json.loads(m["content"]) for m in reversed(self.requests[request]["messages"]) if m["role"] == "tool"
        )

    def tool(self, name: str, request: int = 0) -> Mapping[str, Any]:
        """A tool's parameters as a request offers them."""
        tools = {t["function"]["name"]: t["function"] for t in self.requests[request]["tools"]}
        fields: Mapping[str, Any] = tools[name]["parameters"]["properties"]
        return fields


@dataclass
class Talk:
    """``say`` takes a sentence, the form and what the model does about it."""

    stage: Stage
    model: Model
    say: Callable[..., Awaitable[Reply]]


@pytest.fixture
async def talk(home_assistant: HomeAssistant, tmp_path: Path) -> AsyncIterator[Talk]:
    stage = Stage(home_assistant, tmp_path, tools=[HaQuery(home_assistant)])
    model = Model()
    count = load_counter()
    assert count is not None

    async def say(text: str, form: Form, *script: list[Asked] | str, **more: Any) -> Reply:
        model.script, model.requests = [*script], []
        home = home_assistant.home
        toolset = make_toolset(form, home)
        context = make_context(toolset, form, home, count, stage.emitter)
        brain = LlmBrain(model, context, stage.toolbox.schemas, stage.emitter, Checker(home), toolset=toolset)
        agent = stage.agent({"llm": brain}, "llm", context_mode=context.mode)
        return await agent.process(text, language=more.pop("language", "en"), trace=True, **more)

    yield Talk(stage, model, say)
    await stage.close()
