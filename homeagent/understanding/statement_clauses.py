"""Whether a clause tells how something is or what somebody does: then it orders nothing."""

from __future__ import annotations

from collections.abc import Collection

from homeagent.languages.concepts import (
    Complaint,
    Heading,
    ListAction,
    Particle,
    Question,
    Role,
    ShoppingWord,
    StateWord,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.spans import Cell, InArea, Named, OfKind, OnFloor

_BETWEEN = 2
"""So many words may stand between the one that says how something is and what it does: "is already going"."""


def copulas(clause: Clause) -> set[int]:
    """The indexes of copulas, those contracted with the word before included: in "nan's asleep", but not in "nan's
    room".
    """
    return clause.at(Role.COPULA) | {i for i in range(1, len(clause.cells)) if _is_contracted(clause, i)}


def _is_contracted(clause: Clause, place: int) -> bool:
    cell = clause.cells[place]
    token = clause.tokens[cell.first]
    if token.text not in clause.names.pack.contractions or not token.follows_an_apostrophe:
        return False
    behind = clause.cells[place + 1 : place + 2]
    return bool(behind) and not clause.mark(place + 1) and not behind[0].has(Named, OfKind, InArea, OnFloor)


def complains_of_several(clause: Clause) -> bool:
    """Whether it is one thing that is wrong in one room, and another in another: two clauses, each with its remedy."""
    said = list(clause.said(Complaint))
    return len(clause.of(InArea)) > 1 and len({i for i, _ in said}) > 1 and len({c for _, c in said}) > 1


def describes(clause: Clause) -> float:
    """1 where the clause describes a state or tells what somebody did, and orders nothing; else 0."""
    if _tells_of_somebody(clause):
        return 1.0
    auxiliaries = clause.at(Role.AUXILIARY) - clause.at(Role.COURTESY)
    courteous = {i + 1 for i in auxiliaries} | {len(clause.cells) - 1}  # "wir hätten gern …", "we hebben … nodig"
    if auxiliaries and not courteous & clause.at(Role.COURTESY):
        return 1.0
    said = copulas(clause) | {i for i in clause.at(Role.STATEMENT) if _ends_with_copula(clause, i)}
    described = {i for i in clause.of(StateWord) if before_small_words(clause, i, said) in said} | going_on(
        clause, said
    )
    wishes = (clause.of(Verb, Heading) - described - said) | clause.at(Role.COURTESY, Role.ENSURE)
    return float(bool(said) and not wishes)


def _ends_with_copula(clause: Clause, place: int) -> bool:
    """Whether a cell is who and how together: "they're", "it is"."""
    cell = clause.cells[place]
    last, pack = clause.tokens[cell.end - 1].text, clause.names.pack
    copula = last in pack.contractions or Role.COPULA in pack.phrases.get(last, ())
    return copula and cell.end - cell.first > 1


def before_small_words(clause: Clause, place: int, said: Collection[int]) -> int:
    """The index of the cell before, small words aside: "they are still open"."""
    before = place - 1
    while before > 0 and before not in said and clause.cells[before].means(Role.FILLER):
        before -= 1
    return before


def going_on(clause: Clause, said: Collection[int]) -> set[int]:
    """The indexes of verbs in a progressive form behind a copula ("it is killing me")."""
    endings = clause.names.pack.gerunds
    found = set()
    for i in clause.of(Verb, Heading):
        text = clause.tokens[clause.cells[i].first].text
        if endings and text.endswith(endings) and any(i - 1 - k in said for k in range(_BETWEEN)):
            found.add(i)
    return found


def _tells_of_somebody(clause: Clause) -> bool:
    """Whether a subject opens the clause with a participle behind it ("I locked"), or with any verb, in languages where
    an order never begins so.
    """
    pack = clause.names.pack
    first, *behind = clause.cells[clause.opening : clause.opening + 3]
    if behind and not behind[0].has(Question):
        behind = behind[:1]  # "has turned on"
    told = first.says(Role.STATEMENT) and not first.says(Role.COURTESY, Role.FILLER, Role.PRONOUN)
    orders = not (pack.separable or pack.subject_tells)
    return told and any(
        (c.has(StateWord if orders else Verb) or _is_past(clause, c)) and not c.says(Role.COURTESY) for c in behind
    )


def _is_past(clause: Clause, cell: Cell) -> bool:
    """Whether a verb has a past ending ("turned")."""
    endings = clause.names.pack.pasts
    return bool(endings) and cell.has(Verb, Heading) and clause.tokens[cell.first].text.endswith(endings)


def tells(clause: Clause, explained: Collection[int]) -> float:
    """1 where the form of an explained verb tells something and orders nothing ("apagué"); else 0."""
    deeds = [clause.cells[i] for i in explained if clause.cells[i].has(Verb, Heading, ListAction)]
    return float(any(c.says(Role.STATEMENT) and not c.says(Role.COURTESY, Role.FILLER) for c in deeds))


def unneeded(clause: Clause) -> set[int]:
    """The indexes of the words by which a thing is no longer needed ("we don't need the heating on any more"); empty
    where the clause says no such thing.
    """
    needs, denied = clause.at(ShoppingWord.NEED), clause.at(Role.NEGATION)
    deeds = clause.of(Verb, ListAction) - needs - clause.neutral - clause.at(Role.STATEMENT, Role.FILLER)
    if not (needs and denied) or clause.asks or deeds or clause.at(Role.CONDITION) or clause.cells[0].has(Question):
        return set()
    if any(i > min(needs) for i in clause.of(Verb) - needs):
        return set()  # "you don't need to turn it on"
    states = clause.particles(Particle.ON, Particle.OPENED)
    return needs | denied | states | clause.of(Heading) | clause.at(Role.STATEMENT)
