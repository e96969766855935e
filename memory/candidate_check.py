"""A candidate as a statement that may be kept, or why it may not."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from memory.alike_words import alike, alike_any
from memory.errors import InvalidMemory
from memory.extract import Candidate, TurnFacts
from memory.model import INFERRED, Memory, MemoryType, Sensitivity, Source
from memory.reconcile import Relation, between
from memory.statement_parts import Wording, wording
from memory.statements import Statement, statement
from memory.tokens import sentences
from memory.worth import refusal

_HALF = 0.5
_MARK = re.compile(r"[,;:.!?]\s")
_BESIDE = 2
_RECENT = timedelta(days=180)
"""A date without a year that is not longer past is not the next year's."""


def judged(candidate: Candidate, facts: TurnFacts) -> tuple[Statement | None, str | None]:
    """The statement, or None and the code of why not."""
    in_confidence = told_in_confidence(candidate, facts)
    try:
        wanted = _statement(candidate, facts, in_confidence=in_confidence)
    except InvalidMemory as error:
        return None, f"invalid {error.field}"
    reason = refusal(candidate, facts) or ("no_speaker" if in_confidence and facts.user_id is None else None)
    return (wanted, None) if reason is None else (None, reason)


def correction_of(memory: Memory, content: str, facts: TurnFacts) -> tuple[Candidate, Statement | None]:
    """What takes the place of a memory that is corrected, and as a statement where it can be one."""
    candidate = Candidate(
        content,
        type=memory.type.value,
        importance=memory.importance,
        subjects=memory.subjects,
        user_id=memory.user_id,
        sensitivity=str(memory.sensitivity),
        replaces=(memory.id,),
        language=memory.language,
    )
    try:
        return candidate, _statement(candidate, facts, in_confidence=told_in_confidence(candidate, facts))
    except InvalidMemory:
        return candidate, None


def is_meant(text: str, language: str | None, memory: Memory) -> bool:
    """Whether the memory is what ``text`` names to be forgotten: it says the same, or is about all that was named."""
    its = wording(text, language)
    theirs = wording(memory.content, memory.language)
    if between(its, theirs) in (Relation.SAME, Relation.NARROWING):
        return True
    return any(_covered(part, theirs) for part in (its, *_clauses(text, language)))


def _clauses(text: str, language: str | None) -> list[Wording]:
    """The parts of what is to be forgotten: "the ladder, Dave has brought it back" is about the ladder."""
    parts = _MARK.split(text)
    return [wording(part, language) for part in parts] if len(parts) > 1 else []


def _covered(its: Wording, theirs: Wording) -> bool:
    covered = all(alike_any(word, theirs.words) for word in its.content)
    return bool(its.content) and covered and its.values <= theirs.values


def tells_it_too(candidate: Candidate, memory: Memory) -> bool:
    """Whether the memory tells what the candidate does, worded better: all its values, and half of its words."""
    its = wording(candidate.content, candidate.language)
    theirs = wording(memory.content, memory.language)
    held = sum(any(alike(word, other) for other in theirs.words) for word in its.content)
    return bool(its.content) and held >= _HALF * len(its.content) and its.values <= theirs.values


def _statement(candidate: Candidate, facts: TurnFacts, *, in_confidence: bool) -> Statement:
    language = candidate.language or facts.language
    its = wording(candidate.content, language)
    until = candidate.valid_to or _end_of(candidate, its, facts.at)
    return statement(
        candidate.content,
        type=MemoryType.EVENT if until and candidate.type == MemoryType.FACT else candidate.type,
        importance=candidate.importance,
        user_id=facts.user_id if in_confidence and facts.user_id else candidate.user_id,
        language=language,
        source=Source("conversation", facts.conversation_id or None, facts.turn_id or None, facts.user_id),
        subjects=candidate.subjects,
        category=candidate.category,
        key=candidate.key,
        value=candidate.value,
        confidence=min(candidate.confidence, INFERRED) if candidate.inferred else candidate.confidence,
        inferred=candidate.inferred,
        sensitivity=_closer(candidate.sensitivity) if in_confidence else candidate.sensitivity,
        valid_from=candidate.valid_from,
        valid_to=until,
    )


def told_in_confidence(candidate: Candidate, facts: TurnFacts) -> bool:
    """Whether the sentence that the statement comes from was said for the agent alone, by itself or by the next one."""
    its = wording(candidate.content, candidate.language or facts.language)
    said = [wording(one, facts.language) for one in sentences(facts.said, facts.language)]
    if not any(one.has("confide") for one in said):
        return False
    held = [sum(any(alike(word, other) for other in one.words) for word in its.content) for one in said]
    place = held.index(max(held))
    after = said[place + 1] if place + 1 < len(said) else None
    before = said[place - 1] if place else None
    beside = [one for one in (after, before) if one is not None and one.has("confide")]
    return said[place].has("confide") or any(_only_confides(one) for one in beside)


def _only_confides(sentence: Wording) -> bool:
    """Whether the sentence asks for confidence and says at most two words more ("that stays between us, of course")."""
    return len([word for word in sentence.content if not word.has("confide")]) <= _BESIDE


def _closer(sensitivity: str) -> str:
    return Sensitivity.PRIVATE if sensitivity == Sensitivity.PUBLIC else sensitivity


def _end_of(candidate: Candidate, its: Wording, at: datetime | None) -> datetime | None:
    """When what happens on one day is over: the end of the day that is named, in the zone of ``at``."""
    dates = its.of("date")
    days = [text[1:] for text in dates if text.startswith("d")]
    months = [text[1:] for text in dates if text.startswith("m")]
    lasting = its.has("general") or its.has("attribute") or candidate.type not in (MemoryType.EVENT, MemoryType.FACT)
    exact = any(its.of(kind) for kind in ("time", "day", "number")) or any(text.isdigit() for text in dates)
    lasting = lasting or not exact  # "our anniversary is on the 9th of June" comes back each year
    if at is None or len(days) != 1 or len(months) != 1 or (lasting and candidate.type != MemoryType.EVENT):
        return None
    years = [int(text) for text in dates if text.isdigit()]
    try:
        over = at.replace(
            year=years[0] if years else at.year, month=int(months[0]), day=int(days[0]), hour=23, minute=59, second=59
        )
        if not years and over < at:
            over = over.replace(year=at.year + 1) if at - over > _RECENT else over
        return over.astimezone(UTC) if over > at else None
    except (ValueError, OverflowError):
        return None
