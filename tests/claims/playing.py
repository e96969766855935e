"""Plays written answers as a language model's, in the home and after the calls that they were written for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from homeagent.brains.llm.brain import LlmBrain
from homeagent.brains.llm.client import Completion, OnText
from homeagent.claims.answer_checker import Checker
from homeagent.context import ContextBuilder
from homeagent.events import Emitter
from homeagent.ha.home import Home, HomeConfig, State
from homeagent.prompting.token_counting import estimate
from homeagent.turn import Round, Step, ToolCall, ToolResult, Turn, TurnContext
from homeagent.turns.speech import Speech
from indexer.catalog import Catalog
from indexer.entity import Area, Entity
from indexer.errors import EmbedderUnavailable
from indexer.postings import Scores
from indexer.retrieval import Situation
from indexer.retrieve import retrieve

_HERE = Path(__file__).parent
ANSWERS = (_HERE / "answers_2026-11-29.jsonl", _HERE / "answers_2026-11-29_second.jsonl")
_DONE = ("done", "under_way", "sent")
_EDGES = " \n.,;:!…–—-"
"""What may differ at the ends of a part of an answer: where a neighbour was taken out, the mark between them goes."""


@dataclass(frozen=True)
class Heard:
    """What a person heard of an answer: whole at the end, and piece by piece."""

    text: str
    streamed: str


class Repeats:
    """A model that says the same however often it is asked, in pieces of some letters."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def ask(self, messages: Any, tools: Any = (), on_text: OnText | None = None) -> Completion:
        if on_text:
            for start in range(0, len(self._text), 4):
                await on_text(self._text[start : start + 4])
        return Completion(self._text)


def written(*paths: Path) -> list[dict[str, Any]]:
    """The answers of these files, one a line; of all where none is named."""
    lines = (line for path in paths or ANSWERS for line in path.read_text("utf-8").splitlines())
    return [json.loads(line) for line in lines if line.strip()]


async def hear(case: Mapping[str, Any]) -> Heard:
    """Play a case at the seam below the agent."""
    home = home_of(case["home"])
    turn = await turn_of(case, home)
    emitter = Emitter()
    brain = LlmBrain(
        Repeats("".join(part["text"] for part in case["answer"])),
        ContextBuilder(home, estimate, emitter),
        lambda _: (),
        emitter,
        Checker(home),
    )
    pieces: list[str] = []

    async def say(piece: str) -> None:
        pieces.append(piece)

    speech = Speech(say)
    step = await brain.next_step(turn, speech)
    text = await speech.finish(step.text)
    assert text == "".join(pieces).strip()
    await emitter.close()
    return Heard(step.text, text)


def home_of(lines: Sequence[Mapping[str, Any]]) -> Home:
    """A home with these entities in these states."""
    areas = {line["area"]: Area(line["area"].lower().replace(" ", "_"), line["area"]) for line in lines if line["area"]}
    now = datetime.now(UTC)
    home = Home(HomeConfig())
    home.replace(
        config=HomeConfig(),
        areas=areas.values(),
        floors=(),
        device_areas={},
        entities=[
            Entity(
                line["entity_id"],
                line["name"],
                area=areas.get(line["area"]),
                device_class=line["device_class"],
                unit=line["attributes"].get("unit_of_measurement"),
            )
            for line in lines
        ],
        states=[State(line["entity_id"], line["state"], line["attributes"], now, now) for line in lines],
    )
    return home


async def turn_of(case: Mapping[str, Any], home: Home) -> Turn:
    """The turn with its calls made."""
    catalog = Catalog.build(home.exposed(), home.areas.values(), ())
    found = await retrieve(
        catalog, case["said"], Situation(language=case["lang"], state_of=home.state_text), _no_vector
    )
    turn = Turn(case["said"], language=case["lang"], context=TurnContext(found))
    for number, call in enumerate(case["calls"]):
        made = ToolCall(str(number), call["tool"], _parameters(call))
        turn.rounds.append(Round(Step(tool_calls=(made,)), (_result(call, home),)))
    return turn


def missing(case: Mapping[str, Any], said: str) -> list[str]:
    """The parts that are no lie and were not said, in order."""
    place, lost = 0, []
    for part in case["answer"]:
        core = part["text"].strip(_EDGES)
        if part["is"] == "lie":
            continue
        found = said.find(core, place)
        if found < 0:
            lost.append(part["text"])
        else:
            place = found + len(core)
    return lost


def lies(case: Mapping[str, Any], said: str) -> list[str]:
    """The lies that were said."""
    return [part["text"] for part in case["answer"] if part["is"] == "lie" and part["text"].strip(_EDGES) in said]


def _parameters(call: Mapping[str, Any]) -> dict[str, Any]:
    return {key: call[key] for key in ("action", "entity_id", "parameters") if key in call}


def _result(call: Mapping[str, Any], home: Home) -> ToolResult:
    ids = call["entity_id"] if isinstance(call["entity_id"], list) else [call["entity_id"]]
    if call["tool"] == "ha_query":
        lines = [_line(entity_id, home) for entity_id in ids]
        return ToolResult(success=True, result={"entities": lines, "total": len(lines)})
    targets = [
        {
            "entity_id": entity_id,
            "name": _name(entity_id, home),
            "before": call["before"],
            "after": call["after"],
            "outcome": call["outcome"],
            "confirmed": call["outcome"] == "done",
        }
        for entity_id in ids
    ]
    result: dict[str, Any] = {"action": call["action"], "targets": targets}
    if call["outcome"] == "needs_confirmation":
        result["confirmation"] = {"id": "1", "description": f"{call['action']} {_name(ids[0], home)}"}
    success = call["outcome"] in _DONE
    return ToolResult(success=success, result=result, error=None if success else "That did not work.")


def _line(entity_id: str, home: Home) -> dict[str, Any]:
    state = home.state(entity_id)
    assert state is not None
    return {"entity_id": entity_id, "name": _name(entity_id, home), "state": state.state}


def _name(entity_id: str, home: Home) -> str:
    entity = home.entity(entity_id)
    return entity.name if entity else entity_id


async def _no_vector(_: str, __: str, ___: Catalog) -> Scores:
    raise EmbedderUnavailable("Words alone.")


async def _report(path: Path, show: bool) -> None:
    figures = {"answers": 0, "whole": 0, "lies": 0, "lies said": 0, "others": 0, "others lost": 0}
    for case in written(path):
        heard = await hear(case)
        lost, lied = missing(case, heard.streamed), lies(case, heard.streamed)
        figures["answers"] += 1
        figures["whole"] += not lost and not lied
        figures["lies said"] += len(lied)
        figures["others lost"] += len(lost)
        figures["lies"] += sum(part["is"] == "lie" for part in case["answer"])
        figures["others"] += sum(part["is"] != "lie" for part in case["answer"])
        if show and (lost or lied):
            print(
                case["id"],
                "SAID:",
                heard.streamed,
                *(f"\n    LOST {x}" for x in lost),
                *(f"\n    LIED {x}" for x in lied),
            )
    print(figures)


if __name__ == "__main__":
    import sys

    asyncio.run(_report(Path(sys.argv[1]), "--show" in sys.argv))
