"""How `ask` and `confirm` end where the answer tells of a failure, with a service that answers what it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from homeagent.cli import talk
from homeagent.cli.app import app
from homeagent.errors import InvalidInput

PENDING = {"id": "p1", "description": "unlock Front door"}


class Answers:
    """A client of the service; notes the fields of each call."""

    def __init__(self, process_error: str | None, confirm_error: str | None) -> None:
        self.errors = {"process": process_error, "confirm": confirm_error}
        self.asked: dict[str, dict[str, Any]] = {}

    async def call(self, service: str, **fields: Any) -> dict[str, Any]:
        self.asked[service] = fields
        answer = {"response": "So.", "pending": [PENDING] if service == "process" else []}
        error = self.errors[service]
        return answer | {"handled": error is None} | ({"error": error} if error else {})


@pytest.fixture
def service(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Answers:
    answers = Answers(*request.param)

    def with_client(_: object, work: Callable[[Any], Awaitable[Any]]) -> Any:
        return asyncio.run(work(answers))  # type: ignore[arg-type]

    monkeypatch.setattr(talk, "with_client", with_client)
    monkeypatch.setattr(talk, "call", lambda _, name, **fields: asyncio.run(answers.call(name, **fields)))
    monkeypatch.setattr(talk, "has_terminal", lambda: True)
    monkeypatch.setattr(talk, "yes", lambda _: True)
    return answers


@pytest.mark.parametrize(
    ("service", "code"),
    [((None, None), 0), (("llm", None), 1), ((None, "home_assistant"), 1)],
    indirect=["service"],
)
def test_ask_fails_where_the_turn_or_what_was_agreed_to_failed(service: Answers, code: int) -> None:
    done = CliRunner().invoke(app, ["--language", "de", "ask", "entsperre die Haustür"])
    assert done.exit_code == code
    assert service.asked["confirm"]["language"] == "de"


@pytest.mark.parametrize(("service", "code"), [((None, None), 0), ((None, "home_assistant"), 1)], indirect=["service"])
def test_confirm_fails_where_what_was_agreed_to_failed(service: Answers, code: int) -> None:
    done = CliRunner().invoke(app, ["--language", "de", "confirm", "p1"])
    assert done.exit_code == code
    assert service.asked["confirm"]["language"] == "de"


@pytest.mark.parametrize("service", [(None, None)], indirect=True)
@pytest.mark.parametrize("text", ["", "  "])
def test_without_a_sentence_it_is_told_in_plain_words(service: Answers, text: str) -> None:
    done = CliRunner().invoke(app, ["ask", text])
    assert isinstance(done.exception, InvalidInput)
    assert str(done.exception).startswith("There is no sentence.")
    assert not service.asked
