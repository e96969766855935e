"""What sentences are meant as for memory, read by the guesses of intents."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.intents.classifier import Guess
from homeagent.intents.intent import ORDERS, Intent
from homeagent.intents.intent_reader import PATIENCE, IntentReader
from memory.purposes import Guess as GuessPurposes
from memory.purposes import Purpose, Purposes

_LATER = (Intent.ORDER_LATER, Intent.ORDER_WHEN, Intent.REMINDER_SET, Intent.TIMER_SET, Intent.ALARM_SET)


def purposes_by(reader: IntentReader, patience: float = PATIENCE) -> GuessPurposes:
    """What reads sentences for memory with ``reader``. ``patience``: seconds that they wait for their vectors."""

    async def guess(sentences: Sequence[str]) -> Purposes:
        texts = list(dict.fromkeys(sentences))
        guesses = await reader.read_each(texts, patience=patience)
        return {text: _purpose(one) for text, one in zip(texts, guesses, strict=True) if one is not None}

    return guess


def _purpose(guess: Guess) -> Purpose:
    return Purpose(
        tell=guess.shares.get(Intent.TELL, 0.0),
        correct=guess.shares.get(Intent.CORRECT, 0.0),
        retract=guess.shares.get(Intent.RETRACT, 0.0),
        recall=guess.shares.get(Intent.RECALL, 0.0),
        passing=guess.share_of((Intent.PASSING, Intent.SMALL_TALK)),
        order=guess.share_of(ORDERS),
        knowledge=guess.shares.get(Intent.KNOWLEDGE, 0.0),
        later=guess.share_of(_LATER),
    )
