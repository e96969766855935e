"""How an answer came about, as it stands beside it: out of a turn's trace."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeagent.service.web.home_page import kind_of
from indexer.entity import Entity

_PARTS = ("context", "brain", "llm", "tool")
"""Where time goes, in the order of a turn; the rest is ``other``."""
_MOST_FOUND = 12


@dataclass(frozen=True, slots=True)
class Found:
    """An entity that was found, with what speaks for it."""

    entity_id: str
    name: str
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """An entity that a call was about. ``kind`` is what its states are said of (`home_page.kind_of`); ``before`` and
    ``after``: its raw states, None where that was not looked at.
    """

    name: str
    kind: str
    before: str | None
    after: str | None
    outcome: str


@dataclass(frozen=True, slots=True)
class Called:
    """A tool that was used: ``error`` is empty where it did what it was to do."""

    name: str
    parameters: str
    error: str
    ms: float
    touched: tuple[Touched, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the time: ``start`` and ``width`` are percents of the whole."""

    part: str
    ms: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Why:
    """All of it. ``mentions``: what of the sentence was understood as what."""

    brain: str
    language: str
    mentions: tuple[tuple[str, str], ...]
    found: tuple[Found, ...]
    called: tuple[Called, ...]
    memories: tuple[str, ...]
    tokens: Mapping[str, int]
    total_ms: float
    shares: tuple[Share, ...]
    errors: tuple[str, ...]


def why(trace: Mapping[str, Any], entity_of: Callable[[str], Entity | None]) -> Why:
    """Out of a trace; ``entity_of`` finds an entity by its id."""
    retrieval = trace["retrieval"] or {}
    total = trace["timings_ms"]["total"]
    return Why(
        brain=trace["brain"],
        language=trace["language"],
        mentions=tuple((one["kind"], one["text"]) for one in retrieval.get("mentions", ())),
        found=tuple(
            Found(one["entity_id"], _name(one["entity_id"], entity_of), one["score"], tuple(one["reasons"]))
            for one in retrieval.get("found", ())[:_MOST_FOUND]
        ),
        called=tuple(_called(call, entity_of) for step in trace["steps"] for call in step["calls"]),
        memories=tuple(memory["content"] for memory in trace["memories"]),
        tokens=trace["tokens"],
        total_ms=total,
        shares=tuple(_shares(total, trace["timings_ms"])),
        errors=tuple(error["message"] for error in trace["errors"]),
    )


def _name(entity_id: str, entity_of: Callable[[str], Entity | None]) -> str:
    entity = entity_of(entity_id)
    return entity.name if entity else entity_id


def _called(call: Mapping[str, Any], entity_of: Callable[[str], Entity | None]) -> Called:
    return Called(
        name=call["name"],
        parameters=json.dumps(call["parameters"], ensure_ascii=False),
        error=call["error"] or "",
        ms=round(call["ms"], 1),
        touched=tuple(_touched(call["result"], entity_of)),
    )


def _touched(result: object, entity_of: Callable[[str], Entity | None]) -> Iterator[Touched]:
    """Results of the tools tell of ``targets`` (changed) or ``entities`` (looked at)."""
    if not isinstance(result, Mapping):
        return
    for one in (*_listed(result, "targets"), *_listed(result, "entities")):
        entity = entity_of(str(one.get("entity_id", "")))
        yield Touched(
            str(one.get("name") or one.get("entity_id", "")),
            kind_of(entity) if entity else "",
            one.get("before"),
            one.get("after", one.get("state")),
            str(one.get("outcome", "")),
        )


def _listed(result: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    listed = result.get(key)
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []


def _shares(total: float, spent: Mapping[str, float]) -> Iterator[Share]:
    """The brain's time includes the model's, which is shown on its own."""
    times = {part: spent.get(part, 0.0) for part in _PARTS}
    times["brain"] = max(0.0, times["brain"] - times["llm"])
    times["other"] = max(0.0, total - sum(times.values()))
    whole, start = sum(times.values()) or 1.0, 0.0
    for part, ms in times.items():
        width = round(100 * ms / whole, 2)
        yield Share(part, round(ms, 1), round(start, 2), width)
        start += width
