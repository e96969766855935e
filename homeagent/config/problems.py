"""What is wrong with the settings, in words: which setting, where it was set, and what it should be."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from homeagent.config.model_settings import ModelSettings
from homeagent.config.settings import Settings
from homeagent.errors import ConfigError
from homeagent.privacy.redact import is_secret_name

_PREFIX = "HOMEAGENT_"
_SHOWN = 3
_SHORT = 80
_MODELS = "models"
"""The table of tables: each has a name of the owner's own."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where settings come from, to tell which of the two set one. ``in_file``: what the file holds."""

    file: Path
    environment: Mapping[str, str]
    in_file: Mapping[str, object]

    def of(self, setting: str) -> str:
        """The environment variable that set ``setting`` (``section.name``), or the table it is in, else the file.

        A whole table may be set by several: each variable within it is named, and the file where it has some of it.
        """
        variable = f"{variable_of(setting)}__"
        ours = [name for name, value in self.environment.items() if name.upper().startswith(_PREFIX) and value]
        if above := [name for name in ours if variable.startswith(f"{name.upper()}__")]:
            return f"environment variable {above[0]}"
        within = [f"environment variable {name}" for name in ours if name.upper().startswith(variable)]
        if not within or self._has(setting):
            within.append(str(self.file))
        return " and ".join(within)

    def _has(self, setting: str) -> bool:
        """Whether the file sets it."""
        value: object = self.in_file
        for part in setting.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value is not None


def variable_of(setting: str) -> str:
    """``home_assistant.url`` -> ``HOMEAGENT_HOME_ASSISTANT__URL``."""
    return _PREFIX + setting.upper().replace(".", "__")


def setting_names() -> list[str]:
    """Every setting there is, as ``section.name``."""
    return [name for name, _ in _settings()]


def _settings() -> Iterator[tuple[str, Any]]:
    for key, field in Settings.model_fields.items():
        if key == _MODELS:
            yield from ((f"{key}.NAME.{name}", inner) for name, inner in ModelSettings.model_fields.items())
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from ((f"{key}.{name}", inner) for name, inner in field.annotation.model_fields.items())
        else:
            yield key, field


def unknown_variable(environment: Mapping[str, str]) -> ConfigError | None:
    """A variable that is written like a setting and is none.

    Only names with ``__`` are ours to judge: container platforms put ``HOMEAGENT_PORT_…`` into the environment.
    """
    known = {variable_of(name): name for name in setting_names()}
    for name in sorted(environment):
        upper = name.upper()
        if not upper.startswith(_PREFIX) or "__" not in upper or upper in known:
            continue
        if any(upper.startswith(variable + "__") for variable in known):  # inside of a table, such as llm.options
            continue
        near = difflib.get_close_matches(upper, known, n=1, cutoff=0.6)
        hint = f"Did you mean {near[0]}?" if near else "`homeagent config` lists what there is."
        return ConfigError(f"The environment variable {name} names no setting.", hint=hint)
    return None


def config_error(error: ValidationError, origin: Origin) -> ConfigError:
    """The first few problems as one error; none repeats a secret."""
    problems = error.errors(include_url=False, include_context=False)
    said = [_problem(problem, origin) for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        said.append(f"And {len(problems) - _SHOWN} more.")
    hint = next((h for h in (_hint(problem) for problem in problems) if h), None)
    return ConfigError(" ".join(said), hint=hint)


def _problem(problem: ErrorDetails, origin: Origin) -> str:
    name = _name(problem)
    missing = problem["type"] == "missing"
    where = origin.of(name.rpartition(".")[0] if missing else name)
    if problem["type"] == "extra_forbidden":
        return f"{name} is not a setting (in {where})."
    message = problem["msg"].removeprefix("Value error, ").rstrip(".")
    message = message[:1].lower() + message[1:]
    return f"{name}: {message}{_given(problem)} (in {where})."


def _name(problem: ErrorDetails) -> str:
    return ".".join(str(part) for part in problem["loc"] if part not in ("[key]", "constrained-str"))


def _given(problem: ErrorDetails) -> str:
    value = problem["input"]
    plain = isinstance(value, str | int | float | bool)
    if not plain or _is_secret(_name(problem)) or "://" in str(value):
        return ""
    text = str(value)
    return f", not {text[:_SHORT]!r}" if len(text) <= _SHORT else f", not {text[:_SHORT]!r}…"


def _is_secret(name: str) -> bool:
    return is_secret_name(name) or ".options" in name


def _hint(problem: ErrorDetails) -> str | None:
    if problem["type"] != "extra_forbidden":
        return None
    name = _name(problem)
    names = setting_names()
    leaf = name.rpartition(".")[2]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    near = near or [other for other in names if other.rpartition(".")[2] == leaf][:2]
    near = near or difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return "Did you mean " + " or ".join(near) + "?"
    section = name.partition(".")[0]
    siblings = [other for other in names if other.startswith(section + ".")]
    there_is = siblings or sorted({other.partition(".")[0] for other in names})
    return "There is: " + ", ".join(there_is) + "."
