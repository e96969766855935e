"""What opens a way in is known by its name, through whatever domain: names by people who had not seen the rules.

Each file in ``data`` was written before the words were mended to it, and carries the date.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homeagent.ha.home import Home
from homeagent.policy.effects import effects_of
from homeagent.policy.verdicts import Call, Effect
from indexer.entity import Entity

FILES = sorted((Path(__file__).parent / "data").glob("names-*.jsonl"))
SERVICES = {
    "button": "press",
    "input_button": "press",
    "number": "set_value",
    "select": "select_option",
    "cover": "open_cover",
    "remote": "send_command",
}
"""What starts a thing of the domain, where that is not ``turn_on``."""
MOST_ASKED = 0.03
"""Share of harmless things that may be asked about."""


def is_asked(name: str, domain: str, *, opens: bool) -> bool:
    """A cover's device class says the opposite of its name, which is to win."""
    kind = ("shutter" if opens else "curtain") if domain == "cover" else None
    call = Call(domain, SERVICES.get(domain, "turn_on"), "", Entity(f"{domain}.thing_1", name, device_class=kind))
    return Effect.OPENS in effects_of(call, Home())


def read(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_way_in_is_asked_about(file):
    ways = [(row["name"], domain) for row in read(file) if row["opens"] for domain in row["domains"]]
    assert len(ways) > 600
    assert [way for way in ways if not is_asked(*way, opens=True)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_harmless_things_are_hardly_ever_asked_about(file):
    things = [(row["name"], domain) for row in read(file) if not row["opens"] for domain in row["domains"]]
    asked = [thing for thing in things if is_asked(*thing, opens=False)]
    assert len(asked) <= MOST_ASKED * len(things), asked
