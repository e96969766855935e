"""What is told of a pack: concepts without words, examples that fail, words that nothing explains."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.errors import InvalidInput, InvalidLanguagePack
from homeagent.evaluation.packs.checking import check, files_for, read_examples
from homeagent.evaluation.packs.coverage import installed, missing_concepts, sizes
from homeagent.languages.pack import languages, make_pack, path_of
from homeagent.languages.pack_schema import PackFile, read_pack

WITH_EXAMPLES = [file for file in installed() if file.examples.sentences]
WHOLE = installed()
SMALL = """
language: en
verbs:
  do: [turn]
particles:
  "on": ["on"]
  "off": ["off"]
roles:
  filler: [the]
examples:
  areas: {kitchen: Kitchen}
  things: {lamp: Lamp}
  sentences:
    turn on the lamp: turn_on lamp
    turn off the lamp: turn_on lamp
    tell me a joke: nothing
"""


@pytest.mark.parametrize("file", WITH_EXAMPLES, ids=lambda f: f.language)
def test_each_pack_understands_its_own_examples(file: PackFile) -> None:
    examples = read_examples(file, make_pack(file))
    assert len(examples) >= 12
    assert any(e.wanted == "nothing" for e in examples)
    assert [e for e in examples if not e.holds] == []


@pytest.mark.parametrize("file", WHOLE, ids=lambda f: f.language)
def test_a_whole_pack_names_every_concept(file: PackFile) -> None:
    missing = dict(missing_concepts(file))
    missing.pop("kinds", None)
    assert missing == {}


def test_a_small_pack_is_told_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, "utf-8")
    report = check(path)
    assert not report.whole
    assert "turn_on" in report.missing["verbs"]
    assert "do" not in report.missing["verbs"]
    assert "negation" in report.missing["roles"]
    assert [e.sentence for e in report.failing] == ["turn off the lamp"]
    assert report.failing[0].found == "turn_off lamp"
    unknown = [w.word for w in report.mined.unknown]
    assert report.mined.read > 100
    assert "what" in unknown
    assert {"turn", "the", "kitchen"}.isdisjoint(unknown)
    assert [w.sentences for w in report.mined.unknown] == sorted(
        (w.sentences for w in report.mined.unknown), reverse=True
    )


def test_a_pack_in_another_encoding_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "words.yaml"
    file.write_bytes("language: fr\nroles: {filler: [à]}".encode("latin-1"))
    with pytest.raises(InvalidLanguagePack, match="UTF-8"):
        read_pack(file)


def test_an_empty_list_says_that_there_is_no_such_word() -> None:
    told = PackFile.model_validate({"language": "en", "particles": {"on": [], "off": ["off"]}})
    assert "on" not in missing_concepts(told)["particles"]
    assert "up" in missing_concepts(told)["particles"]


def test_sections_stand_beside_the_richest_pack() -> None:
    rich = PackFile.model_validate({"language": "xa", "verbs": {"do": ["a", "b", "c"]}, "rooms": [["d", "e"]]})
    poor = PackFile.model_validate({"language": "xb", "verbs": {"do": ["a"]}})
    told = {s.section: s for s in sizes(poor, [rich])}
    assert (told["verbs"].phrases, told["verbs"].most, told["verbs"].richest) == (1, 3, "xa")
    assert (told["rooms"].phrases, told["rooms"].most) == (0, 2)


def test_a_pack_is_found_by_its_code() -> None:
    assert files_for("en-GB") == (path_of("en"),)
    assert files_for(None) == tuple(map(path_of, languages()))
    with pytest.raises(InvalidInput):
        files_for("xx")


def test_a_language_that_home_assistant_has_no_sentences_of_is_checked_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "xx.yaml"
    path.write_text(SMALL.replace("language: en", "language: xx"), "utf-8")
    report = check(path)
    assert report.mined.read == 0
    assert report.language == read_pack(path).language == "xx"
    assert "light" in report.missing["kinds"]
