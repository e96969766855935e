"""Schemathesis sends what the OpenAPI document allows, and more, to a real service: it answers as documented."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.home import Home

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
SHARE = 0.7
"""Of the operations, so many have to be brought to do something."""
SEEDS = (
    ("process", {"text": "unlock the front door"}),
    ("add_memory", {"content": "The paper bin goes out on Thursdays"}),
    ("set_timer", {"kind": "timer", "name": "pasta", "in_seconds": 3600}),
)


async def test_no_answer_is_undocumented_or_a_failure_of_ours(home: Home, tmp_path: Path) -> None:
    service = await home.serve()
    async with home.http() as http:
        for name, fields in SEEDS:
            assert (await http.post(f"/api/services/{name}", json=fields)).status_code == 200
        document = (await http.get("/openapi.json")).json()
        token = http.headers["Authorization"]
    report = tmp_path / "report.ndjson"
    done = await asyncio.to_thread(_run, f"{http.base_url}/openapi.json", token, report)
    # The stream of events never ends.
    operations = {(m.upper(), p) for p, ms in document["paths"].items() for m in ms} - {("GET", "/api/events")}
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    statuses = _statuses(report)
    assert statuses.keys() >= operations
    worked = {one for one in operations if any(200 <= status < 300 for status in statuses[one])}
    assert not {one: found for one, found in statuses.items() if max(found) >= 500}
    assert len(worked) >= SHARE * len(operations), sorted(operations - worked)
    assert service.process.poll() is None


def _run(address: str, token: str, report: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("schemathesis")
    assert program.exists(), "install the development dependencies: make setup"
    options = ["--exclude-path", "/api/events", "--phases", "examples,fuzzing", "--max-examples", "5", "--seed", "1"]
    told = ["--report", "ndjson", "--report-ndjson-path", str(report), "--no-color", "--continue-on-failure"]
    return subprocess.run(
        [program, "run", address, "-H", f"Authorization: {token}", "--checks", CHECKS, *options, *told],
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
        cwd=report.parent,
    )


def _statuses(report: Path) -> dict[tuple[str, str], set[int]]:
    """By method and path of the document, what was answered."""
    found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for recorder in _recorders(report):
        for id_, interaction in recorder.get("interactions", {}).items():
            if response := interaction.get("response"):
                case = recorder["cases"][id_]["value"]
                found[case["method"], case["path"]].add(response["status_code"])
    return found


def _recorders(report: Path) -> Iterator[dict[str, Any]]:
    for line in report.read_text("utf-8").splitlines():
        if finished := json.loads(line).get("ScenarioFinished"):
            yield finished["recorder"]
