"""Reads what sentences are for, with the index's encoder."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from homeagent.intents.classifier import Classifier, Guess, packaged_classifier
from indexer.errors import IndexerError

Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]
"""Texts -> (n, d) float32, each of length 1. Raises `IndexerError` where there is no encoder."""
PATIENCE = 1.0
"""Seconds that a sentence waits for its vector."""
_KEPT = 256
"""Sentences whose guesses are kept: a turn asks several times for the same."""


class IntentReader:
    """Guesses what sentences are for.

    ``fingerprint`` names the encoder that is loaded: with another than the packaged one, and while it loads, there are
    no guesses, and words alone decide.
    """

    def __init__(self, embed: Embed, fingerprint: Callable[[], str | None]) -> None:
        self._embed = embed
        self._fingerprint = fingerprint
        self._classifier: Classifier | None = None
        self._kept: OrderedDict[str, Guess] = OrderedDict()

    async def read(self, text: str) -> Guess | None:
        """What one sentence is for; None where nothing can be told by meaning at the moment. Never raises."""
        [guess] = await self.read_each([text])
        return guess

    async def read_each(self, texts: Sequence[str], patience: float = PATIENCE) -> list[Guess | None]:
        """As `read`, for several sentences at once. ``patience``: seconds that they wait for their vectors."""
        if self._classifier is None:
            self._classifier = await asyncio.to_thread(packaged_classifier)
        classifier = self._classifier
        if not (self._fingerprint() or "").startswith(classifier.encoder):
            return [None] * len(texts)
        unread = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if unread:
            try:
                async with asyncio.timeout(patience):
                    vectors = await self._embed(unread)
            except (IndexerError, TimeoutError):
                return [self._kept.get(text) for text in texts]
            for text, vector in zip(unread, vectors, strict=True):
                self._kept[text] = classifier.guess(text, vector)
        guesses = [self._kept.get(text) for text in texts]
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return guesses
