"""An answer in sentences and clauses, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from homeagent.claims.claim_words import ClaimWords, Frame, Group, Mark, Said, with_accents
from homeagent.claims.clause_reading import SURE, Clause, Word
from homeagent.understanding.tokeniser import Token, tokenise
from indexer.mentions import MentionKind, Mentions
from indexer.words import normalise

QUESTION_MARKS = ("?", "？", "؟", "՞")
_END = re.compile(r"[.!?。！？؟…]+[\"'”’»)]*(?=\s|\Z)|[。！？](?!\Z)|\n+")
_PAUSE = re.compile(r"[,;:(–—]\s*(?!\d)|\s-\s|\)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what follows it up to the next one; ``start`` and ``end`` are offsets in the answer."""

    text: str
    start: int
    end: int

    @property
    def asks(self) -> bool:
        """Whether it ends in a question mark, quotes and brackets behind it aside."""
        return self.text.rstrip(" \n\"'”’»)").endswith(QUESTION_MARKS)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences; together they are the whole text."""
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        while end < len(text) and text[end].isspace():
            end += 1
        if text[start:end].strip():
            yield Sentence(text[start:end], start, end)
            start = end
    if start < len(text):
        yield Sentence(text[start:], start, len(text))


def whole_until(text: str) -> int:
    """The end of the last sentence that is surely whole, however the text goes on."""
    ends = [found.end() for found in _END.finditer(text) if found.end() < len(text) or found.group()[0] in "。！？\n"]
    return ends[-1] if ends else 0


def pauses(sentence: str) -> list[int]:
    """Offsets right behind each mark that may part two clauses."""
    return [found.end() for found in _PAUSE.finditer(sentence)]


_NAMES = (MentionKind.NAME, MentionKind.AREA)
_SHORT = 4
"""Words of a piece that only says where: "dentro"."""


def clauses(sentence: str, mentions: Mentions, words: ClaimWords) -> list[Clause]:
    """The sentence in clauses, each with one thing to tell; together they are all of it."""
    every = tuple(_words(tokenise(sentence).tokens, mentions))
    edges = _edges(sentence, every, words)
    pieces = [
        _clause(sentence, start, end, every, mentions, words)
        for start, end in zip([0, *edges], [*edges, len(sentence)], strict=True)
    ]
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        if _belongs(last, piece):
            joined[-1] = _clause(sentence, last.start, piece.end, every, mentions, words)
        else:
            joined.append(piece)
    return joined


def _belongs(last: Clause, piece: Clause) -> bool:
    """Whether a piece goes on with the list of things that the one before begins."""
    placed = last.marked(Mark.INSIDE, Mark.OUTSIDE) and len(last.words) <= _SHORT and not last.framed()
    if placed and (piece.bare or piece.amounts):  # "dentro, unos 26"
        return True
    if piece.is_number and not last.amounts and not last.of(Group.DEED):  # "it is cosy, 24 degrees"
        return True
    if last.tells or not last.names or last.marked(Mark.NOT, Mark.HEDGE, Mark.ALSO):
        return False
    return piece.tells or piece.names


def _edges(sentence: str, words: Sequence[Word], known: ClaimWords) -> list[int]:
    """Offsets at which a clause may begin."""
    found = set(pauses(sentence))
    spotted = _said(words, known)
    auxiliaries = {s.first for s in spotted if s.concept == Frame.COPULA}
    compared = {p for s in spotted if s.group is Group.RELATION for p in s.positions}  # "meer dan"
    for said in spotted:
        if said.group is Group.JOINT and said.first not in compared:
            found.add(words[said.first].start)
        elif said.group is Group.JOINT_AFTER and said.last + 1 < len(words) and said.last + 1 not in auxiliaries:
            found.add(words[said.last + 1].start)
    starts = sorted(edge for edge in found if 0 < edge < len(sentence))
    kept: list[int] = []
    for edge in starts:  # a joint right behind a comma begins the clause, and no comma alone
        if kept and not any(kept[-1] <= w.start < edge for w in words):
            kept[-1] = edge
        elif words and words[0].start < edge <= words[-1].start:
            kept.append(edge)
    return kept


def _clause(
    sentence: str, start: int, end: int, words: Sequence[Word], mentions: Mentions, known: ClaimWords
) -> Clause:
    own = tuple(w for w in words if start <= w.start < end)
    within = tuple(m for m in mentions.items if start <= m.start < end)
    return Clause(sentence, start, end, own, _said(own, known), within, mentions.plural, known.language)


def _said(words: Sequence[Word], known: ClaimWords) -> tuple[Said, ...]:
    return known.said([w.text for w in words], {i for i, w in enumerate(words) if w.named})


def _words(tokens: Sequence[Token], mentions: Mentions) -> Iterator[Word]:
    """The words; what is tied to one in another script is part of it: "ppm을"."""
    at = 0
    while at < len(tokens):
        end = at + 1
        while end < len(tokens) and not tokens[end].gap and tokens[end].raw.isalpha() and tokens[at].raw.isalpha():
            end += 1
        raw = "".join(t.raw for t in tokens[at:end])
        yield _word(replace(tokens[at], raw=raw, end=tokens[end - 1].end), mentions)
        at = end


def _word(token: Token, mentions: Mentions) -> Word:
    named = any(
        m.kind in _NAMES and m.score >= SURE and m.start < token.end and token.start < m.end for m in mentions.items
    )
    spelt = normalise(with_accents(token.raw)).replace(" ", "") if token.raw.isalpha() else token.text
    return Word(spelt, token.start, token.end, named)
