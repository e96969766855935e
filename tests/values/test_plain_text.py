"""Plain text: what a terminal obeys or nobody sees is gone, and what people write is as it was."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.values.plain_text import PlainStream, escaped_json, one_line, plain_text

VISIBLE_SIGNS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Of the category of format characters, and yet printed: signs around Arabic, Syriac and Kaithi numbers."""
tricky = st.text(
    st.sampled_from("ab 1;[]m\x1b\x9b\x07\r\n\t\u200d\u200c\u202e\ufe0f\U000e0100👩ی\ud800\u200b"), max_size=12
)


def test_every_control_and_format_character_is_gone() -> None:
    unwanted = [
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")
    ]
    kept = [c for c in unwanted if c in plain_text(f"a{c}b")]
    assert kept == ["\t", "\n", *VISIBLE_SIGNS]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\x1b[31mRed\x1b[0m lamp", "Red lamp"),
        ("\x1b[2J\x1b[HLamp", "Lamp"),
        ("\x9b31mLamp", "Lamp"),
        ("Gate\b\b\b\bLamp", "GateLamp"),
        ("locked\runlocked", "locked\nunlocked"),
        ("one\r\ntwo\u2028three", "one\ntwo\nthree"),
        ("a\u202egro.live\u202c", "agro.live"),
        ("K\u200bitchen\ufeff\u2060", "Kitchen"),
        ("Ki\u200dtchen", "Kitchen"),
        ("Lamp\U000e0041\U000e0042", "Lamp"),
        ("Lamp" + "\ufe01\U000e0101\U000e0102", "Lamp\ufe01"),
        ("half \ud83d a pair", "half \ufffd a pair"),
        ("\u3164", ""),
    ],
)
def test_what_tricks_the_eye_goes(text: str, plain: str) -> None:
    assert plain_text(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Küchenlicht, œuvre, ¿qué?, 거실 조명, 灯",
        "می‌خواهم",
        "क्‍ष",
        "👩‍👩‍👧 1️⃣ ❤️‍🔥 👍🏽 🏳️‍🌈",
        "שלום עולם",
        "葛󠄀飾区",
        "a\tb\nc",
        "50\u202f% – 21\u00a0°C",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert plain_text(text) == text


@pytest.mark.parametrize(
    "opening", ["\x1b[", "\x1b]0;", "\x1b]8;;http://x", "\x1bP", "\x9d", "\x1b", "\x9b", "\x1b[1;"]
)
def test_a_name_cannot_swallow_what_stands_behind_it(opening: str) -> None:
    said = plain_text(f"Lamp{opening} is on, and the Front door is unlocked.")
    assert said.endswith(" is on, and the Front door is unlocked.")


def test_a_line_stays_one() -> None:
    assert one_line("Lamp\r\nERROR\tforged\u2029x") == "Lamp ERROR forged x"


@given(tricky)
def test_nothing_is_left_to_clean(text: str) -> None:
    plain = plain_text(text)
    assert not set(plain) & set("\x1b\x9b\x07\r\u202e\u200b\ud800")
    plain.encode()


@given(st.lists(tricky))
def test_pieces_make_the_whole(pieces: list[str]) -> None:
    stream, whole = PlainStream(), "".join(pieces)
    said = "".join(stream.take(piece) for piece in pieces)
    assert plain_text(whole).startswith(said)
    assert said + stream.take(".") == plain_text(whole + ".")


@given(st.recursive(tricky, lambda inner: st.lists(inner) | st.dictionaries(tricky, inner), max_leaves=6))
def test_json_keeps_its_data(value: object) -> None:
    text = escaped_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert not set(text) & set("\x1b\x9b\x07\r\u202e\u200b\ud800")
