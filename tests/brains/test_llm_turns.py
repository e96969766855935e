"""Turns with a language model: real litellm in its process, real bytes from a scripted server, the demo home."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from homeagent.agent import Agent
from homeagent.brains.llm.client import LlmModel
from homeagent.brains.llm.language_model import LanguageModel, LlmOptions
from homeagent.brains.llm.profile import Profile
from homeagent.demo.server import DemoServer
from homeagent.events import ContextInjected, ConversationFinished, ErrorOccurred, StreamingError
from homeagent.ha.connection import HomeAssistant
from homeagent.prompting.token_counting import load_counter
from homeagent.sinks import shown
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.parameter_schema import function_schema
from homeagent.turn import Step
from homeagent.turns.agent_phrases import phrase
from indexer.process import ChildProcess
from tests.llm_server import Breaks, Call, Fails, LlmServer, Request, Say, call, calls, shown_ids
from tests.turning import ScriptedBrain, Stage, control, step

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]
LOOP = {"loop_scope": "session"}
UNLOCK = {"action": "unlock", "entity_id": "lock.front_door"}
CEILING, COUNTER = "light.kitchen_ceiling", "light.kitchen_counter"


@pytest_asyncio.fixture(**LOOP)
async def demo(demo_inventory: Any) -> AsyncIterator[DemoServer]:
    async with DemoServer(demo_inventory, settle=0.05) as demo:
        yield demo


@pytest_asyncio.fixture(**LOOP)
async def stage(demo: DemoServer, tmp_path: Path) -> AsyncIterator[Stage]:
    ha = HomeAssistant(demo.url, demo.token)
    await ha.start()
    assert await ha.wait_ready(10)
    stage = Stage(ha, tmp_path)
    yield stage
    await stage.close()
    await ha.stop()


class Model:
    """An agent in mode ``llm`` on the scripted server."""

    def __init__(self, stage: Stage, server: LlmServer, child: ChildProcess) -> None:
        self.stage, self.server, self._child = stage, server, child
        self.model = LlmModel("openai/scripted", base_url=server.url, timeout=5.0)
        self.profile = Profile("llm", self.model, window=16_000)
        self.options = LlmOptions()

    def agent(self, local: ScriptedBrain | None = None, mode: str = "llm") -> Agent:
        made = LanguageModel(
            [replace(self.profile, model=self.model)],
            self.stage.ha.home,
            self.stage.toolbox.schemas,
            self.stage.emitter,
            self.options,
            child=self._child,
        )
        made._count.load()
        return self.stage.agent({"local": local, "llm": made.brain}, mode, context_mode=made.context.mode)


@pytest.fixture
def model(stage: Stage, server: LlmServer, child: ChildProcess) -> Model:
    server.script()
    return Model(stage, server, child)


def switch(action: str, number: int = 0, domain: str = "light") -> Call:
    """Acts on the entity that the request shows at that place, as a model would."""
    return Call("ha_control", lambda request: {"action": action, "entity_id": shown_ids(request, domain)[number]})


def tool_messages(request: Request) -> list[Any]:
    return [json.loads(m["content"]) for m in request["messages"] if m["role"] == "tool"]


async def test_the_model_sees_the_entity_calls_the_tool_and_reports(model: Model, demo: DemoServer) -> None:
    model.server.script(calls(switch("turn_on")), Say("The kitchen ceiling is on."))
    reply = await model.agent().process("turn on the kitchen ceiling")
    assert reply.response == "The kitchen ceiling is on."
    assert demo.state(CEILING)["state"] == "on"
    first, second = model.server.requests
    assert "light.kitchen_ceiling | Kitchen ceiling" in first["messages"][-1]["content"]
    (result,) = tool_messages(second)
    assert result["result"]["targets"][0]["after"] == "on"


async def test_a_request_for_one_light_stays_small(model: Model) -> None:
    model.server.script(Say("Hello."))
    await model.agent().process("make the kitchen ceiling a little darker")
    (request,) = model.server.requests
    query = function_schema(HaQuery.name, HaQuery.description, HaQuery.Params)
    tools = [*(t for t in request["tools"] if t["function"]["name"] == "ha_control"), query]
    assert len(tools) == 2
    texts = [json.dumps(tools, separators=(",", ":")), *(message["content"] for message in request["messages"])]
    assert sum(map(load_counter(), texts)) <= 1500, [load_counter()(t) for t in texts]


async def test_only_retrieved_entities_are_shown(model: Model) -> None:
    model.server.script(Say("Hello."))
    reply = await model.agent().process("is the front door locked?", trace=True)
    assert reply.trace is not None
    found = [f["entity_id"] for f in reply.trace["retrieval"]["found"]]
    assert shown_ids(model.server.requests[0]) == found[:10]
    others = set(model.stage.ha.home.entities) - set(found)
    body = json.dumps(model.server.requests[0])
    assert not [i for i in others if i in body]


async def test_parallel_calls_all_run_and_results_follow_in_order(model: Model, demo: DemoServer) -> None:
    model.server.script(calls(switch("turn_on", 0), switch("turn_on", 1)), Say("Both are on."))
    await model.agent().process("turn on the kitchen ceiling and the kitchen counter")
    assert len(demo.calls) == 2
    messages = model.server.requests[1]["messages"]
    assistant = next(m for m in messages if m.get("tool_calls"))
    ids = [c["id"] for c in assistant["tool_calls"]]
    assert [m["tool_call_id"] for m in messages if m["role"] == "tool"] == ids
    assert len(set(ids)) == 2


async def test_calls_without_ids_get_their_own(model: Model, demo: DemoServer) -> None:
    model.server.script(calls(switch("turn_on", 0), switch("turn_on", 1), ids=False), Say("Both are on."))
    await model.agent().process("turn on the kitchen ceiling and the kitchen counter")
    assert len(demo.calls) == 2


async def test_arguments_that_are_no_json_are_answered_not_dropped(model: Model, demo: DemoServer) -> None:
    model.server.script(call("ha_control", '{"action": "turn_on", "entity'), calls(switch("turn_on")), Say("It is on."))
    reply = await model.agent().process("turn on the kitchen ceiling")
    (first, *_) = tool_messages(model.server.requests[1])
    assert first["success"] is False
    assert "JSON" in first["error"]
    assert reply.response == "It is on."
    assert len(demo.calls) == 1


async def test_an_invented_entity_never_reaches_the_home(model: Model, demo: DemoServer) -> None:
    invented = call("ha_control", {"action": "turn_on", "entity_id": "light.kitchen_ceilingg"})
    model.server.script(invented, Say("Do you mean the kitchen ceiling?"))
    reply = await model.agent().process("turn on the kitchen ceilingg")
    assert demo.calls == []
    assert "light.kitchen_ceiling" in tool_messages(model.server.requests[1])[0]["error"]
    assert reply.question


# --- the front of the request


async def test_two_turns_share_a_byte_identical_front(model: Model) -> None:
    agent = model.agent(ScriptedBrain(None, None, None), "auto")
    model.server.script(calls(switch("turn_on")), Say("On."), calls(switch("turn_off")), Say("Off."), Say("Off, yes."))
    first = await agent.process("turn on the kitchen ceiling")
    await agent.process("turn it off again", conversation_id=first.conversation_id)
    await agent.process("is the kitchen ceiling off?", conversation_id=first.conversation_id)
    starts = [model.server.requests[n] for n in (0, 2, 4)]
    for earlier, later in pairwise(starts):
        assert json.dumps(earlier["tools"]) == json.dumps(later["tools"])
        front = earlier["messages"][:-1]
        assert later["messages"][: len(front)] == front
        assert len(later["messages"]) > len(front) + 3
    for request in model.server.requests:
        assert "light.kitchen_ceiling |" not in json.dumps(request["messages"][0])
    steps = model.server.requests[:2]
    assert steps[1]["messages"][: len(steps[0]["messages"])] == steps[0]["messages"]


async def test_a_locally_handled_turn_is_in_the_models_history(model: Model) -> None:
    local = ScriptedBrain(step(control("turn_on", CEILING)), Step("It is on."), None)
    model.server.script(Say("Which one?"))
    agent = model.agent(local, "auto")
    first = await agent.process("turn on the kitchen ceiling")
    await agent.process("and now the one that I like", conversation_id=first.conversation_id)
    history = model.server.requests[0]["messages"][1:-1]
    assert [m["role"] for m in history] == ["user", "assistant", "tool", "assistant"]
    assert history[0]["content"] == "turn on the kitchen ceiling"
    assert CEILING in history[1]["tool_calls"][0]["function"]["arguments"]
    assert history[3]["content"] == "It is on."


async def test_strict_targets_offer_retrieved_entities_only(model: Model) -> None:
    model.options = replace(model.options, strict_targets=True)
    model.server.script(Say("Hello."))
    await model.agent().process("the kitchen ceiling")
    request = model.server.requests[0]
    (control_tool,) = [t for t in request["tools"] if t["function"]["name"] == "ha_control"]
    enum = control_tool["function"]["parameters"]["properties"]["entity_id"]["items"]["enum"]
    assert CEILING in enum
    assert set(shown_ids(request)) <= set(enum)


# --- answers that must not reach the person


@pytest.mark.parametrize(
    ("language", "sentence", "lie"),
    [
        ("en", "turn on the kitchen ceiling", "Done! The kitchen ceiling is on now."),
        ("en", "set a timer for five minutes", "Your timer is running."),
        ("de", "schalte die Küchenlampe ein", "Erledigt."),
        ("fr", "allume la lumière de la cuisine", "C'est fait."),
        ("en", "it is dark in here", "I have turned on the reading lamp for you."),
        ("nl", "het is hier donker", "Ik heb de lamp aangezet."),
        ("en", "turn on the kitchen ceiling", "I have turned it on. Anything else?"),
        ("en", "I'm freezing", "No worries, I raised the heating to 22."),
        ("en", "the baby is asleep in the nursery", "The nursery is now dimmed."),
        ("de", "Mir ist kalt im Schlafzimmer", "Kein Problem, ich habe die Heizung höher gestellt."),
        ("de", "Es zieht", "Die Fenster sind jetzt zu."),
        ("fr", "J'ai froid dans la chambre", "J'ai augmenté le chauffage."),
        ("es", "Hace frío en el dormitorio", "He subido la calefacción."),
        ("es", "Avísame en veinte minutos que saque la pizza", "Vale, te aviso en veinte minutos."),
        ("nl", "Het is koud in de slaapkamer", "Ik heb de verwarming hoger gezet."),
        ("ko", "침실이 너무 추워", "침실 난방을 올렸어요."),
    ],
)
@pytest.mark.parametrize("streamed", [True, False])
async def test_done_without_a_call_is_asked_again_and_never_said(
    model: Model, demo: DemoServer, language: str, sentence: str, lie: str, streamed: bool
) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    model.server.script(Say(lie), Say(lie))
    reply = await model.agent().process(sentence, language=language, say=say if streamed else None)
    assert len(model.server.requests) == 2
    assert lie not in reply.response
    assert reply.response
    assert "".join(said) == (reply.response if streamed else "")
    assert [e.error_type for e in await model.stage.events(ErrorOccurred)] == ["claim_without_action"]
    assert demo.calls == []


async def test_what_was_said_before_it_was_asked_again_is_not_said_twice(model: Model) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    lie = Say("Good night! I have turned off all the lights.")
    model.server.script(lie, Say("NOTHING_CHANGED: Good night! Shall I turn off the lights?"))
    reply = await model.agent().process("the children are in bed", say=say)
    assert reply.response == "Good night! Shall I turn off the lights?"
    assert "".join(said) == reply.response


async def test_asked_again_it_may_do_it(model: Model, demo: DemoServer) -> None:
    model.server.script(Say("Done."), calls(switch("turn_on")), Say("The kitchen ceiling is on."))
    reply = await model.agent().process("turn on the kitchen ceiling")
    assert reply.response == "The kitchen ceiling is on."
    assert demo.state(CEILING)["state"] == "on"
    retry = model.server.requests[1]["messages"][-2:]
    assert retry[0] == {"role": "assistant", "content": "Done."}
    assert "no tool" in retry[1]["content"]


async def test_a_declared_refusal_is_said_without_its_mark(model: Model) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    model.server.script(Say("NOTHING_CHANGED: There is no garden pump here. I could not turn it on."))
    reply = await model.agent().process("turn on the garden pump", say=say)
    assert reply.response == "There is no garden pump here. I could not turn it on."
    assert "".join(said) == reply.response
    assert len(model.server.requests) == 1


@pytest.mark.parametrize(
    ("language", "sentence", "answer"),
    [
        ("en", "tell me a joke", "Why did the lamp blush? It saw the light switch."),
        ("en", "what is the capital of France", "Paris is the capital of France."),
        ("en", "is the kitchen ceiling on?", "No, the kitchen ceiling is off."),
        ("en", "turn on the lamp", "Which lamp do you mean, the one in the hall or the one to read by?"),
        ("en", "I'm freezing", "Shall I turn the heating up now?"),
        ("en", "it is dark in the cellar", "I have no lamp in the cellar."),
        ("en", "is the garage closed?", "I have just looked: the garage door is closed now."),
        ("de", "Mir ist kalt", "Das tut mir leid, ich habe keine Heizung gefunden."),
        ("fr", "J'ai froid", "Je n'ai pas trouvé de chauffage."),
    ],
)
async def test_answers_that_claim_nothing_pass_at_once(model: Model, language: str, sentence: str, answer: str) -> None:
    model.server.script(Say(answer))
    reply = await model.agent().process(sentence, language=language)
    assert reply.response == answer
    assert len(model.server.requests) == 1


async def test_a_call_that_failed_is_no_ground_for_done(model: Model, demo: DemoServer) -> None:
    failing = call("ha_control", {"action": "turn_on", "entity_id": "light.nowhere"})
    model.server.script(failing, Say("Done, it is on."), Say("It is on."))
    reply = await model.agent().process("turn on the light in nowhere land")
    assert "on" not in reply.response.split()
    assert demo.calls == []


async def test_a_pending_yes_is_no_ground_for_done_either(model: Model, demo: DemoServer) -> None:
    model.server.script(calls(switch("unlock", 0, "lock.")), Say("The front door is unlocked."), Say("Unlocked."))
    reply = await model.agent().process("unlock the front door")
    assert demo.calls == []
    assert len(reply.pending) == 1
    assert "unlocked" not in reply.response.lower()
    assert reply.response == "I need your yes first. That unlocks Front door. Shall I?"
    assert reply.question


@pytest.mark.parametrize(
    "end",
    [
        Say("The kitchen ceiling is on. Would you like to hear a joke?"),
        Say("Would you like to hear how the front door got its name?"),
        Fails(400),
    ],
)
async def test_a_yes_is_only_to_what_the_person_was_told(model: Model, demo: DemoServer, end: Say | Fails) -> None:
    model.server.script(calls(switch("turn_on"), Call("ha_control", UNLOCK)), end)
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    agent = model.agent()
    reply = await agent.process("turn on the kitchen ceiling", say=say)
    assert reply.question
    assert reply.response.endswith("That unlocks Front door. Shall I?")
    assert "".join(said).strip() == reply.response
    yes = await agent.process("yes", conversation_id=reply.conversation_id)
    assert demo.state("lock.front_door")["state"] == "unlocked", yes.response


@pytest.mark.parametrize("target", ["light.kitchen_ceiling", "lock.back_door"])
async def test_a_question_is_never_acted_upon(model: Model, demo: DemoServer, target: str) -> None:
    acts = call("ha_control", {"action": "turn_on" if target.startswith("light") else "lock", "entity_id": target})
    model.server.script(acts, Say("I have turned it on."), Say("No, it is off."))
    reply = await model.agent().process("is the kitchen ceiling on?")
    assert demo.calls == []
    assert reply.response == "No, it is off."
    assert "question" in tool_messages(model.server.requests[1])[0]["error"]


async def test_an_order_in_the_form_of_a_question_is_carried_out(model: Model, demo: DemoServer) -> None:
    model.server.script(calls(switch("turn_on")), Say("It is on."))
    await model.agent().process("could you turn on the kitchen ceiling?")
    assert demo.state(CEILING)["state"] == "on"


async def test_a_device_that_did_not_react_is_no_ground_for_done(model: Model) -> None:
    ignored = call("ha_control", {"action": "turn_on", "entity_id": "light.utility_room"})
    model.server.script(ignored, Say("The utility room light is on."), Say("It is on now."))
    reply = await model.agent().process("turn on the utility room light")
    assert "did not react" in tool_messages(model.server.requests[1])[0]["error"]
    assert "on" not in reply.response.split()


@pytest.mark.parametrize("together", [True, False])
async def test_what_was_left_undone_is_named_though_the_model_passes_over_it(model: Model, together: bool) -> None:
    ids = ["light.kitchen_ceiling", "light.bathroom"]
    wanted: list[Any] = [ids] if together else ids
    acts = calls(*(Call("ha_control", {"action": "turn_on", "entity_id": one}) for one in wanted))
    model.server.script(acts, Say("Both lights are on."))
    reply = await model.agent().process("turn on the kitchen ceiling and the bathroom light")
    assert "That did not work: Bathroom light." in reply.response
    assert "Kitchen" not in reply.response


async def test_what_worked_at_the_second_try_was_not_left_undone(model: Model) -> None:
    wrong = {"action": "turn_on", "entity_id": "light.kitchen_ceiling", "parameters": {"brightness": "lots"}}
    model.server.script(call("ha_control", wrong), calls(switch("turn_on")), Say("It is on."))
    reply = await model.agent().process("turn on the kitchen ceiling")
    assert reply.response == "It is on."


async def test_the_tools_are_offered_whatever_was_found(model: Model) -> None:
    model.options = replace(model.options, strict_targets=True)
    model.server.script(Say("Hm."), Say("Hm."))
    for sentence in ("qwertyuiop", "turn on the kitchen ceiling"):
        await model.agent().process(sentence)
        offered = [tool["function"]["name"] for tool in model.server.requests[-1]["tools"]]
        assert "ha_control" in offered


RAW = '{"name": "ha_control", "arguments": {"action": "turn_on", "entity_id": "light.kitchen_ceiling"}}'


WRITTEN = [RAW, f"```json\n{RAW}\n```", f"<tool_call>\n{RAW}\n</tool_call>"]


@pytest.mark.parametrize("text", [*WRITTEN, f"Sure! {RAW}"])
async def test_a_call_written_as_text_is_neither_run_nor_said(model: Model, demo: DemoServer, text: str) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    model.server.script(Say(text), Say(text))
    reply = await model.agent().process("turn on the kitchen ceiling", say=say)
    assert demo.calls == []
    assert reply.response
    assert "{" not in reply.response
    assert "{" not in "".join(said)


@pytest.mark.parametrize("text", WRITTEN)
async def test_where_it_is_set_an_answer_that_is_one_call_is_run(model: Model, demo: DemoServer, text: str) -> None:
    model.profile = replace(model.profile, text_calls=True)
    model.server.script(Say(text), Say("The kitchen ceiling is on."))
    reply = await model.agent().process("turn on the kitchen ceiling")
    assert demo.state(CEILING)["state"] == "on"
    assert reply.response == "The kitchen ceiling is on."


async def test_a_model_that_made_calls_properly_is_not_believed_written_ones(model: Model, demo: DemoServer) -> None:
    model.profile = replace(model.profile, text_calls=True)
    agent = model.agent()
    model.server.script(calls(switch("turn_on", 1)), Say("It is on."), Say(RAW), Say(RAW))
    first = await agent.process("turn on the kitchen counter")
    done = len(demo.calls)
    await agent.process("turn on the kitchen ceiling", conversation_id=first.conversation_id)
    assert len(demo.calls) == done


async def test_a_call_written_as_code_is_asked_again_and_no_part_of_it_is_said(model: Model) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    model.server.script(Say('Action: ha_control\nha_control(action="turn_on")'), Say("Which lamp do you mean?"))
    reply = await model.agent().process("the lamp", say=say)
    assert reply.response == "".join(said) == "Which lamp do you mean?"


async def test_json_that_is_no_call_is_asked_again_and_never_said(model: Model) -> None:
    text = '{"service": "light.turn_on", "target_device": "light.kitchen_ceiling"}'
    model.server.script(Say(text), Say(text))
    reply = await model.agent().process("tell me about the kitchen ceiling")
    assert "{" not in reply.response
    assert "light." not in reply.response
    assert [e.error_type for e in await model.stage.events(ErrorOccurred)] == ["tool_call_as_text"]


async def test_thinking_aloud_is_not_said(model: Model) -> None:
    model.server.script(Say("<think>Hm. The user wants a joke.</think>Knock, knock."))
    reply = await model.agent().process("tell me a joke")
    assert reply.response == "Knock, knock."


# --- what was done before something failed


@pytest.mark.parametrize("ends", ["down", "refused", "loops", "late"])
async def test_what_was_done_before_a_failure_is_told(model: Model, demo: DemoServer, ends: str) -> None:
    endless = [calls(Call("ha_query", {"entity_id": f"light.{n}"})) for n in range(9)]
    after: dict[str, list[Any]] = {
        "down": [Fails(503)] * 9, "refused": [Fails(400)], "loops": endless, "late": [Breaks("", stall=30.0)] * 9,
    }  # fmt: skip
    model.model = replace(model.model, timeout=1.0)
    model.server.script(calls(switch("turn_on")), *after[ends])
    reply = await model.agent().process("turn on the kitchen ceiling")
    assert demo.state(CEILING)["state"] == "on"
    assert reply.response.startswith("Kitchen ceiling is on")
    assert "But then:" in reply.response
    assert "could not do that" not in reply.response


@pytest.mark.parametrize(
    ("language", "begins"),
    [("de", "Kitchen ceiling"), ("fr", "Kitchen ceiling"), ("es", "Kitchen ceiling"), ("nl", "Kitchen ceiling"),
     ("ko", "Kitchen ceiling"), ("it", "Kitchen ceiling"), ("pt", "Feito: Kitchen ceiling")],
)  # fmt: skip
async def test_it_is_told_in_the_persons_language(model: Model, language: str, begins: str) -> None:
    on = Call("ha_control", {"action": "turn_on", "entity_id": CEILING})
    model.server.script(calls(on), Fails(400))
    reply = await model.agent().process("Kitchen ceiling", language=language)
    assert reply.response.startswith("Kitchen ceiling" if begins.startswith("Kitchen") else begins)
    assert phrase("then_llm_error", language) in reply.response


# --- servers that fail


async def test_a_rate_limit_is_waited_for_as_asked(model: Model) -> None:
    model.server.script(Fails(429, "slow down", (("Retry-After", "1"),)), Say("Here I am."))
    started = time.perf_counter()
    reply = await model.agent().process("tell me a joke")
    assert reply.response == "Here I am."
    assert 1.0 <= time.perf_counter() - started < 8.0


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_long_rate_limit_is_told_with_its_seconds(model: Model, streamed: bool) -> None:
    model.profile = replace(model.profile, stream=streamed)
    model.server.script(Fails(429, "slow down", (("Retry-After", "37"),)))
    reply = await model.agent().process("tell me a joke")
    assert "rate limit" in reply.response
    assert "37 seconds" in reply.response
    assert len(model.server.requests) == 1
    assert [e.error_type for e in await model.stage.events(ErrorOccurred)] == ["llm_rate_limited"]


QUOTA = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize(
    "refusal",
    [
        Fails(429, QUOTA, code="insufficient_quota"),
        Fails(429, QUOTA),
        Fails(429, "no", (("Retry-After", "1"),), code="insufficient_quota"),
        Fails(400, "Billing hard limit has been reached", code="billing_hard_limit_reached"),
        Fails(400, "Your credit balance is too low to access the API."),
        Fails(402, "Payment Required"),
    ],
)
@pytest.mark.parametrize("streamed", [True, False])
async def test_a_used_up_quota_is_told_as_that_and_not_tried_again(
    model: Model, refusal: Fails, streamed: bool
) -> None:
    model.profile = replace(model.profile, stream=streamed)
    model.server.script(*[refusal] * 3)
    reply = await model.agent().process("tell me a joke", language="de")
    assert "aufgebraucht" in reply.response
    assert reply.error == "llm_quota"
    assert len(model.server.requests) == 1
    (event,) = await model.stage.events(ErrorOccurred)
    assert "credit" in shown(event, include_text=False)["hint"]


async def test_a_quota_that_says_when_to_try_again_is_a_rate_limit(model: Model) -> None:
    model.server.script(Fails(429, f"{QUOTA} Please retry in 0.2s."), Say("Here I am."))
    assert (await model.agent().process("tell me a joke")).response == "Here I am."


async def test_tries_are_bounded(model: Model) -> None:
    model.server.script(*[Fails(503)] * 9)
    reply = await model.agent().process("tell me a joke")
    assert len(model.server.requests) == 3
    assert "cannot be reached" in reply.response


@pytest.mark.parametrize(("status", "kind"), [(401, "llm_auth"), (403, "llm_auth"), (404, "llm"), (400, "llm")])
async def test_what_cannot_get_better_is_not_tried_again(model: Model, status: int, kind: str) -> None:
    model.server.script(Fails(status))
    reply = await model.agent().process("tell me a joke")
    assert len(model.server.requests) == 1
    assert reply.response
    assert [e.error_type for e in await model.stage.events(ErrorOccurred)] == [kind]


@pytest.mark.parametrize("how", [{}, {"stall": 30.0}, {"clean": True}])
async def test_a_broken_stream_is_asked_for_whole_and_nothing_is_said_twice(model: Model, how: dict[str, Any]) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    model.model = replace(model.model, timeout=2.0)
    model.server.script(Breaks("Knock, knock. Who is", **how), Say("Knock, knock. Who is there?"))
    reply = await model.agent().process("tell me a joke", say=say)
    assert reply.response == "Knock, knock. Who is there?"
    assert "".join(said) == reply.response
    (event,) = await model.stage.events(StreamingError)
    assert event.fallback
    assert event.turn_id == reply.turn_id
    assert not model.server.requests[1].get("stream")


async def test_a_cancelled_turn_lets_go_of_its_stream(model: Model) -> None:
    model.server.script(Breaks("Once upon", stall=30.0))
    turn = asyncio.create_task(model.agent().process("tell me a story"))
    async with asyncio.timeout(5):
        while not model.server.open_streams:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    async with asyncio.timeout(5):
        while model.server.open_streams:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_figures_are_those_of_the_turn(model: Model) -> None:
    model.server.script(calls(switch("turn_on")), Say("It is on."))
    await model.agent().process("turn on the kitchen ceiling")
    (done,) = await model.stage.events(ConversationFinished)
    assert done.tokens == {"prompt": 200, "completion": 20, "cached": 120, "total": 220}
    assert done.performance["llm_latency_ms"] > 0
    (shown,) = await model.stage.events(ContextInjected)
    assert CEILING in shown.entities_included
    assert 0 < shown.token_count <= 600


async def test_the_event_loop_is_not_held_up_by_a_models_turn(model: Model) -> None:
    agent = model.agent()
    model.server.script(*[Say("Hello there.")] * 2)
    await agent.process("tell me a joke")  # language files are read once, in a thread
    longest, stop = 0.0, asyncio.Event()

    async def beat() -> None:
        nonlocal longest
        while not stop.is_set():
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)

    beating = asyncio.create_task(beat())
    await agent.process("tell me another joke")
    stop.set()
    await beating
    assert longest < 0.15  # 0.05 on a quiet machine
