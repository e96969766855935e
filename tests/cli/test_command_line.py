"""The command line by itself: help, wrong use, and no home to talk to. Each as a real process."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import HOMEAGENT, run

pytestmark = pytest.mark.slow

COMMANDS = (
    *("serve", "demo", "setup", "config", "doctor", "status", "events"),
    *("ask", "chat", "confirm", "conversations", "memory", "tool", "token"),
    *("search", "reindex", "index", "reload", "language"),
)
HEAVY = ("fastapi", "sqlalchemy", "chromadb", "litellm", "torch", "httpx", "pydantic", "rich", "numpy", "asyncio")


def test_help_names_every_command(tmp_path: Path) -> None:
    shown = run(tmp_path, "--help")
    assert shown.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command} " in shown.stdout


def test_help_is_there_at_once(tmp_path: Path) -> None:
    """Measured in processor time, which a busy machine stretches less than the clock."""
    run(tmp_path, "--help")  # the first one may have to compile
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(tmp_path, "--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    assert min(times) < 0.4


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['homeagent', '--help']\n"
        "from homeagent.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print('HEAVY', [m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.rstrip().endswith("HEAVY []")


def test_version(tmp_path: Path) -> None:
    assert run(tmp_path, "--version").stdout.startswith("homeagent ")


def test_without_a_home_it_says_what_to_run(tmp_path: Path) -> None:
    for command in (["ask", "turn on the light"], ["memory", "list"], ["chat"], ["serve"], ["events"], ["doctor"]):
        done = run(tmp_path, *command)
        assert done.returncode == 2, command
        assert "homeagent setup" in done.stderr
        assert "homeagent demo" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["ask"],
        ["ask", "--no-such-option", "x"],
        ["--user"],
        ["memory", "add", "x", "--importance", "much"],
        ["tool", "ha_control", "{not json"],
        ["tool", "ha_control", '["a list"]'],
        ["serve", "--port", "70000"],
        ["--config", "/no/such/file.toml", "ask", "x"],
    ],
)
def test_wrong_use_is_told_and_exits_2(tmp_path: Path, arguments: list[str]) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.strip()
    assert not done.stdout


def test_arguments_that_are_not_text(tmp_path: Path) -> None:
    done = run(tmp_path, "ask", b"turn on \xff\xfe")
    assert done.returncode == 2
    assert "UTF-8" in done.stderr


def test_standard_input_that_is_not_text(tmp_path: Path) -> None:
    done = run(tmp_path, "ask", "-", stdin=b"turn on \xff\xfe")
    assert done.returncode == 2
    assert "UTF-8" in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[service]\nport = "many"\n', "service.port"),
        (b"[service]\nprot = 1\n", "service.prot is not a setting"),
        (b"[service\nport = 1\n", "not valid TOML"),
        (b"\xff\xfe\0", "UTF-8"),
    ],
)
def test_a_configuration_file_that_is_wrong_is_told(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "config.toml").write_bytes(content)
    for command in (["config"], ["ask", "hi"], ["serve"]):
        done = run(tmp_path, "--config", str(tmp_path / "config.toml"), *command)
        assert done.returncode == 2
        assert said in done.stderr
        assert not done.stdout


def test_config_masks_secrets(tmp_path: Path) -> None:
    environment = {"HOMEAGENT_HOME_ASSISTANT__TOKEN": "very-secret", "HOMEAGENT_HOME_ASSISTANT__URL": "http://h:8123"}
    for options in ([], ["--json"]):
        done = run(tmp_path, "config", *options, **environment)
        assert done.returncode == 0
        assert "http://h:8123" in done.stdout
        assert "very-secret" not in done.stdout + done.stderr


def test_a_reader_that_goes_away_is_no_crash(tmp_path: Path) -> None:
    process = subprocess.Popen(
        f"{HOMEAGENT} config | head -n 1", shell=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    _, stderr = process.communicate(timeout=30)
    assert "Traceback" not in stderr
    assert "BrokenPipe" not in stderr


def test_setup_without_a_terminal_says_what_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, "setup")
    assert done.returncode == 2
    assert "--url" in done.stderr


def test_setup_writes_nothing_when_home_assistant_does_not_answer(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    arguments = ["--config", str(file), "setup", "--url", "http://127.0.0.1:9", "--token-file", "-"]
    done = run(tmp_path, *arguments, stdin=b"token")
    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stderr
    assert not file.exists()
