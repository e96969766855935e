"""Misspelt verbs: "trun", "alume". Names are matched with their own tolerance elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.language.likeness import alike, misspelt, name_words
from homeagent.brains.language.reading import Reading, read
from indexer.mentions import Mentions


def corrected(reading: Reading, mentions: Mentions, names: Sequence[str]) -> Reading:
    """The reading with words for doing something as they are meant, where nothing else explains them."""
    known = {w for name in names for w in name_words(name)}
    fixes: dict[int, str] = {}
    for position in reading.left:
        text = reading.words[position].text
        if any(alike(text, w) or misspelt(text, w) for w in known):
            continue
        if verb := reading.lexicon.nearest_verb(text):
            fixes[position] = verb
    return read(mentions, reading.lexicon, names, fixes) if fixes else reading
