"""Questions about safety with the homes they are asked in, and how an answer to one is judged.

The homes and the first 120 questions were written by people who did not see the code, two smaller sets before their
answers were seen; the files bear the date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DATA = Path(__file__).with_name("data")
_DATE = "2026-11-29"
_YES = {"en": "yes", "de": "ja", "fr": "oui", "es": "sí", "nl": "ja", "ko": "네"}
_NO = {"en": "no", "de": "nein", "fr": "non", "es": "no", "nl": "nee", "ko": "아니요"}
_NONE_OF = {"en": "no ", "de": "kein", "fr": "pas de", "es": "no tengo", "nl": "geen", "ko": "없"}
_CALLED: Mapping[str, Mapping[str, str]] = {
    "smoke": {"en": "smoke", "de": "rauch", "fr": "fumée", "es": "humo", "nl": "rook", "ko": "연기"},
    "gas": {"en": "gas", "de": "gas", "fr": "gaz", "es": "gas", "nl": "gas", "ko": "가스"},
    "moisture": {"en": "water", "de": "wasser", "fr": "fuite", "es": "agua", "nl": "water", "ko": "누수"},
    "carbon_monoxide": {
        "en": "carbon monoxide",
        "de": "kohlenmonoxid",
        "fr": "monoxyde de carbone",
        "es": "monóxido de carbono",
        "nl": "koolmonoxide",
        "ko": "일산화탄소",
    },
}


@dataclass(frozen=True)
class Question:
    """One question; ``first``: entity ids that are named before all others; ``answer``: yes, no or none (no verdict);
    ``lacks``: the kind that the home is to be told to lack; ``must_not``: words, and ids of what is not spoken of."""

    language: str
    text: str
    first: tuple[str, ...]
    answer: str
    lacks: str | None
    must_not: tuple[str, ...]


def questions(file: str = "safety_questions") -> list[Question]:
    lines = (_DATA / f"{file}_{_DATE}.jsonl").read_text("utf-8").splitlines()
    return [_question(json.loads(line)) for line in lines if line.strip()]


def _question(raw: Mapping[str, Any]) -> Question:
    expect = raw["expect"]
    first, must_not = tuple(expect["first"]), tuple(expect["must_not"])
    return Question(raw["lang"], raw["text"], first, expect["answer"], expect["lacks"], must_not)


def homes() -> dict[str, list[dict[str, Any]]]:
    """The things of the home of each language."""
    found: dict[str, list[dict[str, Any]]] = json.loads((_DATA / f"safety_home_{_DATE}.json").read_text("utf-8"))
    return found


def written(language: str, things: list[dict[str, Any]], states: Mapping[str, str] | None = None) -> str:
    """A home as the demo home is written, with other ``states`` of some of its things."""
    known = {e["entity_id"]: e["state"] for e in things} | dict(states or {})
    areas = {e["area"]: f"area_{i}" for i, e in enumerate(things) if e["area"]}
    entities = [
        {"id": e["entity_id"], "name": e["name"], "state": known[e["entity_id"]], "attributes": e["attributes"]}
        | ({"area": areas[e["area"]]} if e["area"] else {})
        for e in things
    ]
    home = {"language": language, "areas": [{"id": i, "name": n} for n, i in areas.items()], "entities": entities}
    return json.dumps(home, ensure_ascii=False)


def faults(question: Question, answer: str, things: list[dict[str, Any]]) -> list[str]:
    """What is wrong with an answer, in words; empty where it is right."""
    called = {e["entity_id"]: e["name"] for e in things}
    found = []
    opening = _opening(answer, question.language)
    if opening != question.answer and (opening != "none" or not question.first):
        found.append(f"says {opening}, not {question.answer}")
    places = [answer.find(called[i]) for i in question.first]
    others = [_outside(n, answer, question, called) for i, n in called.items() if i not in question.first]
    if -1 in places:
        found.append("does not name " + ", ".join(called[i] for i in question.first if called[i] not in answer))
    elif places and any(0 <= p < max(places) for p in others):
        found.append("names others first")
    spoken, unwanted = answer.casefold(), [called.get(said, said) for said in question.must_not]
    found += [
        f"says {said!r}" for said in unwanted if said.casefold() in spoken and not _within(said, question, called)
    ]
    if question.lacks and not _tells_lack(answer.casefold(), question):
        found.append(f"does not tell that there is no {question.lacks} sensor")
    return found


def _opening(answer: str, language: str) -> str:
    """The verdict that an answer begins with; the "no" of "no tengo …" is none."""
    first = re.match(r"(\w+)(?=[,.:;])", answer.casefold())
    word = first.group() if first else ""
    return "yes" if word == _YES[language] else "no" if word == _NO[language] else "none"


def _outside(name: str, answer: str, question: Question, called: Mapping[str, str]) -> int:
    """Where a name stands that is not a part of one of those that come first."""
    for i in question.first:
        answer = answer.replace(called[i], "#" * len(called[i]))
    return answer.find(name)


def _within(said: str, question: Question, called: Mapping[str, str]) -> bool:
    return any(said.casefold() in called[i].casefold() for i in question.first)


def _tells_lack(answer: str, question: Question) -> bool:
    lacking, kind = _NONE_OF[question.language], _CALLED[question.lacks or ""][question.language]
    return any(lacking in part and kind in part for part in re.split(r"[.!?]", answer))
