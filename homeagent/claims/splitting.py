"""A sentence in clauses, each with one thing to tell."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.language.lexicon import Word, fold, words_of
from homeagent.claims.reading import SURE, Clause
from homeagent.claims.statements import pauses
from homeagent.claims.words import ClaimWords, Frame, Group, Mark, with_accents
from indexer.mentions import MentionKind, Mentions

_MASKING = (MentionKind.NAME, MentionKind.AREA)
_SHORT = 4
"""Words of a piece that only says where: "dentro"."""


def clauses(sentence: str, mentions: Mentions, words: ClaimWords) -> list[Clause]:
    """The sentence in clauses, each with one thing to tell; together they are all of it."""
    marked = tuple(_marked(word, mentions) for word in words_of(sentence))
    edges = _edges(sentence, marked, words)
    pieces = [
        _clause(sentence, start, end, marked, mentions, words)
        for start, end in zip([0, *edges], [*edges, len(sentence)], strict=True)
    ]
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        if _belongs(last, piece):
            joined[-1] = _clause(sentence, last.start, piece.end, marked, mentions, words)
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
    spotted = known.said(words)
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
        if kept and not words_of(sentence[kept[-1] : edge]):
            kept[-1] = edge
        elif words_of(sentence[:edge]) and words_of(sentence[edge:]):
            kept.append(edge)
    return kept


def _clause(
    sentence: str, start: int, end: int, words: Sequence[Word], mentions: Mentions, known: ClaimWords
) -> Clause:
    own = tuple(w for w in words if start <= w.start < end)
    within = tuple(m for m in mentions.items if start <= m.start < end)
    return Clause(sentence, start, end, own, known.said(own), within, mentions.plural, known.language)


def _marked(word: Word, mentions: Mentions) -> Word:
    named = any(
        m.kind in _MASKING and m.score >= SURE and m.start < word.end and word.start < m.end for m in mentions.items
    )
    spelt = fold(with_accents(mentions.text[word.start : word.end]))
    return Word(spelt, word.start, word.end, "name" if named else "")
