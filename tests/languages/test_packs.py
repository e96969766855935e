"""Language packs: every phrase is a text, and what is wrong in one is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.errors import InvalidLanguagePack
from homeagent.languages.concepts import Attribute, Count, Dimension, Particle, Role, Verb
from homeagent.languages.pack import languages, load_pack, make_pack
from homeagent.languages.pack_schema import PackFile, read_pack


@pytest.mark.parametrize("language", languages())
def test_each_pack_reads(language: str) -> None:
    pack = load_pack(language)
    assert pack is not None
    for verb in (Verb.DO, Verb.TURN_ON, Verb.TURN_OFF):
        assert any(verb in meant for meant in pack.phrases.values()), verb
    for role in Role:
        if role is Role.AUXILIARY and pack.postpositions:
            continue  # an ending of the verb says the same
        if role is Role.THAT:
            continue  # not every language gives a reason so
        assert any(role in meant for meant in pack.phrases.values()), role


def test_a_bare_on_is_a_word() -> None:
    pack = load_pack("en-GB")
    assert pack is not None
    assert Particle.ON in pack.phrases["on"]
    assert Particle.OFF in pack.phrases["off"]


def test_a_phrase_keeps_all_that_it_can_say() -> None:
    pack = load_pack("en")
    assert pack is not None
    assert {Dimension.TEMPERATURE, Attribute.TEMPERATURE} <= set(pack.phrases["temperature"])


def test_verbs_of_one_word_are_inflected() -> None:
    file = PackFile.model_validate(
        {"language": "en", "inflections": [{"cut": "e", "add": "ing"}], "verbs": {"close": ["close", "shut it e"]}}
    )
    pack = make_pack(file)
    assert pack.phrases["closing"] == (Verb.CLOSE,)
    assert "shut it ing" not in pack.phrases


def test_number_words_are_numbers() -> None:
    pack = make_pack(PackFile.model_validate({"language": "en", "numbers": {"21": ["twenty one"]}}))
    assert pack.phrases["twenty one"] == (Count(21.0),)
    assert pack.digits["twenty one"] == "21"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("language: en\nverbs:\n  do: [set]\n  fly: [fly]\n", 4, "verbs.fly"),
        ("language: en\nverbs:\n  do: [set, put, set]\n", 3, "told twice: set"),
        ("language: en\nverbs:\n  do: [set]\n  do: [put]\n", 4, "“do” is there twice, first in line 3"),
        ("language: en\nlevels:\n  '120': [too much]\n", 3, "levels.120"),
        ("language: en\nparticles:\n  on: ['']\n", 3, "particles.on.0"),
        ("language: en\nverbs: [unclosed\n", 3, ""),
        ("verbs:\n  do: [set]\n", 1, "language"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_place(tmp_path: Path, text: str, line: int, told: str) -> None:
    path = tmp_path / "xx.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidLanguagePack) as error:
        read_pack(path)
    assert f"{path}, line {line}" in error.value.message
    assert told in error.value.message
