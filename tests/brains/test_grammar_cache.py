"""Templates kept in files: sentences are read as with freshly parsed ones, and bad files do no harm."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hassil import Intents
from hassil.expression import Expression, Group, ListReference, TextChunk
from home_assistant_intents import get_intents
from hypothesis import given
from hypothesis import strategies as st

from homeagent.brains.language import grammar_rows
from homeagent.brains.language.grammar import Grammar, Names, load
from homeagent.brains.language.grammar_cache import GrammarCache, _head
from homeagent.brains.language.responses import load_language
from indexer.entity import Area, Entity

pytestmark = pytest.mark.dear

_LAMP = Entity("light.lampe", "Lampe")
_NAMES = Names((_LAMP,), (Area("bad", "Bad"),))
_SAID = "schalte die Lampe im Bad auf 30 Prozent", "schalte alle Lichter aus", "was soll das"
_SMALL = {
    "language": "en",
    "intents": {
        "A": {
            "data": [
                {"sentences": ["turn <thing> [on|off]", "(put;{name};down) now"]},
                {"sentences": ["set x{name:what}y to {0..100:@level}", "{@name}"]},
            ]
        }
    },
    "lists": {"name": {"wildcard": True}},
    "expansion_rules": {"thing": "[the] {name}"},
}


def _readings(grammar: Grammar | None) -> list[object]:
    assert grammar is not None
    return [grammar.recognize(text, _NAMES) for text in _SAID]


def _comparable(part: Expression) -> Expression:
    """The part without what is never equal: the group that a text is in, and the match of a range's pattern."""
    assert isinstance(part, Expression)
    if isinstance(part, TextChunk):
        part.parent = None
    if isinstance(part, ListReference):
        part._inline_range_match = part.get_inline_range()  # type: ignore[assignment]
    for item in part.items if isinstance(part, Group) else ():
        _comparable(item)
    return part


def _templates(intents: Intents) -> list[Any]:
    blocks = [block for intent in intents.intents.values() for block in intent.data]
    return [
        [(s.text, _comparable(s.expression), s.get_required_clauses(intents.expansion_rules)) for s in b.sentences]
        for b in blocks
    ]


@pytest.fixture(scope="module")
def parsed() -> list[object]:
    return _readings(load("de"))


@pytest.fixture
def cache(tmp_path: Path) -> GrammarCache:
    return GrammarCache(tmp_path / "cache")


@pytest.fixture
def kept(cache: GrammarCache) -> Path:
    """The file of a small grammar."""
    cache.keep("xx", Intents.from_dict(_SMALL))
    (file,) = cache.folder.iterdir()
    return file


def test_sentences_are_read_as_with_a_parsed_grammar(cache: GrammarCache, parsed: list[object]) -> None:
    assert any(parsed)
    assert _readings(load("de-AT", cache)) == parsed
    assert cache.fill("de", Intents.from_dict(get_intents("de") or {}))
    assert _readings(load("de", cache)) == parsed


@pytest.mark.parametrize("language", ["en", "fr", "es", "nl", "ko"])
def test_every_template_comes_back_as_it_was(language: str) -> None:
    data = get_intents(language) or {}
    fresh, given_back = Intents.from_dict(data), Intents.from_dict(data)
    grammar_rows.from_rows(json.loads(json.dumps(grammar_rows.to_rows(fresh))), given_back)
    assert _templates(given_back) == _templates(fresh)


def test_every_kind_of_part_comes_back(cache: GrammarCache, kept: Path) -> None:
    fresh, given_back = Intents.from_dict(_SMALL), Intents.from_dict(_SMALL)
    assert cache.fill("xx", given_back)
    assert _templates(given_back) == _templates(fresh)
    again = Intents.from_dict(_SMALL)
    cache.fill("xx", again)
    references = [r for s in again.intents["A"].data[1].sentences for r in s.expression.list_references()]
    assert [(r.slot_name, r.is_capture, r.get_inline_range()) for r in references] == [
        ("what", False, None),
        ("level", True, (0, 100, 1)),
        ("name", True, None),
    ]


def test_a_file_is_for_its_owner_only(kept: Path) -> None:
    assert kept.stat().st_mode & 0o077 == 0
    assert kept.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data.replace(b"turn", b"burn"),
        lambda data: b"x" + data[1:],  # made by other versions
        lambda data: b"\xff\xfe" + data,
        lambda data: pickle.dumps("a pickle"),
    ],
)
def test_a_damaged_or_foreign_file_is_as_good_as_none(
    cache: GrammarCache, kept: Path, damage: Callable[[bytes], bytes]
) -> None:
    assert cache.fill("xx", Intents.from_dict(_SMALL))
    kept.write_bytes(damage(kept.read_bytes()))
    intents = Intents.from_dict(_SMALL)
    assert not cache.fill("xx", intents)
    assert len(intents.intents["A"].data[0].sentences) == 2
    cache.keep("xx", intents)
    assert cache.fill("xx", Intents.from_dict(_SMALL)), "it is made anew"


def _write(file: Path, body: str) -> None:
    file.write_text(f"{_head(body)}\n{body}")


def test_a_grammar_of_other_templates_is_not_taken(cache: GrammarCache, kept: Path) -> None:
    other = {**_SMALL, "intents": {"A": {"data": [{"sentences": ["one"]}]}}}
    assert not cache.fill("xx", Intents.from_dict(other))


rows = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=12,
)


@given(rows, rows)
def test_whatever_a_file_holds_is_a_template_or_refused(
    tmp_path_factory: pytest.TempPathFactory, tree: Any, anything: Any
) -> None:
    cache = GrammarCache(tmp_path_factory.mktemp("cache"))
    for body in (anything, {"clauses": [], "blocks": [[[0, tree, []], [1, "b", []]], [[0, "c", []], [1, "d", []]]]}):
        _write(cache.folder / "grammar-xx.json", json.dumps(body))
        intents = Intents.from_dict(_SMALL)
        taken = cache.fill("xx", intents)
        made = _templates(intents)  # looks at every part of them
        assert taken or made == _templates(Intents.from_dict(_SMALL))


def test_endless_nesting_is_refused(cache: GrammarCache, kept: Path) -> None:
    _write(kept, "[" * 100_000)
    assert not cache.fill("xx", Intents.from_dict(_SMALL))


def test_pickles_of_earlier_releases_are_deleted_and_never_read(cache: GrammarCache, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "was here"),)

    cache.folder.mkdir()
    body = pickle.dumps(Evil())
    for name in ("grammar-de.pickle", "grammar-fr.pickle", "grammar-de.pickle.4711"):
        (cache.folder / name).write_bytes(hashlib.sha256(body).digest() * 2 + body)
    assert load("de", cache) is not None
    assert [file.name for file in cache.folder.iterdir()] == ["grammar-de.json"]
    assert not (tmp_path / "was here").exists()


def test_without_a_place_to_keep_it_the_grammar_is_there_all_the_same(tmp_path: Path, parsed: list[object]) -> None:
    (tmp_path / "file").write_text("no folder")
    assert _readings(load("de", GrammarCache(tmp_path / "file" / "cache"))) == parsed


def test_what_is_spoken_alike_has_one_grammar() -> None:
    assert load_language("de-AT").grammar is load_language("de", GrammarCache(Path("elsewhere"))).grammar is not None
