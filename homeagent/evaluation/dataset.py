"""Reading a data set: a home inventory beside YAML tasks, in the public format of voice-assistant sets.

A folder holds ``_fixtures.yaml`` (the home, in the ``synthetic-home`` package's format) and any number of task files.
A task file has ``category`` and ``tests``; a test has ``sentences``, ``setup``, ``expect_changes``, ``ignore_changes``,
``expect_response`` and ``context_device``. What we add begins with ``x-``: ``x-expect`` (``refuse`` or ``ask``),
``x-acceptable`` (a list of outcomes, any of which is right) and ``x-follow-ups`` (the next sentences of the
conversation). Unknown fields are reported, never ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml

from homeagent.errors import InvalidInput

FIXTURES = "_fixtures.yaml"
_OUTCOME_FIELDS = {"expect_changes", "ignore_changes", "expect_response", "x-expect", "x-acceptable"}
_TEST_FIELDS = _OUTCOME_FIELDS | {"category", "sentences", "setup", "context_device", "x-follow-ups", "x-language"}
_FOLLOW_UP_FIELDS = _OUTCOME_FIELDS | {"say"}
_FILE_FIELDS = {"category", "tests", "x-language"}


class OutcomeKind(StrEnum):
    """What a right reaction is: the home changes, or it does not and the person hears something."""

    CHANGES = "changes"
    RESPONSE = "response"
    REFUSE = "refuse"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Change:
    """The state and the attributes of one entity, as far as they are said."""

    state: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One right reaction. ``ignored`` names attributes by entity id (``*``: all of them, and the state)."""

    kind: OutcomeKind
    changes: Mapping[str, Change] = field(default_factory=dict)
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict)
    responses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence and the reactions to it that are right."""

    text: str
    acceptable: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation to try on a fresh home: the first sentence and those that follow it."""

    case_id: str
    home: Path
    categories: tuple[str, ...]
    language: str
    says: tuple[Say, ...]
    setup: Mapping[str, Change] = field(default_factory=dict)
    context_device: str | None = None


@dataclass(frozen=True, slots=True)
class DataSet:
    """All cases of one or several folders, and what in the files was not understood."""

    cases: tuple[Case, ...]
    problems: tuple[str, ...] = ()


def load(paths: Sequence[Path]) -> DataSet:
    """Read every folder with a home below these paths.

    Raises:
        InvalidInput: a path does not exist, no home lies below it, or a file is not YAML.
    """
    cases: list[Case] = []
    problems: list[str] = []
    for path in paths:
        if not path.exists():
            raise InvalidInput(f"There is no data set at {path}.")
        homes = [path] if path.is_file() else sorted(p.parent for p in path.rglob(FIXTURES))
        if not homes:
            raise InvalidInput(f"No {FIXTURES} lies below {path}.", hint="A data set is a home beside its tasks.")
        for home in homes:
            cases.extend(_read_home(home if home.is_dir() else home.parent, home, problems))
    return DataSet(tuple(cases), tuple(problems))


def _read_home(folder: Path, path: Path, problems: list[str]) -> Iterator[Case]:
    fixtures = _read_yaml(folder / FIXTURES)
    language = fixtures.get("x-language", "en")
    files = [path] if path.is_file() else sorted(p for p in folder.glob("*.yaml") if not p.name.startswith("_"))
    for file in files:
        yield from _read_file(file, folder, language, problems)


def _read_file(file: Path, folder: Path, language: str, problems: list[str]) -> Iterator[Case]:
    data = _read_yaml(file)
    _report_unknown(data, _FILE_FIELDS, str(file), problems)
    language = data.get("x-language", language)
    for number, test in enumerate(data.get("tests") or (), 1):
        where = f"{file}, test {number}"
        _report_unknown(test, _TEST_FIELDS, where, problems)
        categories = _as_list(test.get("category", data.get("category", "uncategorised")))
        follow_ups = tuple(_follow_up(f, where, problems) for f in test.get("x-follow-ups", ()))
        for nth, sentence in enumerate(test.get("sentences", ()), 1):
            yield Case(
                case_id=f"{folder.name}/{file.stem}/{number}.{nth}",
                home=folder / FIXTURES,
                categories=tuple(map(str, categories)),
                language=test.get("x-language", language),
                says=(Say(sentence, _outcomes(test, where)), *follow_ups),
                setup=_changes(test.get("setup")),
                context_device=test.get("context_device"),
            )


def _follow_up(data: Mapping[str, Any], where: str, problems: list[str]) -> Say:
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


def _read_yaml(file: Path) -> dict[str, Any]:
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InvalidInput(f"{file} is missing.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} is not YAML: {error}") from error
    if not isinstance(data, dict):
        raise InvalidInput(f"{file} is not a mapping.")
    return data


def _report_unknown(data: Mapping[str, Any], known: set[str], where: str, problems: list[str]) -> None:
    problems.extend(f"{where}: unknown field {name!r}" for name in data if name not in known)


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]
