"""Shows the settings that are in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from homeagent.cli import show
from homeagent.cli.options import Options


def show_settings(chosen: Options) -> None:
    """Every setting with its value, secrets masked, and the file that they come from."""
    from homeagent.config.loading import config_path, load, masked
    from homeagent.values.jsonable import jsonable

    settings = jsonable(masked(load(chosen.config)))
    file = config_path(chosen.config)
    if chosen.json:
        show.as_json({"file": str(file), "exists": file.exists(), "settings": settings})
        return
    show.table(("setting", "value"), _flat(settings), empty="")
    show.note(f"file: {file}" + ("" if file.exists() else " (not there: defaults and environment)"))


def _flat(values: Mapping[str, Any], front: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{front}{name}.")
        else:
            yield front + name, value if value not in ({}, []) else None
