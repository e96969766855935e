"""Leaves out what a sentence cannot match, before hassil tries every template of the grammar on it.

Only what provably cannot match goes: templates that need words, or a name, area, colour … of which nothing was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hassil import Intents, Sentence, TextSlotList
from hassil.expression import Alternative, Expression, Group, ListReference, RuleReference
from hassil.intents import Intent, IntentData
from hassil.util import normalize_for_matching

_NOT_IN_WORDS = re.compile(r"[\W_]+")

Clauses = frozenset[frozenset[str]]
"""Of each clause one fragment must be in the text, as hassil gives them."""


@dataclass(frozen=True, slots=True)
class _Template:
    sentence: Sentence
    clauses: Clauses
    lists: frozenset[str]
    """The lists of which something must be said, without those that the block of sentences brings itself."""


@dataclass(frozen=True, slots=True)
class _Block:
    data: IntentData
    templates: tuple[_Template, ...]


class Text:
    """A sentence in the spelling in which hassil compares it."""

    def __init__(self, text: str) -> None:
        self._text = normalize_for_matching(text).text.casefold()

    def may_say(self, name: str) -> bool:
        """Whether all words of a name are in the sentence, in whatever order and parts."""
        return all(piece in self._text for piece in _NOT_IN_WORDS.split(name.casefold()))

    def holds(self, clause: frozenset[str]) -> bool:
        return any(fragment in self._text for fragment in clause)


class Narrowing:
    """What of a grammar may match a sentence."""

    def __init__(self, intents: Intents) -> None:
        self._intents = intents
        # Where blanks do not count, words lie in the text that are not seen in it: there everything may match.
        self.works = not intents.settings.ignore_whitespace
        self._blocks = {i.name: [_block(d, intents) for d in i.data] for i in intents.intents.values()}
        templates = [t for blocks in self._blocks.values() for b in blocks for t in b.templates]
        used = frozenset().union(*(t.lists for t in templates))
        self._values = {
            name: frozenset(Sentence(v.text_in).get_required_clauses(intents.expansion_rules) for v in slot_list.values)
            for name, slot_list in intents.slot_lists.items()
            if name in used and isinstance(slot_list, TextSlotList)
        }
        self._clauses = frozenset().union(
            *(t.clauses for t in templates), *(c for v in self._values.values() for c in v)
        )

    def narrowed(self, text: Text, empty: Iterable[str]) -> Intents:
        """The grammar without what cannot match ``text``. ``empty``: lists of the home of which nothing was said."""
        if not self.works:
            return self._intents
        held = frozenset(clause for clause in self._clauses if text.holds(clause))
        unsaid = {name for name, values in self._values.items() if not any(v <= held for v in values)} | {*empty}
        kept = {name: _kept(blocks, held, unsaid) for name, blocks in self._blocks.items()}
        return replace(self._intents, intents={name: Intent(name, data) for name, data in kept.items() if data})


def _kept(blocks: Iterable[_Block], held: Clauses, unsaid: set[str]) -> list[IntentData]:
    kept = []
    for block in blocks:
        possible = [t.sentence for t in block.templates if t.clauses <= held and t.lists.isdisjoint(unsaid)]
        if possible:
            data = replace(block.data)
            # hassil parses templates when `sentences` is first read, and keeps them here
            vars(data)["sentences"] = possible
            kept.append(data)
    return kept


def _block(data: IntentData, intents: Intents) -> _Block:
    rules = {**intents.expansion_rules, **data.expansion_rules}
    templates = (
        _Template(s, s.get_required_clauses(rules), _needed(s.expression, rules) - data.slot_lists.keys())
        for s in data.sentences
    )
    return _Block(data, tuple(templates))


def _needed(expression: Expression, rules: Mapping[str, Sentence]) -> frozenset[str]:
    """The lists of which every match of the expression holds a value."""
    if isinstance(expression, ListReference):
        return frozenset({expression.list_name})
    if isinstance(expression, RuleReference):
        rule = rules.get(expression.rule_name)
        return _needed(rule.expression, rules) if rule else frozenset()
    if not isinstance(expression, Group) or not expression.items:
        return frozenset()
    parts = [_needed(item, rules) for item in expression.items]
    both = frozenset.intersection if isinstance(expression, Alternative) else frozenset.union
    return both(*parts)
