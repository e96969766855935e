"""A real Home Assistant for the tests: installed when first needed, started once, stopped at the end.

With ``HOMEAGENT_TEST_HA_CHROOT`` it is the one that `real_ha/newest_ha_chroot.sh` made in that folder, which needs a
newer Python than this machine has (and root).
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.sync.client import connect

from homeagent.app import App
from homeagent.config.settings import Settings
from homeagent.demo.inventory import Inventory, load_inventory
from tests.contract import synth

HERE = Path(__file__).parent
START = HERE / "real_ha" / "start_ha.py"
HOME = HERE.parent / "contract" / "home.yaml"
CHROOT = os.environ.get("HOMEAGENT_TEST_HA_CHROOT")


@dataclass(frozen=True)
class RealHomeAssistant:
    """``token`` is an administrator's, ``user_token`` a plain user's, ``looker_token`` of one who may
    only look. ``folder`` holds its configuration and log."""

    url: str
    token: str
    user_token: str
    looker_token: str
    version: str
    folder: Path
    inventory: Inventory


def start(
    inventory: Inventory,
    folder: Path,
    extra: str = "",
    custom: tuple[Path, ...] = (),
    *,
    frontend: Path | None = None,
) -> RealHomeAssistant:
    """Start one with this home, ``extra`` at the end of its configuration.yaml, and the integrations in ``custom``.
    ``frontend``: where its web interface is installed; without one it has none.

    Skips the test where there can be none, but fails it in continuous integration.
    """
    folder.mkdir(parents=True, exist_ok=True)
    home, config = folder / "home.json", folder / "config"
    home.write_text(json.dumps(synth.home(_without_groups(inventory))), encoding="utf-8")
    options = ["--inventory", str(home), "--extra-yaml", _configuration(inventory) + extra]
    for integrations in (START.parent / "custom_components", *custom):
        options += ["--custom", str(integrations)]
    if frontend is not None:
        options += ["--frontend", str(frontend)]
    if CHROOT:
        config = Path(CHROOT) / "srv" / f"{folder.parent.name}-{folder.name}"
    told = _run("--config", str(config), "--time-zone", inventory.time_zone, *options)
    tokens = (told["token"], told["user_token"], told["looker_token"])
    real = RealHomeAssistant(told["url"], *tokens, told["version"], config, inventory)
    if real.version >= "2026.11":
        _stay(real)
    return real


def stop(real: RealHomeAssistant, *, for_good: bool = False) -> None:
    """Stop it; ``for_good`` does not wait until its recorder has written all, which may take a minute."""
    how = "--kill" if for_good else "--stop"
    subprocess.run([sys.executable, str(START), "--config", str(real.folder), how], check=True, timeout=90)


def start_again(real: RealHomeAssistant) -> None:
    """Start a stopped one as it was, on the same port."""
    _run("--config", str(real.folder), "--keep")


def _run(*options: str) -> dict[str, str]:
    if CHROOT:
        options = (*options, "--chroot", CHROOT, "--venv", str(Path(CHROOT) / "srv" / "v"))
    done = subprocess.run([sys.executable, str(START), *options], capture_output=True, text=True, timeout=900)
    if done.returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no real Home Assistant here: {done.stderr.strip()}")
    return json.loads(done.stdout)


def _without_groups(inventory: Inventory) -> Inventory:
    return dataclasses.replace(inventory, entities=tuple(e for e in inventory.entities if e.domain != "group"))


def _configuration(inventory: Inventory) -> str:
    """What Home Assistant brings itself. Groups of the old kind have a state and members, and no registry entry."""
    groups = {
        e.id.partition(".")[2]: {"name": e.name, "entities": e.attributes["entity_id"]}
        for e in inventory.entities
        if e.domain == "group"
    }
    return synth.configuration(_without_groups(inventory)) + f"group: {json.dumps(groups)}\n"


def _stay(real: RealHomeAssistant) -> None:
    """Keep a newer one from restarting itself after five minutes, on another port, for having `http:` in its YAML."""
    with connect(real.url.replace("http", "ws", 1) + "/api/websocket") as socket:
        for message in (
            {"type": "auth", "access_token": real.token},
            {"id": 1, "type": "http/config/promote"},
        ):
            socket.recv()
            socket.send(json.dumps(message))
        socket.recv()


@asynccontextmanager
async def agent_over(
    home: RealHomeAssistant, folder: Path, embedding_url: str = "http://127.0.0.1:9", **more: object
) -> AsyncIterator[App]:
    """The whole agent over it, without a language model. Without ``embedding_url`` words must do. ``more``: other
    settings."""
    settings = Settings.model_validate(
        {
            "data_dir": folder,
            "home_assistant": {"url": home.url, "token": home.token},
            "index": {"endpoint": embedding_url, "model": "none"},
            "agent": {"brain": "local"},
            **more,
        }
    )
    app = App(settings)
    await app.start()
    assert await app.ha.wait_ready(60), app.ha.status
    yield app
    await app.stop()


class Shared:
    """The one that all tests of a session share."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="real-home-assistant-")
        self._real: RealHomeAssistant | None = None

    def get(self) -> RealHomeAssistant:
        if self._real is None:
            self._real = start(load_inventory(HOME), Path(self._folder.name))
        return self._real

    def close(self) -> None:
        if self._real is not None:
            stop(self._real, for_good=True)
            self._real = None


shared = Shared()


@pytest.fixture(scope="session")
def real_home_assistant():
    """A running Home Assistant with the home of tests/contract/home.yaml."""
    yield shared.get()
    shared.close()
