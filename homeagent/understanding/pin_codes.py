"""Codes of locks and alarms in a sentence: no words of it, and kept nowhere."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.languages.concepts import Role, Unit, Verb
from homeagent.privacy.said_codes import GUARDED
from homeagent.turn import SaidCode
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import Lattice, lattice
from homeagent.understanding.spans import Named, OfKind, Span
from homeagent.understanding.tokeniser import Sentence, tokenise

_FOR_A_CODE = frozenset({Verb.LOCK, Verb.UNLOCK, Verb.ARM, Verb.DISARM})


def without_codes(text: str, codes: Sequence[SaidCode], names: HomeNames | None, *, asked: bool) -> str:
    """The sentence with blanks in place of codes. ``asked``: the person was asked for one; ``names``: None for a
    language without a pack.

    A number with a unit is no code, nor is one in a sentence without a lock, an alarm or a word for a code.
    """
    sentence = tokenise(text)
    spans = lattice(sentence, names) if names is not None else [[] for _ in sentence.tokens]
    said = [span for found in spans for span in found]
    named = any(span.meaning is Role.CODE for span in said)
    if not (asked or named or names is None or any(_is_guarding(span) for span in said)):
        return text
    for code in codes:
        start = text.find(code.text)
        end = start + len(code.text)
        if start >= 0 and not _is_value(sentence, spans, start, end, led=not (asked or named)):
            text = text[:start] + " " * len(code.text) + text[end:]
    return text


def _is_guarding(span: Span) -> bool:
    meaning = span.meaning
    if isinstance(meaning, Named):
        return any(i.partition(".")[0] in GUARDED for i in meaning.entity_ids)
    if isinstance(meaning, OfKind):
        return any(k.domain in GUARDED for c in meaning.concepts for k in c.kinds)
    return meaning in _FOR_A_CODE


def _is_value(sentence: Sentence, spans: Lattice, start: int, end: int, *, led: bool) -> bool:
    """Whether the number between two offsets has a unit, or is ``led`` by a word that leads values."""
    places = [i for i, t in enumerate(sentence.tokens) if t.start < end and start < t.end]
    if not places:
        return False
    behind = spans[places[-1] + 1] if places[-1] + 1 < len(spans) else []
    before = [s for found in spans[: places[0]] for s in found if s.end == places[0]]
    return any(isinstance(s.meaning, Unit) for s in behind) or (led and any(s.meaning is Role.TO for s in before))
