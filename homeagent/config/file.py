"""The settings file as text, changed in place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import SecretStr
from tomlkit.items import Table


def changed(text: str, changes: Mapping[str, object]) -> str:
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


def _plain(value: object) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
