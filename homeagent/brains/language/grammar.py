"""Home Assistant's own sentence grammar (hassil and home-assistant-intents) over the names that were retrieved.

Everything here may take milliseconds to seconds of CPU: call it in a thread. It keeps no state of a turn.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from homeagent.brains.language.grammar_cache import NOT_KEPT, GrammarCache
from homeagent.languages.language_codes import best_match
from indexer.entity import Area, Entity, Floor

if TYPE_CHECKING:
    from hassil import Intents, SlotList

_SEPARATOR = "\n"
"""Joins the entity ids that share one spoken name: hassil wants text values and keeps only one of each."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the sentence may name. ``spoken`` maps further words for entities, such as a misspelt name, to ids."""

    entities: tuple[Entity, ...] = ()
    areas: tuple[Area, ...] = ()
    floors: tuple[Floor, ...] = ()
    spoken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spoken_areas: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence that the grammar knows.

    ``slots`` hold what the intent is about: ``name`` is a tuple of entity ids that bear the name, ``area`` and
    ``floor`` are ids, the others are as home-assistant-intents gives them. ``texts`` are the words they were said in.
    """

    intent: str
    slots: Mapping[str, Any]
    texts: Mapping[str, str]
    response: str
    from_context: tuple[str, ...] = ()
    """Slots that were not said but come from the room of the speaking device."""
    wildcards: tuple[str, ...] = ()
    """Slots that took whatever words there were."""


class Grammar:
    """The grammar of one language. ``cache``: where its parsed templates are kept from one start to the next."""

    def __init__(self, language: str, data: Mapping[str, Any], cache: GrammarCache = NOT_KEPT) -> None:
        from hassil import Intents

        from homeagent.brains.language.narrowing import Narrowing

        self.language = language
        self.responses: Mapping[str, Any] = data.get("responses", {})
        self.colors = _value_words(data, "color")
        self._intents = Intents.from_dict(dict(data))
        kept = cache.fill(language, self._intents)
        self._narrowing = Narrowing(self._intents)
        self._lock = threading.Lock()
        if not kept:
            cache.keep(language, self._intents)

    def recognize(self, text: str, names: Names, *, area: Area | None = None) -> Match | None:
        """The best reading of ``text``, or None. ``area`` is the room of the speaking device."""
        from hassil.recognize import RecognizeResult, recognize_all

        context = {"area": {"value": area.area_id, "text": area.name}} if area else None
        intents, slot_lists = self._possible(text, names)
        with self._lock:  # hassil fills caches while it matches
            results: list[RecognizeResult] = list(
                recognize_all(
                    text,
                    intents,
                    slot_lists=slot_lists,
                    intent_context=context,
                    language=self.language,
                )
            )
        return _best(results)

    def _possible(self, text: str, names: Names) -> tuple[Intents, dict[str, SlotList]]:
        """What of the grammar and of the names may be in the sentence: trying all the rest takes most of the time."""
        from homeagent.brains.language.narrowing import Text

        said = Text(text)
        values = _values(names)
        if self._narrowing.works:
            values = {slot: [v for v in found if said.may_say(v[0])] for slot, found in values.items()}
        domains = frozenset(context["domain"] for _, _, context in values["name"])
        intents = self._narrowing.narrowed(said, [slot for slot, found in values.items() if not found], domains)
        return intents, _slot_lists(values)


def code_of(language: str) -> str | None:
    """The code of the grammar of a language; None where there is none.

    A region or script that has none falls back to the nearest of the language.
    """
    from home_assistant_intents import get_languages

    return best_match(language, get_languages())


def load(language: str, cache: GrammarCache = NOT_KEPT) -> Grammar | None:
    """Read the grammar of a language; slow the first time that ``cache`` sees it. None where there is none."""
    from home_assistant_intents import get_intents

    code = code_of(language)
    if code is None:
        return None
    grammar = Grammar(code, get_intents(code) or {}, cache)
    grammar.recognize("warm up", Names())
    return grammar


def _value_words(data: Mapping[str, Any], name: str) -> Mapping[str, str]:
    """The plain words of a list of the grammar and what they stand for; templates are left out."""
    values = data.get("lists", {}).get(name, {}).get("values", ())
    words: dict[str, str] = {}
    for value in values:
        spoken, meaning = (value["in"], str(value["out"])) if isinstance(value, Mapping) else (value, value)
        for word in spoken.strip("()").split("|"):
            if not set(word) & set("[]()<>{}"):
                words[word.casefold()] = meaning
    return words


def _values(names: Names) -> dict[str, list[tuple[Any, ...]]]:
    """Slot -> what may be said in it, and what hassil needs to know of it."""
    areas = [*((n, a.area_id) for a in names.areas for n in (a.name, *a.aliases)), *names.spoken_areas.items()]
    floors = [(n, f.floor_id) for f in names.floors for n in (f.name, *f.aliases)]
    return {
        "name": list(_name_tuples(names)),
        "area": [value for value in areas if value[0].strip()],
        "floor": [value for value in floors if value[0].strip()],
    }


def _slot_lists(values: Mapping[str, list[Any]]) -> dict[str, SlotList]:
    from hassil import TextSlotList

    return {slot: TextSlotList.from_tuples(found, allow_template=False, name=slot) for slot, found in values.items()}


def _name_tuples(names: Names) -> Iterable[tuple[str, str, dict[str, object]]]:
    """One value for each spoken name and domain; entities that share both become one value with all their ids."""
    known = {e.entity_id: e for e in names.entities}
    bearers: dict[tuple[str, str], dict[str, None]] = {}
    for entity in names.entities:
        for name in entity.names:
            bearers.setdefault((_tidy(name), entity.domain), {})[entity.entity_id] = None
    for name, ids in names.spoken.items():
        for entity_id in ids:
            if entity_id in known:
                bearers.setdefault((_tidy(name), known[entity_id].domain), {})[entity_id] = None
    for (name, domain), ids_ in bearers.items():
        if name:
            yield name, _SEPARATOR.join(ids_), {"domain": domain}


def _tidy(name: str) -> str:
    return " ".join(name.split()).casefold()


def _best(results: Sequence[Any]) -> Match | None:
    """The best result as hassil ranks them: a name, and the longest, before none; then few wildcards, much text.

    Results that differ from the best only in whom a name means are folded into it.
    """
    if not results:
        return None
    ranked = sorted(results, key=_rank)
    best = ranked[0]
    match = _match(best)
    if "name" not in match.slots:
        return match
    ids = dict.fromkeys(match.slots["name"])
    for other in ranked[1:]:
        if other.intent.name == best.intent.name and _rank(other)[:-1] == _rank(best)[:-1]:
            ids |= dict.fromkeys(_match(other).slots.get("name", ()))
    return Match(
        match.intent,
        {**match.slots, "name": tuple(ids)},
        match.texts,
        match.response,
        match.from_context,
        match.wildcards,
    )


def _rank(result: Any) -> tuple[object, ...]:
    name = result.entities.get("name")
    said = len(name.text) if name is not None and not name.is_wildcard else 0
    wildcards = [e for e in result.entities_list if e.is_wildcard]
    return (
        len(wildcards),
        -said,
        -result.text_chunks_matched,
        sum(len(e.text or "") for e in wildcards),
        result.intent.name,
        str(name.value) if name is not None else "",
    )


def _match(result: Any) -> Match:
    slots: dict[str, Any] = {}
    texts: dict[str, str] = {}
    from_context: list[str] = []
    for name, entity in result.entities.items():
        slots[name] = tuple(entity.value.split(_SEPARATOR)) if _names_entities(name, entity) else entity.value
        texts[name] = (entity.text_clean if entity.text else "") or str(entity.value)
        if name == "area" and entity.text_span is None:
            from_context.append(name)
    return Match(
        intent=result.intent.name,
        slots=slots,
        texts=texts,
        response=result.response or "default",
        from_context=tuple(from_context),
        wildcards=tuple(e.name for e in result.entities_list if e.is_wildcard),
    )


def _names_entities(slot: str, entity: Any) -> bool:
    return slot == "name" and not entity.is_wildcard and isinstance(entity.value, str) and "." in entity.value
