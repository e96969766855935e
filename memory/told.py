"""A statement as somebody makes it, as the candidate that is kept: without what only wraps it, and whose it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from indexer.normalise import unaccented
from memory.act_contents import ENDS
from memory.act_words import Part, Token, tokens_of
from memory.extract import Candidate
from memory.function_words import function_words_of
from memory.identity import NICKNAME
from memory.memory_words import Language, exclusive_words
from memory.model import MemoryType, Sensitivity, Subject
from memory.naming_sentences import IsThing, naming
from memory.statement_parts import Wording, wording

_TELLING = ("copula", "wish", "dislike", "called", "confide")
_ASKING = (Part.KEEP, Part.KEEP_THIS, Part.KEEP_WEAK, Part.LEAD, Part.AFTER, Part.YOU, Part.POINT)
_LEADS = 5
"""Clauses before a statement that are looked at."""
_LEAST = 2
"""Words and values by which something is told without a verb for it."""
_TOPIC = 3
"""Words that may stand before a mark only to name what follows is about: "my coffee, I take it black"."""
ASKED = 0.7
"""Importance of what somebody wants remembered, or tells to stay so."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Who speaks in what language, and what they may point at."""

    known: Language
    speaker: str | None
    subjects: tuple[Subject, ...]
    is_thing: IsThing


def without_lead(text: str, known: Language) -> str:
    """Without what stands before a statement and says nothing: courtesies, "oh, and", "just so you have it,"."""
    polite = "|".join(map(re.escape, sorted(known.outright["polite"], key=len, reverse=True)))
    for _ in range(_LEADS):
        match = re.match(rf"(?:(?:{polite})[\s,]+)*", text, re.IGNORECASE)
        text = text[match.end() if match else 0 :].strip(ENDS)
        tokens = tokens_of(text)
        start = joins = known.acts.at(tokens, 0, Part.JOIN)
        end = next((place + 1 for place, token in enumerate(tokens) if token.mark), len(tokens))
        if joins < end < len(tokens):
            lead = text[tokens[joins].start : tokens[end - 1].end]
            start = end if _says_nothing(lead, tokens[end - 1], known) else start
        if not 0 < start < len(tokens):
            break
        text = text[tokens[start].start :]
    return text


def _says_nothing(lead: str, last: Token, known: Language) -> bool:
    """Whether a clause before a statement only leads to it. A condition does so before a colon: "if it matters:"."""
    its = wording(lead, known.code)
    words = [
        word
        for word in its.content
        if not word.has("smalltalk", "first") and not known.acts.at(tokens_of(word.text), 0, Part.LEAD)
    ]
    lasts = its.has("general") or (":" not in last.mark and bool(its.conditions))
    return (not (words or its.values or its.negated or lasts) and not known.endings) or _is_lead(lead, known)


def _is_lead(lead: str, known: Language) -> bool:
    tokens = tokens_of(lead)
    place = 0
    while place < len(tokens) and (length := known.acts.at(tokens, place, Part.LEAD, Part.CORRECT_WEAK)):
        place += length
    return place == len(tokens)


def without_confiding(sentence: str, known: Language) -> tuple[str, bool]:
    """A request without the words that it is for the speaker alone ("remember, just for me, that …", "for my ears
    only: …"), and whether it had any."""
    words = list(re.finditer(r"[^\W_]+", sentence))
    texts = [unaccented(word.group()) for word in words]
    for place in range(len(words)):
        length, found = known.at(texts, place)
        if length > 1 and "confide" in found:
            before = sentence[: words[place].start()].rstrip(" ,")
            after = sentence[words[place + length - 1].end() :]
            if ":" in after and not known.acts.has(tokens_of(before), Part.KEEP):
                return after.partition(":")[2].strip(), True
            return f"{before} {after.lstrip(' ,')}".replace(" :", ":").strip(), True
    lead, colon, statement = sentence.partition(": ")
    own = wording(lead, known.code)
    only = any(token.text in exclusive_words(known.code) for token in tokens_of(lead))
    return (statement, True) if colon and only and own.has("first") else (sentence, False)


def tells_something(content: str, known: Language) -> bool:
    """Whether it says something of something, or when it is: no mere thing, and no order."""
    its = wording(content, known.code)
    said = any(its.has(concept) for concept in _TELLING) or bool(its.of("date") | its.of("day") | its.of("time"))
    exact = any(" " in text for text in its.of("number")) or known.acts.at(tokens_of(content), 0, Part.SPEAKS) > 0
    return (said or exact) and not its.has("action")


def only_points(content: str, known: Language) -> bool:
    """Whether what is said names nothing: "it", "all that"."""
    tokens = tokens_of(content)
    pointing = {unaccented(word) for word in known.outright["this"]}
    return not tokens or unaccented(content) in pointing or known.acts.at(tokens, 0, Part.POINT) == len(tokens)


def is_statement(content: str, known: Language) -> bool:
    """Whether what is said could be kept: it says something of something, and is no mere word or reason for it."""
    if only_points(content, known):
        return False
    its, function = wording(content, known.code), function_words_of(known.code)
    asks = _asking(content, known)
    said = [w for w in its.content if w.text not in function and w.text not in asks and not w.has("smalltalk")]
    enough = len(said) + len(its.values) >= _LEAST
    return enough or (bool(said or its.values) and any(its.has(concept) for concept in _TELLING))


def _asking(content: str, known: Language) -> frozenset[str]:
    """The words with which something is asked of memory: "so that you know", "keep that in mind"."""
    tokens, found, place = tokens_of(content), set[str](), 0
    while place < len(tokens):
        length = known.acts.at(tokens, place, *_ASKING)
        found.update(token.text for token in tokens[place : place + length])
        place += length or 1
    return frozenset(found)


def named_so(sentence: str, teller: Teller) -> Candidate | None:
    known = teller.known
    named = naming(sentence, known.code, teller.is_thing)
    if named is None:
        return None
    if not named.here:
        return candidate_of(sentence.strip(ENDS), teller, ASKED)
    if not teller.subjects:
        return None
    what = ", ".join(subject.text or subject.id for subject in teller.subjects)
    return Candidate(
        content=f"{named.name} = {what}",
        importance=ASKED,
        category="fact",
        key=NICKNAME + unaccented(named.name),
        value=" ".join(subject.id for subject in teller.subjects),
        subjects=teller.subjects,
        language=known.code,
    )


def candidate_of(content: str, teller: Teller, importance: float) -> Candidate:
    content = without_lead(content, teller.known)
    its = wording(content, teller.known.code)
    in_confidence = its.has("confide")
    return Candidate(
        content=capital(content),
        type=_type(its),
        importance=importance,
        user_id=teller.speaker if in_confidence or _about_oneself(content, its, teller.known) else None,
        sensitivity=Sensitivity.PRIVATE if in_confidence else Sensitivity.PUBLIC,
        language=teller.known.code,
        heard=True,
    )


def _type(its: Wording) -> str:
    if its.has("wish") or its.has("dislike"):
        return MemoryType.PREFERENCE
    return MemoryType.FACT


def _about_oneself(content: str, its: Wording, known: Language) -> bool:
    """Whether its first clause is about the speaker: another who reads "I" would take it for themselves. What is said
    of something of theirs ("my mother", "my bus") is the household's."""
    if its.has("we"):
        return False
    tokens = tokens_of(content)
    ends = next((place + 1 for place, token in enumerate(tokens) if token.mark and place >= _TOPIC), len(tokens))
    return known.acts.has(tokens[:ends], Part.SPEAKS) or (its.has("first") and (its.has("wish") or its.has("dislike")))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
