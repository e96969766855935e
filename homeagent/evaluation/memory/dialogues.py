"""Reading the dialogues: what people say over days, what a model made of it, and what must be known in the end.

The format is told in ``data/eval/memory/README.md``. An unknown field is an error: a misspelt expectation would pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from homeagent.errors import InvalidInput
from homeagent.values.yaml_text import read_yaml
from indexer.normalise import unaccented

_SHORT = 3
"""Letters up to which a word counts only as a whole: "no" is not in "Noah"."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Fits a text that holds each of ``has`` and none of ``unless``. In each, ``a|b`` means either."""

    has: tuple[str, ...]
    unless: tuple[str, ...] = ()

    def fits(self, text: str) -> bool:
        """Whether the text fits, accents and case aside; numbers and words of few letters only as a whole."""
        plain = simplified(text)
        return all(_holds(plain, word) for word in self.has) and not any(_holds(plain, w) for w in self.unless)

    def __str__(self) -> str:
        without = f" without {', '.join(self.unless)}" if self.unless else ""
        return ", ".join(self.has) + without


def pattern(has: Sequence[object], unless: Sequence[object] = ()) -> Pattern:
    """A pattern of a file's values, which may be numbers."""
    return Pattern(tuple(str(word) for word in has), tuple(str(word) for word in unless))


@lru_cache(maxsize=4096)
def simplified(text: str) -> str:
    """Lower case, no accents, one kind of quote and blank."""
    return " ".join(unaccented(text).split())


def _holds(plain: str, alternatives: str) -> bool:
    return any(_finder(word).search(plain) for word in alternatives.split("|"))


@lru_cache(maxsize=4096)
def _finder(word: str) -> re.Pattern[str]:
    plain = simplified(word)
    whole = len(plain) <= _SHORT and plain.isalpha() and plain.isascii()
    before = r"(?<![\d])(?<!\d[.,:])" if plain[0].isdigit() else r"\b" if whole else ""
    after = r"(?![\d])(?![.,:]\d)" if plain[-1].isdigit() else r"\b" if whole else ""
    return re.compile(before + re.escape(plain) + after)


HOUSEHOLD = "household"
_MINUTE = timedelta(minutes=1)


class Mode(StrEnum):
    """Where the candidates for memories come from."""

    TOLD = "told"
    """Without a model: what is said outright."""
    EXTRACTED = "extracted"
    """A model's answers were recorded."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a model made of a turn. ``junk``: why it must not be kept; None: it must. ``data``: its other fields."""

    content: str
    junk: str | None
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One sentence and what surrounded it. ``at`` is aware; ``live``: entity id to its state then; ``about``: entity
    ids that it points at; ``candidates``: what a model made of it.
    """

    at: datetime
    session: int
    who: str
    say: str
    answer: str = ""
    calls: tuple[Mapping[str, Any], ...] = ()
    results: tuple[str, ...] = ()
    recalled: tuple[str, ...] = ()
    live: Mapping[str, Any] = field(default_factory=dict)
    about: tuple[str, ...] = ()
    candidates: tuple[Recorded, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A memory that must be there. ``scope``: a user, ``household``, or None where either is right."""

    pattern: Pattern
    scope: str | None = None
    about: str | None = None
    sensitivity: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: each of ``first`` fits one of the first three, none of ``never`` fits any."""

    text: str
    user: str | None
    at: datetime
    first: tuple[Pattern, ...]
    never: tuple[Pattern, ...] = ()
    after_correction: bool = False
    language: str | None = None
    """None: the file's."""


