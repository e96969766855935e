"""A finished turn as it waits in the outbox, and as memory judges what it may leave behind."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.brains.call_outcomes import only_looks
from homeagent.conversations import Answer
from homeagent.ha.home import Home
from homeagent.privacy.redact import hidden, scrubbed
from homeagent.prompting.prompt import result_text
from homeagent.remembering.held_names import HeldNames
from homeagent.remembering.home_view import Linker, Things
from homeagent.turn import ToolCall, Turn
from memory.extract import Call, Candidate, LiveView, Subject, TurnFacts
from memory.naming_sentences import naming
from memory.worth import refusal

_LONGEST = 600
"""Characters of one tool result: enough to tell that a statement comes from it."""
_MOST_TARGETS = 3
"""More things than these are no "this"."""


def note_of(turn: Turn, answer: Answer, at: datetime, *, answered: bool) -> dict[str, Any]:
    """Ready for JSON, without codes. ``answered``: what it asked to remember outright was done already."""
    secrets = turn.secrets()
    context = turn.context
    note = {
        "said": turn.text,
        "answered": answer.text,
        "before": list(_before(turn)),
        "turns_before": [past.turn_id for past in context.history[-1:] if past.question is None] if context else [],
        "user_id": turn.user_id,
        "language": turn.language,
        "at": at.isoformat(),
        "conversation_id": turn.conversation_id,
        "calls": [call for done in turn.rounds for one in done.step.tool_calls if (call := _call(one))],
        "results": [scrubbed(result_text(r, _LONGEST), secrets) for done in turn.rounds for r in done.results],
        "recalled": [memory.content for memory in context.memories] if context else [],
        "pointed_at": list(pointed_at(turn)),
        "outright_done": answered,
    }
    return hidden(note, secrets)


def _before(turn: Turn) -> tuple[str, ...]:
    """What was said and answered in the turn before."""
    history = turn.context.history if turn.context else ()
    return tuple(text for past in history[-1:] for text in (past.answer, past.text) if text)


def pointed_at(turn: Turn) -> tuple[str, ...]:
    """The entities that "this" means: those of the last turn, where they are few."""
    history = turn.context.history if turn.context else ()
    targets = history[-1].targets if history else ()
    return targets if len(targets) <= _MOST_TARGETS else ()


def facts_of(
    turn_id: str, note: Mapping[str, Any], live: LiveView, users: Mapping[str, str], zone: ZoneInfo
) -> TurnFacts:
    """The turn as it was noted, for judging candidates; ``zone`` is the home's. Raises KeyError for another note."""
    return TurnFacts(
        said=note["said"],
        answered=note["answered"],
        before=tuple(note.get("before", ())),
        turns_before=frozenset(note.get("turns_before", ())),
        user_id=note["user_id"],
        language=note["language"],
        at=datetime.fromisoformat(note["at"]).astimezone(zone),
        conversation_id=note["conversation_id"],
        turn_id=turn_id,
        calls=tuple(Call(c["action"], tuple(c["entity_ids"]), c["parameters"]) for c in note["calls"]),
        results=tuple(note["results"]),
        recalled=tuple(note["recalled"]),
        live=live,
        users=users,
    )


async def facts_now(turn: Turn, home: Home, linker: Linker) -> TurnFacts:
    """The turn as it stands, before it is over."""
    note = note_of(turn, Answer("", ""), datetime.now(UTC), answered=True)
    return facts_of(turn.turn_id, note, Things(home), linker.users, home.config.time_zone)


async def why_not_worth_it(home: Home, content: str, turn: Turn) -> str | None:
    """Why a statement of this turn is not kept, as a code of `memory.worth` or a `NoName`; None where it may be."""
    linker, held = Linker(home), home.worked_out(HeldNames)
    facts = await facts_now(turn, home, linker)

    def why_not() -> str | None:
        named = naming(content, turn.language, linker.is_thing)
        things = [subject.id for subject in linker.things(named.what)] if named else []
        no = held.refusal(named.name, things) if named and things else None
        return no or refusal(Candidate(content, language=turn.language), facts)

    return await asyncio.to_thread(why_not)


def _call(call: ToolCall) -> dict[str, Any] | None:
    """A command of the turn as memory judges it; None for calls that only look something up or are
    about memory itself.
    """
    if only_looks(call) or "memory" in call.name or "profile" in call.name:
        return None
    given = call.parameters
    ids = given.get("entity_id") or []
    return {
        "action": str(given.get("action", call.name)),
        "entity_ids": [ids] if isinstance(ids, str) else [i for i in ids if isinstance(i, str)],
        "parameters": given["parameters"] if isinstance(given.get("parameters"), dict) else {},
    }


def subjects_of(ids: tuple[str, ...], linker: Linker) -> list[Subject]:
    """The exposed entities among these ids, as subjects."""
    return [subject for i in ids if (subject := linker.entity(i)) is not None]
