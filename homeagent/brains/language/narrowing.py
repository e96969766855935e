"""Leaves out what a sentence cannot match, before hassil tries every template of the grammar on it.

Only what provably cannot match goes: templates that need words, or a name, area, colour … of which nothing was said,
and those for kinds of things of which none was named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import and_
from typing import Any

from hassil import Intents, Sentence, TextSlotList
from hassil.expression import Alternative, Expression, Group, ListReference, RuleReference
from hassil.intents import Intent, IntentData
from hassil.util import normalize_for_matching

_NOT_IN_WORDS = re.compile(r"[\W_]+")
_DOMAIN = "domain"

_NONE: frozenset[str] = frozenset()

Clause = frozenset[str]
"""Fragments of which one must be in the text, as hassil gives them."""


@dataclass(frozen=True, slots=True)
class _Template:
    sentence: Sentence
    needs: int
    """What the text must have for it: a bit for each clause, and for each list of which something must be said."""


@dataclass(frozen=True, slots=True)
class _Block:
    data: IntentData
    templates: tuple[_Template, ...]
    needs: int
    """What all its templates need."""
    domains: frozenset[str]
    """Of one of these kinds the thing must be that is named; empty where that is open."""


class Text:
    """A sentence in the spelling in which hassil compares it."""

    def __init__(self, text: str) -> None:
        self._text = normalize_for_matching(text).text.casefold()

    def may_say(self, name: str) -> bool:
        """Whether all words of a name are in the sentence, in whatever order and parts."""
        text = self._text
        return all(piece in text for piece in _pieces(name))

    def holds(self, clause: Clause) -> bool:
        """Whether one of the clause's fragments is in the sentence."""
        text = self._text
        return any(fragment in text for fragment in clause)


@lru_cache(maxsize=8192)
def _pieces(name: str) -> tuple[str, ...]:
    return tuple(_NOT_IN_WORDS.split(name.casefold()))


class Narrowing:
    """What of a grammar may match a sentence. Clauses and lists are bits of whole numbers: there are a thousand
    templates to go through for each sentence."""

    def __init__(self, intents: Intents) -> None:
        self._intents = intents
        # Where blanks do not count, words lie in the text that are not seen in it: there everything may match.
        self.works = not intents.settings.ignore_whitespace
        self._clauses: dict[Clause, int] = {}
        self._lists: dict[str, int] = {}
        self._bits = 0
        self._rules = _Rules(intents.expansion_rules)
        self._blocks = {i.name: [self._block(d) for d in i.data] for i in intents.intents.values()}
        self._values = {
            name: [self._clause_bits(_clauses(v.text_in, intents)) for v in slot_list.values]
            for name, slot_list in intents.slot_lists.items()
            if name in self._lists and isinstance(slot_list, TextSlotList)
        }
        self._other_domains = frozenset(_domains_of_values(intents))

    def narrowed(self, text: Text, empty: Iterable[str], domains: frozenset[str] | None = None) -> Intents:
        """The grammar without what cannot match ``text``.

        ``empty``: lists of the home of which nothing was said. ``domains``: of all things of which a name may be said.
        """
        if not self.works:
            return self._intents
        missing = reduce(int.__or__, (bit for clause, bit in self._clauses.items() if not text.holds(clause)), 0)
        unsaid = {name for name, values in self._values.items() if all(v & missing for v in values)} | {*empty}
        missing |= reduce(int.__or__, (self._lists[name] for name in unsaid if name in self._lists), 0)
        named = None if domains is None else domains | self._other_domains
        kept = {name: list(_kept(blocks, missing, named)) for name, blocks in self._blocks.items()}
        return replace(self._intents, intents={name: Intent(name, data) for name, data in kept.items() if data})

    def _block(self, data: IntentData) -> _Block:
        own = data.expansion_rules
        rules = _Rules({**self._intents.expansion_rules, **own}) if own else self._rules
        templates = tuple(_Template(s, self._needs(s, rules, data)) for s in data.sentences)
        common = reduce(and_, (t.needs for t in templates)) if templates else 0
        return _Block(data, templates, common, _needed_domains(data))

    def _needs(self, sentence: Sentence, rules: _Rules, data: IntentData) -> int:
        lists = rules.needed(sentence.expression) - data.slot_lists.keys()  # without those that the block brings
        bits = self._clause_bits(sentence.get_required_clauses(rules.by_name))
        return reduce(int.__or__, (self._bit(self._lists, name) for name in lists), bits)

    def _clause_bits(self, clauses: Iterable[Clause]) -> int:
        return reduce(int.__or__, (self._bit(self._clauses, clause) for clause in clauses), 0)

    def _bit(self, table: dict[Any, int], key: object) -> int:
        if key not in table:
            table[key] = 1 << self._bits
            self._bits += 1
        return table[key]


def _kept(blocks: Iterable[_Block], missing: int, named: frozenset[str] | None) -> Iterator[IntentData]:
    for block in blocks:
        if block.needs & missing or (named is not None and block.domains and block.domains.isdisjoint(named)):
            continue
        possible = [t.sentence for t in block.templates if not t.needs & missing]
        if possible:
            data = replace(block.data)
            # hassil parses templates when `sentences` is first read, and keeps them here
            vars(data)["sentences"] = possible
            yield data


def _clauses(text: Expression, intents: Intents) -> frozenset[Clause]:
    clauses: frozenset[Clause] = Sentence(text).get_required_clauses(intents.expansion_rules)
    return clauses


def _needed_domains(data: IntentData) -> frozenset[str]:
    """The kinds that the block's context asks for; a thing's name is what brings its kind into the context."""
    kinds = data.requires_context.get(_DOMAIN)
    known = isinstance(kinds, list) and all(isinstance(kind, str) for kind in kinds)
    return frozenset(kinds) if known and kinds else frozenset()


def _domains_of_values(intents: Intents) -> Iterator[str]:
    """The kinds that the grammar's own lists bring into the context."""
    own = [block for intent in intents.intents.values() for d in intent.data for block in d.slot_lists.values()]
    for slot_list in (*intents.slot_lists.values(), *own):
        for value in slot_list.values if isinstance(slot_list, TextSlotList) else ():
            kind = (value.context or {}).get(_DOMAIN)
            yield from [kind] if isinstance(kind, str) else kind or ()


class _Rules:
    """The lists that expressions need, with those of each rule worked out once."""

    def __init__(self, by_name: dict[str, Sentence]) -> None:
        self.by_name = by_name
        self._of_rules: dict[str, frozenset[str]] = {}

    def needed(self, expression: Expression) -> frozenset[str]:
        """The lists of which every match of the expression holds a value."""
        if isinstance(expression, ListReference):
            return frozenset({expression.list_name})
        if isinstance(expression, RuleReference):
            return self._of_rule(expression.rule_name)
        if not isinstance(expression, Group):
            return _NONE
        if not isinstance(expression, Alternative):
            return _NONE.union(*map(self.needed, expression.items))
        common: frozenset[str] | None = None
        for item in expression.items:
            common = self.needed(item) if common is None else common & self.needed(item)
            if not common:
                return _NONE
        return common or _NONE

    def _of_rule(self, name: str) -> frozenset[str]:
        if name not in self._of_rules:
            self._of_rules[name] = _NONE  # a rule that leads to itself needs nothing by that
            rule = self.by_name.get(name)
            self._of_rules[name] = self.needed(rule.expression) if rule else _NONE
        return self._of_rules[name]
