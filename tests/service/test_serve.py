"""`homeagent serve` as a process: found by other commands, alone on its folder, ended cleanly or killed."""

import asyncio
import contextlib
import json
import signal
import sqlite3
from typing import Any

import httpx
import psutil
import pytest

from homeagent.demo.inventory import Inventory
from homeagent.demo.server import DemoServer
from tests.service.home import Home

pytestmark = pytest.mark.slow  # it starts processes


async def test_a_service_from_start_to_end(home: Home, demo: DemoServer) -> None:
    service = await home.serve()
    announced = json.loads(home.announced.read_text())
    assert announced["pid"] == service.process.pid

    code, _, _ = await home.run("ask", "turn on the kitchen lights")
    assert code == 0
    assert demo.state("light.kitchen_lights")["state"] == "on"

    async with httpx.AsyncClient(base_url=announced["url"]) as http:
        assert (await http.get("/health")).json()["parts"]["database"]["status"] == "ok"
        assert (await http.post("/api/services/process", json={"text": "hi"})).status_code == 401
        forged = await http.get("/health", headers={"Host": "evil.example"})
        assert forged.status_code == 403

    code, _, error = await home.run("serve", "--port", "0")
    assert code == 2
    assert str(service.process.pid) in error

    children = psutil.Process(service.process.pid).children(recursive=True)
    assert await asyncio.to_thread(service.end, signal.SIGTERM) == 0
    assert not home.announced.exists()
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    assert announced["token"] not in service.log.read_text()


async def test_the_agent_as_a_model_of_ollama_has_a_port_of_its_own_and_is_off_by_default(
    home: Home, demo: DemoServer
) -> None:
    service = await home.serve()
    await asyncio.to_thread(service.end, signal.SIGTERM)
    assert "Ollama" not in service.log.read_text()
    home.variables |= {"HOMEAGENT_OLLAMA__ENABLED": "true", "HOMEAGENT_OLLAMA__PORT": "0"}
    service = await home.serve()
    token = json.loads(home.announced.read_text())["token"]
    (told,) = [line for line in service.log.read_text().splitlines() if "Ollama" in line]
    address = told.removeprefix("As a model of Ollama: ").partition("/TOKEN")[0]
    sentence = {"model": "homeagent", "messages": [{"role": "user", "content": "turn on the kitchen lights"}]}
    async with httpx.AsyncClient(timeout=30) as http:
        for wrong in (f"{address}/api/chat", f"{address}/wrong/api/chat"):
            assert (await http.post(wrong, json=sentence)).status_code == 401
        assert (await http.post(f"{address}/{token}/api/services/process", json={"text": "hi"})).status_code == 404
        assert (await http.post(f"{address}/{token}/api/chat", json=sentence)).status_code == 200
    assert demo.state("light.kitchen_lights")["state"] == "on"
    assert await asyncio.to_thread(service.end, signal.SIGTERM) == 0
    assert token not in service.log.read_text()


async def test_a_named_configuration_that_others_can_read_is_warned_of(home: Home) -> None:
    file = home.folder / "other.toml"
    file.write_text("")
    file.chmod(0o644)
    service = await home.serve("--config", str(file))
    await asyncio.to_thread(service.end, signal.SIGTERM)
    assert f"chmod 600 {file}" in service.log.read_text()


async def test_without_a_service_a_command_does_it_itself(home: Home, demo: DemoServer) -> None:
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 0, error
    assert demo.state("light.kitchen_lights")["state"] == "on"
    assert not home.announced.exists()


async def test_a_killed_service_is_not_missed(home: Home, demo: DemoServer) -> None:
    service = await home.serve()
    code, stdout, _ = await home.run("memory", "add", "The bins go out on Thursday")
    assert code == 0, stdout
    children = psutil.Process(service.process.pid).children(recursive=True)
    await asyncio.to_thread(service.end, signal.SIGKILL)
    assert home.announced.exists()  # left behind, and no longer true

    code, stdout, error = await home.run("memory", "list")
    assert code == 0, error
    assert "The bins go out on Thursday" in stdout
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


async def test_an_address_that_is_taken(home: Home, demo: DemoServer) -> None:
    port = demo.url.rpartition(":")[2]
    code, _, error = await home.run("serve", "--port", port)
    assert code == 2
    assert port in error
    assert "service.port" in error


async def test_home_assistant_down_wrong_and_back(home: Home, demo_inventory: Inventory, demo: DemoServer) -> None:
    home.variables["HOMEAGENT_HOME_ASSISTANT__TOKEN"] = "wrong"
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 1
    assert "token" in error
    code, stdout, _ = await home.run("doctor")
    assert code == 1
    assert "homeagent setup" in stdout

    home.variables["HOMEAGENT_HOME_ASSISTANT__TOKEN"] = demo.token
    await demo.stop()
    service = await home.serve()
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 1
    assert demo.url in error
    assert '"degraded"' in (await home.run("status", "--json"))[1]

    await demo.start()
    for _ in range(60):
        code, _, error = await home.run("ask", "turn on the kitchen lights")
        if code == 0:
            break
    assert code == 0, error
    assert demo.state("light.kitchen_lights")["state"] == "on"
    await asyncio.to_thread(service.end)


async def test_home_assistant_goes_away_in_the_middle_and_comes_back(home: Home, demo: DemoServer) -> None:
    await home.serve()
    async with home.http() as http:
        await _until_health(http, "home_assistant", "ok")
        await demo.stop()
        part = await _until_health(http, "home_assistant", "degraded")
        assert "Home Assistant" in part["error"]
        assert part["hint"]
        await demo.start()
        await _until_health(http, "home_assistant", "ok")
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 0, error
    assert demo.state("light.kitchen_lights")["state"] == "on"


