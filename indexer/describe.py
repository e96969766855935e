"""An entity in words, as it is embedded: what it is called, what it is and where. Stable: no live state in it."""

from __future__ import annotations

import hashlib
from functools import cache

from indexer.entity import Entity
from indexer.lexicon import domains_of, lexicon

TEXT_VERSION = 1
"""Counts up whenever `describe` says the same entity differently; part of the embedder's fingerprint."""

_KIND_WORDS = 3
_DESCRIPTION_LANGUAGE = "en"


def describe(entity: Entity) -> str:
    """One line: name, kind, place, then aliases, device, labels and words for the kind. At most some 60 words."""
    domain = entity.domain.replace("_", " ")
    kind = f"{entity.device_class.replace('_', ' ')} {domain}" if entity.device_class else domain
    line = f"{entity.name}, a {kind}"
    if entity.area:
        line += f" in the {entity.area.name}"
    if entity.floor:
        line += f" on the {entity.floor.name}"
    parts = [line]
    if entity.aliases:
        parts.append(f"also called {', '.join(entity.aliases)}")
    if entity.device_name and entity.device_name != entity.name:
        parts.append(f"of {entity.device_name}")
    if entity.labels:
        parts.append(", ".join(sorted(entity.labels)))
    words = kind_words(entity)
    if words:
        parts.append(", ".join(words))
    return "; ".join(parts)


def kind_words(entity: Entity) -> tuple[str, ...]:
    """A few everyday words for what it is ("thermostat, heating" for a climate entity)."""
    words: dict[str, None] = {}
    for domain in domains_of(entity):
        for key in ((domain, entity.device_class), (domain, None)):
            words.update(dict.fromkeys(_words_by_kind().get(key, ())))
    return tuple(words)[: 2 * _KIND_WORDS]


@cache
def _words_by_kind() -> dict[tuple[str, str | None], tuple[str, ...]]:
    found: dict[tuple[str, str | None], list[str]] = {}
    for phrase, word in lexicon(_DESCRIPTION_LANGUAGE).phrases.items():
        for concept in word.concepts:
            for kind in concept.kinds:
                if not word.plural:
                    found.setdefault((kind.domain, kind.device_class), []).append(phrase)
    return {kind: tuple(phrases[:_KIND_WORDS]) for kind, phrases in found.items()}


def text_hash(text: str) -> str:
    """SHA-256 of a text, as 64 hexadecimal digits: the key of its cached vector."""
    return hashlib.sha256(text.encode()).hexdigest()
