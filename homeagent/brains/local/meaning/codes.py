"""Codes of locks and alarms in a sentence: no words of it, and kept nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.privacy.said_codes import GUARDED
from homeagent.turn import SaidCode
from indexer.mentions import MentionKind, Mentions


def without_codes(mentions: Mentions, reading: Reading, codes: Sequence[SaidCode], *, asked: bool) -> Mentions:
    """The sentence with blanks where a code stands. ``asked``: the person was asked for one.

    A number with a unit is none, nor is one in a sentence about neither a lock, an alarm nor a code.
    """
    if not codes or not (asked or reading.has("codes") or _is_guarded(reading)):
        return mentions
    set_to = not reading.has("codes") and not asked
    measured = {p for n in reading.numbers if n.unit or (set_to and n.led_by == "to") for p in n.positions}
    text = mentions.text
    for code in codes:
        start = text.find(code.text)
        end = start + len(code.text)
        if start < 0 or any(reading.words[p].start < end and reading.words[p].end > start for p in measured):
            continue
        text = text[:start] + " " * len(code.text) + text[end:]
        mentions = replace(mentions, items=tuple(m for m in mentions.items if m.end <= start or m.start >= end))
    return replace(mentions, text=text)


def _is_guarded(reading: Reading) -> bool:
    kinds = {v for m in reading.of_kind(MentionKind.DOMAIN) for v in m.values}
    named = {v.partition(".")[0] for m in reading.of_kind(MentionKind.NAME) for v in m.values}
    return bool(GUARDED & (kinds | named)) or reading.has("actions", "disarm", "unlock")