@dataclass(frozen=True, slots=True)
class Expectations:
    """What must hold when the dialogue is over."""

    must_store: tuple[Wanted, ...] = ()
    may_store: tuple[Pattern, ...] = ()
    must_not_store: tuple[Pattern, ...] = ()
    replaced: tuple[Pattern, ...] = ()
    gone: tuple[Pattern, ...] = ()
    recall: tuple[Asked, ...] = ()
    unrelated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What people say over days in one home. ``users``: user id to name; ``background``: what was remembered before."""

    id: str
    language: str
    home: Path
    users: Mapping[str, str]
    background: tuple[str, ...]
    mode: Mode
    kinds: tuple[str, ...]
    turns: tuple[Turn, ...]
    expect: Expectations

    @property
    def end(self) -> datetime:
        """When the last sentence is said."""
        return self.turns[-1].at


def load(paths: Sequence[Path]) -> tuple[Dialogue, ...]:
    """The dialogues of these files and of all files in these folders. Raises InvalidInput with the place."""
    found: list[Dialogue] = []
    for path in paths:
        if not path.exists():
            raise InvalidInput(f"There are no dialogues at {path}.")
        for file in [path] if path.is_file() else sorted(path.rglob("*.yaml")):
            found.extend(_read_file(file))
    if not found:
        raise InvalidInput(f"There are no dialogues in {', '.join(map(str, paths))}.")
    return tuple(found)


def _read_file(file: Path) -> Iterator[Dialogue]:
    try:
        data = read_yaml(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} is not YAML: {error}") from error
    top = _fields(data, {"language", "home", "users", "background", "dialogues"}, str(file))
    for raw in top["dialogues"]:
        yield _dialogue(raw, top, file)


def _dialogue(raw: Mapping[str, Any], top: Mapping[str, Any], file: Path) -> Dialogue:
    where = f"{file.name}, {raw.get('id', '?')}"
    _fields(raw, {"id", "mode", "kinds", "sessions", "expect"}, where)
    turns = tuple(_turns(raw["sessions"], where))
    return Dialogue(
        id=str(raw["id"]),
        language=str(top["language"]),
        home=file.parent / str(top["home"]),
        users=dict(top["users"]),
        background=tuple(top.get("background", ())),
        mode=Mode(raw["mode"]),
        kinds=tuple(raw["kinds"]),
        turns=turns,
        expect=_expectations(raw["expect"], turns[-1].at + timedelta(days=1), where),
    )


def _turns(sessions: Sequence[Mapping[str, Any]], where: str) -> Iterator[Turn]:
    known = {"who", "say", "answer", "calls", "results", "recalled", "live", "about", "candidates"}
    for number, session in enumerate(sessions, 1):
        _fields(session, {"at", "turns"}, where)
        for place, turn in enumerate(session["turns"]):
            _fields(turn, known, where)
            yield Turn(
                at=moment(session["at"]) + place * _MINUTE,
                session=number,
                who=turn["who"],
                say=turn["say"],
                answer=turn.get("answer", ""),
                calls=tuple(turn.get("calls", ())),
                results=tuple(turn.get("results", ())),
                recalled=tuple(turn.get("recalled", ())),
                live=turn.get("live", {}),
                about=tuple(turn.get("about", ())),
                candidates=tuple(_recorded(c, where) for c in turn.get("candidates", ())),
            )


_CANDIDATE = {"content", "junk", "type", "importance", "category", "key", "value", "user", "about", "until"} | {
    "confidence", "inferred", "sensitivity", "replaces",
}  # fmt: skip


def _recorded(raw: Mapping[str, Any], where: str) -> Recorded:
    _fields(raw, _CANDIDATE, where)
    return Recorded(raw["content"], raw.get("junk"), {k: v for k, v in raw.items() if k not in ("content", "junk")})


def _expectations(raw: Mapping[str, Any], after: datetime, where: str) -> Expectations:
    known = {"must_store", "may_store", "must_not_store", "replaced", "gone", "recall", "unrelated"}
    _fields(raw, known, where)

    def patterns(name: str) -> tuple[Pattern, ...]:
        return tuple(_pattern(p, where) for p in raw.get(name, ()))

    return Expectations(
        must_store=tuple(_wanted(w, where) for w in raw.get("must_store", ())),
        may_store=patterns("may_store"),
        must_not_store=patterns("must_not_store"),
        replaced=patterns("replaced"),
        gone=patterns("gone"),
        recall=tuple(_asked(a, after, where) for a in raw.get("recall", ())),
        unrelated=tuple(raw.get("unrelated", ())),
    )


def _pattern(raw: Mapping[str, Any], where: str) -> Pattern:
    _fields(raw, {"has", "unless"}, where)
    return pattern(raw["has"], raw.get("unless", ()))


def _wanted(raw: Mapping[str, Any], where: str) -> Wanted:
    _fields(raw, {"has", "for", "about", "sensitivity"}, where)
    return Wanted(pattern(raw["has"]), raw.get("for"), raw.get("about"), raw.get("sensitivity"))


def _asked(raw: Mapping[str, Any], after: datetime, where: str) -> Asked:
    _fields(raw, {"ask", "user", "at", "language", "first", "not", "after"}, where)
    return Asked(
        text=raw["ask"],
        user=raw.get("user"),
        at=moment(raw["at"]) if "at" in raw else after,
        first=tuple(pattern(words) for words in raw["first"]),
        never=tuple(pattern(words) for words in raw.get("not", ())),
        after_correction=raw.get("after") == "correction",
        language=raw.get("language"),
    )


def moment(value: object) -> datetime:
    """A time of the data as an aware one; the dialogues live in UTC."""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _fields(data: object, known: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"{where}: {data!r} is not a mapping.")
    if unknown := sorted(str(name) for name in data if name not in known):
        raise InvalidInput(f"{where}: unknown field {', '.join(unknown)}.")
    return data
