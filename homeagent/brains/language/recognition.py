"""In which language a sentence is, where nobody says it: among the languages that the agent has words of.

The home's own language is by far the likeliest, and short sentences ("yes", "licht an", "stop") tell too little to be
taken for another. Names of the home do not count: they keep their language in every other one.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from homeagent.languages.folder import Part, languages_with
from homeagent.languages.language_codes import base_language
from indexer.normalise import is_syllabic
from indexer.words import tokens

_FEWEST = 3
"""Words of a sentence that may be in another language; in a script that only one language has, one will do."""
_SURE, _SURE_OF_FEW = 0.7, 0.9
"""From this probability on a sentence is in another language than the likeliest; one of up to `_FEW` words."""
_FEW = 4
_APOSTROPHES = ("'", "’")
_LONGEST = 400
"""Characters that are looked at."""
_CONVERSATIONS = 200
"""Of so many the language is remembered."""


class Recogniser:
    """Tells languages apart. ``is_name``: whether a word, in comparable spelling, stands in a name of the home.

    The first sentence loads a model (0.7 s, 27 MB that stay); then a sentence takes 0.2 ms. So call it in a thread.
    """

    def __init__(self, is_name: Callable[[str], bool] = lambda _: False) -> None:
        self._is_name = is_name

    def of(self, text: str, likeliest: str) -> str:
        """The language code; ``likeliest``, as it is given, where the text is in that or tells too little.

        A likeliest language that the model does not know stays: what looks like a sister of it is more likely itself.
        """
        own = base_language(likeliest)
        words = [token.text for token in tokens(text[:_LONGEST]) if token.text[0].isalpha()]
        left = _spelt(text[:_LONGEST], {word for word in words if not self._is_name(word)})
        if len(left) < _FEWEST and not any(map(is_syllabic, left)):
            return likeliest
        model = _model(frozenset({*languages_with(Part.CLAIMS), own}))
        if model is None:
            return likeliest
        ranked = dict(model.rank(" ".join(word.lower() for word in left)))
        best = max(ranked, key=ranked.__getitem__)
        sure = _SURE_OF_FEW if len(left) <= _FEW else _SURE
        return best if best != own and ranked[best] >= sure else likeliest


class ConversationLanguages:
    """The language of sentences that come without one: most likely that of their conversation, at first the ``usual``.
    ``recognise``: gives the language of a text, of which the second is the likeliest; None: nobody can."""

    def __init__(self, usual: Callable[[], str], recognise: Callable[[str, str], str] | None) -> None:
        self._usual = usual
        self._recognise = recognise
        self._spoken: OrderedDict[str, str] = OrderedDict()

    async def of(self, text: str, conversation_id: str) -> str:
        """The language of the next sentence of a conversation."""
        found = self._spoken.pop(conversation_id, None) or self._usual()
        if self._recognise is not None:
            found = await asyncio.to_thread(self._recognise, text, found)
        self._spoken[conversation_id] = found
        if len(self._spoken) > _CONVERSATIONS:
            self._spoken.popitem(last=False)
        return found


def _spelt(text: str, kept: set[str]) -> list[str]:
    """The words that are kept, with their accents; what an apostrophe joins is one ("don't")."""
    spelt, last = [""], -1
    for token in (token for token in tokens(text) if token.text in kept):
        joined = text[last : token.start] if last >= 0 else ""
        if joined in _APOSTROPHES:
            spelt[-1] += joined + text[token.start : token.end]
        else:
            spelt.append(text[token.start : token.end])
        last = token.end
    return [word for word in spelt if word]


@lru_cache(maxsize=2)
def _model(codes: frozenset[str]) -> Any:
    """A model of these languages alone; None where it does not know one of them."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    if not codes.issubset(whole.labels):
        return None
    whole.set_languages(codes)
    # a new one of these columns alone: the first keeps those of all 139 languages
    columns = (whole.nb_ptc, whole.nb_pc, whole.nb_classes, _Transitions(whole.tk_nextmove), whole.tk_output)
    return LanguageIdentifier(*columns, norm_probs=True, tk_row=whole.tk_row)


class _Transitions:
    """The model's automaton, of rows of 256 states, a fourth as large: of each row only where it is another than most
    rows are."""

    def __init__(self, rows: Sequence[int]) -> None:
        table = np.asarray(rows).reshape(-1, 256)
        usual = np.array([np.bincount(column).argmax() for column in table.T])
        self._usual: list[int] = usual.tolist()
        self._bytes, self._states, self._ends = bytearray(), array("I"), array("I", [0])
        for row in table:
            [others] = np.nonzero(row != usual)
            self._bytes += others.astype(np.uint8).tobytes()
            self._states.frombytes(row[others].tobytes())
            self._ends.append(len(self._bytes))

    def __getitem__(self, place: int) -> int:
        row, byte = divmod(place, 256)
        found = self._bytes.find(byte, self._ends[row], self._ends[row + 1])
        return self._usual[byte] if found < 0 else self._states[found]
