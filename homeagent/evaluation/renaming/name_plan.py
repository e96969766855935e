"""Which word of a home's names becomes which: decided once for a home, so that what was alike stays alike."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from homeagent.demo.inventory import slug
from homeagent.evaluation.renaming.wordlist import Word, WordList, folded
from indexer.words import tokens, words

_SHORTEST_FORM = 2
_SHORTEST_PART = 4
_TOO_ALIKE = 80
"""Share of 100 from which two words may be taken for each other's misspelling."""


@dataclass(slots=True)
class Plan:
    """What replaces what; keys in comparable spelling.

    ``phrases``: several words at once. ``words``: whole words, also where an ending follows. ``forms``: the beginnings
    of compounds whose first part is a name by itself. ``tokens``: every word of a name that changed, for misspellings.
    """

    phrases: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)


def make_plan(names: Sequence[str], texts: Iterable[str], listed: WordList, seed: int) -> Plan:
    """Choose new words for all names. None of them occurs in a name or a text, or looks like one that does."""
    planner = _Planner(listed, random.Random(seed), {w for text in (*names, *texts) for w in words(text)})
    for name in sorted(dict.fromkeys(names), key=lambda n: (len(words(n)), n)):
        planner.take(name)
    return planner.plan


class _Planner:
    def __init__(self, listed: WordList, chance: random.Random, used: set[str]) -> None:
        self.plan = Plan()
        self._listed = listed
        self._chance = chance
        self._used = used
        self._chosen: dict[str, Word] = {}

    def take(self, name: str) -> None:
        found = tokens(name)
        spoken = [t.text for t in found]
        if phrase := self._phrase(spoken):
            new = self._instead(phrase, self._listed.phrases[phrase])
            if folded(new) != phrase:
                self.plan.phrases[phrase] = new
            return
        changed = [self._token(t.text, name[t.start : t.end]) for t in found]
        if any(changed):
            return
        for token in spoken:
            if not self._listed.keeps(token):
                self._register(token, self._instead(token, self._listed.unlisted))

    def _phrase(self, spoken: Sequence[str]) -> str | None:
        whole = " ".join(spoken)
        return whole if whole in self._listed.phrases else None

    def _token(self, token: str, written: str) -> bool:
        """Whether the word is one that has others of its kind, or a compound that begins with one."""
        if token in self.plan.tokens:
            return True
        if group := self._listed.groups.get(token):
            self._register(token, self._instead(token, group))
            new = self._chosen[token]
            old = next(word for word in group if folded(word.text) == token)
            self.plan.forms[folded(old.form)] = new.form
            return True
        if not self._listed.compounds or token in self._listed.kept:
            return False
        return self._compound(token, written)

    def _compound(self, token: str, written: str) -> bool:
        forms = [f for f in self._listed.forms if token.startswith(f) and len(f) >= _SHORTEST_FORM and f != token]
        if not forms:
            return False
        form = max(forms, key=len)
        first = folded(self._listed.forms[form].text)
        self._instead(first, self._listed.groups[first])
        self.plan.tokens[token] = self._chosen[first].form + written[len(form) - len(token) :]
        return True

    def _register(self, token: str, new: str) -> None:
        self.plan.words[token] = self.plan.tokens[token] = new

    def _instead(self, old: str, group: Sequence[Word]) -> str:
        """The word that stands for this one from now on; the word itself where all others are taken."""
        if old not in self._chosen:
            free = [word for word in group if folded(word.text) != old and self._free(word)]
            spare = [word for word in self._listed.unlisted if self._free(word)] if len(group) > 1 else []
            itself = Word(old, old)
            self._chosen[old] = self._chance.choice(free or spare or [itself])
            self._used.update(words(self._chosen[old].text))
        return self._chosen[old].text

    def _free(self, word: Word) -> bool:
        spoken = words(word.text)
        if len(spoken) > 1:  # a phrase is its own, whatever else its words are used for
            return not self._used.issuperset(spoken)
        return not any(t in self._listed.kept or any(_alike(t, used) for used in self._used) for t in spoken)


def _alike(one: str, other: str) -> bool:
    if one == other or (min(len(one), len(other)) >= _SHORTEST_PART and (one in other or other in one)):
        return True
    return fuzz.ratio(one, other) >= _TOO_ALIKE


def new_id(entity_id: str, plan: Plan) -> str:
    """An id that says what the new name says, where it said the old one."""
    domain, _, rest = entity_id.partition(".")
    parts = [slug(new) if (new := plan.words.get(folded(part))) else part for part in rest.split("_")]
    return f"{domain}.{'_'.join(parts)}"


def new_ids(ids: Iterable[str], plan: Plan) -> Mapping[str, str]:
    """Old id to new; ids stay as different as they were."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for entity_id in ids:
        new = new_id(entity_id, plan)
        found[entity_id] = entity_id if new in taken else new
        taken.add(found[entity_id])
    return found
