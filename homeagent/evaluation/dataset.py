"""Reading a data set: a home inventory beside YAML tasks, in the public format of voice-assistant sets.

A folder holds ``_fixtures.yaml`` (the home, in the ``synthetic-home`` package's format) and any number of task files.
A task file has ``category`` and ``tests``; a test has ``sentences``, ``setup``, ``expect_changes``, ``ignore_changes``,
``expect_response`` and ``context_device``. What we add begins with ``x-``: ``x-expect`` (``refuse`` or ``ask``),
``x-acceptable`` (a list of outcomes, any of which is right) and ``x-follow-ups`` (the next sentences of the
conversation). A file may also hold ``retrieval``: sentences of which only what they find is looked at, each with
``sentence`` (or ``sentences``), ``targets`` and, where somebody speaks in a room, ``context_area``. Unknown fields are
reported, never ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from homeagent.errors import InvalidInput
from homeagent.evaluation.cases import Case, Change, DataSet, Lookup, Outcome, OutcomeKind, Say
from homeagent.values.yaml_text import read_yaml

FIXTURES = "_fixtures.yaml"
_OUTCOME_FIELDS = {"expect_changes", "ignore_changes", "expect_response", "x-expect", "x-acceptable"}
_TEST_FIELDS = _OUTCOME_FIELDS | {"category", "sentences", "setup", "context_device", "x-follow-ups", "x-language"}
_FOLLOW_UP_FIELDS = _OUTCOME_FIELDS | {"say"}
_FILE_FIELDS = {"category", "tests", "retrieval", "x-language"}
_LOOKUP_FIELDS = {"sentence", "sentences", "targets", "context_area", "category", "x-language"}


def load(paths: Sequence[Path]) -> DataSet:
    """Read every folder with a home below these paths.

    Raises:
        InvalidInput: a path does not exist, no home lies below it, or a file is not YAML.
    """
    reading = _Reading()
    for path in paths:
        if not path.exists():
            raise InvalidInput(f"There is no data set at {path}.")
        homes = [path] if path.is_file() else sorted(p.parent for p in path.rglob(FIXTURES))
        if not homes:
            raise InvalidInput(f"No {FIXTURES} lies below {path}.", hint="A data set is a home beside its tasks.")
        for home in homes:
            reading.home(home if home.is_dir() else home.parent, home)
    return DataSet(tuple(reading.cases), tuple(reading.problems), tuple(reading.lookups), reading.homes)


class _Reading:
    """What was read so far."""

    def __init__(self) -> None:
        self.cases: list[Case] = []
        self.lookups: list[Lookup] = []
        self.problems: list[str] = []
        self.homes: dict[Path, Mapping[str, Any]] = {}

    def home(self, folder: Path, path: Path) -> None:
        home = folder / FIXTURES
        self.homes[home] = raw = _read_yaml(home)
        self.problems += unknown_in_home(raw, str(home))
        language = str(raw.get("x-language") or raw.get("language") or "en")
        files = [path] if path.is_file() else sorted(p for p in folder.glob("*.yaml") if not p.name.startswith("_"))
        for file in files:
            self._file(_TaskFile(file, home, language, _read_yaml(file)))

    def _file(self, file: _TaskFile) -> None:
        _report_unknown(file.data, _FILE_FIELDS, str(file.path), self.problems)
        for number, test in enumerate(file.data.get("tests") or (), 1):
            self.cases += file.cases(test, number, self.problems)
        for number, raw in enumerate(file.data.get("retrieval") or (), 1):
            self.lookups += file.lookups(raw, number, self.problems)


@dataclass(frozen=True, slots=True)
class _TaskFile:
    path: Path
    home: Path
    home_language: str
    data: Mapping[str, Any]

    def cases(self, test: Mapping[str, Any], number: int, problems: list[str]) -> Iterator[Case]:
        where = f"{self.path}, test {number}"
        _report_unknown(test, _TEST_FIELDS, where, problems)
        follow_ups = tuple(_follow_up(f, where, problems) for f in test.get("x-follow-ups", ()))
        for nth, sentence in enumerate(test.get("sentences", ()), 1):
            yield Case(
                case_id=self._id(number, nth),
                home=self.home,
                categories=self._categories(test),
                language=self._language(test),
                says=(Say(str(sentence), _outcomes(test, where)), *follow_ups),
                setup=_changes(test.get("setup")),
                context_device=test.get("context_device"),
            )

    def lookups(self, raw: Mapping[str, Any], number: int, problems: list[str]) -> Iterator[Lookup]:
        where = f"{self.path}, retrieval {number}"
        _report_unknown(raw, _LOOKUP_FIELDS, where, problems)
        if not raw.get("targets"):
            raise InvalidInput(f"{where} has no targets.", hint="Give the entity ids that must be found.")
        for nth, sentence in enumerate(_as_list(raw.get("sentences", raw.get("sentence", []))), 1):
            yield Lookup(
                lookup_id=self._id(number, nth),
                home=self.home,
                categories=self._categories(raw, "retrieval"),
                language=self._language(raw),
                sentence=str(sentence),
                targets=frozenset(map(str, _as_list(raw["targets"]))),
                context_area=raw.get("context_area"),
            )

    def _id(self, number: int, nth: int) -> str:
        return f"{self.path.parent.name}/{self.path.stem}/{number}.{nth}"

    def _categories(self, test: Mapping[str, object], default: str = "uncategorised") -> tuple[str, ...]:
        return tuple(map(str, _as_list(test.get("category", self.data.get("category", default)))))

    def _language(self, test: Mapping[str, object]) -> str:
        return str(test.get("x-language") or self.data.get("x-language") or self.home_language)


def _follow_up(data: Mapping[str, object], where: str, problems: list[str]) -> Say:
    _report_unknown(data, _FOLLOW_UP_FIELDS, f"{where}, follow-up", problems)
    return Say(str(data["say"]), _outcomes(data, where))


def _outcomes(data: Mapping[str, Any], where: str) -> tuple[Outcome, ...]:
    ignored = _ignored(data.get("ignore_changes"))
    outcomes = []
    if "expect_changes" in data:
        outcomes.append(Outcome(OutcomeKind.CHANGES, _changes(data["expect_changes"]), ignored))
    elif "expect_response" in data:
        outcomes.append(
            Outcome(OutcomeKind.RESPONSE, ignored=ignored, responses=tuple(_as_list(data["expect_response"])))
        )
    if "x-expect" in data:
        outcomes.append(Outcome(OutcomeKind(data["x-expect"]), ignored=ignored))
    for other in data.get("x-acceptable", ()):
        outcomes.extend(
            [Outcome(OutcomeKind(other), ignored=ignored)] if isinstance(other, str) else _outcomes(other, where)
        )
    if not outcomes:
        raise InvalidInput(f"{where} expects nothing.", hint="Give expect_changes, expect_response or x-expect.")
    return tuple(outcomes)


def _changes(data: Mapping[str, Any] | None) -> dict[str, Change]:
    return {
        entity_id: Change(
            state=str(change["state"]) if "state" in change else None,
            attributes=dict(change.get("attributes") or {}),
        )
        for entity_id, change in (data or {}).items()
    }


def _ignored(data: Mapping[str, Any] | Sequence[str] | None) -> dict[str, frozenset[str]]:
    if not data:
        return {}
    if not isinstance(data, Mapping):
        return dict.fromkeys(data, frozenset({"*"}))
    return {
        entity_id: frozenset({"*"}) if not names else frozenset(names)
        for entity_id, names in ((e, list(n) if n else []) for e, n in data.items())
    }


def _read_yaml(file: Path) -> dict[str, object]:
    try:
        data = read_yaml(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InvalidInput(f"{file} is missing.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} is not YAML: {error}") from error
    if not isinstance(data, dict):
        raise InvalidInput(f"{file} is not a mapping.")
    return data


def _report_unknown(data: Mapping[str, object], known: set[str], where: str, problems: list[str]) -> None:
    problems.extend(f"{where}: unknown field {name!r}" for name in data if name not in known)


def _as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


_HOME = {
    "areas", "devices", "entities", "floors", "language", "x-floors", "x-language", "x-name", "x-temperature-unit",
    "x-time-zone",
}  # fmt: skip
_PARTS = {
    "areas": {"name", "id", "floor", "x-aliases", "x-labels"},
    "floors": {"name", "id", "level", "aliases"},
    "x-floors": {"name", "id", "level", "aliases"},
    "devices": {"name", "id", "area", "info", "x-labels"},
    "entities": {
        "name", "id", "area", "device", "state", "attributes", "x-aliases", "x-automation", "x-behavior", "x-category",
        "x-code", "x-events", "x-exposed", "x-forecast", "x-hidden", "x-history", "x-items", "x-labels", "x-members",
        "x-registered", "x-scene", "x-script",
    },
}  # fmt: skip


def unknown_in_home(raw: Mapping[str, Any], where: str) -> Iterator[str]:
    """Each kind of field that is not understood, once, with how often it is there."""
    yield from (f"{where}: unknown field {name!r}" for name in raw if name not in _HOME)
    for part, known in _PARTS.items():
        items = raw.get(part) or ()
        for name in dict.fromkeys(name for item in items for name in item if name not in known):
            count = sum(name in item for item in items)
            yield f"{where}, {part}: unknown field {name!r} ({count} times)"
