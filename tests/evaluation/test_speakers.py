"""Home Assistant's own agent, asked through the connection that the service uses."""

import json
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import serve

from homeagent.errors import ConfigError, HomeAssistantAuthError, HomeAssistantError
from homeagent.evaluation.cases import Case
from homeagent.evaluation.speakers import HomeAssistantSpeaker
from homeagent.ha.link import Access

ANSWER = {
    "conversation_id": "c1",
    "continue_conversation": False,
    "response": {"response_type": "action_done", "speech": {"plain": {"speech": "Turned on the light"}}},
}
CASE = Case("one", Path("home"), (), "de", ())


@asynccontextmanager
async def home_assistant(answer):
    """What Home Assistant says on the wire, whatever the sentence; yields where it is and what it was asked."""
    asked = []

    async def greet(socket):
        await socket.send(json.dumps({"type": "auth_required"}))
        known = json.loads(await socket.recv())["access_token"] == "right"
        await socket.send(json.dumps({"type": "auth_ok" if known else "auth_invalid"}))
        async for frame in socket:
            command = json.loads(frame)
            spoken = command["type"] == "conversation/process"
            if spoken:
                asked.append(command)
            told = answer if spoken else {"success": True, "result": None}
            await socket.send(json.dumps({"id": command["id"], "type": "result", **told}))

    async with serve(greet, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


async def test_a_sentence_reaches_its_own_agent_and_the_answer_comes_back():
    answered = {"success": True, "result": ANSWER}
    async with home_assistant(answered) as (url, asked), HomeAssistantSpeaker(Access(url, "right")) as speaker:
        reply = await speaker.say(CASE, "Licht an", "c0")
    assert (reply.response, reply.conversation_id) == ("Turned on the light", "c1")
    assert [(a["text"], a["language"], a["conversation_id"]) for a in asked] == [("Licht an", "de", "c0")]
    assert asked[0]["agent_id"] == "conversation.home_assistant"


async def test_what_home_assistant_refuses_is_told_in_its_words():
    refusal = {"success": False, "error": {"code": "invalid_format", "message": "no such agent"}}
    async with home_assistant(refusal) as (url, _), HomeAssistantSpeaker(Access(url, "right")) as speaker:
        with pytest.raises(HomeAssistantError, match="no such agent"):
            await speaker.say(CASE, "Licht an", None)


async def test_a_wrong_token_is_told_as_such():
    async with home_assistant({}) as (url, _):
        with pytest.raises(HomeAssistantAuthError):
            async with HomeAssistantSpeaker(Access(url, "wrong")):
                pass


async def test_the_certificate_is_checked_as_the_settings_say(tmp_path):
    """A private CA that is not there is told of before anything is sent."""
    with pytest.raises(ConfigError):
        async with HomeAssistantSpeaker(Access("https://127.0.0.1:9", "right", verify=str(tmp_path / "ca.pem"))):
            pass
