"""What is in the calendars."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.days import day_meant, when_said
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.brains.local.things.grounding import Ground
from indexer.mentions import MentionKind
from indexer.selector import Selector

_DOMAIN = "calendar"


def calendar_request(reading: Reading, around: Ground) -> Request | None:
    """The question about what is planned, or None where the clause is about something else."""
    named = [v for m in reading.of_kind(MentionKind.NAME) for v in m.values]
    calendars = tuple(v for v in dict.fromkeys(named) if v.startswith(f"{_DOMAIN}."))
    kinds = [v for m in reading.of_kind(MentionKind.DOMAIN) for v in m.values]
    if not (calendars or _DOMAIN in kinds or reading.has("calendar")) or _does_or_asks_else(reading):
        return None
    if len(calendars) < len(set(named)) or set(kinds) - {_DOMAIN}:
        return None  # a lamp's schedule is none of these
    scope = Scope((calendars,), every=True) if calendars else Scope(selector=Selector(domains=(_DOMAIN,)))
    first = reading.has("upcoming") or reading.has("questions", "when")
    return Request(
        Act.QUERY,
        scope,
        asked=Asked.WHEN if first else Asked.VALUE,
        attribute="events",
        period=day_meant(reading, around.home),
        words={"when": when_said(reading)},
    )


def _does_or_asks_else(reading: Reading) -> bool:
    aside = {p for s in reading.of("particles", "upcoming", "weekdays", "horizon") for p in s.positions}
    doing = any(not set(s.positions) <= aside for s in reading.of("actions"))
    lists = any(s.concept not in ("show", "into") for s in reading.of("lists"))
    return doing or lists or reading.has("timers") or reading.has("questions", "other")