async def _until_health(http: httpx.AsyncClient, part: str, status: str) -> dict[str, Any]:
    for _ in range(300):
        found: dict[str, Any] = (await http.get("/health")).json()["parts"][part]
        if found["status"] == status:
            return found
        await asyncio.sleep(0.1)
    raise AssertionError(f"{part} is {found}")


async def test_a_disk_that_is_full_loses_nothing_and_is_told(home: Home, demo: DemoServer) -> None:
    service = await home.serve()
    process = psutil.Process(service.process.pid)
    written = (home.announced.parent / "homeagent.db-wal").stat().st_size
    async with home.http() as http:
        process.rlimit(psutil.RLIMIT_FSIZE, (written + 60_000, -1))
        kept, answer = [], {}
        while "code" not in answer:
            response = await http.post(
                "/api/services/add_memory", json={"content": f"Shelf {len(kept)} holds " + "jam, " * 300}
            )
            answer = response.json()
            kept += [answer["memory_id"]] if response.status_code == 200 else []
        assert (response.status_code, answer["code"]) == (503, "database")
        assert "disk" in answer["detail"]
        assert (
            await http.post("/api/services/process", json={"text": "turn on the kitchen lights"})
        ).status_code == 200
        assert demo.state("light.kitchen_lights")["state"] == "on"

        process.rlimit(psutil.RLIMIT_FSIZE, (-1, -1))
        assert (await http.post("/api/services/add_memory", json={"content": "after"})).status_code == 200
        listed = (await http.post("/api/services/list_memories", json={"limit": 1000})).json()["memories"]
    assert set(kept) < {memory["id"] for memory in listed}
    assert "Traceback" not in service.log.read_text()


async def test_a_service_that_hangs_does_not_hang_the_command(home: Home) -> None:
    service = await home.serve()
    service.process.send_signal(signal.SIGSTOP)
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 2
    assert str(service.process.pid) in error


async def test_a_service_that_is_killed_while_a_command_waits(home: Home) -> None:
    service = await home.serve()
    watching = asyncio.create_task(home.run("events"))
    await asyncio.sleep(5)
    service.process.kill()
    code, _, error = await watching
    assert code == 1
    assert "did not answer" in error


async def test_a_newer_database_is_left_alone(home: Home) -> None:
    await home.run("memory", "add", "The bins go out on Thursday")
    file = home.folder / "homeagent" / "homeagent.db"
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE homeagent_version SET version_num = '9999'")
        database.commit()
    before = file.read_bytes()
    for command in (["memory", "list"], ["serve", "--port", "0"]):
        code, _, error = await home.run(*command)
        assert code == 1
        assert "newer version" in error
    assert "newer version" in (await home.run("doctor"))[1]
    assert file.read_bytes() == before


async def test_a_data_folder_that_cannot_be_written(home: Home) -> None:
    home.variables["HOMEAGENT_DATA_DIR"] = "/proc/homeagent"
    for command in (["ask", "hi"], ["serve", "--port", "0"]):
        code, _, error = await home.run(*command)
        assert code == 1
        assert "/proc/homeagent" in error
        assert "rights" in error


async def test_the_doctor_says_what_to_do_about_each_broken_part(home: Home) -> None:
    home.variables["HOMEAGENT_INDEX__ENDPOINT"] = "http://127.0.0.1:9/v1"
    home.variables["HOMEAGENT_INDEX__CHROMA_URL"] = "http://127.0.0.1:9"
    code, stdout, _ = await home.run("doctor", "--json")
    checks = {check["part"]: check for check in json.loads(stdout)["checks"]}
    assert code == 1
    assert checks["Home Assistant"]["status"] == checks["database"]["status"] == "ok"
    for part in ("embedder", "index"):
        assert checks[part]["status"] == "failed"
        assert "127.0.0.1:9" in checks[part]["detail"]
        assert checks[part]["hint"]


async def test_secrets_are_in_no_log_and_no_process_list(home: Home, demo: DemoServer) -> None:
    home.variables["HOMEAGENT_LOG_LEVEL"] = "debug"
    service = await home.serve()
    await home.run("ask", "turn on the kitchen lights")
    token = json.loads(home.announced.read_text())["token"]
    process = psutil.Process(service.process.pid)
    lines = [" ".join(one.cmdline()) for one in (process, *process.children(recursive=True))]
    for text in (service.log.read_text(), *lines):
        assert token not in text
        assert demo.token not in text
    for name in ("service.json", "token", "homeagent.db"):
        assert (home.announced.parent / name).stat().st_mode & 0o077 == 0


async def test_a_service_that_others_can_reach_is_warned_of(home: Home) -> None:
    service = await home.serve("--host", "0.0.0.0")
    for _ in range(100):
        if "other machines can reach the service" in service.log.read_text():
            break
        await asyncio.sleep(0.1)
    assert "other machines can reach the service" in service.log.read_text()


async def test_two_commands_at_once_wait_for_each_other(home: Home) -> None:
    done = await asyncio.gather(home.run("memory", "add", "one"), home.run("memory", "add", "two"))
    assert [code for code, _, _ in done] == [0, 0], done
    _, stdout, _ = await home.run("memory", "list")
    assert "one" in stdout
    assert "two" in stdout


async def test_a_database_that_is_none(home: Home) -> None:
    (home.folder / "homeagent").mkdir()
    (home.folder / "homeagent" / "homeagent.db").write_bytes(b"this is not a database" * 100)
    for command in (["ask", "turn on the kitchen lights"], ["serve", "--port", "0"]):
        code, _, error = await home.run(*command)
        assert code == 1
        assert "homeagent.db" in error
    code, stdout, _ = await home.run("doctor")
    assert code == 1
    assert "homeagent.db" in stdout
    assert "95 entities" in stdout  # Home Assistant is tried all the same
