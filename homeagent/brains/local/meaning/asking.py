"""What a question asks: of whom, about which state or attribute, now or in the past. A question never acts."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.understanding.request import Asked


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
