"""explain_change where little is known: it says so, and names nothing that may not be named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from homeagent.demo.server import DemoServer
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import HomeConfig
from homeagent.knowledge.causes import Link, LinkKind, Why
from homeagent.knowledge.telling_why import WhyTeller
from homeagent.tools.explain_change import ExplainChange
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn, new_id

LAMP = "light.kitchen_lights"


async def explain(ha: HomeAssistant, entity_id: str, **more: Any) -> ToolResult:
    toolbox = Toolbox([ExplainChange(ha)], Emitter())
    return await toolbox.call(ToolCall(new_id(), "explain_change", {"entity_id": entity_id, **more}), Turn(text="why?"))


async def test_a_home_without_a_logbook_is_not_guessed_about(home_assistant: HomeAssistant, demo: DemoServer) -> None:
    demo.put_history(LAMP, [(datetime.now(UTC) - timedelta(hours=2), "off")])
    demo.set_state(LAMP, "on")
    assert await home_assistant.home.wait_until(lambda: home_assistant.home.state_text(LAMP) == "on", [LAMP], 5)
    result = await explain(home_assistant, LAMP)
    assert result.success, result.error
    assert result.result["known"] is False
    assert "has no logbook" in result.result["text"]
    assert result.result["state"] == "on"


async def test_unknown_and_unexposed_entities_are_refused(home_assistant: HomeAssistant, demo: DemoServer) -> None:
    unknown = await explain(home_assistant, "light.kitchen_light")
    assert unknown.error_type == "unknown_target"
    assert LAMP in (unknown.error or "")
    demo.set_exposed(LAMP, False)
    await home_assistant.reload()
    assert (await explain(home_assistant, LAMP)).error_type == "not_exposed"


async def test_a_time_that_is_none_is_refused(home_assistant: HomeAssistant) -> None:
    assert (await explain(home_assistant, LAMP, at="when pigs fly")).error_type == "invalid_parameters"


def test_words_name_persons_only_where_they_are_known(home_assistant: HomeAssistant) -> None:
    home = home_assistant.home
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    assert isinstance(home.config, HomeConfig)
    at = now - timedelta(hours=30)
    link = Link(LinkKind.SERVICE, None, at, "light.turn_on", "user-x")
    text = WhyTeller(home, now, own_user="me").text(Why(LAMP, "on", at, links=(link,)), now)
    assert "a person whose name is not known did it" in text
    assert "light.turn_on" in text
    assert "2026-05-03" in text
    ours = WhyTeller(home, now, own_user="user-x").link(link)
    assert "through this assistant" in ours
