"""From a sentence to the likeliest whole: clauses of several kinds, one frame each, and how sure that is."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from homeagent.history.when.future_time_reader import pieces_of
from homeagent.history.when.future_times import Piece, Slot
from homeagent.languages.concepts import Count, Level, Question, Reference, Role, StateWord, Unit, Verb
from homeagent.understanding.clause_frames import ClauseFrames
from homeagent.understanding.clauses import UNITS_OF_TIME, Clause, numbers_of
from homeagent.understanding.compounds import apart
from homeagent.understanding.deciding import Understanding, is_done
from homeagent.understanding.frame import ORDERS, ActKind, Feature, Frame
from homeagent.understanding.frame_combination import combined, counted_from_before, meant_where_told
from homeagent.understanding.frames.safety_named import named_in
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.joined_pronouns import clitics_apart
from homeagent.understanding.lattice import lattice
from homeagent.understanding.moods import Mood, goes_on, mood_of, refuses_an_order
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.past_times import named_places, of_the_past
from homeagent.understanding.reference import setting_of, the_one_meant, with_place_told
from homeagent.understanding.request import Request
from homeagent.understanding.segmentation import Segmentation, clause_boundaries, segmentations
from homeagent.understanding.self_corrections import taken_back, with_self_corrections
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.shared_orders import Half, halves
from homeagent.understanding.shared_units import with_shared_units
from homeagent.understanding.spans import Cell, Span
from homeagent.understanding.timer_words import timer_words
from homeagent.understanding.tokeniser import Sentence
from homeagent.understanding.weights import weights

_MOST_WORDS = 45
_MOST_SECONDS = 0.2
"""So much of the processor a sentence may take; what is found by then competes. Two covers are always read."""
_FAR = 3.0
"""What is so much dearer than the best whole is not read to its end."""
_UNIT_WITHIN = 2
"""So many words behind a number its unit may stand."""
_KEPT_FRAMES, _KEPT_ROWS = 4, 5
_LOOKING = 0.5
"""By so much more a reading is likelier that looks at a condition than one that does not."""
_APART = 0.1
"""Of two things that one order is for, so much of what the surer one costs counts beside the other."""
_SET_THERE = 0.1
"""So much dearer is what sets in a room that which was asked about."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The frames chosen for the clauses so far, and what "it" refers to after them."""

    cost: float
    frames: tuple[Frame, ...] = ()
    antecedent: Target | None = None
    place: Target | None = None
    """The last place that was told of, and nothing of a thing there."""
    mood: Mood | None = None
    """What the clause before does."""

    def followed_by(self, frame: Frame) -> _Row:
        """The row with one more frame at its end."""
        told = frame.target is not None and not frame.target.empty and not frame.target.pronoun
        behind = frame.target if told and frame.act in _SPOKEN_OF else self.antecedent
        if behind is frame.target and behind is not None and _has_another_name(behind):
            behind = None  # "it" is what nobody knows, and nothing that is like it
        place = self.place
        if behind is not None and behind is frame.target and frame.act is ActKind.ASIDE and behind.only_places:
            behind, place = self.antecedent, behind
        return _Row(self.cost + frame.cost, (*self.frames, frame), behind, place, mood_of(frame))


def _has_another_name(target: Target) -> bool:
    """Whether a word that nothing explains stands right beside the only thing that is named, and nothing says where."""
    if any(p.areas or p.floors for p in target.phrases):
        return False  # "that big light in the bedroom"
    edges = {i for p in target.phrases if p.cells for i in (min(p.cells) - 1, max(p.cells) + 1)}
    return len(target.phrases) == 1 and not target.unknown.isdisjoint(edges)


def understand(sentence: Sentence, around: SentenceContext) -> list[Understanding]:
    """All readings found within the limits of words and time, cheapest first, no two with the same effect."""
    if not sentence.tokens or len(sentence.tokens) > _MOST_WORDS:
        return []
    if (off := taken_back(clitics_apart(sentence, around.names), around.names)) is not None:
        sentence, around = off, replace(around, last=None)  # it is said of this sentence, and of no turn before
    whole = with_shared_units(sentence, around.names.pack)
    words = clitics_apart(with_self_corrections(whole, around.names), around.names)
    found = _that_look(sorted(_Reader(words, around).read(), key=lambda u: u.cost))
    distinct: dict[frozenset[tuple[object, ...]], Understanding] = {}
    for understanding in found:
        distinct.setdefault(understanding.effect, understanding)
    return list(distinct.values())


def _that_look(found: list[Understanding]) -> list[Understanding]:
    """The readings without those that leave a condition unchecked, where one costs little more that looks at it."""
    unchecked = [u for u in found if any(Feature.UNCHECKED in f.features for f in u.frames)]
    looks = (u.cost for u in found if any(f.act is ActKind.CONDITION for f in u.frames))
    near = found and min(looks, default=math.inf) < found[0].cost + _LOOKING
    return [u for u in found if u not in unchecked] if near else found


