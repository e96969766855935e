"""The settings file as text: changed in place, and replaced so that nobody else can read it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import SecretStr
from tomlkit.items import Table

from homeagent.errors import ConfigError


def changed(text: str, changes: Mapping[str, Any]) -> str:
    """TOML ``text`` with each ``section.name`` of ``changes`` set (None: removed); the rest byte for byte as it was."""
    document = tomlkit.parse(text)
    for setting, value in changes.items():
        section, _, name = setting.rpartition(".")
        if value is None:
            _remove(document, section, name)
        else:
            _table(document, section)[name] = _plain(value)
    return tomlkit.dumps(document)


def _table(document: tomlkit.TOMLDocument, section: str) -> Any:
    if not section:
        return document
    if section not in document:
        document[section] = tomlkit.table()
    return document[section]


def _remove(document: tomlkit.TOMLDocument, section: str, name: str) -> None:
    table = document if not section else document.get(section)
    if isinstance(table, Table | tomlkit.TOMLDocument) and name in table:
        table.remove(name)


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def replace_private(file: Path, text: str) -> None:
    """Put ``text`` in the place of ``file``: whole or not at all, mode 0600 before the first byte is in it.

    A link is followed, so that a file kept elsewhere stays there. Raises ConfigError.
    """
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside.unlink(missing_ok=True)
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as new:
                new.write(text)
                new.flush()
                os.fsync(new.fileno())
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}.", hint="Check the folder's rights.") from None
