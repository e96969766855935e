"""Whether a candidate is worth keeping, by comparison: with what was said, the live home, this turn's commands, results
and recalled memories. What is left of a statement when all that is taken away is what it would tell next month.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from memory.alike_words import alike
from memory.doubtful import (
    is_over_and_done,
    of_the_speaker_unsaid,
    only_a_reason,
    only_guessed,
    reports_a_question,
)
from memory.explicit import said_outright
from memory.extract import Candidate, LiveThing, TurnFacts
from memory.function_words import guess
from memory.identity import identity
from memory.model import Sensitivity
from memory.name_index import is_thing
from memory.people import names_another
from memory.reconcile import Relation, between
from memory.secrets import holds_a_secret, whole_of
from memory.statement_parts import Word, Wording, wording
from memory.tokens import sentences, tokens

_HEARD = 0.5
"""Share of a statement's words that others must hold for it to come from them."""
_SAID = 0.3
"""Share that the sentence must hold for it to have been said."""
_LEAST_SURE = 0.5
_SAID_LOOSELY = {"1", "0.5"}
"""Numbers that are said in other words too: "a", "all of it", "half past"."""

_LASTING = ("general", "wish", "dislike", "called", "attribute")
"""What makes a statement about more than this moment."""
_OF_THE_MOMENT = ("state", "measure", "now", "smalltalk", "place", "filler", "copula", "called")
_OF_A_COMMAND = (*_OF_THE_MOMENT, "action", "asking")


def refusal(candidate: Candidate, facts: TurnFacts) -> str | None:
    """Why the candidate is not worth keeping, as a code; None where it is.

    secret, no_speaker, other_user, unsure, language, question, worthless, not_said, from_recall, from_result,
    commanded, transient.
    """
    said = wording(facts.said, facts.language)
    its = wording(candidate.content, candidate.language or facts.language)
    things = facts.live.named(candidate.content)
    for code, holds in (
        ("secret", holds_a_secret(whole_of(candidate), candidate.language or facts.language)),
        ("no_speaker", facts.user_id is None and candidate.sensitivity == Sensitivity.PRIVATE),
        ("other_user", candidate.user_id is not None and candidate.user_id != facts.user_id),
        ("unsure", candidate.confidence < _LEAST_SURE),
        ("language", _other_language(candidate.content, its, facts.said, said)),
        ("question", its.question or (not candidate.heard and _only_asks(facts))),
        ("not_said", (its.has("self") and not said.has("self")) or names_another(candidate.content, facts)),
    ):
        if holds:
            return code
    names = _names(candidate, facts, things)
    return _origin(candidate, its, said, facts, names) or _lasting(its, said, facts, things, names)


def _other_language(text: str, its: Wording, said_text: str, said: Wording) -> bool:
    """Whether it is in another language than what was said: by its own words, and by having few in common with it."""
    written, heard = guess(text), guess(said_text)
    spoken = {word.bare for word in said.words}
    shared = sum(word.bare in spoken for word in its.words)
    differs = written is not None and heard is not None and written != heard
    return differs and shared <= _HEARD * len(its.words)


def _only_asks(facts: TurnFacts) -> bool:
    """Whether all that was said is a question, which tells nothing; unless it asks to remember something."""
    text = facts.said.strip()
    said = sentences(text, facts.language)
    asks = bool(said) and all(one.endswith(("?", "？")) for one in said)
    return asks and not said_outright(text, facts.language, facts.user_id, is_thing=partial(is_thing, facts.live))


def _names(candidate: Candidate, facts: TurnFacts, things: Sequence[LiveThing]) -> frozenset[str]:
    """The words by which things, rooms and the household's people are called."""
    texts = [name for thing in things for name in (*thing.names, thing.area or "")]
    texts += facts.users.values()
    return frozenset(word for text in texts for word in tokens(text))


# Where it comes from


def _origin(candidate: Candidate, its: Wording, said: Wording, facts: TurnFacts, names: frozenset[str]) -> str | None:
    if not its.content and not its.values and not its.conditions:
        return "worthless"
    # Which thing "this" is need not be said.
    own = [
        word
        for word in its.content
        if not word.has("person", "wish", "dislike", "copula", "measure")
        and (not _named(word, names) or any(alike(word, other) for other in said.words))
    ]
    share = _share(own, its, said, facts.users.values())
    if identity(candidate.content, None) == identity(facts.said, None):
        return "question" if said.question else None
    unnamed = [word for word in own if not _named(word, names)]
    if reports_a_question(its, unnamed, facts):
        return "question"
    for code, texts in (("from_recall", facts.recalled), ("from_result", (*facts.results, facts.answered))):
        if any(_holds_more(own, its, wording(text, facts.language), said, share) for text in texts):
            return code
    if share < _SAID or _made_up(its, said, facts) or _likes_the_unsaid(its, said) or _denied(its, said):
        return "not_said"
    if only_a_reason(candidate, its, facts, _of_calls(facts)):
        return "commanded"
    if is_over_and_done(candidate, its):
        return "worthless"
    if guessed := only_guessed(candidate, its, said, facts, unnamed):
        return guessed
    return "not_said" if of_the_speaker_unsaid(its, said, facts) else None


def _holds_more(own: Sequence[Word], its: Wording, there: Wording, said: Wording, share: float) -> bool:
    """Whether a text holds more of the statement than what was said does (``share``), and all that is exact in it: its
    values, and its conditions, one of which may be all that was said anew."""
    loose = {amount.split(" ")[0] for _, amount in there.values}
    whole = all(amount.split(" ")[0] in loose for _, amount in its.values)
    heard = its.conditions & {word.bare for word in said.words}
    known = heard <= {word.bare for word in there.words}
    return whole and known and _share(own, its, there, ()) > max(share, _HEARD)


