"""Tokens on the command line, and the README's way to speak HTTP, against a running demo."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import HOMEAGENT, Service, environment

pytestmark = pytest.mark.slow

README = Path(__file__).parents[2] / "README.md"


def test_a_token_from_its_making_to_its_end(demo_service: Service) -> None:
    made = demo_service.run("token", "add", "tablet", "--scope", "ask", "--scope", "read", "--user", "ada")
    assert made.returncode == 0, made.stderr
    token = made.stdout.strip()
    assert len(token) >= 43
    assert "cannot be shown again" in made.stderr
    listed = demo_service.run("token", "list")
    assert [word for word in ("tablet", "ask, read", "ada") if word not in listed.stdout] == []
    assert token not in listed.stdout
    again = demo_service.run("token", "add", "tablet", "--scope", "ask")
    assert again.returncode == 2
    assert "already" in again.stderr
    assert demo_service.run("token", "revoke", "tablet").returncode == 0
    assert demo_service.run("token", "revoke", "tablet").returncode == 2
    assert "tablet" not in demo_service.run("token", "list").stdout


def test_a_scope_that_is_none_is_told(demo_service: Service) -> None:
    wrong = demo_service.run("token", "add", "tablet", "--scope", "everything")
    assert wrong.returncode == 2
    assert "speak_for_others" in wrong.stderr


def test_where_the_service_is_and_the_owners_token(demo_service: Service) -> None:
    announced = json.loads((demo_service.folder / "homeagent" / "demo" / "service.json").read_text())
    shown = json.loads(demo_service.run("token", "show", "--json").stdout)
    assert shown == {"url": announced["url"], "token": announced["token"]}
    told = demo_service.run("token", "show").stdout.splitlines()
    assert told == [f"URL={announced['url']}", f"TOKEN={announced['token']}"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_example_in_the_readme_works(demo_service: Service) -> None:
    example = re.search(r"```\n(eval .+?)```", README.read_text("utf-8"), re.DOTALL)
    assert example
    script = example[1].replace(".venv/bin/homeagent", HOMEAGENT)
    done = subprocess.run(
        ["sh", "-c", script],
        env=environment(demo_service.folder, {**demo_service.more, "PATH": os.environ["PATH"]}),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["response"]
