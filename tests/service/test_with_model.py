"""The whole app with a language model: the scripted server, spoken to by the real litellm in its own process."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.config.loading import Settings
from homeagent.demo.server import DemoServer
from homeagent.service.api import create_api
from tests.llm_server import Fails, LlmServer, Say, call, shown_ids
from tests.service.conftest import TOKEN

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


@pytest.fixture
async def model() -> AsyncIterator[LlmServer]:
    async with LlmServer() as server:
        yield server


@pytest.fixture
def settings(settings: Settings, model: LlmServer) -> Settings:
    return Settings.model_validate(
        {
            **settings.model_dump(exclude_unset=True),
            "llm": {
                "model": "openai/scripted",
                "base_url": model.url,
                "api_key": "sk-scripted-model",
                "max_attempts": 1,
            },
            "memory": {"extract": False},  # the script is of the turns alone
            "external_llm": {"model": "openai/other", "base_url": model.url, "api_key": "sk-other-model"},
        }
    )


async def test_sentences_that_need_a_model(app: App, demo: DemoServer, model: LlmServer) -> None:
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers, timeout=120
    ) as http:
        assert app.llm is not None
        await asyncio.gather(app.llm.loaded(), app.index.wait_ready(), app.need_home())
        await http.post(
            "/api/services/add_memory", json={"content": "Ada loves to read her book beneath the kitchen ceiling"}
        )
        await app.memories.settled()

        # A sentence that the grammar has no words for goes to the model, with what was found and what is remembered.
        model.script(
            call("ha_control", lambda request: {"action": "turn_on", "entity_id": shown_ids(request, "light.")[0]}),
            Say("There you are: it is bright now."),
        )
        sentence = "Ada would love to read her book beneath the kitchen ceiling, could you see to it?"
        said, answer = await _streamed(http, sentence)
        assert answer["response"] == "There you are: it is bright now."
        assert said == answer["response"]
        asked = json.dumps(model.requests[0]["messages"], ensure_ascii=False)
        assert "Ada loves to read her book beneath the kitchen ceiling" in asked
        assert "light.kitchen_ceiling" in shown_ids(model.requests[0])
        (done,) = demo.calls
        assert done.entity_id in shown_ids(model.requests[0], "light.")

        # What everyday words settle never reaches it.
        model.script()
        await http.post("/api/services/process", json={"text": "turn off the kitchen lights"})
        assert model.requests == []

        # Its failure is told in words, in an event and in the answer's error; the key is nowhere.
        model.script(Fails(429, "slow down", (("Retry-After", "30"),)))
        response = await http.post("/api/services/process", json={"text": "compose a limerick on our house, please"})
        assert response.json()["error"] == "llm_rate_limited"
        assert "30 seconds" in response.json()["response"]

        # It is left alone for so long; a try of the doctor's that succeeds lets it back in.
        model.script(Say("never asked for"))
        response = await http.post("/api/services/process", json={"text": "compose a limerick on our house, please"})
        assert response.json()["error"] == "llm_rate_limited"
        assert model.requests == []
        part = (await http.get("/health")).json()["parts"]["llm"]
        assert part["status"] == "degraded"
        assert part["models"][0]["circuit"] == "open"
        assert 0 < part["models"][0]["retry_in"] <= 30
        model.script(Say("ready"), Say("ready"))
        checks = (await http.get("/api/doctor")).json()["checks"]
        status = {c["part"]: c["status"] for c in checks}
        assert (status["language model"], status["other language model"]) == ("ok", "ok")
        assert (await http.get("/health")).json()["parts"]["llm"]["status"] == "ok"

        # Another model is asked with what the call holds, and sees nothing of the home or the conversation.
        asked_of_other = {"prompt": "Which of these is a prime?", "context": "91, 97"}
        model.script(call("query_external_llm", asked_of_other), Say("97 is prime."), Say("It is 97."))
        response = await http.post(
            "/api/services/process", json={"text": "tell a story of the prime numbers 91 and 97"}
        )
        assert response.json()["response"] == "It is 97."
        own, other, after = model.requests
        assert (own["model"], other["model"], after["model"]) == ("scripted", "other", "scripted")
        assert other["messages"] == [{"role": "user", "content": "Which of these is a prime?\n\nContext:\n91, 97"}]
        assert "tools" not in other
        assert model.keys == ["Bearer sk-scripted-model", "Bearer sk-other-model", "Bearer sk-scripted-model"]
        assert "97 is prime." in after["messages"][-1]["content"]

        model.script(Fails(401), Say("ready"))
        checks = (await http.get("/api/doctor")).json()["checks"]
        broken = next(c for c in checks if c["part"] == "language model")
        assert broken["status"] == "failed"
        assert "llm.api_key" in broken["detail"] + broken["hint"]
        health = await http.get("/health")
        assert health.json()["parts"]["llm"]["status"] == "degraded"
        assert "llm.api_key" in health.json()["parts"]["llm"]["hint"]
        assert "sk-scripted-model" not in health.text + response.text


async def _streamed(http: httpx.AsyncClient, text: str) -> tuple[str, dict[str, object]]:
    said, event = "", ""
    async with http.stream("POST", "/api/services/process", json={"text": text, "stream": True}) as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                data = json.loads(line.removeprefix("data: "))
                if event == "delta":
                    said += data["text"]
                elif event == "result":
                    return said, data
    raise AssertionError("the stream ended without a result")


async def test_data_in_a_structure_is_made_by_the_model_from_what_the_home_says(app: App, model: LlmServer) -> None:
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers, timeout=120
    ) as http:
        assert app.llm is not None
        await asyncio.gather(app.llm.loaded(), app.index.wait_ready(), app.need_home())
        structure = {"type": "object", "properties": {"locked": {"type": "boolean"}}, "required": ["locked"]}
        asked = {"instructions": "is the front door locked?", "structure": structure}
        model.script(Say("It is."), Say('Here: {"locked": true}'))
        answer = await http.post("/api/services/generate_data", json=asked)
        assert answer.json()["data"] == {"locked": True}
        assert "Front door" in json.dumps(model.requests[-2])
        model.script(Say('{"open": 1}'), Say("{}"))
        failed = await http.post("/api/services/generate_data", json=asked)
        assert (failed.status_code, "locked" in failed.json()["detail"]) == (502, True)
