"""The set: homes, their days, and questions with what their answers are made of. See data/eval/history/README.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from homeagent.demo.inventory import Inventory, parse_inventory
from homeagent.errors import InvalidInput
from homeagent.evaluation.history.household import Days
from homeagent.evaluation.history.recorder_tables import TELLS, Expected
from homeagent.ha.recorder import HistoryRow
from homeagent.values.yaml_text import read_yaml

HOMES, QUESTIONS = "homes.yaml", "questions.yaml"


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence and what it asks; ``beside`` is the second period of a comparison."""

    id: str
    language: str
    text: str
    expected: Expected
    beside: Expected | None = None


@dataclass(frozen=True, slots=True)
class HistoryHome:
    """A home in one language, its days, and what is asked about them at the end of these."""

    language: str
    raw: Mapping[str, Any]
    days: Days
    questions: tuple[Question, ...]

    def inventory(self, rows: Mapping[str, list[HistoryRow]]) -> Inventory:
        """The home as it is at the end of its days."""
        entities = [e | {"state": rows[e["id"]][-1].state} for e in self.raw["entities"]]
        for entity in entities:
            entity["attributes"] = {**entity["attributes"], **rows[entity["id"]][-1].attributes}
        return parse_inventory({**self.raw, "entities": entities})


def is_history(path: Path) -> bool:
    """Whether a folder holds such a set."""
    return (path / HOMES).is_file() and (path / QUESTIONS).is_file()


def load(folder: Path) -> list[HistoryHome]:
    """Read the set. Raises InvalidInput where a file is missing or says what is not known."""
    try:
        homes, asked = (read_yaml((folder / name).read_text("utf-8")) for name in (HOMES, QUESTIONS))
    except (OSError, yaml.YAMLError) as error:
        raise InvalidInput(f"The questions about history at {folder} cannot be read: {error}") from None
    return [_home(language, homes, asked) for language in homes["homes"]]


def _home(language: str, homes: Mapping[str, Any], asked: Mapping[str, Any]) -> HistoryHome:
    zone = homes["homes"][language]["time_zone"]
    days = Days(
        first=_day(homes["begins"]),
        until=_local(homes["asked_at"]),
        gap=(_local(homes["gap"][0]), _local(homes["gap"][1])),
        reset=_local(homes["reset"]),
        seed=f"{homes['seed']} {language}",
        zone=ZoneInfo(zone),
    )
    return HistoryHome(language, _raw(language, zone, homes), days, tuple(_questions(language, days, asked)))


def _raw(language: str, zone: str, homes: Mapping[str, Any]) -> dict[str, Any]:
    areas = [{"id": i, "name": names[language]} for i, names in homes["areas"].items()]
    entities = []
    for entity_id, told in homes["entities"].items():
        attributes = {k: told[k] for k in ("device_class", "state_class") if k in told}
        if "unit" in told:
            attributes["unit_of_measurement"] = told["unit"]
        entity = {"id": entity_id, "name": told[language], "attributes": attributes}
        entities.append(entity | ({"area": told["area"]} if "area" in told else {}))
    return {"x-language": language, "x-time-zone": zone, "areas": areas, "entities": entities}


def _questions(language: str, days: Days, asked: Mapping[str, Any]) -> Iterator[Question]:
    for question in asked["questions"]:
        told = question["expect"]
        if told["tell"] not in TELLS or told["period"] not in asked["periods"]:
            raise InvalidInput(f"{question['id']} expects what is not known: {told}.")
        beside = _expected(told, asked["periods"][told["compare"]], days) if "compare" in told else None
        period = asked["periods"][told["period"]]
        yield Question(question["id"], language, question["ask"][language], _expected(told, period, days), beside)


def _expected(told: Mapping[str, Any], period: list[Any], days: Days) -> Expected:
    start, end = (days.moment(_local(text)).timestamp() for text in period)
    return Expected(told["tell"], told["entity"], start, end, tuple(told.get("state", ())), told.get("attribute"))


def _local(text: object) -> datetime:
    """YAML reads some of these as moments already, and then in UTC."""
    return text.replace(tzinfo=None) if isinstance(text, datetime) else datetime.fromisoformat(str(text))


def _day(text: object) -> date:
    return text if isinstance(text, date) else date.fromisoformat(str(text))


def moment(seconds: float) -> datetime:
    """A moment, aware, UTC, from seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)
