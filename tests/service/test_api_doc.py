"""The lines of docs/api.md, run in a shell as they stand there, against a running service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.service.home import Home

pytestmark = pytest.mark.slow  # it starts a process

DOCUMENT = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", DOCUMENT, re.M | re.S)


async def test_every_line_does_what_it_says(home: Home, tmp_path: Path) -> None:
    await home.serve()
    said = json.loads(home.announced.read_text())
    variables = {**os.environ, "URL": said["url"], "TOKEN": said["token"]}

    def run(block: str) -> str:
        command = ["bash", "-euo", "pipefail", "-c", block]
        done = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (block, done.stdout, done.stderr)
        return done.stdout

    told = [await asyncio.to_thread(run, block) for block in BLOCKS]
    asked, confirmed, streamed, kept, problem, held, made, _, missed, figures, _ = told
    assert json.loads(asked)["pending"]
    assert json.loads(confirmed)["targets"] == ["lock.front_door"]
    assert "event: result" in streamed
    assert json.loads(held)["handled"] is False
    assert json.loads(made)["handled"] is True
    assert all(word in kept for word in ('"next"', '"timings_ms"', '"lock.front_door"', '"phase"'))
    (shown,) = re.findall(r"^```json\n(.*?)^```", DOCUMENT, re.M | re.S)
    assert json.loads(problem) == json.loads(shown)
    assert "home_agent.dropped" in missed
    named = set(re.findall(r"`(homeagent_\w+)`", DOCUMENT)) - {"homeagent_client"}
    assert len(named) > 10
    assert [name for name in named if name not in figures] == []
    assert json.loads((tmp_path / "openapi.json").read_text())["openapi"].startswith("3.1")
