"""The app under a stand-in for the Supervisor that a real Home Assistant's `hassio` integration takes for one."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from homeagent.demo.inventory import parse_inventory
from tests.e2e import real
from tests.e2e.test_integration import FLOW, HOME, ROOT
from tests.service.conftest import embeddings
from tests.service.web.browser import Browser
from tests.supervisor.standin import Supervisor
from tests.supervisor.test_app import App, _home_is_there

__all__ = ["embeddings"]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[tuple[real.RealHomeAssistant, Supervisor]]:
    if real.CHROOT:
        pytest.skip("the stand-in and Home Assistant share one network here only outside of a chroot")
    supervisor = Supervisor(None)
    async with supervisor.running():
        given = {"SUPERVISOR": supervisor.url.removeprefix("http://"), "SUPERVISOR_TOKEN": supervisor.token}
        os.environ.update(given)
        try:
            inventory, integration = parse_inventory(HOME), (ROOT / "custom_components",)
            instance = await asyncio.to_thread(
                real.start, inventory, tmp_path / "home", "\nassist_pipeline:\n", integration
            )
        finally:
            for name in given:
                del os.environ[name]
        supervisor.home = instance
        yield instance, supervisor
        await asyncio.to_thread(real.stop, instance, for_good=True)


async def command(home: real.RealHomeAssistant, token: str, **message: Any) -> Any:
    async with connect(home.url.replace("http", "ws", 1) + "/api/websocket") as socket:
        await socket.recv()
        await socket.send(json.dumps({"type": "auth", "access_token": token}))
        await socket.recv()
        await socket.send(json.dumps({"id": 1, **message}))
        return json.loads(await socket.recv())["result"]


async def test_it_is_offered_added_without_typing_and_shown_to_who_has_signed_in(
    home: tuple[real.RealHomeAssistant, Supervisor], tmp_path: Path, embeddings: Any
) -> None:
    instance, supervisor = home
    app = App(supervisor, tmp_path / "data", embeddings)
    app.variables["HOMEAGENT_SUPERVISOR__HOST"] = "127.0.0.1"
    await app.start()
    try:
        await app.told(1)
        headers = {"Authorization": f"Bearer {instance.token}"}
        async with httpx.AsyncClient(base_url=instance.url, headers=headers, timeout=60) as http:
            flows: list[dict[str, Any]] = []
            for _ in range(100):
                found = await command(instance, instance.token, type="config_entries/flow/progress")
                if flows := [one for one in found if one["handler"] == "home_agent"]:
                    break
                await asyncio.sleep(0.1)
            assert [(one["step_id"], one["context"]["source"]) for one in flows] == [("hassio_confirm", "hassio")]
            step = f"{FLOW}/{flows[0]['flow_id']}"
            await http.get(step)
            added = (await http.post(step, json={})).json()
            assert (added["type"], added["result"]["state"]) == ("create_entry", "loaded")
            said = {"text": "turn on the kitchen lamp", "language": "en", "agent_id": "conversation.home_agent"}
            answer = (await http.post("/api/conversation/process", json=said)).json()
            assert answer["response"]["speech"]["plain"]["speech"] == "Kitchen lamp is on."

        for token, may_look_after in ((instance.token, True), (instance.user_token, False)):
            opened = {"type": "supervisor/api", "endpoint": "/ingress/session", "method": "post"}
            session = (await command(instance, token, **opened))["session"]
            async with httpx.AsyncClient(
                base_url=f"{instance.url}/api/hassio_ingress/abc/",
                cookies={"ingress_session": session},
                follow_redirects=True,
                timeout=60,
            ) as http:
                await _home_is_there(http)
                seen = await Browser(http).open("")
                assert ("log" in seen.links) is may_look_after
                shown = await Browser(http).send(seen.form("say"), text="is the hall lamp on?")
                assert "Hall lamp" in shown.text
        async with httpx.AsyncClient(base_url=instance.url, timeout=60) as http:
            assert (await http.get("/api/hassio_ingress/abc/")).status_code == 401, "nobody has signed in"
    finally:
        await app.end()
