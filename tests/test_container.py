"""The container files against the settings and against each other, as far as a parser can tell.

No container is built or started here: that an image starts, that its bash has /dev/tcp and that Home Assistant runs
without capabilities is not shown by these tests.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import yaml
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from homeagent.config.loading import Settings, load
from homeagent.service.request_guard import Guard

ROOT = Path(__file__).parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
NEEDS_A_WRITABLE_SYSTEM = {"homeassistant"}
"""It installs the packages of integrations while it runs, and its init wants root."""
_VARIABLE = re.compile(r"\$\{(\w+):\?[^}]*\}")


def instructions(name: str) -> list[str]:
    """What the Dockerfile says after ``name``, in all its stages."""
    return [line.split(maxsplit=1)[1] for line in DOCKERFILE.splitlines() if line.startswith(f"{name} ")]


def image_environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in instructions("ENV") for pair in shlex.split(line))


def environment() -> dict[str, str]:
    """What the agent finds in its environment; what must be given is made up."""
    given = {name: _VARIABLE.sub(r"given-\1", value) for name, value in SERVICES["homeagent"]["environment"].items()}
    return {**image_environment(), **given}


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    for name in [n for n in os.environ if n.startswith("HOMEAGENT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name, value in environment().items():
        if name.startswith("HOMEAGENT_"):
            monkeypatch.setenv(name, value)
    return load()


def networks_of(service: str) -> set[str]:
    return set(SERVICES[service]["networks"])


def test_every_variable_is_a_setting_and_is_in_force(settings: Settings) -> None:
    ours = {name: value for name, value in environment().items() if name.startswith("HOMEAGENT_")}
    assert len(ours) >= 6
    for name, value in ours.items():
        found: Any = settings
        for part in name.removeprefix("HOMEAGENT_").lower().split("__"):
            assert part in type(found).model_fields, f"{name} is no setting"
            found = getattr(found, part)
        plain = found.get_secret_value() if hasattr(found, "get_secret_value") else found
        assert value in (str(plain), ",".join(plain) if isinstance(plain, tuple) else "")


def test_the_data_folder_is_a_volume_of_its_own(settings: Settings) -> None:
    folder = str(settings.data_dir)
    assert instructions("VOLUME") == [folder]
    mounts = [mount.split(":") for mount in SERVICES["homeagent"]["volumes"]]
    assert [target for _, target in mounts] == [folder]
    assert any(f"--mode 0700 --owner homeagent {folder}" in line for line in instructions("RUN"))


def test_every_volume_is_declared_and_used_once() -> None:
    used = [mount.split(":")[0] for service in SERVICES.values() for mount in service.get("volumes", ())]
    assert sorted(used) == sorted(COMPOSE["volumes"])


@pytest.mark.parametrize("setting", ["home_assistant.url", "index.chroma_url"])
def test_what_the_agent_is_pointed_at_is_there_and_in_reach(settings: Settings, setting: str) -> None:
    section, name = setting.split(".")
    host = urlsplit(str(getattr(getattr(settings, section), name))).hostname
    assert host in SERVICES
    assert networks_of("homeagent") & networks_of(str(host))
    assert host in SERVICES["homeagent"]["depends_on"]


def test_only_the_agent_reaches_chroma() -> None:
    (network,) = networks_of("chroma")
    assert COMPOSE["networks"][network]["internal"] is True
    assert {name for name in SERVICES if network in networks_of(name)} == {"chroma", "homeagent"}
    assert not {"ports", "expose", "network_mode"} & set(SERVICES["chroma"])


async def test_the_agent_answers_under_its_names_and_no_other(settings: Settings) -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("here")(scope, receive, send)

    async def nobody(_token: str) -> None:
        return None

    guard = Guard(answer, identify=nobody, needs={"/health": ()}, allowed_hosts=settings.service.allowed_hosts)
    port = settings.service.port
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://x") as http:
        for host, status in ((f"homeagent:{port}", 200), (f"localhost:{port}", 200), ("evil.example", 403)):
            assert (await http.get("/health", headers={"Host": host})).status_code == status, host


def test_the_port_is_the_services_and_the_hosts_loopback_only(settings: Settings) -> None:
    port = settings.service.port
    assert SERVICES["homeagent"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert instructions("EXPOSE") == [str(port)]
    assert f"http://127.0.0.1:{port}/health" in instructions("HEALTHCHECK")[0]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_service_may_gain_rights(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not {"privileged", "cap_add", "pid", "ipc", "devices", "network_mode"} & set(service)
    assert not [mount for mount in service["volumes"] if "docker.sock" in mount]
    if name not in NEEDS_A_WRITABLE_SYSTEM:
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]


def test_the_agent_is_not_root_and_writes_to_its_volume_only() -> None:
    assert instructions("USER") == ["1000"]
    assert any("useradd --no-create-home --uid 1000" in line for line in instructions("RUN"))
    assert image_environment()["PYTHONDONTWRITEBYTECODE"] == "1"
    installs = [line for line in instructions("RUN") if "uv pip install" in line]
    assert all("--compile-bytecode" in line for line in installs), "each start would compile everything anew"


def test_every_image_is_one_exact_release() -> None:
    images = [service["image"] for service in SERVICES.values() if "image" in service]
    images += [line.split()[0] for line in instructions("FROM")]
    assert len(images) >= 4
    assert [image for image in images if not re.search(r":\d+\.\d+\.\d+(-[a-z]+)*$", image)] == []
    assert len({image for image in images if "python" in image}) == 1


def test_chroma_is_the_release_of_its_client() -> None:
    (locked,) = re.findall(r"^chromadb==(\S+)", (ROOT / "requirements.lock").read_text(), re.M)
    assert SERVICES["chroma"]["image"].endswith(f":{locked}")


def test_chroma_and_the_agent_are_looked_after() -> None:
    assert SERVICES["chroma"]["healthcheck"]["test"][0] == "CMD"
    assert SERVICES["homeagent"]["depends_on"]["chroma"]["condition"] == "service_healthy"
    assert len(instructions("HEALTHCHECK")) == 1


def test_the_image_takes_what_is_copied_and_no_secrets() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {part for line in instructions("COPY") if "--from" not in line for part in line.split()[:-1]}
    assert copied == kept
    assert all((ROOT / name).exists() for name in kept)
