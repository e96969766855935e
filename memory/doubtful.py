"""Candidates that tell nothing of their own: that somebody asked something, what was only concluded from a command or
from nothing, and what another one of the same turn tells better.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.alike_words import alike
from memory.extract import Candidate, TurnFacts
from memory.memory_words import language
from memory.model import MemoryType, Sensitivity
from memory.statement_parts import Word, Wording, wording
from memory.tokens import sentences

_HALF = 0.5
_CONCLUDED = 0.6
"""Share of what a conclusion is about that must have been said: with less, it is about something nobody spoke of."""
_MATTERS = 0.7
"""Importance from which a statement is no mere reason."""
_LASTING = ("general", "wish", "dislike", "called", "attribute")


def reports_a_question(its: Wording, own: Sequence[Word], facts: TurnFacts) -> bool:
    """Whether it only reports that somebody asked something: its words (``own``, without names) are those of a question
    of the turn.
    """
    if not its.has("asking"):
        return False
    said = sentences(facts.said, facts.language)
    asked = [one for one in said if one.endswith(("?", "？"))]
    told = [one for one in said if one not in asked]
    words = [word for word in own if not word.has("asking")]
    if not words:  # "Anna asked about the kitchen window": only names
        return bool(asked) and not its.values
    in_asked, in_told = _held(words, asked, facts.language), _held(words, told, facts.language)
    return bool(asked and words) and in_asked >= _HALF * len(words) and in_asked >= in_told


def only_guessed(
    candidate: Candidate, its: Wording, said: Wording, facts: TurnFacts, own: Sequence[Word]
) -> str | None:
    """Why a conclusion is a guess, as a code: it was drawn from a command that says nothing lasting, or tells a liking
    where none was told, or what it is about was hardly said (``own``: its words without names). None: it is none."""
    if not candidate.inferred:
        return None
    lasts = any(said.has(concept) for concept in _LASTING)
    if facts.calls and not lasts:
        return "commanded"
    likes = its.has("wish") or its.has("dislike")
    things = [word for word in own if not word.concepts]
    heard = sum(any(alike(word, other) for other in said.words) for word in things)
    if heard < _CONCLUDED * len(things) or (likes and not any(said.has(of) for of in ("wish", "dislike", "general"))):
        return "not_said"
    return None


def of_the_speaker_unsaid(its: Wording, said: Wording, facts: TurnFacts) -> bool:
    """Whether it tells what the speaker is, who did not speak of themselves: it was said of something else."""
    known = language(facts.language)
    if known is None or known.drops_pronouns or said.has("first") or said.has("we") or its.negated:
        return False
    name = {word.bare for word in wording(facts.users.get(facts.user_id or "", "")).words}
    first, verb = its.words[:1], its.words[1:2]
    if not any(word.bare in name for word in first) or not any(word.has("copula") for word in verb):
        return False
    if any(word.bare in name for word in said.words):
        return False
    return not any(its.has(concept) for concept in (*_LASTING, "asking"))


def only_a_reason(candidate: Candidate, its: Wording, facts: TurnFacts, commanded: frozenset[str]) -> bool:
    """Whether it only says why something was to be done ("dim the lamp, I have a headache"): in the very sentence that
    commands (``commanded``: the words of that), with no sign that it lasts or matters."""
    lasts = any(its.has(concept) for concept in (*_LASTING, "confide")) or its.conditions or its.values
    kept_close = candidate.user_id is not None or candidate.sensitivity != Sensitivity.PUBLIC
    if not facts.calls or lasts or kept_close or candidate.importance >= _MATTERS:
        return False
    said = [wording(one, facts.language) for one in sentences(facts.said, facts.language)]
    held = [sum(any(alike(word, other) for other in one.words) for word in its.content) for one in said]
    source = said[held.index(max(held))] if said else None
    if source is None:
        return False
    alone = len(said) == 1 and source.has("action")  # "dim the firefly": a name that only they have for it
    return alone or any(word.bare in commanded for word in source.words)


def is_over_and_done(candidate: Candidate, its: Wording) -> bool:
    """Whether it tells of something that happened once, and neither when nor that it matters."""
    dated = candidate.valid_to is not None or any(its.of(kind) for kind in ("date", "day", "time"))
    lasts = any(its.has(concept) for concept in (*_LASTING, "confide")) or its.conditions
    unimportant = candidate.importance < _MATTERS and candidate.user_id is None
    return candidate.type == MemoryType.EVENT and unimportant and not dated and not lasts


def superfluous(candidates: Sequence[Candidate]) -> list[dict[int, str]]:
    """For each candidate of one turn: which others make it superfluous where they are kept, and why.

    ``private``: it tells everybody what another one keeps for one user. ``fragment``: another one says all of it, and
    more.
    """
    read = [wording(one.content, one.language) for one in candidates]
    names = _names(candidates)
    return [
        {
            place: why
            for place, other in enumerate(candidates)
            if place != own and (why := _why(candidate, read[own], other, read[place], names))
        }
        for own, candidate in enumerate(candidates)
    ]


def _why(one: Candidate, its: Wording, other: Candidate, theirs: Wording, names: frozenset[str]) -> str | None:
    own = _reported(its)
    mine = [word for word in own if word.bare not in names]
    held = sum(any(alike(word, word_too) for word_too in theirs.words) for word in mine)
    within = its.values <= theirs.values and its.negated == theirs.negated
    if one.user_id is None and other.user_id is not None:
        return "private" if within and mine and held >= _HALF * len(mine) and not other.inferred else None
    if one.user_id != other.user_id or one.key is not None or not mine:
        return None
    more = len(theirs.content) + len(theirs.values) > len(own) + len(its.values)
    conditions = all(any(condition == word.bare for word in theirs.words) for condition in its.conditions)
    whole = held == len(mine) and within and conditions
    people = all(any(alike(word, too) for too in theirs.words) for word in own)
    return "fragment" if whole and people and more else None


def _reported(its: Wording) -> Sequence[Word]:
    """The words of what somebody is told to have said; all of them where nobody is."""
    place = next((place for place, word in enumerate(its.content) if word.has("asking")), None)
    return its.content[place + 1 :] if place is not None and place <= 1 else its.content


def _names(candidates: Sequence[Candidate]) -> frozenset[str]:
    """The words of the people that the candidates are about: that both name one of them says little."""
    texts = [subject.text for one in candidates for subject in one.subjects if subject.kind == "user"]
    return frozenset(word.bare for text in texts for word in wording(text).words)


def _held(words: Sequence[Word], said: Sequence[str], code: str) -> int:
    """How many of the words stand in the sentences."""
    there = [word for one in said for word in wording(one, code).words]
    return sum(any(alike(word, other) for other in there) for word in words)
