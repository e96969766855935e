"""Parsed sentence templates as texts, numbers and lists, and back again.

What is made from rows are the parts in the table here and nothing else: whatever they hold, nothing of it is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hassil import Intents, Sentence
from hassil.expression import Alternative, Expression, ListReference, Permutation, RuleReference, TextChunk
from hassil.expression import Sequence as InOrder

WRONG_SHAPE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What rows of another shape raise, and templates with parts that are not known here."""


def _blocks(intents: Intents) -> list[Any]:
    return [block for intent in intents.intents.values() for block in intent.data]


def to_rows(intents: Intents) -> dict[str, Any]:
    """``blocks``: of each block its templates in hassil's order: place among the block's texts, tree, clauses.

    ``clauses`` are the fragments of which a text must hold one; most are shared, so templates have their numbers.
    """
    clauses: dict[frozenset[str], int] = {}
    blocks = []
    for block in _blocks(intents):
        places = {text: place for place, text in enumerate(block.sentence_texts)}
        rules = {**intents.expansion_rules, **block.expansion_rules}
        blocks.append(
            [
                [
                    places[sentence.text],
                    _tree(sentence.expression),
                    [clauses.setdefault(c, len(clauses)) for c in sentence.get_required_clauses(rules)],
                ]
                for sentence in block.sentences
            ]
        )
    return {"clauses": [sorted(clause) for clause in clauses], "blocks": blocks}


def from_rows(kept: object, intents: Intents) -> None:
    """Give ``intents`` the templates of which `to_rows` made ``kept``: all of them, or none.

    Raises one of `WRONG_SHAPE` for anything else.
    """
    for block, sentences in zip(_blocks(intents), _sentences(kept, intents), strict=True):
        vars(block)["sentences"] = sentences  # where hassil keeps what it has parsed


def _sentences(kept: Any, intents: Intents) -> list[list[Sentence]]:
    clauses = [frozenset(map(_text, clause)) for clause in kept["clauses"]]
    made = []
    for block, templates in zip(_blocks(intents), kept["blocks"], strict=True):
        texts = block.sentence_texts
        if sorted(place for place, _, _ in templates) != list(range(len(texts))):
            raise ValueError("not the templates of this block")
        made.append(
            [
                Sentence(_expression(tree), texts[place], required_clauses=frozenset(clauses[n] for n in numbers))
                for place, tree, numbers in templates
            ]
        )
    return made


_TEXT, _SEQUENCE, _ALTERNATIVE, _OPTIONAL, _PERMUTATION, _RULE, _LIST = range(7)
"""The first item of a part's row; a text that is what it was written as stands by itself."""


def _tree(part: Expression) -> Any:
    """A part of a template as texts, numbers and lists. Raises ValueError for a part that is not in the table."""
    match part:
        case TextChunk():
            return part.text if part.text == part.original_text else [_TEXT, part.text, part.original_text]
        case InOrder():
            return [_SEQUENCE, *map(_tree, part.items)]
        case Alternative():
            return [_OPTIONAL if part.is_optional else _ALTERNATIVE, *map(_tree, part.items)]
        case Permutation():
            return [_PERMUTATION, *map(_tree, part.items)]
        case RuleReference():
            return [_RULE, part.rule_name]
        case ListReference():
            slot = f":@{part.slot_name}" if part.is_capture else f":{part.slot_name}"
            bare = part.slot_name == part.list_name and not (part.is_capture or part.is_inline_range)
            name = part.list_name if bare else part.list_name + slot
            return [_LIST, name, part.prefix, part.suffix, int(part.is_end_of_word)]
    raise ValueError(f"{type(part).__name__} is no part of a template that is known here")


def _expression(row: Any) -> Expression:
    """What `_tree` made the row of. Raises one of `WRONG_SHAPE` for any other row."""
    if isinstance(row, str):
        return TextChunk(row)
    kind, *rest = row
    if kind == _SEQUENCE:
        return InOrder(items=_expressions(rest))
    if kind == _ALTERNATIVE:
        return Alternative(items=_expressions(rest))
    if kind == _OPTIONAL:
        return Alternative(items=_expressions(rest), is_optional=True)
    if kind == _LIST:
        name, prefix, suffix, ends = rest
        return ListReference(_text(name), _text_or_none(prefix), _text_or_none(suffix), is_end_of_word=bool(ends))
    if kind == _RULE:
        (name,) = rest
        return RuleReference(_text(name))
    if kind == _PERMUTATION:
        return Permutation(items=_expressions(rest))
    if kind == _TEXT:
        text, original = rest
        return TextChunk(_text(text), _text(original))
    raise ValueError(f"no part of a template: {kind}")


def _expressions(rows: Sequence[object]) -> list[Expression]:
    return [_expression(row) for row in rows]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)
