"""A real Home Assistant for the tests: installed when first needed, started once, stopped at the end."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from homeagent.demo.inventory import Inventory, load_inventory
from homeagent.ha.socket import Socket
from tests.e2e.synthetic import arrange, groups_yaml, synth_home

HERE = Path(__file__).parent
START = HERE / "real_ha" / "start_ha.py"
HOME = HERE.parent / "contract" / "home.yaml"


@dataclass(frozen=True)
class RealHomeAssistant:
    """``token`` is an administrator's, ``user_token`` a plain user's. ``folder`` holds its configuration and log."""

    url: str
    token: str
    user_token: str
    version: str
    folder: Path
    inventory: Inventory

    async def socket(self) -> Socket:
        """A connection of the test's own, for what a person would do in Home Assistant meanwhile."""
        return await Socket.open(self.url, self.token, tls=None, timeout=30, keep_alive=20)


def start(inventory: Inventory, folder: Path) -> RealHomeAssistant:
    """Start one with this home. Skips the test where there can be none, but fails it in continuous integration."""
    folder.mkdir(parents=True, exist_ok=True)
    home = folder / "home.json"
    home.write_text(json.dumps(synth_home(inventory)), encoding="utf-8")
    config = folder / "config"
    command = [sys.executable, str(START), "--config", str(config), "--inventory", str(home)]
    command += ["--extra-yaml", groups_yaml(inventory), "--time-zone", inventory.time_zone]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no real Home Assistant here: {done.stderr.strip()}")
    told = json.loads(done.stdout)
    real = RealHomeAssistant(told["url"], told["token"], told["user_token"], told["version"], config, inventory)
    asyncio.run(_arrange(real))
    return real


def stop(real: RealHomeAssistant) -> None:
    subprocess.run([sys.executable, str(START), "--config", str(real.folder), "--stop"], check=True, timeout=90)


async def _arrange(real: RealHomeAssistant) -> None:
    socket = await real.socket()
    try:
        if real.version >= "2026.11":
            # With `http:` in YAML it would restart itself after five minutes, on another port.
            await socket.command("http/config/promote")
        await arrange(socket, real.inventory)
    finally:
        await socket.close()


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
            stop(self._real)
            self._real = None


shared = Shared()


@pytest.fixture(scope="session")
def real_home_assistant():
    """A running Home Assistant with the home of tests/contract/home.yaml."""
    yield shared.get()
    shared.close()
