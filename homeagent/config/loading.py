"""Reads, checks, shows and writes the settings: one TOML file, and environment variables over it.

The file is the one given, else the one that ``HOMEAGENT_CONFIG`` names, else ``config.toml`` in the user's config
folder. What can be set, and what it means, is in `settings.py`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource

from homeagent.config.problems import Origin, config_error, unknown_variable
from homeagent.config.settings import Settings
from homeagent.errors import ConfigError
from homeagent.private_folder import expanded, replace_private

__all__ = ["Settings", "config_path", "load", "masked", "warnings", "write"]

_FILE_VARIABLE = "HOMEAGENT_CONFIG"
_PATHS = (("data_dir",), ("home_assistant", "ca_file"), ("events", "jsonl"))


def config_path(path: str | Path | None = None) -> Path:
    """The file that `load` and `write` mean by ``path``; it need not exist. Raises ConfigError."""
    chosen = path or os.environ.get(_FILE_VARIABLE) or user_config_path("homeagent") / "config.toml"
    try:
        return expanded(chosen)
    except ValueError as error:
        raise ConfigError(f"There is no configuration file: {error}.") from None


def load(path: str | Path | None = None, *, missing_ok: bool = False) -> Settings:
    """The settings in force. Without a file at the default place the defaults are.

    Raises ConfigError: a named file that is not there (unless ``missing_ok``) or cannot be read, TOML that is not
    valid, a setting that does not exist or has a wrong value; each with where it was set and what to do.
    """
    file = config_path(path)
    named = path is not None or bool(os.environ.get(_FILE_VARIABLE))
    in_file = _read(file, must_exist=named and not missing_ok)
    if problem := unknown_variable(os.environ):
        raise problem
    return _validated(in_file, file)


def _validated(in_file: dict[str, object], file: Path) -> Settings:
    values = _merged(_anchored(in_file, file.parent), EnvSettingsSource(Settings)())
    try:
        return Settings(**values)
    except ValidationError as error:
        problem = config_error(error, Origin(file, os.environ, in_file))
    raise problem  # outside of the handler: a ValidationError shows the values that it was given


def _read(file: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(f"There is no configuration file {file}.", hint="Run `homeagent setup`.") from None
        return {}
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{file}, line {line}: this is not UTF-8 text.", hint="Save the file as UTF-8.") from None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.", hint="Check its rights.") from None
    return _parsed(text, file)


def _parsed(text: str, file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        lines = text.splitlines() or [""]
        reason = str(error).replace("at end of document", f"at line {len(lines)}, column {len(lines[-1]) + 1}")
        raise ConfigError(
            f"{file} is not valid TOML: {reason}.", hint='Texts go in quotes: url = "http://…".'
        ) from None
    except RecursionError:
        raise ConfigError(f"{file} is not valid TOML: it is nested too deeply.") from None


def _anchored(values: dict[str, object], folder: Path) -> dict[str, Any]:
    """Relative paths in the file start at the file's own folder; what begins with ``~`` is none."""
    for *section, name in _PATHS:
        table: Any = values
        for part in section:
            table = table.get(part) if isinstance(table, dict) else None
        given = table.get(name) if isinstance(table, dict) else None
        if isinstance(given, str) and not given.startswith("~"):
            table[name] = str(folder.absolute() / given)
    return values


def _merged(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[key] = _merged(below, value) if both else value  # type: ignore[arg-type]
    return merged


def masked(settings: Settings) -> dict[str, Any]:
    """The settings in force for people to see: plain values by section, every secret masked."""
    from homeagent.privacy.redact import mask, without_texts
    from homeagent.values.jsonable import jsonable

    shown: dict[str, Any] = mask(jsonable(settings.model_dump()))
    for section in (shown["llm"], shown["external_llm"], *shown["models"].values()):
        section["options"] = without_texts(section["options"])  # what a provider takes may be secret under any name
    return shown


def warnings(settings: Settings, path: str | Path | None = None) -> list[str]:
    """What is allowed and yet worth a line in the log at the start."""
    found = []
    if not settings.service.loopback and settings.supervisor.url is None:  # an app's network has apps only
        found.append(
            f"service.host is {settings.service.host}: other machines can reach the service. Its token is the only "
            "guard, and it travels unencrypted unless a proxy in front adds TLS."
        )
    if settings.ollama.enabled and not settings.ollama.loopback:
        found.append(
            f"ollama.host is {settings.ollama.host}: other machines can reach the agent there. The token in the path "
            "is the only guard, and it travels unencrypted unless a proxy in front adds TLS."
        )
    if settings.telegram.token is not None and settings.telegram.api_url.startswith("http:"):
        found.append("telegram.api_url is not encrypted: whoever can listen on the way there learns the bot's token.")
    if not settings.home_assistant.verify:
        found.append("home_assistant.verify is off: anybody on the network can pretend to be Home Assistant.")
    file = config_path(path)
    if file.is_file() and file.stat().st_mode & 0o077:
        found.append(f"{file} can be read by others on this machine: chmod 600 {file}")
    return found


def write(path: str | Path | None, changes: Mapping[str, object]) -> Path:
    """Set ``changes`` (``{"home_assistant.url": …}``; None: remove) in the file and keep the rest as it is.

    Comments and order stay. The file is checked first, replaced whole, and readable by its owner only from its first
    moment. Returns its path. Raises ConfigError.
    """
    from homeagent.config.file import changed

    file = config_path(path)
    text = changed(_text(file), changes)
    _validated(_parsed(text, file), file)
    try:
        file.resolve().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_private(file, text)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}.", hint="Check the folder's rights.") from None
    return file


def _text(file: Path) -> str:
    if not file.exists():
        return ""
    _read(file, must_exist=True)
    return file.read_text(encoding="utf-8-sig")
