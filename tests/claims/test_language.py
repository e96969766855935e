"""The files of words: every language tells the same deeds, and no key is one that nobody reads."""

from __future__ import annotations

from typing import Any

import pytest

from homeagent.claims.claim import Aspect, ClaimedAction, Relation, Unit
from homeagent.claims.claim_words import Frame, Group, Mark, claim_words
from homeagent.languages.folder import Part, file_of, languages_with, read_words
from homeagent.turns.agent_phrases import phrase

ENUMS: dict[Group, type] = {
    Group.DEED: ClaimedAction, Group.DOING: ClaimedAction, Group.PROMISED: ClaimedAction,
    Group.FRAME: Frame, Group.MARK: Mark, Group.UNIT: Unit, Group.ASPECT: Aspect, Group.RELATION: Relation,
}  # fmt: skip
SOME_HAVE = {Mark.FOLLOW, Mark.BOTH, Mark.INDEFINITE, Mark.OF, Relation.EXACT}
"""What not every language needs words for."""


def content(language: str) -> dict[str, Any]:
    data: dict[str, Any] = read_words(file_of(language, Part.CLAIMS).read_text("utf-8"))
    return data


def test_all_six_languages_have_a_file() -> None:
    assert languages_with(Part.CLAIMS) == ("de", "en", "es", "fr", "ko", "nl")


@pytest.mark.parametrize("language", languages_with(Part.CLAIMS))
def test_every_key_is_one_that_is_read_and_none_is_missing(language: str) -> None:
    concepts = content(language)["concepts"]
    assert set(concepts) <= set(Group)
    for group, kinds in ENUMS.items():
        assert set(concepts[group]) <= {str(kind) for kind in kinds}, group
    for whole in (Group.DEED, Group.FRAME, Group.MARK, Group.UNIT, Group.ASPECT, Group.RELATION):
        left = {str(kind) for kind in ENUMS[whole]} - set(concepts[whole])
        assert left <= SOME_HAVE, whole


def test_a_dialect_uses_the_words_of_its_language() -> None:
    assert claim_words("de-CH") is claim_words("de_AT") or claim_words("de-CH").language == "de"  # type: ignore[union-attr]
    assert claim_words("xx") is None


@pytest.mark.parametrize("key", ["nothing_else_changed", "not_remembered", "not_scheduled", "not_sent", "but_then"])
@pytest.mark.parametrize("language", languages_with(Part.CLAIMS))
def test_what_is_said_instead_has_words_in_every_language(language: str, key: str) -> None:
    words = phrase(key, language, done="x", failure="y")
    assert words
    assert language == "en" or words != phrase(key, "en", done="x", failure="y")
