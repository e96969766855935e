"""Words of Home Assistant's own sentences that nothing in a pack explains: what the pack should get to know next."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from homeagent.languages.language_codes import best_match
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import lattice
from homeagent.understanding.segmentation import segmentations
from homeagent.understanding.tokeniser import tokenise

if TYPE_CHECKING:
    from hassil import Intents

_MOST_SENTENCES = 400
_TRIED, _KEPT_OF_EACH = 60, 3
"""So many ways to say one template are made, and so many of them kept, far apart."""
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_NUMBER = "20"
"""Stands for a number, or for whatever words there may be."""


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """A word, how many of the sentences hold it, and the first of them."""

    word: str
    sentences: int
    example: str


@dataclass(frozen=True, slots=True)
class Mined:
    """How many of Home Assistant's sentences were read, and their unknown words, the commonest first."""

    read: int
    unknown: tuple[UnknownWord, ...] = ()


def unknown_words(language: str, names: HomeNames) -> Mined:
    """Read Home Assistant's sentences of a language over a home. Takes seconds; nothing where it has none."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    read = 0
    for sentence in itertools.islice(_sentences(language, names), _MOST_SENTENCES):
        read += 1
        for word in dict.fromkeys(unexplained(sentence, names)):
            counts[word] += 1
            first.setdefault(word, sentence)
    return Mined(read, tuple(UnknownWord(word, count, first[word]) for word, count in counts.most_common()))


def unexplained(sentence: str, names: HomeNames) -> Iterator[str]:
    """The words that neither the pack nor a name explains in the likeliest row of cells; a misspelling counts."""
    tokens = tokenise(sentence)
    for cover in segmentations(lattice(tokens, names), keep=1):
        for cell in cover.cells:
            if cell.free or cell.corrected:
                yield from (t.raw.casefold() for t in tokens.tokens[cell.first : cell.end])


def _sentences(language: str, names: HomeNames) -> Iterator[str]:
    """Sentences of every intent in turn, so that a cut leaves some of each."""
    from hassil import Intents
    from home_assistant_intents import get_intents, get_languages

    code = best_match(language, get_languages())
    data = get_intents(code) if code is not None else None
    if data is None:
        return
    intents = Intents.from_dict(dict(data))
    by_intent = [list(_of_intent(name, intents, names)) for name in intents.intents]
    seen: set[str] = set()
    for row in itertools.zip_longest(*by_intent):
        for text in row:
            if text is not None and text not in seen:
                seen.add(text)
                yield text


def _of_intent(name: str, intents: Intents, names: HomeNames) -> Iterator[str]:
    from hassil.errors import MissingListError, MissingRuleError
    from hassil.sample import sample_sentence

    groups = [[(template, group) for template in group.sentences] for group in intents.intents[name].data]
    for template, group in (t for row in itertools.zip_longest(*groups) for t in row if t is not None):
        lists = {**intents.slot_lists, **_slots(names, group.requires_context)}
        try:
            rules = {**intents.expansion_rules, **group.expansion_rules}
            made = list(itertools.islice(sample_sentence(template, lists, rules, expand_ranges=False), _TRIED))
        except (MissingListError, MissingRuleError):
            continue
        for text in made[:: max(1, len(made) // _KEPT_OF_EACH)][:_KEPT_OF_EACH]:
            yield " ".join(_PLACEHOLDER.sub(_NUMBER, text).split())


def _slots(names: HomeNames, context: Mapping[str, Any] | None) -> dict[str, Any]:
    """What stands for a name and an area: things of the domain that the sentence is for, where the home has some."""
    from hassil import TextSlotList

    wanted = (context or {}).get("domain") or ()
    value = wanted.get("value", ()) if isinstance(wanted, Mapping) else wanted
    domains = {value} if isinstance(value, str) else set(map(str, value))
    things = [e.name for e in names.entities if e.domain in domains] or [e.name for e in names.entities]
    rooms = dict.fromkeys(e.area.name for e in names.entities if e.area is not None)
    told = {"name": things[:1], "area": list(rooms)[:1], "floor": list(rooms)[:1]}
    return {slot: TextSlotList.from_strings(said, name=slot, allow_template=False) for slot, said in told.items()}
