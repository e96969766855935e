"""What a question asks: of whom, about which state or attribute, now or in the past. A question never acts."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.facts import ATTRIBUTES
from homeagent.brains.local.meaning.request import Asked
from homeagent.brains.local.meaning.states import states_said


def form_of(reading: Reading) -> Asked:
    """The form of the question: the rarest form that was said."""
    said = {s.concept for s in reading.of("questions", "asking")}
    order = (
        Asked.HOW_LONG, Asked.HOW_OFTEN, Asked.HOW_MANY, Asked.AVERAGE, Asked.HIGHEST, Asked.LOWEST, Asked.WHERE,
        Asked.WHEN, Asked.WHICH, Asked.ANY, Asked.ALL, Asked.YESNO, Asked.VALUE,
    )  # fmt: skip
    if Asked.YESNO.value in said and reading.has("every"):
        return Asked.ALL
    return next((a for a in order if a.value in said), Asked.YESNO)


def attribute_of(reading: Reading) -> str | None:
    """The attribute that a question is about, a key of ``ATTRIBUTES``; None where it asks for a state."""
    if states_said(reading) and not reading.has("questions", "value"):
        return None
    if any(s.concept.startswith("temperature") for s in reading.of("adjust")):
        return "temperature"  # "is it warmer in here than there?" is answered with both
    spots = [s for s in reading.of("attributes") if s.concept in ATTRIBUTES]
    if reading.has("attributes", "target_temperature"):
        return "target_temperature"
    return max(spots, key=lambda s: len(s.positions)).concept if spots else None