def guards_named(sentence: Sentence, around: SentenceContext) -> Request | None:
    """A query for the states of the things that guard the home and are named in a question that was not understood as a
    whole; None where it names none.
    """
    if not sentence.tokens or len(sentence.tokens) > _MOST_WORDS:
        return None
    words = apart(clitics_apart(sentence, around.names), around.names)
    behind = around.names.pack.postpositions
    return named_in(
        [
            Clause(
                cover.cells,
                words.tokens,
                around.names,
                words.asks,
                around.area_id,
                numbers=numbers_of(cover.cells, words.tokens, postpositions=behind),
            )
            for cover in segmentations(lattice(words, around.names))
        ]
    )


class _Reader:
    """Reads one sentence. Frames of a stretch of cells are built once and kept."""

    def __init__(self, sentence: Sentence, around: SentenceContext) -> None:
        self._sentence = apart(sentence, around.names)
        self._around = around
        self._weights = weights()
        self._known: dict[tuple[tuple[Cell, ...], bool, Target | None, Mood | None], list[Frame]] = {}
        self._least = math.inf
        self._until = time.thread_time() + _MOST_SECONDS
        self._last = self._spoken_of(around.last_entities)
        changed = around.last.changed if around.last is not None else None
        self._changed = self._spoken_of(changed or ()) or self._last
        self._set_there = self._spoken_of(setting_of(around.last_entities, around.names))
        self._clauses = ClauseFrames(around, (self._last, self._changed))
        self._refuses = False
        self._ahead: Ahead | None = None

    def _spoken_of(self, ids: Sequence[str]) -> Target | None:
        phrases = tuple(Phrase(entity_ids=(i,)) for i in ids if i in self._around.names.by_id)
        return Target(phrases=phrases) if phrases else None

    def read(self) -> Iterator[Understanding]:
        behind, courteous = self._around.names.pack.postpositions, self._around.names.pack.courteous
        conditions: list[Cell] = []
        for count, cover in enumerate(self._covers()):
            conditions = conditions or [c for c in cover.cells if c.end - c.first > 1 and c.means(Role.CONDITION)]
            if any(c.first < cell.first < c.end for c in conditions for cell in cover.cells):
                continue  # "jusqu'à ce que" in parts is no condition any more, and what hangs on it an order
            self._refuses = self._refuses or refuses_an_order(cover.cells)
            for cut in clause_boundaries(cover.cells, self._sentence.tokens, postpositions=behind, courteous=courteous):
                if count > 1 and time.thread_time() > self._until:
                    return
                yield from self._rows(cover, cut)

    def _covers(self) -> Iterator[Segmentation]:
        """The cheapest segmentations: the best one of present meanings, then those with spans that only ask about the
        past, then the rest.
        """
        around, sentence = self._around, self._sentence
        found = lattice(sentence, around.names, around.choices)
        self._ahead = self._to_come(named_places(found))
        known = {(s.first, s.end) for spans in found for s in spans}
        past = of_the_past(sentence, around.names.pack.language, around.now, found) if around.now is not None else ()
        together: list[Span] = []
        for span in tuple(past):
            (found[span.first] if (span.first, span.end) in known else together).append(span)
        likeliest, *others = segmentations(found)
        yield likeliest
        for span in together:
            found[span.first].append(span)
        yield from (c for c in segmentations(found) if any(cell.of_past for cell in c.cells)) if together else ()
        yield from others

    def _to_come(self, named: set[int]) -> Ahead | None:
        """What the sentence says of times to come, but for what is part of a name."""
        language, now, tokens = self._around.names.pack.language, self._around.now, self._sentence.tokens
        words = timer_words(language) if now is not None else None
        if now is None or words is None:
            return None
        taken = [(tokens[i].start, tokens[i].end) for i in sorted(named)]
        found = pieces_of(self._sentence.text, language, taken)
        pieces = tuple(p for p in found if not self._counts(p))
        running = tuple(filter(None, self._around.timer_names))
        return Ahead(pieces, now.moment.astimezone(now.zone), words, language, self._around.rings, running)

    def _counts(self, piece: Piece) -> bool:
        """Whether what looks like a time of the clock counts something else: "um zwei Grad", "at 20 percent"."""
        phrases = self._around.names.pack.phrases
        behind = [t.text for t in self._sentence.tokens if t.start >= piece.last][:_UNIT_WITHIN]
        if behind and not any(isinstance(c, Count | Level) for c in phrases.get(behind[0], ())):
            behind = behind[:1]  # "um einen halben Grad"
        units = [u for word in behind for u in phrases.get(word, ()) if isinstance(u, Unit)]
        return piece.slot is Slot.CLOCK and bool(units) and not UNITS_OF_TIME & {*units}

    def _rows(self, cover: Segmentation, cut: tuple[int, ...]) -> Iterator[Understanding]:
        features = {
            Feature.BROKEN_NAME: float(cover.broken_names),
            Feature.CUT: float(len(cut)),
            Feature.DEARER_COVER: cover.cost,
        }
        cost = self._weights.cost(features)
        rows = [_Row(cost, antecedent=self._last)]
        if self._set_there is not None:
            rows.append(_Row(cost + _SET_THERE, antecedent=self._set_there))
        bounds = (0, *cut, len(cover.cells))
        for first, end in itertools.pairwise(bounds):
            longer = []
            for row in rows:
                cells = with_place_told(cover.cells[first:end], row.place, self._around.names)
                mood = goes_on(row.mood, cover.cells[:first], cells)
                last = end == len(cover.cells)
                longer += [row.followed_by(f) for f in self._frames(cells, last, row.antecedent, mood)]
                for one, other in halves(cells, self._sentence.tokens):
                    contrasts = any(c.says(Role.CONTRAST) for c in cells)
                    longer += self._shared(row, one, other, last=last, contrasts=contrasts)
            rows = heapq.nsmallest(_KEPT_ROWS, longer, key=lambda r: r.cost)
            if not rows or rows[0].cost > self._least + _FAR:
                return
        self._least = min([self._least, *(r.cost for r in rows if combined(r.frames) is not None)])
        for row in rows:
            if (frames := combined(row.frames)) is not None:
                placed = meant_where_told(frames, self._around.names, self._around.last)
                yield Understanding(counted_from_before(placed, self._around.now), row.cost)

    def _shared(self, row: _Row, one: Half, other: Half, *, last: bool, contrasts: bool) -> Iterator[_Row]:
        """The row with an order for each of two things, one of them known, or with a question for each: it costs little
        more than the dearer. ``contrasts``: a "but" is there, behind which nobody orders what nothing explains.
        """
        for first in self._frames(one, last, row.antecedent, None):
            for second in self._frames(other, last, row.antecedent, None):
                both = (first, second)
                if contrasts and ActKind.UNKNOWN in (first.act, second.act):
                    continue  # "turn on the lamp, but only for guests"
                ordered = any(is_done(f) for f in both) and all(f.act in _SHARED for f in both)
                if (ordered or all(f.act is ActKind.ASKING for f in both)) and not any(f.vetoed for f in both):
                    longer = row.followed_by(first).followed_by(second)
                    yield replace(
                        longer, cost=row.cost + max(f.cost for f in both) + _APART * min(f.cost for f in both)
                    )

    def _frames(self, cells: tuple[Cell, ...], last: bool, antecedent: Target | None, mood: Mood | None) -> list[Frame]:
        """The cheapest frames of a clause; ``mood`` is what it takes over from the clause before."""
        key = (cells, last, antecedent, mood)
        if key not in self._known:
            tokens = self._sentence.tokens
            cells = with_place_told(cells, antecedent, self._around.names)
            end = cells[-1].end
            asks = self._sentence.asks if last else "?" in tokens[end].mark or self._asks_at_its_end(cells)
            other = any(c.means(Reference.OTHER) for c in cells)
            before = self._around.last if antecedent is self._last or other else None
            if before is not None and any(c.says(Reference.AGAIN) for c in cells):
                antecedent = self._changed  # "turn it back on": what was off already stays off
            if before is not None and (one := the_one_meant(cells, before, antecedent)):
                antecedent = Target(phrases=(Phrase(entity_ids=one),))
            if mood in (Mood.ASKS, Mood.ORDERS):
                asks = mood is Mood.ASKS
            clause = Clause(
                cells,
                tokens,
                self._around.names,
                asks,
                self._around.area_id,
                antecedent,
                numbers_of(cells, tokens, postpositions=self._around.names.pack.postpositions),
                before,
                mood is Mood.TELLS,
            )
            found = [
                replace(f, cost=self._weights.cost(f.features, f.act))
                for f in self._clauses.frames(clause, self._ahead, refuses=self._refuses)
            ]
            self._known[key] = heapq.nsmallest(_KEPT_FRAMES, found, key=lambda f: f.cost)
        return self._known[key]

    def _asks_at_its_end(self, cells: tuple[Cell, ...]) -> bool:
        """Whether a clause tells how something is, with the verb's joining suffix, and the sentence ends as a question,
        in languages where only the last verb says so: "문 잠겨 있고 불 꺼져 있어?".
        """
        pack, last = self._around.names.pack, cells[-1]
        tells = pack.postpositions and last.says(Role.JOIN) and last.has(StateWord) and not last.has(Verb)
        ends = pack.phrases.get(self._sentence.tokens[-1].text, ())
        return tells and (self._sentence.asks or Question.YESNO in ends)


_SHARED = frozenset({ActKind.CONTROL, ActKind.SETTING, ActKind.STEPPING, ActKind.MAKING, ActKind.UNKNOWN})
_SPOKEN_OF = ORDERS | {
    *(ActKind.ASKING, ActKind.PAST, ActKind.COMPLAINT, ActKind.ASIDE, ActKind.CONDITION, ActKind.FOLLOWING),
    ActKind.REFUSAL,
}
