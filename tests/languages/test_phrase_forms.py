"""Phrases by rules of form."""

from __future__ import annotations

import pytest

from homeagent.errors import InvalidLanguagePack
from homeagent.languages.pack import make_pack
from homeagent.languages.pack_schema import PackFile
from homeagent.languages.phrase_forms import PhraseForms


def _forms(**named: list[str]) -> PhraseForms:
    file = PackFile.model_validate(
        {
            "language": "xx",
            "inflections": [{"cut": "", "add": "ing"}],
            "verbs": {"stop": ["stop", "end it"]},
            "particles": {"off": ["off"]},
            "directions": {"up": ["up"]},
        }
    )
    return PhraseForms(make_pack(file), named)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("wake me", {"wake me"}),
        ("(wake|get) (me|us)", {"wake me", "wake us", "get me", "get us"}),
        ("weck[e|st du]", {"weck", "wecke", "weckst du"}),
        ("wake me [up]", {"wake me", "wake me up"}),
        ("[the [old]] bell", {"bell", "the bell", "the old bell"}),
        ("tell {us}", {"tell me", "tell us"}),
        ("{verbs.stop} _ {particles.off}", {"stop _ off", "stoping _ off", "end it _ off"}),
        ("{directions.up}", {"up", "uping"}),
        ("({us}|all)+", {"me+", "us+", "all+"}),
    ],
)
def test_a_form_stands_for_each_phrase_that_it_can_make(written: str, meant: set[str]) -> None:
    assert set(_forms(us=["me", "us"]).phrases([written])) == meant


def test_what_two_forms_make_is_one_phrase() -> None:
    assert _forms().phrases(["wake [me]", "wake"]) == ("wake me", "wake")


@pytest.mark.parametrize("wrong", ["{verbs.fly}", "{nobody}", "wake (me", "wake me)", "wake [me)"])
def test_what_is_wrong_in_a_form_is_told(wrong: str) -> None:
    with pytest.raises(InvalidLanguagePack, match="“"):
        _forms().phrases([wrong])


def test_a_form_that_stands_for_itself_is_told() -> None:
    with pytest.raises(InvalidLanguagePack, match="us → all → us"):
        _forms(us=["me", "{all}"], all=["all of {us}"]).phrases(["tell {us}"])
