"""Why something was so, who did it, and what would do it: as far as Home Assistant knows, and that it does not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.spoken_values import attribute_words, moment_words, state_words
from homeagent.domains import profile_of
from homeagent.domains.profile import MeasureUnit
from homeagent.ha.home import Home
from homeagent.understanding.request import Past, Tell
from indexer.entity import Entity

_MOST_CAUSES = 5
_DOES: Mapping[str, frozenset[str]] = {
    "on": frozenset({"turn_on", "toggle"}),
    "off": frozenset({"turn_off", "toggle"}),
    "open": frozenset({"open_cover", "open_valve", "toggle", "set_cover_position"}),
    "closed": frozenset({"close_cover", "close_valve", "toggle", "set_cover_position"}),
    "locked": frozenset({"lock"}),
    "unlocked": frozenset({"unlock", "open"}),
}
"""What is done to a thing so that it is in a state."""

Line = Mapping[str, Any]


def words(past: Past, told: Line, home: Home, phrases: Phrases) -> str:
    """What the state was, since when, and its causes: the nearest first, or the person first where it is asked who."""
    asked = next((a.states for a in past.of if a.entity_id == told["entity_id"]), ())
    name, state = str(told["name"]), str(told["state"])
    entity = home.entity(str(told["entity_id"]))
    if told["state"] is None:
        return phrases.say("why_nothing", name=name)
    said = state_words(entity, state, phrases)
    if asked and state not in asked:
        wanted, at = state_words(entity, asked[0], phrases), moment_words(str(told["at"]), home)
        return phrases.say("why_not", name=name, state=wanted, time=at, other=said)
    reached = _reached(entity, home, phrases) if past.tell is Tell.WHY else ()
    if not told["since"]:
        return " ".join([phrases.say("why_before", name=name, state=said), *reached])
    head = phrases.say("why_since", name=name, state=said, time=moment_words(str(told["since"]), home))
    return " ".join([head, *reached, *_causes(past.tell, told, home, phrases)])


def _reached(entity: Entity | None, home: Home, phrases: Phrases) -> Iterator[str]:
    """What a thing measures held against what it is set to, where it does both."""
    state = home.state(entity.entity_id) if entity is not None else None
    if entity is None or state is None:
        return
    of_kind = [m for m in profile_of(entity.domain).measures if state.attributes.get(m.reads) is not None and m.asked]
    for measured, wished in itertools.product(of_kind, of_kind):
        if wished.wished and not measured.wished and measured.unit is wished.unit is MeasureUnit.DEGREE:
            said = [attribute_words(m.reads, state.attributes[m.reads], phrases, home) for m in (measured, wished)]
            yield phrases.say("why_reached", measured=said[0], wished=said[1])


def _causes(tell: Tell, told: Line, home: Home, phrases: Phrases) -> Iterator[str]:
    causes: Sequence[Line] = told["causes"]
    persons = [c for c in causes if "who" in c]
    if tell is Tell.WHO and not persons:
        yield phrases.say("who_unknown")
    if not told.get("logbook", True):
        yield phrases.say("why_no_logbook")
    elif not causes and tell is Tell.WHY:
        yield phrases.say("why_unknown")
    first = persons if tell is Tell.WHO else ()
    chain = [*first, *(c for c in causes if c not in first)]
    if len(chain) > _MOST_CAUSES:  # what began it says more than what came in between
        chain = [*chain[: _MOST_CAUSES - 1], chain[-1]]
    for cause in chain:
        yield _cause(cause, home, phrases)


def _cause(cause: Line, home: Home, phrases: Phrases) -> str:
    kind, at = str(cause["kind"]), moment_words(str(cause["at"]), home)
    if "who" in cause:
        return phrases.say(f"why_{cause['who']}", name=cause["user"], time=at)
    known = "entity_id" in cause
    if kind in ("automation", "script") and not known:
        return phrases.say(f"why_hidden_{kind}", time=at)
    if kind == "change":
        entity = home.entity(str(cause.get("entity_id", "")))
        state = state_words(entity, str(cause.get("detail", "")), phrases)
        return phrases.say("why_change" if known else "why_hidden_change", name=cause["name"], state=state, time=at)
    return phrases.say(f"why_{kind}", name=cause.get("name", ""), detail=cause.get("detail", ""), time=at)


def acting(past: Past, told: Line, home: Home, phrases: Phrases) -> str:
    """The names of the automations, scripts or scenes that would do it; of a single one also when it last ran, and
    whether it is disabled.
    """
    found = [line for line in told["found"] if _acts(line, past)]
    if not found:
        return phrases.say("acts_none", kind=phrases.kind(past.source))
    names = phrases.names([str(line["name"]) for line in found])
    said = [phrases.say("acts_one" if len(found) == 1 else "acts_many", names=names)]
    if len(found) == 1:
        if found[0].get("enabled") is False:
            said.append(phrases.say("acts_disabled"))
        if last := found[0].get("last_triggered"):
            said.append(phrases.say("acts_last", time=moment_words(str(last), home)))
    return " ".join(said)


def described(past: Past, told: Sequence[Line], phrases: Phrases) -> str:
    """What each does, in the words of its description, which are English."""
    texts = {str(line["entity_id"]): str(line["text"]) for t in told for line in t.get("found", ())}
    return " ".join(texts[a.entity_id] for a in past.of if a.entity_id in texts) or phrases.say("no_answer")


def _acts(line: Line, past: Past) -> bool:
    does = line.get("does", {})
    return any(
        not asking.states or any(what in asking.states or what in _DOES.get(s, ()) for s in asking.states)
        for asking in past.of
        for what in does.get(asking.entity_id, ())
    )
