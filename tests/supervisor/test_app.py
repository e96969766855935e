"""The app's start script as a process, under a stand-in for the Supervisor: token, discovery, ingress, a backup."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from homeagent.demo.server import DemoServer
from tests.cli.command import Service, run
from tests.embedding_server import EmbeddingServer
from tests.service.conftest import embeddings
from tests.service.web.browser import Browser
from tests.supervisor.standin import ADDRESS, Supervisor, options
from tests.supervisor.test_backups import backup

pytestmark = pytest.mark.slow  # it starts processes
__all__ = ["embeddings"]


class App:
    """The container: its data folder, and what the Supervisor starts in it."""

    def __init__(self, supervisor: Supervisor, folder: Path, embeddings: EmbeddingServer) -> None:
        self.supervisor, self.folder = supervisor, folder
        self.variables = {
            "SUPERVISOR_TOKEN": supervisor.token,
            "HOMEAGENT_SUPERVISOR__URL": supervisor.url,
            "HOMEAGENT_HOME_ASSISTANT__URL": f"{supervisor.url}/core",
            "HOMEAGENT_SUPERVISOR__INGRESS_FROM": ADDRESS,
            "HOMEAGENT_SERVICE__PORT": "0",
            "HOMEAGENT_INDEX__ENDPOINT": embeddings.url,
            "HOMEAGENT_INDEX__MODEL": "of-the-tests",
        }
        self.services: list[Service] = []
        options(folder, language="", model="", read_only=False, log_level="info")

    async def start(self) -> Service:
        service = Service(self.folder, "app", "start", "--data", str(self.folder), **self.variables)
        self.services.append(service)
        announced = self.folder / "service.json"
        await asyncio.to_thread(service.wait_for, announced)
        self.supervisor.app_url = json.loads(announced.read_text())["url"].replace("0.0.0.0", "127.0.0.1")
        return service

    async def end(self) -> None:
        assert await asyncio.to_thread(self.services[-1].end) == 0

    async def told(self, count: int) -> dict[str, object]:
        for _ in range(200):
            if len(self.supervisor.told) >= count:
                return self.supervisor.told[count - 1]
            await asyncio.sleep(0.1)
        raise AssertionError(self.services[-1].log.read_text())


@pytest.fixture
async def supervisor(demo: DemoServer) -> AsyncIterator[Supervisor]:
    async with Supervisor(demo).running() as supervisor:
        yield supervisor


@pytest.fixture
async def app(supervisor: Supervisor, tmp_path: Path, embeddings: EmbeddingServer) -> AsyncIterator[App]:
    app = App(supervisor, tmp_path / "data", embeddings)
    yield app
    for service in app.services:
        if service.process.poll() is None:
            service.process.kill()
        service.process.wait()


async def ask(app: App, token: object, text: str) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=app.supervisor.app_url, headers=headers, timeout=60) as http:
        for _ in range(200):
            answer = await http.post("/api/services/process", json={"text": text})
            if answer.status_code == 200:
                return dict(answer.json())
            await asyncio.sleep(0.1)
    raise AssertionError(answer.text)


async def test_it_reaches_the_home_with_the_supervisors_token_and_is_discovered(app: App, demo: DemoServer) -> None:
    app.supervisor.failures = 1
    service = await app.start()
    told = await app.told(1)
    assert told["service"] == "home_agent"
    config = told["config"]
    assert isinstance(config, dict)
    assert config.keys() == {"host", "port", "token"}
    assert f":{config['port']}" in app.supervisor.app_url
    assert (await ask(app, config["token"], "turn on the kitchen lights"))["handled"] is True
    assert demo.state("light.kitchen_lights")["state"] == "on"

    await app.end()
    await app.start()
    again = (await app.told(2))["config"]
    assert isinstance(again, dict)
    assert again["token"] == config["token"], "one token, however often it starts"
    for secret in (app.supervisor.token, config["token"], demo.token):
        assert str(secret) not in service.log.read_text()


async def test_the_page_is_there_for_who_has_signed_in_at_home_assistant(app: App, demo: DemoServer) -> None:
    await app.start()
    app.supervisor.user = {"X-Remote-User-Id": "0" * 32, "X-Remote-User-Name": "demo"}
    user_id = await _user_of(demo)
    prefix = f"{app.supervisor.url}/api/hassio_ingress/a-token/"
    async with httpx.AsyncClient(
        base_url=prefix, follow_redirects=True, timeout=30, headers={"Host": "my-home.example:8123"}
    ) as http:
        await _home_is_there(http)
        assert (await http.get("")).status_code == 403, "nobody whom Home Assistant knows"
        app.supervisor.user = {"X-Remote-User-Id": user_id}
        seen = await Browser(http).open("")
        said = await Browser(http).send(seen.form("say"), text="turn on the kitchen lights")
        assert "Kitchen" in said.text
        assert demo.state("light.kitchen_lights")["state"] == "on"
        for link in seen.links + seen.loaded:
            assert not link.startswith("/")
            if not link.startswith("#"):
                assert (await http.get(link)).status_code == 200, link
        async with http.stream("GET", "event-stream") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
        assert (await http.post("api/services/process", json={"text": "hi"})).status_code == 404, "no API by ingress"
    straight = {"X-Ingress-Path": "/x", "X-Remote-User-Id": user_id}
    async with httpx.AsyncClient(base_url=app.supervisor.app_url, headers=straight) as http:
        assert (await http.get("/")).status_code == 303, "another address is believed nothing"


async def _home_is_there(http: httpx.AsyncClient) -> None:
    """Until Home Assistant has answered, nobody can be known."""
    for _ in range(200):
        if (await http.get("")).status_code != 503:
            return
        await asyncio.sleep(0.1)


async def _user_of(demo: DemoServer) -> str:
    from homeagent.ha.connection import HomeAssistant

    ha = HomeAssistant(demo.url, demo.token)
    await ha.start()
    try:
        await ha.wait_ready(20)
        return (await ha.users())[0].id
    finally:
        await ha.stop()


async def test_a_backup_of_the_running_app_is_restored_elsewhere(
    app: App, supervisor: Supervisor, tmp_path: Path, embeddings: EmbeddingServer
) -> None:
    await app.start()
    token = (await app.told(1))["config"]["token"]  # type: ignore[index]
    await ask(app, token, "Remember that the boiler is serviced in May.")
    await ask(app, token, "set a timer for three hours")
    here = ("--data", str(app.folder))
    done = await asyncio.to_thread(lambda: run(app.folder, "app", "before-backup", *here, **app.variables))
    assert done.returncode == 0, done.stderr
    backup(app.folder, tmp_path / "restored")
    await asyncio.to_thread(lambda: run(app.folder, "app", "after-backup", *here, **app.variables))
    await app.end()
    shutil.rmtree(app.folder)

    again = App(supervisor, tmp_path / "restored", embeddings)
    try:
        await again.start()
        assert (await again.told(2))["config"]["token"] == token  # type: ignore[index]
        assert "May" in str((await ask(again, token, "when is the boiler serviced?"))["response"])
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=supervisor.app_url, headers=headers, timeout=60) as http:
            timers = (await http.post("/api/services/list_timers", json={})).json()["timers"]
            assert [one["kind"] for one in timers] == ["timer"]
            said = (await http.get("/api/conversations")).json()
            assert "boiler" in json.dumps(said)
        assert "restored from a backup" in again.services[-1].log.read_text()
    finally:
        await again.end()


async def test_elsewhere_the_start_script_says_what_it_is_for(tmp_path: Path) -> None:
    done = await asyncio.to_thread(lambda: run(tmp_path, "app", "start", "--data", str(tmp_path / "data")))
    assert done.returncode == 2
    assert "homeagent serve" in done.stderr
