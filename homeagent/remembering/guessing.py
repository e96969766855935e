"""What sentences are meant as for memory, read by the guesses of intents."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.intents.classifier import Guess
from homeagent.intents.intent import Intent, SentenceKind
from homeagent.intents.intent_reader import PATIENCE, IntentReader
from memory.purposes import Guess as GuessPurposes
from memory.purposes import Purpose, Purposes

_LISTED = (Intent.LIST_ADD, Intent.LIST_REMOVE, Intent.REMINDER_SET)


def purposes_by(reader: IntentReader, patience: float = PATIENCE) -> GuessPurposes:
    """What reads sentences for memory with ``reader``. ``patience``: seconds that they wait for their vectors."""

    async def guess(sentences: Sequence[str]) -> Purposes:
        texts = list(dict.fromkeys(sentences))
        guesses = await reader.read_each(texts, patience=patience)
        return {text: _purpose(one) for text, one in zip(texts, guesses, strict=True) if one is not None}

    return guess


def _purpose(guess: Guess) -> Purpose:
    kinds = guess.kinds
    return Purpose(
        tell=kinds[SentenceKind.TELL],
        correct=kinds[SentenceKind.CORRECT],
        retract=kinds[SentenceKind.RETRACT],
        recall=kinds[SentenceKind.RECALL],
        passing=kinds[SentenceKind.PASSING] + kinds[SentenceKind.ERRAND],
        order=kinds[SentenceKind.ORDER] + kinds[SentenceKind.LATER],
        knowledge=kinds[SentenceKind.KNOWLEDGE],
        later=kinds[SentenceKind.LATER],
        listed=guess.share_of(_LISTED),
    )
