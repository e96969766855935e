"""What a sentence says outright that it wants remembered, called or forgotten: without a model, by the shapes that
people use for it in each language. The shapes are data (`memory.language`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from memory.extract import Candidate
from memory.language import Language, language, plain
from memory.model import MAX_CONTENT, NICKNAME, MemoryType, Sensitivity, Subject
from memory.wording import Wording, wording

SENTENCE = re.compile(r"(?<=[.!?;…。！？])\s+|\n+")
"""Between sentences."""
_ENDS = " \t.!,;:…。！"
_LONGEST = MAX_CONTENT + 200
"""Characters of a sentence that can still hold a statement and what asks to keep it."""
_ASKED, _TOLD = 0.7, 0.6
"""Importance of what somebody wants remembered, and of a preference told in passing."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Somebody says what they call something: ``name``, and ``what`` it is; ``here``: what they point at."""

    name: str
    what: str
    here: bool


def said_outright(
    text: str, code: str, speaker: str | None = None, subjects: Sequence[Subject] = ()
) -> list[Candidate]:
    """What ``text`` says outright, in order; mostly nothing.

    ``speaker``: the user id; what they say of themselves is theirs alone. ``subjects``: what the sentence points at
    ("call this…").
    """
    known = language(code)
    if known is None:
        return []
    found: list[Candidate] = []
    for sentence in SENTENCE.split(_one_shape(text)):
        found += _of_sentence(sentence.strip(), known, speaker, tuple(subjects))
    return found


def is_request(text: str, code: str, kinds: Sequence[str] = ("remember", "forget", "call")) -> bool:
    """Whether the whole text asks to remember, call or forget something, and nothing else. ``kinds``: or what else."""
    known = language(code)
    sentences = [s for s in SENTENCE.split(_one_shape(text)) if s.strip()]
    return (
        known is not None
        and bool(sentences)
        and all(any(_matched(known, kind, s.strip()) for kind in kinds) for s in sentences)
    )


def naming(text: str, code: str | None) -> Naming | None:
    """What the text calls something, if that is what it does."""
    known = language(code)
    match = _matched(known, "call", _one_shape(text).strip()) if known else None
    if known is None or match is None:
        return None
    name = match.group("name").strip(_ENDS + "\"'«»„“”")
    what = (match.groupdict().get("this") or "").strip(_ENDS)
    here = not what or plain(what) in {plain(word) for word in known.outright["this"]}
    return Naming(name, what, here) if name else None


