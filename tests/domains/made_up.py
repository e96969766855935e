"""A day with a domain that Home Assistant has not; prints, as JSON, what came of it.

Run by `test_made_up_domain.py` in a copy of the packages that knows the domain.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from homeagent.brains.local.brain import LocalBrain
from homeagent.demo.inventory import load_inventory
from homeagent.demo.server import DemoServer
from homeagent.domains import PROFILES
from homeagent.errors import HomeAgentError
from homeagent.ha.connection import HomeAssistant
from homeagent.prompting.entity_lines import entity_line
from homeagent.tools.ha_query import HaQuery
from tests.claims.playing import hear
from tests.turning import ScriptedBrain, Stage, control, step

STOVE = "sauna_stove.spa"
_HOME = """\
areas: [{id: spa, name: Spa}, {id: kitchen, name: Kitchen}]
entities:
  - {name: Sauna stove, id: sauna_stove.spa, area: spa, state: "off",
     attributes: {temperature: 60, current_temperature: 22},
     x-history: {daily: {"18:00": heating, "20:00": "off"}}}
  - {name: Kitchen light, id: light.kitchen, area: kitchen, state: "off"}
"""
_SENTENCES = (
    "turn on the sauna stove",
    "yes",
    "set it to 80 degrees",
    "yes",
    "is it on?",
    "how hot is it?",
    "set the sauna stove to 95",
    "yes",
    "set it to 200 degrees",
    "make it 5 degrees cooler",
    "yes",
    "what is the sauna stove set to?",
    "is anything still on?",
    "how long was the sauna stove on yesterday?",
    "how long did the sauna stove run yesterday?",
    "was the sauna stove on yesterday?",
    "what was the average temperature of the sauna stove today?",
    "when was the sauna stove last turned on?",
    "turn off the sauna stove",
    "yes",
    "is anything still on?",
    "which sauna stoves are off?",
)
_OVENS = ("baking_oven", "steam_oven")
"""Domains of ovens: one with a profile, and one of which nothing is known."""
_CLAIMS = (
    "The sauna stove is off.",
    "The sauna stove is set to 60 degrees.",
    "The sauna stove is on.",
    "The sauna stove is set to 90 degrees.",
    "I have turned on the sauna stove.",
)


async def _said(ha: HomeAssistant, server: DemoServer, folder: Path) -> list[dict[str, Any]]:
    """Each sentence with the answer, and what the stove is in behind it."""
    stage = Stage(ha, folder, tools=[HaQuery(ha)])
    agent = stage.agent(LocalBrain(ha.home), mode="local")
    told: list[dict[str, Any]] = []
    conversation = None
    for text in _SENTENCES:
        reply = await agent.process(text, conversation_id=conversation, language="en")
        conversation = reply.conversation_id
        stove = server.state(STOVE)
        told.append({"said": text, "answer": reply.response, "state": stove["state"], **stove["attributes"]})
    await stage.close()
    return told


async def _left_on(folder: Path, domain: str, state: str) -> str:
    """What is answered about the only oven of a home."""
    home = folder / "oven.yaml"
    home.write_text(f"entities: [{{name: Oven, id: {domain}.kitchen, state: '{state}'}}]\n", "utf-8")
    async with DemoServer(load_inventory(home), settle=0.05) as server:
        ha = HomeAssistant(server.url, server.token)
        await ha.start()
        assert await ha.wait_ready(10), ha.status
        place = folder / f"{domain}-{state}"
        place.mkdir()
        stage = Stage(ha, place, tools=[HaQuery(ha)])
        agent = stage.agent(LocalBrain(ha.home), mode="local")
        reply = await agent.process("did I leave the oven on?", language="en")
        await stage.close()
        await ha.stop()
    return reply.response


async def _claimed(answer: str) -> str:
    """What a person hears of a model's answer that follows no call, while the stove is off and set to 60 degrees."""
    stove = {"entity_id": STOVE, "name": "Sauna stove", "area": "Spa", "device_class": None, "state": "off"}
    home = [{**stove, "attributes": {"temperature": 60, "current_temperature": 22}}]
    said = {"lang": "en", "said": "How is the sauna stove?", "calls": [], "home": home}
    return (await hear({**said, "answer": [{"text": answer, "is": "lie"}]})).text


async def _refused(ha: HomeAssistant) -> str:
    """What the simulated home says to a temperature that the stove does not take."""
    try:
        await ha.call_service("sauna_stove", "set_temperature", entity_ids=[STOVE], data={"temperature": 200})
    except HomeAgentError as error:
        return str(error)
    return ""


async def _by_tool(ha: HomeAssistant, server: DemoServer, folder: Path, action: str, **parameters: Any) -> Any:
    """What `ha_control` says to a call, and what the stove is in behind it and a yes."""
    stage = Stage(ha, folder)
    call = step(control(action, STOVE, **parameters))
    agent = stage.agent(ScriptedBrain(call, step(text="Done."), step(text="Done."), name="llm"), mode="llm")
    asked = await agent.process("Do it.", language="en")
    said = await agent.process("yes", conversation_id=asked.conversation_id, language="en")
    await stage.close()
    stove = server.state(STOVE)
    return {"asked": asked.response, "said": said.response, "state": stove["state"], **stove["attributes"]}


async def main(folder: Path) -> None:
    (folder / "home.yaml").write_text(_HOME, "utf-8")
    async with DemoServer(load_inventory(folder / "home.yaml"), settle=0.05) as server:
        ha = HomeAssistant(server.url, server.token)
        await ha.start()
        assert await ha.wait_ready(10), ha.status
        stove = ha.home.entity(STOVE)
        assert stove is not None
        home = {n: folder / n for n in ("said", "tool")}
        for path in home.values():
            path.mkdir()
        found = {
            "line": entity_line(stove, ha.home),
            "known": sorted(PROFILES),
            "tool": await _by_tool(ha, server, home["tool"], "set_value", temperature=70),
            "said": await _said(ha, server, home["said"]),
            "claims": {answer: await _claimed(answer) for answer in _CLAIMS},
            "refused": await _refused(ha),
            "ovens": {d: [await _left_on(folder, d, state) for state in ("baking", "off")] for d in _OVENS},
        }
        await ha.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
