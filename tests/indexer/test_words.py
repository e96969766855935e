"""Names as people type them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.words import forms_alike, grams, nearest, normalise, tokens, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Küchenlampe", "kuechenlampe"),
        ("KÜCHENLAMPE", "kuchenlampe"),
        ("Große Straße", "grosse strasse"),
        ("Éclairage d’entrée", "eclairage d'entree"),
        ("Salle-de-bains", "salle de bains"),
        ("Lamp2", "lamp 2"),
        ("Lamp ２", "lamp 2"),
        ("Ku\u0308che", "Küche"),
        ("Smørrebrød", "smorrebrod"),
        ("living_room.lamp", "living room lamp"),
    ],
)
def test_spellings_of_one_name_are_equal(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), [("Lamp 2", "Lamp 3"), ("Bad", "Bett"), ("Lamp 2", "Lamp 20"), ("灯", "厨")])
def test_different_names_stay_different(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("kuchnia", "kuchni", True),
        ("łazienka", "łazience", True),
        ("kök", "köket", True),
        ("сад", "саду", True),
        ("гостиная", "гостиной", True),
        ("obývací", "obývacím", True),
        ("sypialnia", "sypki", False),
        ("сад", "самовар", False),
        ("garage", "garderobe", False),
        ("hall", "hallucination", False),
    ],
)
def test_forms_of_a_word_begin_alike(one: str, other: str, *, alike: bool) -> None:
    assert forms_alike(normalise(one), normalise(other)) is alike
    assert forms_alike(normalise(other), normalise(one)) is alike


def test_tokens_know_where_they_stand() -> None:
    text = "Küchenlampe2 auf 50% – 거실에 厨房"
    assert [text[t.start : t.end] for t in tokens(text)] == ["Küchenlampe", "2", "auf", "50", "%", "거실에", "厨", "房"]


def test_nearest_names_forgive_typos_and_order() -> None:
    names = ["Kitchen", "Living Room", "Küche", "Garage"]
    assert nearest("kichen", names)[0] == "Kitchen"
    assert nearest("room living", names)[0] == "Living Room"
    assert nearest("kueche", names)[0] == "Küche"
    assert nearest("anything", []) == ()


def test_numbers_are_whole_pieces() -> None:
    assert grams(words("lamp 2")) & grams(words("lamp 20")) == grams(words("lamp"))


@given(st.text())
def test_tokens_lie_in_order_within_the_text(text: str) -> None:
    found = tokens(text)
    assert all(0 <= t.start < t.end <= len(text) and t.text for t in found)
    assert all(a.start <= b.start for a, b in itertools.pairwise(found))


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(), st.lists(st.text(), max_size=5))
def test_nearest_only_gives_candidates(name: str, candidates: list[str]) -> None:
    assert set(nearest(name, candidates)) <= set(candidates)


@given(st.text())
def test_every_word_has_pieces(text: str) -> None:
    spoken = [w for w in words(text) if w not in "%°"]
    assert bool(grams(spoken)) == bool(spoken)
