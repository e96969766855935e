"""A data set under other names: homes, sentences and expectations alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from homeagent.demo.inventory import slug
from homeagent.evaluation.cases import Case, DataSet, Lookup, Outcome, Say
from homeagent.evaluation.renaming.name_plan import Plan, make_plan, new_ids
from homeagent.evaluation.renaming.texts import retold
from homeagent.evaluation.renaming.wordlist import WordList, word_list

_NAMED = (("areas", "name"), ("x-floors", "name"), ("floors", "name"), ("devices", "name"), ("entities", "name"))


def renamed(dataset: DataSet, seed: int) -> DataSet:
    """The same set with other names of the same language. Equal seeds give equal names.

    Names that say only what a thing is ("TV") and what stands for a kind ("… lamp") stay: sentences rely on them.
    Digits and codes stay; equal names stay equal, and a name that begins another still does.
    """
    homes: dict[Path, Mapping[str, Any]] = {}
    cases: list[Case] = []
    lookups: list[Lookup] = []
    for home, raw in dataset.homes.items():
        mine = [c for c in dataset.cases if c.home == home]
        looked = [q for q in dataset.lookups if q.home == home]
        listed = word_list(str(raw.get("x-language") or raw.get("language") or "en"))
        texts = [*(t for c in mine for t in _texts(c)), *(q.sentence for q in looked)]
        renamer = _Renamer(raw, make_plan([*_names(raw)], texts, listed, seed), listed)
        homes[home] = renamer.home()
        cases += [renamer.case(c) for c in mine]
        lookups += [renamer.lookup(q) for q in looked]
    return replace(dataset, cases=tuple(cases), lookups=tuple(lookups), homes=homes)


def _names(raw: Mapping[str, Any]) -> Iterator[str]:
    for part, key in _NAMED:
        for item in raw.get(part) or ():
            yield from (str(n) for n in (item.get(key), *_aliases(item), item.get("floor")) if n)


def _aliases(item: Mapping[str, Any]) -> list[str]:
    return [str(a) for a in (item.get("x-aliases") or item.get("aliases") or ())]


def _texts(case: Case) -> Iterator[str]:
    for say in case.says:
        yield say.text
        yield from (str(r) for outcome in say.acceptable for r in outcome.responses)


class _Renamer:
    def __init__(self, raw: Mapping[str, Any], plan: Plan, listed: WordList) -> None:
        self._raw, self._plan, self._listed = raw, plan, listed
        self._ids = new_ids([str(e["id"]) for e in raw.get("entities") or ()], plan)

    def home(self) -> Mapping[str, Any]:
        parts = {part: [self._item(i) for i in self._raw.get(part) or ()] for part, _ in _NAMED if part in self._raw}
        if not any(part in self._raw for part in ("x-floors", "floors")):
            parts["x-floors"] = self._floors()
        home: Mapping[str, Any] = _replaced({**self._raw, **parts}, lambda text: self._ids.get(text, text))
        return home

    def _floors(self) -> list[dict[str, Any]]:
        """Floors that are known by their areas alone keep the ids that their old names gave them."""
        names = dict.fromkeys(str(a["floor"]) for a in self._raw.get("areas") or () if a.get("floor"))
        return [{"id": slug(name), "name": self._name(name)} for name in names]

    def case(self, case: Case) -> Case:
        return replace(
            case,
            says=tuple(self._say(say) for say in case.says),
            setup={self._id(i): change for i, change in case.setup.items()},
        )

    def lookup(self, lookup: Lookup) -> Lookup:
        area = lookup.context_area and self._name(lookup.context_area)
        return replace(
            lookup,
            sentence=self._text(lookup.sentence),
            targets=frozenset(map(self._id, lookup.targets)),
            context_area=area,
        )

    def _item(self, item: Mapping[str, Any]) -> dict[str, Any]:
        new = dict(item)
        for key in ("name", "floor"):
            if isinstance(item.get(key), str) and not self._is_floor_id(key, item[key]):
                new[key] = self._name(item[key])
        for key in ("x-aliases", "aliases"):
            if item.get(key):
                new[key] = [self._name(str(alias)) for alias in item[key]]
        return new

    def _is_floor_id(self, key: str, value: str) -> bool:
        floors = self._raw.get("x-floors") or self._raw.get("floors") or ()
        return key == "floor" and value in {floor.get("id") for floor in floors}

    def _say(self, say: Say) -> Say:
        return Say(self._text(say.text), tuple(self._outcome(o) for o in say.acceptable))

    def _outcome(self, outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            changes={self._id(i): change for i, change in outcome.changes.items()},
            ignored={self._id(i): names for i, names in outcome.ignored.items()},
            responses=tuple(self._name(str(r)) for r in outcome.responses),
        )

    def _id(self, entity_id: str) -> str:
        return self._ids.get(entity_id, entity_id)

    def _name(self, text: str) -> str:
        return retold(text, self._plan, self._listed, slips=False)

    def _text(self, text: str) -> str:
        return retold(text, self._plan, self._listed)


def _replaced(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(k) if isinstance(k, str) else k: _replaced(v, change) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_replaced(v, change) for v in value]
    return value
