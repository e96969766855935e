"""Ids as people type them: the beginning of one is enough where nothing else begins like it."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.errors import AmbiguousId, NotFound

SHOWN = 8
"""Digits of an id that people are shown: among 10,000 random ids two begin alike in them once in about 90 homes."""


def short(id_: str) -> str:
    """What people are shown of an id."""
    return id_[:SHOWN]


def the_one(found: Sequence[str], typed: str, *, what: str) -> str:
    """The id that ``typed`` is, or is the beginning of, among those that begin so.

    ``what``: what it is an id of, for the message. Raises NotFound, AmbiguousId.
    """
    if typed in found:
        return typed
    if not found:
        raise NotFound(
            f"There is no {what} {typed[:64]!r}.", hint=f"`homeagent {_LISTED[what]} list` shows what there is."
        )
    if len(found) > 1:
        raise AmbiguousId(f"Several ids begin with {typed[:64]!r}: {', '.join(short(one) for one in found)}.")
    return found[0]


_LISTED = {"conversation": "conversations", "memory": "memory"}
