"""What takes back the last order by its meaning: with a reason in front of it, or in words that nobody listed."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.brains.consent import begins_with_no, is_no
from homeagent.intents.classifier import Guess
from homeagent.intents.intent import Intent
from homeagent.languages.concepts import Role
from homeagent.understanding.frames.corrections import call_off
from homeagent.understanding.home_names import HomeNames, is_of
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.request import Request
from homeagent.understanding.sentence_parts import parts_of
from homeagent.understanding.tokeniser import Token, tokenise

_SURE = 0.75
"""From this share on what was done is taken back: that can be taken back in turn, and opens nothing without a yes."""
_LIKELY = 0.5
"""From this share on what was just put on a list, and is named again, is taken off it."""
_OFF = (Intent.LIST_REMOVE, Intent.UNDO, Intent.RETRACT)
_AGAINST = (Intent.UNDO, Intent.STOP, Intent.CORRECT, Intent.RETRACT)
"""What a "no" to what was just done is for."""


def ways_to_say(text: str, names: HomeNames) -> Iterator[str]:
    """The sentence, what stands behind its last mark, and that without the things it names: a reason in front and a
    name are not what tells that something is to be taken back.
    """
    yield text
    tail = _last_clause(text)
    if tail != text:
        yield tail
    words, place = [], 0
    for part, _ in parts_of(tail, names, {}).named:
        words.append(tail[place : part.first])
        place = part.last
    if place:
        yield " ".join(f"{' '.join(words)} {tail[place:]}".split())


def taken_back_by_meaning(text: str, guess: Guess, names: HomeNames, last: PreviousTurn | None) -> Request | None:
    """The request that takes back what the last turns did, of it what is named, where a guess for the sentence, or for
    its end, is sure of that. A sentence that begins with a no and names nothing is against what was just done. None
    where it asks, denies, sets a condition, or says a value or a time.
    """
    if last is None or last.undo_steps is None or tokenise(text).asks:
        return None
    tail = _last_clause(text)
    whole, said = parts_of(text, names, {}), parts_of(tail, names, {})
    if whole.conditional or whole.excepting or said.places or whole.days or whole.clocks or whole.lengths:
        return None
    if said.numbers or said.levels or said.colours:
        return None
    named = [e for _, things in said.named for e in things]
    things = {e.entity_id for e in named}
    of_kinds = [kind for _, kinds in said.kinds for kind in kinds]
    things |= {i for ids in last.lately for i in ids if any(is_of(kind, names.by_id[i]) for kind in of_kinds)}
    if of_kinds and not things:
        return None
    if guess.shares[Intent.UNDO] >= _SURE and not _denies(tokenise(tail).tokens, names):
        return last.undo_steps(1, frozenset(things))
    language = names.pack.language
    against = begins_with_no(text, language) and not is_no(text, language) and guess.share_of(_AGAINST) >= _SURE
    return call_off(last) if against and not (things or whole.named or whole.free) else None


def is_taken_off(guess: Guess) -> bool:
    """Whether a sentence that names what was just put on a list means to take it off."""
    return guess.share_of(_OFF) >= _LIKELY


def _last_clause(text: str) -> str:
    tokens = tokenise(text).tokens
    marks = [t.start for t in tokens[1:] if t.mark]
    return text[marks[-1] :] if marks else text


def _denies(tokens: tuple[Token, ...], names: HomeNames) -> bool:
    runs = (" ".join(t.text for t in tokens[i : i + n]) for n in (1, 2) for i in range(len(tokens)))
    return any(Role.NEGATION in names.pack.phrases.get(run, ()) for run in runs)
