"""Two stretches of time beside each other: by how much the figures of the first differ from those of the second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeagent.history.entity_history import rounded
from homeagent.values.timespan import describe_seconds


def difference(line: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The first less the second, in the fields that both have."""
    if "value" in line and "value" in other:
        return {"difference": rounded(line["value"] - other["value"])}
    if "seconds" in line and "seconds" in other:
        seconds = line["seconds"] - other["seconds"]
        more = describe_seconds(abs(seconds))
        return {
            "difference": {
                "count": line["count"] - other["count"],
                "seconds": seconds,
                "time": more if seconds >= 0 else f"-{more}",
            }
        }
    return {}
