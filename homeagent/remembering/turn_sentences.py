"""A finished turn sentence by sentence: what it says outright, and what a model may be shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeagent.languages.concepts import Heading, ListAction, Role, Verb
from homeagent.languages.pack import load_pack
from homeagent.remembering.finished_turns import subjects_of
from homeagent.remembering.home_view import Linker
from indexer.words import words
from memory.explicit import Asked, Heard, heard_in
from memory.extract import Candidate, TurnFacts
from memory.model import MemoryType
from memory.purposes import Purpose, Purposes
from memory.secrets import holds_a_secret, without_secrets
from memory.statement_parts import wording
from memory.worth import refusal

_HALF = 0.5
_POLITE = frozenset({Role.COURTESY, Role.JOIN, Role.FILLER})
_TELLING = frozenset({Role.STATEMENT, Role.COPULA, Role.AUXILIARY})
_NOTHING_IN_IT = frozenset({"commanded", "transient", "question", "worthless", "secret"})
"""Sentences of these kinds are not worth a model's time."""


@dataclass(frozen=True, slots=True)
class Parts:
    """``outright``: kept as it was asked for. ``otherwise``: what tells something of the speaker in passing, kept as it
    is where no model words it better. ``rest``: what a model may be shown, these included; empty where it holds
    nothing."""

    outright: tuple[Asked, ...]
    otherwise: tuple[Asked, ...]
    rest: str


def divided(pointed_at: Sequence[str], facts: TurnFacts, linker: Linker, purposes: Purposes) -> Parts:
    """The parts of the turn, by its words and by what its sentences are meant as. Blocks.

    No clause with a secret is shown, and nothing at all where the secret may be spread over several sentences.
    """
    here = subjects_of(tuple(pointed_at), linker)
    heard = heard_in(facts.said, facts.language, facts.user_id, here, linker.is_thing, purposes)
    done = {one.text for one in heard if facts.calls and _is_order(purposes.get(one.text), one.text, facts.language)}
    asked = [asked for one in heard for asked in one.asked if asked.keep and (asked.sure or one.text not in done)]
    kept = [one for one in asked if one.tells or one.corrects]
    outright = tuple(one for one in kept if one.sure)
    otherwise = tuple(one for one in kept if not one.sure and (one.corrects or not _is_for_now(one.keep, facts)))
    rest = [left for one in heard if (left := without_secrets(_left(one), facts.language))]
    if holds_a_secret(" ".join(rest), facts.language):
        return Parts(outright, otherwise, "")
    if all(_nothing_in(one, facts) for one in rest):
        return Parts(outright, otherwise, "")
    return Parts(outright, otherwise, " ".join(rest))


def _is_order(purpose: Purpose | None, sentence: str, language: str) -> bool:
    """Whether the sentence orders what was done in this turn, and nothing for good."""
    its = wording(sentence, language)
    return purpose is not None and purpose.order > _HALF and not (its.has("general") or its.conditions)


def _left(heard: Heard) -> str:
    """What of a sentence a model may still read something out of: not what is kept as it is.

    To forget takes a yes, which is asked for in the turn itself.
    """
    settled = [asked.forget is not None or asked.last or (asked.tells and asked.sure) for asked in heard.asked]
    return heard.rest if settled and all(settled) else heard.text


def _is_for_now(liking: Candidate | None, facts: TurnFacts) -> bool:
    """Whether it only says why something was done in this turn: neither when it holds nor that it always does."""
    if liking is None:
        return False
    its = wording(liking.content, liking.language)
    lasts = its.conditions or its.has("general") or its.has("attribute") or its.of("day")
    return bool(facts.calls) and liking.type == MemoryType.PREFERENCE and not lasts


def _nothing_in(sentence: str, facts: TurnFacts) -> bool:
    return refusal(Candidate(sentence, language=facts.language), replace(facts, said=sentence)) in _NOTHING_IN_IT


def opens_with_an_order(sentence: str, language: str) -> bool:
    """Whether its first word, politeness aside, is a verb of orders to the home, and nothing tells how something is."""
    pack = load_pack(language)
    if pack is None or pack.postpositions:
        return False
    for i, word in enumerate(said := words(sentence)):
        concepts = pack.phrases.get(word, ())
        if any(isinstance(c, Verb | Heading | ListAction) and c is not Verb.KEEP for c in concepts):
            others = (*said[:i], *said[i + 1 :])
            return all(_TELLING.isdisjoint(pack.phrases.get(other, ())) for other in others)
        if _POLITE.isdisjoint(concepts):
            return False
    return False
