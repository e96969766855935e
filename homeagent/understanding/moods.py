"""What a clause does that only joins the one before: it asks, orders or tells; whether a sentence refuses something."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from homeagent.languages.concepts import Question, Role, StateWord, Verb
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.spans import Cell


class Mood(StrEnum):
    """What a clause does. A clause that only joins it takes this over."""

    ASKS = "asks"
    ORDERS = "orders"
    TELLS = "tells"


def mood_of(frame: Frame) -> Mood | None:
    """The mood of a frame's clause; None for everything but questions, orders and statements."""
    if frame.act in (ActKind.ASKING, ActKind.PAST):
        return Mood.ASKS
    if frame.acts:
        return Mood.ORDERS
    return Mood.TELLS if frame.act is ActKind.ASIDE and Feature.STATEMENT in frame.features else None


def goes_on(mood: Mood | None, before: Sequence[Cell], cells: Sequence[Cell]) -> Mood | None:
    """The mood that a clause takes over from the one ``before``; None where a verb of its own says something else.

    A participle continues one before it: "hast du A abgeschlossen und B ausgemacht".
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
    """Whether a cell denies something and a verb other than "stop" is there."""
    return any(c.says(Role.NEGATION) for c in cells) and any(c.has(Verb) and not c.says(Verb.STOP) for c in cells)
