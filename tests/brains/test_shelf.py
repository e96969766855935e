"""Grammars kept in files: they read sentences as freshly parsed ones do, and bad files do no harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from homeagent.brains.language.grammar import Grammar, Names, load
from homeagent.brains.language.shelf import Shelf
from indexer.entity import Area, Entity

_LAMP = Entity("light.lampe", "Lampe")
_NAMES = Names((_LAMP,), (Area("bad", "Bad"),))
_SAID = "schalte die Lampe im Bad auf 30 Prozent", "schalte alle Lichter aus", "was soll das"


def _readings(grammar: Grammar | None) -> list[object]:
    assert grammar is not None
    return [grammar.recognize(text, _NAMES) for text in _SAID]


@pytest.fixture(scope="module")
def parsed() -> list[object]:
    return _readings(load("de"))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "cache")


def test_a_kept_grammar_reads_sentences_as_a_parsed_one(shelf: Shelf, parsed: list[object]) -> None:
    assert any(parsed)
    assert _readings(load("de-AT", shelf)) == parsed
    assert isinstance(shelf.take("de"), Grammar)
    assert _readings(load("de", shelf)) == parsed


def test_a_kept_grammar_is_for_its_owner_only(shelf: Shelf) -> None:
    shelf.put("xx", frozenset({"words"}))
    (file,) = shelf.folder.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert shelf.folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:70] + b"x" + data[71:], lambda data: b""]
)
def test_a_damaged_file_is_as_good_as_none(shelf: Shelf, damage: object) -> None:
    shelf.put("xx", frozenset({"words"}))
    (file,) = shelf.folder.iterdir()
    assert shelf.take("xx") == {"words"}
    assert callable(damage)
    file.write_bytes(damage(file.read_bytes()))
    assert shelf.take("xx") is None


def test_a_file_of_another_version_is_not_taken(shelf: Shelf) -> None:
    shelf.put("xx", frozenset({"words"}))
    (file,) = shelf.folder.iterdir()
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    assert shelf.take("xx") is None


def test_a_file_cannot_run_what_it_likes(shelf: Shelf, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "was here"),)

    shelf.put("xx", Evil())
    assert len(list(shelf.folder.iterdir())) == 1
    assert shelf.take("xx") is None
    assert not (tmp_path / "was here").exists()


def test_without_a_place_to_keep_it_the_grammar_is_there_all_the_same(tmp_path: Path, parsed: list[object]) -> None:
    (tmp_path / "file").write_text("no folder")
    assert _readings(load("de", Shelf(tmp_path / "file" / "cache"))) == parsed
