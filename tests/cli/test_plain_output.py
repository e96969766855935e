"""Whatever names and models bring along: a terminal is shown plain text, and nothing in it is a command or markup."""

from __future__ import annotations

import ast
import asyncio
import json
from pathlib import Path

import pytest

import homeagent.cli
from homeagent.cli import show, trace
from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from tests.cli.command import run

HOSTILE = "\x1b]0;title\x07\x1b[2J[bold red]Sofa[/] lamp\u202e\u200b\r\n"
OBEYED = set("\x1b\x07\x9b\r\u202e\u200b")
CLI = Path(homeagent.cli.__file__).parent


def test_nothing_is_printed_but_through_one_module() -> None:
    printing = {
        f"{file.name}:{node.lineno}"
        for file in CLI.glob("*.py")
        if file.name != "show.py"
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "typer.echo", "sys.stdout.write")
        if "homeagent.__version__" not in ast.unparse(node)
    }
    assert printing == set()


def test_tables_lines_and_notes_are_plain(capsys: pytest.CaptureFixture[str]) -> None:
    show.table(("name", "why"), [(HOSTILE, [HOSTILE])], empty="")
    show.fields({"name": HOSTILE})
    show.line(HOSTILE.strip())
    show.note(HOSTILE.strip())
    show.question(HOSTILE)
    out, err = capsys.readouterr()
    assert not set(out + err) & OBEYED
    assert out.count("[bold red]Sofa[/] lamp") == 4
    assert len(out.splitlines()) == 4


def test_a_trace_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    call = {"name": "ha_query", "parameters": {"name": HOSTILE}, "result": HOSTILE}
    show_me = {"retrieval": {"found": [{"entity_id": HOSTILE}]}, "memories": [HOSTILE], "steps": [{"calls": [call]}]}
    trace.show_trace({**show_me, "errors": [HOSTILE]})
    out = capsys.readouterr().out
    assert not set(out) & OBEYED
    assert len(out.splitlines()) == 7
    assert not set(trace.one_line({"event_type": "x", "query": HOSTILE})) & OBEYED


def test_json_keeps_the_data_and_nothing_that_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    show.as_json({"name": HOSTILE, "c1": "\x9b31m"})
    out = capsys.readouterr().out
    assert not set(out) & OBEYED
    assert json.loads(out) == {"name": HOSTILE, "c1": "\x9b31m"}


@pytest.mark.slow
async def test_commands_on_a_home_with_hostile_names(tmp_path: Path, embedder: dict[str, str]) -> None:
    home = parse_inventory({"entities": [{"id": "light.sofa", "name": HOSTILE, "state": True}]})
    async with DemoServer(home, settle=0.05) as demo:
        assert demo.state("light.sofa")["attributes"]["friendly_name"] == HOSTILE
        variables = {
            **embedder,
            "HOMEAGENT_HOME_ASSISTANT__URL": demo.url,
            "HOMEAGENT_HOME_ASSISTANT__TOKEN": demo.token,
        }
        said = {
            command: await asyncio.to_thread(lambda: run(tmp_path, *command, **variables))  # noqa: B023
            for command in (
                ("ask", "is the sofa lamp on?", "--trace"),
                ("search", "sofa lamp"),
                ("search", "sofa lamp", "--json"),
                ("tool", "ha_query", '{"entity_id": "light.sofa"}'),
            )
        }
    for command, done in said.items():
        assert done.returncode == 0, (command, done.stderr)
        assert "Sofa" in done.stdout, command
        assert not set(done.stdout + done.stderr) & OBEYED, command
    assert json.loads(said["search", "sofa lamp", "--json"].stdout)["found"][0]["name"].strip() == HOSTILE.strip()
