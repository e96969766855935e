"""Every command against a running demo, each as from a second shell. No option says where it runs: it is found."""

import json
import os
import pty
import select
import signal
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import HOMEAGENT, Service, environment

pytestmark = pytest.mark.slow


def _state(demo: Service, entity_id: str) -> str:
    result = _json(demo, "tool", "ha_query", json.dumps({"entity_id": entity_id}))
    return str(result["result"]["entities"][0]["state"])


def _hears_ctrl_c() -> None:
    """A shell's background jobs, which these tests may be one of, have it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _json(demo: Service, *arguments: str, code: int = 0) -> Any:
    done = demo.run(*arguments, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_the_demo_says_what_to_try(demo_service: Service) -> None:
    shown = demo_service.log.read_text()
    assert 'ask "turn on the kitchen lights"' in shown


def test_a_sentence_changes_the_demo_home(demo_service: Service) -> None:
    assert demo_service.run("ask", "turn on the kitchen lights").returncode == 0
    assert _state(demo_service, "light.kitchen_lights") == "on"
    done = demo_service.run("ask", "-", stdin=b"turn off the kitchen lights\n")
    assert done.returncode == 0
    assert done.stdout.strip()
    assert _state(demo_service, "light.kitchen_lights") == "off"


def test_a_question_is_answered(demo_service: Service) -> None:
    done = demo_service.run("ask", "is the front door locked?")
    assert done.returncode == 0
    assert "locked" in done.stdout.lower() or "yes" in done.stdout.lower()


def test_without_a_terminal_a_confirmation_is_left_to_the_caller(demo_service: Service) -> None:
    done = demo_service.run("ask", "unlock the front door")
    assert done.returncode == 3
    assert _state(demo_service, "lock.front_door") == "locked"
    answer = _json(demo_service, "ask", "unlock the front door", code=3)
    (pending,) = answer["pending"]
    assert pending["id"]
    rejected = demo_service.run("confirm", pending["id"], "--reject")
    assert rejected.returncode == 0
    assert demo_service.run("confirm", pending["id"]).returncode == 2
    assert _state(demo_service, "lock.front_door") == "locked"


def test_a_confirmation_can_be_given_later(demo_service: Service) -> None:
    done = demo_service.run("ask", "unlock the front door")
    confirmation = next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("pending: "))
    assert demo_service.run("confirm", confirmation).returncode == 0
    assert _state(demo_service, "lock.front_door") == "unlocked"
    assert demo_service.run("ask", "lock the front door").returncode == 0
    assert _state(demo_service, "lock.front_door") == "locked"


def test_what_waits_is_shown_with_its_number_and_answered_by_it(demo_service: Service) -> None:
    demo_service.run("ask", "unlock the front door")
    newest = _json(demo_service, "pending")["pending"][-1]
    shown = demo_service.run("pending").stdout.splitlines()
    (line,) = [line for line in shown if line.startswith(f"{newest['number']} ")]
    assert "That unlocks Front door. Shall I?" in line
    assert demo_service.run("confirm", str(newest["number"]), "--reject").returncode == 0
    assert newest["id"] not in [one["id"] for one in _json(demo_service, "pending")["pending"]]
    assert _state(demo_service, "lock.front_door") == "locked"


def test_in_a_chat_a_letter_answers_the_question(demo_service: Service) -> None:
    done = demo_service.run("chat", stdin=b"unlock the front door\nn\nunlock the front door\ny\nlock the front door\n")
    assert done.stdout.count("That unlocks Front door. Shall I?") == 2
    assert "Front door is unlocked." in done.stdout
    assert done.stdout.index("I leave it") < done.stdout.index("Front door is unlocked.")


@pytest.mark.parametrize(("said", "state"), [("n", "locked"), ("", "locked"), ("y", "unlocked")])
def test_in_a_terminal_the_person_is_asked(demo_service: Service, said: str, state: str) -> None:
    shown = _in_terminal(demo_service, ["ask", "unlock the front door"], f"{said}\n".encode())
    assert "[y/N]" in shown
    assert _state(demo_service, "lock.front_door") == state
    demo_service.run("ask", "lock the front door")


def _in_terminal(demo: Service, arguments: list[str], typed: bytes, when: bytes = b"[y/N]") -> str:
    """Run a command on a terminal of its own and type when it shows ``when``."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [HOMEAGENT, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(demo.folder, demo.more),
        close_fds=True,
    )
    os.close(theirs)
    shown, asked, deadline = b"", False, time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 4096)
            except OSError:
                break
        if not asked and when in shown:
            os.write(ours, typed)
            asked = True
    process.wait(10)
    os.close(ours)
    return shown.decode()


