"""Whether a sentence is a question, so that nothing is done for it but to answer; whether it may ask for a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from homeagent.claims.answer_clauses import QUESTION_MARKS
from homeagent.claims.other_languages import holds_a_command
from homeagent.languages.concepts import Heading, ListAction, Particle, Question, Role, StateWord, Verb
from homeagent.languages.pack import load_pack
from homeagent.turn import Turn
from homeagent.understanding.compounds import apart
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.joined_pronouns import clitics_apart
from homeagent.understanding.lattice import lattice
from homeagent.understanding.segmentation import segmentations
from homeagent.understanding.spans import OF_QUESTIONS, Cell
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity
from indexer.mentions import MentionKind

_HOME = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_LOOSE = frozenset({Question.VALUE, Question.OTHER})
"""Openings that begin suggestions too: "how about some light", "why don't you turn it on"."""
_IDLE = (Role.JOIN, Role.FILLER)


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a sentence that asks or orders something of its own. ``last``: the verb stands at its end."""

    cells: tuple[Cell, ...]
    last: bool

    @property
    def question(self) -> Cell | None:
        """The cell that makes a question of it: it opens or, where the verb stands last, ends it."""
        cells = tuple(reversed(self.cells)) if self.last else self.cells
        first = next((c for c in cells if not c.says(*_IDLE) or c.has(Question, Verb)), None)
        polite = first is None or first.says(Role.COURTESY)
        return first if first is not None and not polite and first.has(Question) and not first.has(Verb) else None

    @property
    def orders(self) -> bool:
        return any(c.has(Verb, Heading, ListAction, Particle) or c.says(Role.TIMER) for c in self.cells)

    @property
    def polite(self) -> bool:
        return any(c.says(Role.COURTESY, Role.ENSURE) for c in self.cells)


def asks(turn: Turn) -> bool:
    """Whether the sentence asks and orders nothing, as far as its words tell. Blocks: it may read language files."""
    parts, marked = _parts(turn), _is_marked(turn)
    if parts is None:
        return marked and not asks_for_action(turn)
    return all(p.question or _is_only_marked(p, marked) for p in parts)


def only_asks(turn: Turn) -> bool:
    """Whether every part of the sentence surely asks; a polite order, a suggestion or "and the kitchen?" does not.

    Then no model may change anything for it, whatever it makes of the words. Blocks: it may read language files.
    """
    parts, marked = _parts(turn), _is_marked(turn)
    if parts is None:
        return marked and not asks_for_action(turn)
    return all(_surely(part, marked) for part in parts)


def touchable(turn: Turn) -> frozenset[str] | None:
    """The ids that may be changed for a question that holds no command but may be a wish ("how about some light in
    here?"): those that it may mean. None: any.

    What the home, its lists or memories say to a model cannot so reach anything that the person did not speak of.
    Blocks: it may read language files.
    """
    if not _is_marked(turn) or asks_for_action(turn):
        return None
    return frozenset(entity.entity_id for entity in turn.gathered.retrieval.entities)


def asks_for_action(turn: Turn) -> bool:
    """Whether the sentence may ask for a change. Where the agent has no words of its own for the language, anything
    about the home may, and anything with a word that only Home Assistant's commands hold."""
    parts = _parts(turn)
    if parts is not None:
        return any(part.orders and not part.question for part in parts)
    mentions = turn.gathered.retrieval.mentions
    about_home = any(mentions.of(kind) for kind in _HOME) and not _is_marked(turn)
    return about_home or holds_a_command(turn.text, turn.language)


def _is_marked(turn: Turn) -> bool:
    return turn.text.rstrip().endswith(QUESTION_MARKS)


def _surely(part: _Part, marked: bool) -> bool:
    question = part.question
    if question is None and not _is_only_marked(part, marked):
        return False
    if any(c.says(Role.COPULA, Question.ALL) for c in part.cells):
        return True
    return question is not None and marked and not _LOOSE & set(question.all(Question))


def _is_only_marked(part: _Part, marked: bool) -> bool:
    """Whether the question mark alone makes it a question, no verb or question word does ("la luce è accesa?")."""
    deeds = any(c.has(Verb, Heading, ListAction) and not c.has(StateWord) for c in part.cells)
    return marked and not (part.polite or deeds)


def _parts(turn: Turn) -> tuple[_Part, ...] | None:
    """The parts of the sentence; None where the language's words are not known."""
    retrieval = turn.gathered.retrieval
    return _parts_of(retrieval.mentions.text, turn.language, retrieval.entities)  # things by their real names


@lru_cache(maxsize=8)
def _parts_of(text: str, language: str, entities: tuple[Entity, ...]) -> tuple[_Part, ...] | None:
    """Kept for the turns under way: each asks several times."""
    pack = load_pack(language)
    if pack is None:
        return None
    areas = {e.area.area_id: e.area for e in entities if e.area is not None}
    floors = {e.floor.floor_id: e.floor for e in entities if e.floor is not None}
    names = HomeNames(entities, areas.values(), floors.values(), pack)
    sentence = apart(clitics_apart(tokenise(text), names), names)
    said = [[s for s in spans if not isinstance(s.meaning, OF_QUESTIONS)] for spans in lattice(sentence, names)]
    likeliest = next(iter(segmentations(said)), None)
    cells = likeliest.cells if likeliest is not None else ()
    marks = [bool(sentence.tokens[c.first].mark) for c in cells]
    return tuple(_Part(part, pack.postpositions) for part in _apart(cells, marks))


def _apart(cells: Sequence[Cell], marks: Sequence[bool]) -> Iterator[tuple[Cell, ...]]:
    """The cells, cut at marks and conjunctions that have a question or an order on both sides."""
    first = 0
    for place in range(1, len(cells)):
        cut = marks[place] or cells[place].says(Role.JOIN)
        if cut and _does_something(cells[first:place]) and _does_something(cells[place:]):
            yield tuple(cells[first:place])
            first = place
    if cells:
        yield tuple(cells[first:])


def _does_something(cells: Sequence[Cell]) -> bool:
    return any(c.has(Verb, Heading, ListAction, Question) for c in cells)
