"""Sentences for each entity of a home, made from Home Assistant's grammar in the home's language. Slow."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from homeagent.languages.language_codes import best_match
from indexer.entity import Entity

if TYPE_CHECKING:
    from hassil import Intents, Sentence

_NAME, _AREA = "HOMEAGENTNAME", "HOMEAGENTAREA"
_MOST_OF_A_KIND = 2
_TRIED = 400
_BY_NAME, _WITH_AREA = "name_only", "name_area"
_COMBINATIONS = {_BY_NAME: ("name",), _WITH_AREA: ("name", "area"), "name_scene": ("name",), "name_script": ("name",)}


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """A sentence about one entity. ``bare``: it is the name alone."""

    text: str
    entity: Entity
    bare: bool = False


class SentenceMaker:
    """The grammar's shortest ways to speak of a thing of each domain; where it has none, the bare name."""

    def __init__(self, language: str) -> None:
        self._templates: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
        data = _grammar(language)
        if data:
            self._read(data)

    def sentences(self, entity: Entity) -> Iterator[OwnSentence]:
        """By each of its names; the room is said once, with the first name."""
        made = self._templates.get(entity.domain, [])
        by_name = [text for text, says_area in made if not says_area][:_MOST_OF_A_KIND] or [_NAME]
        for name in entity.names:
            yield from (OwnSentence(t.replace(_NAME, name), entity, bare=t == _NAME) for t in by_name)
        if entity.area is not None:
            with_area = [text for text, says_area in made if says_area][:1]
            for text in with_area:
                said = text.replace(_NAME, entity.name).replace(_AREA, entity.area.name)
                yield OwnSentence(said, entity)

    def _read(self, data: Mapping[str, Any]) -> None:
        from hassil import Intents, TextSlotList

        intents = Intents.from_dict(dict(data))
        slots = {
            "name": TextSlotList.from_strings([_NAME], name="name"),
            "area": TextSlotList.from_strings([_AREA], name="area"),
        }
        for name, intent in intents.intents.items():
            groups = zip(intent.data, data["intents"][name]["data"], strict=True)
            for group, raw in groups:
                combination = (raw.get("metadata") or {}).get("slot_combination")
                if combination not in _COMBINATIONS or "domain" not in (group.requires_context or {}):
                    continue
                says_area = combination == _WITH_AREA
                shortest = _shortest(group.sentences, intents, slots, _COMBINATIONS[combination])
                for domain in _domains(group.requires_context):
                    self._add(domain, shortest, says_area)

    def _add(self, domain: str, text: str | None, says_area: bool) -> None:
        if text and (text, says_area) not in self._templates[domain]:
            self._templates[domain].append((text, says_area))


def _grammar(language: str) -> dict[str, object] | None:
    from home_assistant_intents import get_intents, get_languages

    code = best_match(language, get_languages())
    return get_intents(code) if code is not None else None


def _shortest(
    sentences: Iterable[Sentence], intents: Intents, slots: Mapping[str, Any], wanted: tuple[str, ...]
) -> str | None:
    """A plain sentence of the group that says exactly these: its first template's, without what may be left out."""
    from hassil.errors import MissingListError, MissingRuleError
    from hassil.sample import sample_sentence

    lists = {**intents.slot_lists, **slots}
    places = [_NAME if slot == "name" else _AREA for slot in wanted]
    for sentence in sentences:
        try:
            found = sample_sentence(sentence, lists, intents.expansion_rules, expand_ranges=False)
            for text in itertools.islice(found, _TRIED):
                said = " ".join(text.split())
                if all(place in said for place in places) and not set(said) & set("{}<>[]") and said not in places:
                    return said
        except (MissingListError, MissingRuleError):
            continue
    return None


def _domains(context: Mapping[str, Any] | None) -> list[str]:
    domain = (context or {}).get("domain", ())
    value = domain.get("value", ()) if isinstance(domain, Mapping) else domain
    return [value] if isinstance(value, str) else [str(one) for one in value]