def _share(own: Sequence[Word], its: Wording, there: Wording, people: Iterable[str]) -> float:
    """The share of the statement's own words and values that a text holds, 0 to 1."""
    known = {word for name in people for word in tokens(name)}
    words = [word for word in own if word.bare not in known]
    values = [value for value in its.values if value[0] != "date"]
    total = len(words) + len(values) + len(its.conditions)
    if not total:
        return 1.0 if not own or known else 0.0
    loose = {amount.split(" ")[0] for _, amount in there.values}
    found = sum(any(alike(word, other) for other in there.words) for word in words)
    found += sum(value in there.values or value[1].split(" ")[0] in loose for value in values)
    found += sum(any(condition == other.bare for other in there.words) for condition in its.conditions)
    return found / total


def _made_up(its: Wording, said: Wording, facts: TurnFacts) -> bool:
    """Whether it tells a number that nobody said. Dates and times may have been worked out, and "a" is one."""
    values = said.values | said.denied
    heard = {amount.split(" ")[0] for _, amount in values} | {
        t.partition(":")[0] for kind, t in values if kind == "time"
    }
    numbers = {amount.split(" ")[0] for kind, amount in its.values if kind == "number"}
    if numbers - heard - _SAID_LOOSELY:
        return True
    near = {str(facts.at.year + more) for more in (0, 1)} if facts.at else set()
    return any(year.isdigit() and year not in heard | near for year in its.of("date")) and bool(near)


def _likes_the_unsaid(its: Wording, said: Wording) -> bool:
    """Whether it tells a preference of which neither the liking nor what is liked was said: only whose it would be."""
    place = next((place for place, word in enumerate(its.words) if word.has("wish", "dislike")), None)
    if place is None or said.has("wish") or said.has("dislike"):
        return False
    after = {id(word) for word in its.words[place + 1 :]}
    liked = [word for word in its.content if id(word) in after]
    heard = any(alike(word, other) for word in liked for other in said.words) or bool(its.values & said.values)
    return bool(liked) and not heard


def _denied(its: Wording, said: Wording) -> bool:
    """Whether the sentence says the opposite, or names the very value as wrong."""
    denied = {amount.split(" ")[0] for kind, amount in said.denied if kind != "word"}
    if any(amount.split(" ")[0] in denied for kind, amount in its.values if kind != "date"):
        return True
    if its.negated and not said.negated and not said.denied:
        return True
    return between(its, said) is Relation.CONTRADICTION


# Whether it lasts


def _lasting(
    its: Wording, said: Wording, facts: TurnFacts, things: Sequence[LiveThing], names: frozenset[str]
) -> str | None:
    if said.question and not its.has("asking") and between(its, said) is Relation.SAME:
        return "question"
    speech = its.has("person") and its.has("asking")
    lasting = any(its.has(concept) for concept in _LASTING) and not speech
    commanded = bool(facts.calls) or speech
    of_the_turn = not lasting or not any(said.has(concept) for concept in _LASTING)
    if commanded and of_the_turn and not _left(its, names | _of_calls(facts), _OF_A_COMMAND):
        return "commanded"
    if lasting and not its.has("now"):
        return None
    left = _left(its, names | _values_of(things), _OF_THE_MOMENT)
    if its.has("now") or not left:
        return "transient" if its.has("now") or _tells_a_state(its, things) else "worthless"
    if commanded and speech and not _left(its, names | _of_calls(facts), (*_OF_A_COMMAND, "condition")):
        return "commanded"
    return None


def _left(its: Wording, names: frozenset[str], of: Sequence[str]) -> list[str]:
    """What the statement says beyond names and words of these concepts: content words and conditions."""
    words = [
        word.bare
        for word in its.content
        if not word.has(*of, "person", *_LASTING) and not _named(word, names) and not word.function
    ]
    return [*words, *(condition for condition in its.conditions if condition not in names)]


def _named(word: Word, names: frozenset[str]) -> bool:
    parts = tokens(word.bare)
    return bool(parts) and all(part in names for part in parts)


def _tells_a_state(its: Wording, things: Sequence[LiveThing]) -> bool:
    return bool(things) or its.has("state") or its.has("measure") or bool(its.values)


def _values_of(things: Sequence[LiveThing]) -> frozenset[str]:
    """The words of what things show now: state, title, source …"""
    texts = [str(value) for thing in things for value in (thing.state, *thing.attributes.values()) if _is_text(value)]
    return frozenset(word for text in texts for word in tokens(text))


def _is_text(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _of_calls(facts: TurnFacts) -> frozenset[str]:
    """The words of what was commanded: parameters, and the names of targets as far as their ids tell them."""
    texts = [str(value) for call in facts.calls for value in (call.action, *call.parameters.values())]
    texts += [entity_id.partition(".")[2].replace("_", " ") for call in facts.calls for entity_id in call.entity_ids]
    texts += [name for call in facts.calls for i in call.entity_ids for name in _names_of(facts, i)]
    return frozenset(word for text in texts for word in tokens(text))


def _names_of(facts: TurnFacts, entity_id: str) -> Iterable[str]:
    return (name for t in facts.live.named(facts.said) if t.entity_id == entity_id for name in (*t.names, t.area or ""))
