"""Whom the turns before were about: what "it", "those", "both" and "the kitchen ones" reach back to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homeagent.brains.local.meaning.facts import raw_states
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.ha.home import Home
from homeagent.turn import PastTurn, Role
from indexer.entity import Entity

_SETS = frozenset({Asked.WHICH, Asked.HOW_MANY, Asked.ANY, Asked.YESNO})
"""Forms of questions whose answer names those that are so."""
_TOLD_APART = frozenset({"cover", "binary_sensor", "sensor", "media_player"})
"""Domains of which each holds several kinds of things, by their device class."""
_AT_IT = frozenset({"playing", "paused", "buffering"})
_MEDIA = "media_title"


def spoken_of(past: PastTurn, asked: Request | None, home: Home) -> tuple[str, ...]:
    """The ids that a turn was about, as people take it: of a question for those in a state, those that are in it."""
    if asked is None or asked.act is not Act.QUERY or len(past.targets) < 2:
        return past.targets
    if asked.attribute == _MEDIA:
        return tuple(i for i in past.targets if home.state_text(i) in _AT_IT)  # where none plays, none was told of
    if not asked.states or asked.asked not in _SETS:
        return past.targets
    so = tuple(
        i
        for i in past.targets
        if (e := home.entity(i)) is not None and home.state_text(i) in (raw_states(e, asked.states) or asked.states)
    )
    # "which lights are on?" "none": there are none to speak of; "are the lights on?" "no": these are
    return so if so or asked.asked in (Asked.WHICH, Asked.HOW_MANY) else past.targets


def put_back(history: Sequence[PastTurn]) -> tuple[str, ...]:
    """What "turn it back on" means: of what the last turn was about that which it really changed."""
    return tuple(changed(history[-1]) or ()) if history else ()


def changed(past: PastTurn) -> dict[str, str] | None:
    """What a turn really changed: entity ids, and the state that each was in before. None where that is not known."""
    lines = tuple(_lines(past))
    if not lines:
        return None
    return {
        str(line["entity_id"]): str(line["before"])
        for line in lines
        if line.get("before") is not None and line.get("outcome") == "done" and line["before"] != line.get("after")
    }


def _lines(past: PastTurn) -> Iterable[Mapping[str, Any]]:
    """The lines of the tools' results, one for each target."""
    for message in past.messages:
        if message.role is not Role.TOOL:
            continue
        try:
            told = json.loads(message.content)
        except ValueError:
            continue  # cut off, or no result
        result = told.get("result") if isinstance(told, dict) else None
        targets = result.get("targets", ()) if isinstance(result, dict) else ()
        yield from (line for line in targets if isinstance(line, dict) and "entity_id" in line)


def last_two(history: Sequence[PastTurn]) -> tuple[str, ...]:
    """The two things that were spoken of last: of one turn, else of the last turns that were about one each."""
    found: dict[str, None] = {}
    for past in reversed(history):
        if len(past.targets) > 2:
            break
        found.update(dict.fromkeys(past.targets))
        if len(found) >= 2:
            break
    return tuple(found) if len(found) == 2 else ()


def kin_of(ids: Sequence[str], among: Iterable[Entity], home: Home) -> list[Entity]:
    """Those that are things of the same kind as these; none where these are of several."""
    known = [e for i in ids if (e := home.entity(i)) is not None]
    kinds = {_kind(e) for e in known}
    return [e for e in among if _kind(e) in kinds and e.in_plurals] if len(kinds) == 1 else []


def _kind(entity: Entity) -> tuple[str, str | None]:
    return entity.domain, entity.device_class if entity.domain in _TOLD_APART else None


def domains_of_ids(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i.partition(".")[0] for i in ids))


def each(ids: Sequence[str]) -> Scope:
    """Every one of these."""
    return Scope(tuple((i,) for i in ids), every=True)