def test_an_export_replaces_a_file_whole_and_is_its_owners_alone(demo_service: Service, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text("before")
    file.chmod(0o644)
    demo_service.run("memory", "add", "The well is 12 m deep")
    assert demo_service.run("memory", "export", str(file)).returncode == 0
    assert "The well is 12 m deep" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["memories.jsonl"]
    assert "The well is 12 m deep" in demo_service.run("memory", "export", "/dev/stdout").stdout


def test_memories_are_written_to_a_list_and_read_from_it(demo_service: Service, tmp_path: Path) -> None:
    file = tmp_path / "memories.md"
    added = _json(demo_service, "memory", "add", "The cistern holds 3 cubic metres")
    assert demo_service.run("memory", "export", "--format", "markdown", str(file)).returncode == 0
    text = file.read_text().replace("cistern holds 3", "cistern holds 4")
    file.write_text(f"{text}- The roof was tiled in 1998\n- The alarm code is 4711\n")
    done = demo_service.run("memory", "import", str(file))
    assert done.returncode == 1
    assert "1 memories were taken over; 1 say something else now" in done.stdout
    assert f"line {len(file.read_text().splitlines())} was refused" in done.stdout
    shown = demo_service.run("memory", "show", added["memory_id"]).stdout
    assert "The cistern holds 4 cubic metres" in shown
    assert "told" in shown
    assert "The roof was tiled in 1998" in demo_service.run("memory", "list").stdout
    assert "roof" not in demo_service.run("memory", "search", "the roof", "--until", "2020-01-01").stdout
    assert "roof" in demo_service.run("memory", "search", "the roof", "--since", "2020-01-01").stdout


def test_where_nothing_can_be_written_an_export_says_so(demo_service: Service, tmp_path: Path) -> None:
    for place in (tmp_path / "no" / "such", tmp_path):
        done = demo_service.run("memory", "export", str(place))
        assert done.returncode == 2
        assert f"{place} cannot be written" in " ".join(done.stderr.split())
        assert "went wrong inside" not in done.stderr


def test_chat_keeps_the_conversation(demo_service: Service) -> None:
    done = demo_service.run("chat", stdin=b"turn on the kitchen lights\nturn them off again\n")
    assert done.returncode == 0
    assert len(done.stdout.strip().splitlines()) >= 2
    assert _state(demo_service, "light.kitchen_lights") == "off"


def test_exit_ends_a_chat(demo_service: Service) -> None:
    done = demo_service.run("chat", stdin=b"is the front door locked?\nExit\nturn on the kitchen lights\n")
    assert done.returncode == 0
    assert len(done.stdout.strip().splitlines()) == 1, done.stdout


def test_chat_with_trace_shows_what_was_found_and_called(demo_service: Service) -> None:
    done = demo_service.run("chat", "--trace", stdin=b"turn on the kitchen lights\n")
    assert "light.kitchen_lights" in done.stdout
    assert "ha_control" in done.stdout


def test_ask_with_trace(demo_service: Service) -> None:
    done = demo_service.run("ask", "--trace", "is the front door locked?")
    assert "lock.front_door" in done.stdout
    assert "ha_query" in done.stdout


def test_memories(demo_service: Service) -> None:
    assert demo_service.run("memory", "clear").returncode == 2
    demo_service.run("memory", "clear", "--yes")
    added = _json(demo_service, "memory", "add", "The bins go out on Thursday", "--importance", "0.7")
    listed = demo_service.run("memory", "list")
    assert "The bins go out on Thursday" in listed.stdout
    assert added["memory_id"][:8] in listed.stdout
    found = _json(demo_service, "memory", "search", "bins Thursday")["memories"]
    assert found[0]["content"] == "The bins go out on Thursday"
    assert demo_service.run("memory", "delete", added["memory_id"][:8]).returncode == 0
    assert demo_service.run("memory", "delete", added["memory_id"]).returncode == 2
    assert demo_service.run("memory", "add", "x", "--importance", "7").returncode == 2
    assert _json(demo_service, "memory", "clear", "--yes") == {"deleted": 0}


def test_search_shows_score_and_why(demo_service: Service) -> None:
    done = demo_service.run("search", "kitchen lights")
    first = next(line for line in done.stdout.splitlines() if "light." in line)
    assert "light.kitchen_lights" in first
    assert first.split()[0].replace(".", "").isdigit()
    assert "name" in first


def test_history_is_summed_up_once(demo_service: Service) -> None:
    demo_service.run("ask", "turn on the kitchen lights")
    _json(demo_service, "index", "history", "--days", "3")  # the service may have done it by itself before
    wanted = {"query": "kitchen lights", "source_type": "history"}
    assert "Kitchen" in json.dumps(_json(demo_service, "tool", "retrieve_knowledge", json.dumps(wanted)))
    assert _json(demo_service, "index", "history", "--days", "3")["days"] == 0


def test_reindex_and_index(demo_service: Service) -> None:
    report = _json(demo_service, "reindex", "--force")
    assert report["added"] + report["updated"] + report["unchanged"] > 50
    done = demo_service.run("reindex")
    assert done.returncode == 0
    assert "unchanged" in done.stdout
    assert demo_service.run("index", "light.kitchen_lights").returncode == 0
    done = demo_service.run("index", "light.kitchn_lights")
    assert done.returncode == 2
    assert "light.kitchen_lights" in done.stderr


def test_tools(demo_service: Service) -> None:
    on = json.dumps({"action": "turn_on", "entity_id": "light.kitchen_lights"})
    assert _json(demo_service, "tool", "ha_control", on)["success"] is True
    done = demo_service.run("tool", "no_such_tool", "{}")
    assert done.returncode == 2
    assert "ha_control" in done.stderr
    assert demo_service.run("tool", "ha_control", '{"action": 7}').returncode == 2
    unlock = json.dumps({"action": "unlock", "entity_id": "lock.front_door"})
    assert demo_service.run("tool", "ha_control", unlock).returncode == 3


def test_history_and_reload(demo_service: Service) -> None:
    demo_service.run("ask", "turn on the kitchen lights", "--conversation", "of-this-test")
    assert _json(demo_service, "history", "clear", "--yes", "--conversation", "of-this-test") == {"cleared": 1}
    assert _json(demo_service, "reload")["entities"] > 50
    assert "entities" in demo_service.run("reload").stdout


def test_conversations_are_listed_shown_taken_up_and_forgotten_by_short_ids(demo_service: Service) -> None:
    whole = _json(demo_service, "ask", "is the front door locked?")["conversation_id"]
    short = whole[:8]
    assert short in demo_service.run("conversations", "list").stdout
    assert _json(demo_service, "ask", "and the back door?", "--conversation", short)["conversation_id"] == whole
    shown = demo_service.run("conversations", "show", short).stdout
    assert "> is the front door locked?" in shown
    assert "> and the back door?" in shown
    assert demo_service.run("conversations", "delete", short).returncode == 0
    gone = demo_service.run("conversations", "show", short)
    assert (gone.returncode, gone.stdout) == (2, "")
    assert "conversations list" in gone.stderr


def test_what_went_wrong_is_taken_back_and_tried_again(demo_service: Service) -> None:
    demo_service.run("ask", "turn on the reading lamp")
    taken_back = demo_service.run("wrong")
    assert taken_back.returncode == 0, taken_back.stderr
    assert _state(demo_service, "light.reading_lamp") == "off"
    (test, *_) = _json(demo_service, "wrong", "list")["tests"]
    number = str(test["id"])
    assert "light.reading_lamp" in demo_service.run("wrong", "show", number).stdout
    failed = demo_service.run("eval", "--mine")
    assert (failed.returncode, "the same again" in failed.stdout) == (1, True)
    assert demo_service.run("wrong", "right", number, "--state", "light.reading_lamp=on").returncode == 0
    assert "1 of 1 pass." in demo_service.run("eval", "--mine").stdout
    assert demo_service.run("wrong", "right", number, "--state", "on").returncode == 2
    assert demo_service.run("wrong", "delete", number).returncode == 0
    assert demo_service.run("wrong", "show", number).returncode == 2


def test_nothing_is_forgotten_unasked(demo_service: Service) -> None:
    demo_service.run("ask", "is the front door locked?", "--conversation", "kept")
    for command in ("conversations", "history"):
        assert demo_service.run(command, "clear").returncode == 2
    assert demo_service.run("conversations", "show", "kept").returncode == 0


def test_programs_get_errors_as_json(demo_service: Service) -> None:
    wrong = (["memory", "delete", "nothing-like-it"], ["memory", "delete"], ["ask", "hello", "--no-such-option"])
    for arguments in wrong:
        done = demo_service.run(*arguments, "--json")
        assert (done.returncode, done.stdout) == (2, "")
        assert set(json.loads(done.stderr)["error"]) >= {"code", "message", "hint"}
        assert not demo_service.run(*arguments).stderr.startswith("{")


def test_arrow_up_brings_back_what_was_said_in_that_conversation(demo_service: Service) -> None:
    demo_service.run("ask", "turn on the kitchen lights", "--conversation", "edited")
    demo_service.run("ask", "turn off the kitchen lights")
    chat = ["chat", "--conversation", "edited"]
    shown = _in_terminal(demo_service, chat, b"\x1b[A\rexit\r", when=b"> ")
    assert "Kitchen lights are on" in shown
    assert _state(demo_service, "light.kitchen_lights") == "on"


def test_status_and_doctor(demo_service: Service) -> None:
    assert _json(demo_service, "status")["parts"]["database"]["status"] == "ok"
    assert "home assistant: ok" in demo_service.run("health").stdout
    checks = _json(demo_service, "doctor")["checks"]
    assert {check["status"] for check in checks} == {"ok", "off"}


def test_events_are_shown_live(demo_service: Service) -> None:
    watching = subprocess.Popen(
        [HOMEAGENT, "events", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(demo_service.folder, demo_service.more),
        preexec_fn=_hears_ctrl_c,
    )
    assert watching.stdout is not None
    for _ in range(20):  # until it watches; nothing says when it does, and it may begin in the middle of a turn
        demo_service.run("ask", "turn on the kitchen lights")
        if select.select([watching.stdout], [], [], 1)[0]:
            break
    asked = demo_service.run("ask", "turn off the kitchen lights", "--conversation", "watched")
    assert asked.returncode == 0, asked.stderr
    types = []
    while "home_agent.conversation.finished" not in types:
        event = json.loads(watching.stdout.readline())
        if event.get("conversation_id") == "watched":
            types.append(event["event_type"])
    assert "home_agent.tool.executed" in types
    watching.send_signal(2)
    _, stderr = watching.communicate(timeout=20)
    assert b"Traceback" not in stderr


def test_words_are_never_read_as_markup(demo_service: Service) -> None:
    demo_service.run("memory", "add", "the code [bold]is[/bold] [/nonsense]")
    done = demo_service.run("memory", "list")
    assert "the code [bold]is[/bold] [/nonsense]" in done.stdout


def test_too_long_and_empty_sentences(demo_service: Service) -> None:
    for stdin in (b"", b"  \n", b"a\0b", b"light " * 17_000):
        done = demo_service.run("ask", "-", stdin=stdin)
        assert done.returncode == 2
        assert done.stderr.strip()


def test_limits_out_of_range_are_told(demo_service: Service) -> None:
    for command in (["search", "x", "--limit", "0"], ["memory", "list", "--limit", "1001"], ["memory", "search", ""]):
        done = demo_service.run(*command)
        assert done.returncode == 2
        assert done.stderr.strip()
        assert not done.stdout


def test_a_reader_that_has_seen_enough(demo_service: Service) -> None:
    done = subprocess.run(
        f"{HOMEAGENT} search 'kitchen lights' | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        env=environment(demo_service.folder, demo_service.more),
        timeout=60,
    )
    assert "score" in done.stdout
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_ends_a_chat(demo_service: Service) -> None:
    chat = subprocess.Popen(
        [HOMEAGENT, "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(demo_service.folder, demo_service.more),
        preexec_fn=_hears_ctrl_c,
    )
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write(b"turn on the kitchen lights\n")
    chat.stdin.flush()
    assert chat.stdout.readline().strip()
    chat.send_signal(signal.SIGINT)
    _, stderr = chat.communicate(timeout=20)
    assert chat.returncode == 130
    assert b"Traceback" not in stderr
