"""What a clause does that only joins the one before: it asks, orders or tells; whether a sentence refuses something."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from homeagent.languages.concepts import Question, Role, StateWord, Verb
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.spans import Cell


class Mood(StrEnum):
    """What a clause does: what only joins it goes on with that."""

    ASKS = "asks"
    ORDERS = "orders"
    TELLS = "tells"


def mood_of(frame: Frame) -> Mood | None:
    if frame.act in (ActKind.ASKING, ActKind.PAST):
        return Mood.ASKS
    if frame.acts:
        return Mood.ORDERS
    return Mood.TELLS if frame.act is ActKind.ASIDE and Feature.STATEMENT in frame.features else None


def goes_on(mood: Mood | None, before: Sequence[Cell], cells: Sequence[Cell]) -> Mood | None:
    """What a clause does that only joins the one ``before``; None where it has a verb of its own for something else.

    A participle goes on after another one: "hast du A abgeschlossen und B ausgemacht".
    """
    if not cells[0].says(Role.JOIN) or not cells[1:] or any(c.has(Question) for c in cells):
        return None
    participles = any(c.has(StateWord) for c in before) and any(c.has(StateWord) for c in cells)
    if mood is Mood.ORDERS:
        return mood if any(c.has(Verb) for c in cells) else None
    both = any(c.has(Verb) and c.has(StateWord) for c in before) and cells[1].has(StateWord)
    if mood is Mood.TELLS:
        return mood if both or (participles and not any(c.has(Verb) for c in cells)) else None
    return mood if both or not cells[1].has(Verb) else None


def refuses_an_order(cells: Sequence[Cell]) -> bool:
    """Whether something other than to stop is said not to be done."""
    return any(c.says(Role.NEGATION) for c in cells) and any(c.has(Verb) and not c.says(Verb.STOP) for c in cells)
