"""What was done is to be put back: the last step ("undo that"), the last two ("undo both"), or all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from homeagent.languages.concepts import Attribute, Clock, Count, Dimension, Ordinal, PastWord, Reference, Role, Verb
from homeagent.languages.pack import load_pack
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.grounding import Grounded, TargetFit, members, of_place
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.previous_turn import UndoSteps
from homeagent.understanding.spans import InArea, Named, OfKind

_ALL = (Role.EVERY, Role.EVERYTHING)
_POINTS = (*_ALL, Role.PRONOUN, Reference.BOTH)
"""What stands for that which was done."""
_THINGS = (Named, OfKind, InArea)
_BESIDE: frozenset[object] = frozenset({Role.COURTESY, Role.FILLER, Role.JOIN, Role.STATEMENT})
_SMALL = (PastWord.WAS, Role.COPULA, Role.STATEMENT, Role.ARTICLE)
_MOST_STEPS = 10


def taken_back(clause: Clause, undo_steps: UndoSteps) -> Iterator[Frame]:
    """What was done is put back; of a thing that is named, what was done to it last: "undo the curtain". So it is where
    what was before it is liked better.
    """
    said = says_undo(clause)
    first = clause.at(Reference.AT_FIRST) if not clause.asks and not clause.numbers else set()
    if first and (said or clause.neutral or clause.at(Reference.AGAIN, Role.TO)):
        said |= first | clause.at(Role.TO, *_SMALL) | clause.of(Attribute, Dimension, Clock, Verb)
        said |= set() if len(_free(clause)) > 1 else _free(clause)  # "on the value from the beginning"
    if clause.at(Reference.LIKED) and (said or clause.at(Reference.BEFORE)) and not clause.asks:
        said |= clause.at(Reference.LIKED, *_SMALL) | clause.of(Attribute, Dimension)
    if not said or clause.exception < len(clause.cells):
        return
    target = target_of(clause, said | clause.at(*_POINTS))
    named = bool(target.phrases)
    meant = (members(p, clause.names) or (() if p.kinds else of_place(p, clause.names)) for p in target.phrases)
    things = frozenset(e.entity_id for found in meant for e in found)
    at_first = bool(first & said)
    request = undo_steps(_steps(clause), things, at_first=at_first) if things or not named else None
    if request is None:
        return
    ids = {i for r in (request, *request.undoes) for group in r.scope.named for i in group}
    steps = (n for n in clause.numbers if n.value <= _MOST_STEPS)
    counted = {place for number in steps for place in number.cells} | clause.of(Ordinal)
    said |= clause.at(Verb.KEEP, Reference.BEFORE, Reference.AGAIN, *_POINTS) | clause.neutral
    grounded = Grounded(request.scope, TargetFit.EXACT, frozenset(ids))
    yield frame(
        clause, ActKind.FOLLOWING, request, said | (set() if named else counted), target if named else None, grounded
    )


def _free(clause: Clause) -> set[int]:
    return {i for i, cell in enumerate(clause.cells) if cell.free}


def _steps(clause: Clause) -> int | None:
    """How many steps are meant; None: all of them."""
    if clause.at(Reference.BOTH):
        return 2
    if clause.at(*_ALL):
        return None
    said = [int(n.value) for n in clause.numbers if n.unit is None and n.value.is_integer()]
    return said[0] if said and 1 <= said[0] <= _MOST_STEPS and not clause.of(Named) else 1


def says_undo(clause: Clause) -> set[int]:
    """The cells of a phrase for undoing, or of several around what is meant: "put *the curtains* back how they were";
    empty without one.
    """
    whole = clause.at(Reference.UNDO)
    if whole or clause.of(Count) or not (clause.at(*_POINTS) or clause.of(*_THINGS)):
        return whole
    small = {i for i, c in enumerate(clause.cells) if c.says(*_POINTS) or {r.meaning for r in c.readings} <= _BESIDE}
    small |= clause.of(*_THINGS) | clause.at(Role.ARTICLE)
    rest = [i for i in range(len(clause.cells)) if i not in small]
    words = [t.text for i in rest for t in clause.tokens[clause.cells[i].first : clause.cells[i].end]]
    phrases = _bare_phrases(clause.names.pack.language)
    while words and (end := next((n for n in range(len(words), 0, -1) if tuple(words[:n]) in phrases), 0)):
        words = words[end:]
    return set() if words else set(rest)


@cache
def _bare_phrases(language: str) -> frozenset[tuple[str, ...]]:
    """The words of each phrase for undoing without what it points at: "put back"."""
    pack = load_pack(language)
    if pack is None:
        return frozenset()
    pointing = {p for p, concepts in pack.phrases.items() if any(c in _POINTS for c in concepts)}
    phrases = (p.split() for p, concepts in pack.phrases.items() if Reference.UNDO in concepts)
    return frozenset(tuple(w for w in words if w not in pointing) for words in phrases) - {()}
