"""The words of a clause about timers, sorted: what asks for one, what is done, when, and what may be a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from homeagent.history.when.future_times import Clock, Piece
from homeagent.languages.concepts import Role
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.clause_parts import pieces_in, tokens_of, words_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.request import Act, Request, Timing
from homeagent.understanding.timer_words import Doing, Noun
from homeagent.understanding.tokeniser import Token

KINDS = {
    Noun.TIMER: TimerKind.TIMER,
    Noun.CLOCK: TimerKind.ALARM,
    Noun.ALARM: TimerKind.ALARM,
    Noun.WAKE: TimerKind.ALARM,
    Noun.REMINDER: TimerKind.REMINDER,
    Noun.REMIND: TimerKind.REMINDER,
    Noun.TELL: TimerKind.REMINDER,
    Noun.ANNOUNCE: TimerKind.REMINDER,
}
TELLING = (Noun.REMIND, Noun.TELL, Noun.ANNOUNCE)
"""What is followed, or preceded, by what is to be told."""
MOVES = (Doing.ADD, Doing.LESS, Doing.LATER, Doing.EARLIER)
"""What says, beside a length, by how much a time is moved."""
_VERBS = frozenset({Doing.SET, Doing.CANCEL, Doing.PAUSE, Doing.RESUME, Doing.CHANGE})
"""What is ordered by a verb; the others are questions, or say by how much."""
IDLE = (Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN, Role.EVERY, Role.EVERYTHING, Role.COPULA, Role.AT)
MOST_EXPLAINED = 0.4


@dataclass(frozen=True, slots=True)
class TimerClause:
    """The words of a clause sorted: positions are among its tokens."""

    tokens: tuple[Token, ...]
    pieces: tuple[Piece, ...]
    timed: frozenset[int]
    noun: Noun | None
    noun_at: tuple[int, ...]
    nouns: frozenset[int]
    sorts: tuple[tuple[Noun, int], ...]
    """What each noun is of, with the place of its first word."""
    does: frozenset[Doing]
    verbs: tuple[tuple[Doing, int], ...]
    """What each verb orders, with the place of its first word, in the order of the sentence."""
    doing: frozenset[int]
    small: frozenset[int]
    articles: frozenset[int]
    more: frozenset[Doing]
    every: bool
    asks_left: bool
    """Whether two words ask what is left, as "how much time" and "left": by one alone it may be anything's value."""

    label: str = ""
    """Of one that runs, by whose name alone it is spoken of."""

    @property
    def noun_at_and_small(self) -> frozenset[int]:
        """The places of the noun that counts, and of the words that say nothing of their own."""
        return self.small | frozenset(self.noun_at)

    @property
    def rest(self) -> list[int]:
        """The places of the words that may be a name."""
        taken = self.timed | self.nouns | self.doing | self.small
        return [i for i in range(len(self.tokens)) if i not in taken]

    def text(self, places: Iterable[int]) -> str:
        """The words at these places as they were typed."""
        said = (self.tokens[i] for i in places)
        return "".join(f"{t.gap if n else ''}{t.raw}" for n, t in enumerate(said)).strip(" ,.!?-")


def timer_clause(clause: Clause, ahead: Ahead) -> TimerClause:
    """The words of a clause, each sorted by what it may say of timers."""
    tokens = tokens_of(clause)
    texts = [t.text for t in tokens]
    pieces = pieces_in(clause, ahead.pieces)
    timed = frozenset(i for i, t in enumerate(tokens) if any(t.start < p.last and p.first < t.end for p in pieces))
    nouns = ahead.words.nouns.find(texts, timed)
    telling = [s for s in nouns if s.says in (*TELLING, Noun.WAKE)]
    noun = next(iter([*telling[-1:], *nouns] if clause.postpositions else nouns), None)
    at_nouns = frozenset(p for s in nouns for p in s.positions)

    def _leads_a_name(places: Sequence[int]) -> bool:
        """Whether what is a verb elsewhere leads a name behind a time: "diez minutos para el arroz"."""
        return len(places) == 1 and places[0] - 1 in timed and texts[places[0]] in ahead.words.label

    doing = [
        s
        for s in ahead.words.deeds.find(texts, timed)
        if not at_nouns.intersection(s.positions) and not _leads_a_name(s.positions)
    ]
    more = [s for s in ahead.words.deeds.find(texts) if s.says in MOVES]
    idle = (i for i, c in enumerate(clause.cells) if c.means(*IDLE))
    small = words_of(clause, idle) | ahead.words.small_at(texts, timed)
    small -= words_of(clause, clause.at(Role.CONDITION))  # without it what is only supposed is told as it were so
    every = bool(clause.at(Role.EVERY, Role.EVERYTHING)) or not ahead.words.all.isdisjoint(texts)
    if noun is not None and not clause.postpositions:  # "two timers"
        pieces = [p for p in pieces if not is_loose(p) or p.first > tokens[noun.positions[0]].start]
    return TimerClause(
        tokens,
        tuple(pieces),
        timed,
        noun.says if noun is not None else None,
        noun.positions if noun is not None else (),
        at_nouns,
        tuple((s.says, s.positions[0]) for s in nouns),
        frozenset(s.says for s in doing),
        tuple((s.says, s.positions[0]) for s in sorted(doing, key=lambda s: s.positions) if s.says in _VERBS),
        frozenset(p for s in doing for p in s.positions),
        frozenset(small),
        frozenset(words_of(clause, (i for i, c in enumerate(clause.cells) if c.means(Role.ARTICLE)))),
        frozenset(s.says for s in more),
        every,
        sum(s.says is Doing.LEFT for s in doing) > 1,
    )


def is_loose(piece: Piece) -> bool:
    """Whether it is a bare number, which is a time only where one is asked for."""
    return isinstance(piece.value, Clock) and piece.value.loose


def timer_frame(clause: Clause, timing: Timing, open_words: float = 0.0) -> Frame:
    """A frame that takes the whole clause for timers. ``open_words``: how many of its words only a name explains."""
    act = ActKind.CLOCK if timing.deed is TimerAction.LIST else ActKind.TIMED
    request = Request(Act.TIMER, timing=timing)
    made = frame(clause, act, request, range(len(clause.cells)))
    kept = {Feature.EXPLAINED, Feature.NEGATED, Feature.CORRECTED, Feature.HEARD, Feature.DESCRIBES}
    if (timing.deed is not TimerAction.SET or not timing.name) and not timing.also:
        kept |= {Feature.ACROSS_A_MARK}
    if timing.deed is TimerAction.DISMISS:
        kept -= {Feature.DESCRIBES}  # "I'm up"
    if timing.kind is TimerKind.REMINDER:
        kept -= {Feature.DESCRIBES, Feature.NEGATED}
    else:
        kept |= {Feature.SEVERAL_VERBS}
    features = {f: v for f, v in made.features.items() if f in kept}
    features[Feature.EXPLAINED] = min(features.get(Feature.EXPLAINED, 0.0), MOST_EXPLAINED)
    if open_words:
        features[Feature.OPEN_TEXT] = OPEN_WORD * open_words
    return replace(made, features=features)
