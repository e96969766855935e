"""With a language model: what it was shown, what it cost."""

import re

import pytest

from homeagent.config.settings import BrainMode, Form, Settings
from homeagent.evaluation.comparing import compare, contenders, page
from homeagent.evaluation.dataset import load
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import How, run
from tests.llm_server import LlmServer, Say, call, shown_ids

pytestmark = pytest.mark.slow  # it loads litellm

LAMPS = "".join(
    f'  - {{name: "{room} {thing}", id: light.{room}_{thing}, area: {room}, state: "off"}}\n'.lower()
    for room in ("Kitchen", "Study", "Hall", "Bath", "Attic", "Cellar")
    for thing in ("lamp", "spot", "strip", "globe")
)
HOME = f"""
areas: [{", ".join(f"{{name: {r}, id: {r}}}" for r in ("kitchen", "study", "hall", "bath", "attic", "cellar"))}]
entities:
{LAMPS}"""
TASKS = """
tests:
  - {sentences: [could you make the study globe shine], expect_changes: {light.study_globe: {state: "on"}}}
  - {sentences: [please see to it that the kitchen spot is lit], expect_changes: {light.kitchen_spot: {state: "on"}}}
"""


def settings(server, model):
    return Settings.model_validate(
        {
            "agent": {"brain": "llm", "entity_tokens": 200},
            "llm": {"model": model, "base_url": server.url, "api_key": "none", "stream": False},
            "index": {"endpoint": "http://127.0.0.1:9", "model": "none"},
            "memory": {"enabled": False},
        }
    )


def first_shown(request):
    return {"action": "turn_on", "entity_id": shown_ids(request)[0]}


@pytest.fixture
async def server():
    async with LlmServer() as server:
        done = Say("It is on.")
        turn = [call("ha_control", first_shown), done]
        server.script(*turn, *turn)
        yield server


@pytest.mark.parametrize(("model", "priced"), [("openai/scripted", False), ("openai/gpt-4o-mini", True)])
async def test_what_the_model_is_shown_holds_the_targets_and_its_tokens_are_priced(tmp_path, server, model, priced):
    (tmp_path / "_fixtures.yaml").write_text(HOME)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    result = summary(await run(load([tmp_path]), settings(server, model)), failures=True)
    assert result["failures"] == []
    found = result["retrieval"]
    assert found["all_targets"] == 1.0
    assert found["total"] == 2
    assert found["tokens_mean"] > 10
    requests = [r for r in server.requests if r["messages"][-1]["role"] == "user"]
    shown = [set(shown_ids(r)) for r in requests]
    assert all(target in ids for target, ids in zip(["light.study_globe", "light.kitchen_spot"], shown, strict=True))
    assert found["shown_mean"] == sum(map(len, shown)) / 2
    assert result["tokens"] == 4 * 110
    if priced:  # 100 tokens sent, 60 of them cached, 10 received, four times
        assert 0 < result["cost"] < 0.01
    else:
        assert result["cost"] is None


async def test_models_and_forms_are_compared_on_one_set(tmp_path, server):
    (tmp_path / "_fixtures.yaml").write_text(HOME)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    own, assist = [call("ha_control", first_shown)], [call("HassTurnOn", by_name)]
    server.script(*[*own, Say("It is on.")] * 2, *[*assist, Say("It is on.")], Say("I cannot do that."))
    tried = contenders(["openai/scripted", "local"], [Form.OWN, Form.ASSIST])
    assert [one.name for one in tried] == ["local", "openai/scripted · own", "openai/scripted · assist"]
    asked = settings(server, "openai/scripted")
    compared = await compare(load([tmp_path]), asked, tried[1:], BrainMode.LLM, How())
    first, second = compared["runs"]
    assert (first["success"], second["success"]) == (1.0, 0.5)
    assert first["tokens_each"] == 220
    assert second["by_size"] == {"up to 50 entities": {"success": 0.5, "wrong_actions": 0.0, "total": 2}}
    assert "openai/scripted · assist" in page(compared, "x")


def by_name(request):
    names = re.findall(r"^- names: (.+)$", request["messages"][0]["content"], re.M)
    return {"name": names[0], "domain": ["light"]}


async def test_a_set_in_assists_form_comes_to_the_same_states(tmp_path, server):
    (tmp_path / "_fixtures.yaml").write_text(HOME)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    turn = [call("HassTurnOn", by_name), Say("It is on.")]
    server.script(*turn, *turn)
    asked = settings(server, "openai/scripted")
    asked = asked.model_copy(update={"agent": asked.agent.model_copy(update={"toolset": Form.ASSIST})})
    result = summary(await run(load([tmp_path]), asked), failures=True)
    assert result["failures"] == []
    assert {tool["function"]["name"] for tool in server.requests[0]["tools"]} >= {"HassTurnOn", "HassGetState"}