def _one_shape(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u2018", "'").replace("\u00a0", " ")


def _of_sentence(sentence: str, known: Language, speaker: str | None, subjects: tuple[Subject, ...]) -> list[Candidate]:
    if not sentence:
        return []
    if match := _matched(known, "forget", sentence):
        return _forgetting(match, known, speaker)
    if match := _matched(known, "remember", sentence):
        content = match.group("it").strip(_ENDS)
        if _is_no_statement(content, known):
            return []
        return _naming(content, known, speaker, subjects) or [_candidate(content, known, speaker, _ASKED)]
    if named := _naming(sentence, known, speaker, subjects):
        return named
    if not sentence.endswith(("?", "？")) and _matched(known, "preference", sentence):
        return [_candidate(sentence.strip(_ENDS), known, speaker, _TOLD)]
    return []


def _forgetting(match: re.Match[str], known: Language, speaker: str | None) -> list[Candidate]:
    content = match.group("it").strip(_ENDS)
    if _is_no_statement(content, known):
        return []
    return [Candidate(content=_capital(content), forget=True, language=known.code, user_id=speaker)]


def _is_no_statement(content: str, known: Language) -> bool:
    """ "it", "to call Anna", "when we met": nothing that could be kept."""
    words = plain(content).split()
    pointing = {plain(word) for word in known.outright["this"]}
    return not words or plain(content) in pointing or words[0] in {plain(w) for w in known.outright["not_it"]}


def _naming(sentence: str, known: Language, speaker: str | None, subjects: tuple[Subject, ...]) -> list[Candidate]:
    named = naming(sentence, known.code)
    if named is None:
        return []
    if not named.here:
        return [_candidate(sentence.strip(_ENDS), known, speaker, _ASKED)]
    if not subjects:
        return []
    what = ", ".join(subject.text or subject.id for subject in subjects)
    return [
        Candidate(
            content=f"{named.name} = {what}",
            importance=_ASKED,
            category="fact",
            key=NICKNAME + plain(named.name),
            value=" ".join(subject.id for subject in subjects),
            subjects=subjects,
            language=known.code,
        )
    ]


def _candidate(content: str, known: Language, speaker: str | None, importance: float) -> Candidate:
    its = wording(content, known.code)
    in_confidence = its.has("confide")
    return Candidate(
        content=_capital(content),
        type=_type(its),
        importance=importance,
        user_id=speaker if in_confidence or _about_oneself(its) else None,
        sensitivity=Sensitivity.PRIVATE if in_confidence else Sensitivity.PUBLIC,
        language=known.code,
    )


def _type(its: Wording) -> str:
    if its.has("wish") or its.has("dislike"):
        return MemoryType.PREFERENCE
    return MemoryType.FACT


def _about_oneself(its: Wording) -> bool:
    """Whether it is about the speaker: another who reads "I" would take it for themselves."""
    return its.has("first") and not its.has("we")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _matched(known: Language, kind: str, sentence: str) -> re.Match[str] | None:
    if len(sentence) > _LONGEST:
        return None
    asked = sentence.endswith(("?", "？"))
    for shape in _shapes(known.code, kind):
        match = shape.match(sentence)
        if match and (not asked or match.group("polite")):  # "can you remember that …?" asks for it; "… ?" asks
            return match
    return None


@cache
def _shapes(code: str, kind: str) -> tuple[re.Pattern[str], ...]:
    """The shapes of one kind, the longest first; those that point at something ("this lamp") before all others."""
    known = language(code)
    assert known is not None
    polite = _any_of(known.outright["polite"])
    pointing = _any_of(known.outright["this"])
    ordered = sorted(known.outright[kind], key=lambda shape: len(shape), reverse=True)
    written = [_pattern(shape, polite) for shape in ordered]
    at_something = [shape.replace("(?P<this>.+?)", f"(?P<this>{pointing})") for shape in written if "<this>" in shape]
    # Possessive: what is polite is never given back, so that a long row of it costs its length and not its square.
    before, after = rf"(?P<polite>(?:(?:{polite})[\s,]++)*+)", _politely(polite)
    return tuple(
        re.compile(rf"{before}{shape}{after}[\s.!?？。！…]*$", re.IGNORECASE) for shape in (*at_something, *written)
    )


def _any_of(words: Sequence[str]) -> str:
    return "|".join(re.escape(unicodedata.normalize("NFC", w)) for w in sorted(words, key=len, reverse=True))


def _politely(polite: str) -> str:
    """A "please" or more of them as whole words, or none."""
    return rf"(?:[\s,]++(?:{polite})(?![\w'-]))*+"


def _pattern(shape: str, polite: str) -> str:
    """A shape as a regular expression: any blanks, a comma or colon or none, and a "please" in between."""
    between = _politely(polite)
    parts = re.split(r"(\s*[,:]\s*|\s+|\{\w+\})", unicodedata.normalize("NFC", shape))
    written = []
    for part in parts:
        if part.startswith("{"):
            written.append(f"(?P<{part[1:-1]}>.+?)")
        elif part.strip() in (",", ":"):
            written.append(rf"{between}(?:\s*[,:]\s*|\s+)")
        elif part and not part.strip():
            written.append(rf"{between}\s+")
        else:
            written.append(re.escape(part))
    return "".join(written)
