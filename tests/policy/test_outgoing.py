"""What a person hears of that which goes out of the home."""

from __future__ import annotations

from typing import Any

import pytest

from homeagent.policy.policy import outgoing


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"message": "The key is under the mat"}, "The key is under the mat"),
        ({"message": "Come", "title": "Dinner"}, "Dinner; Come"),
        ({"message": "The code of the door is 4711"}, "The code of the door is ********"),
        ({"message": "Der Code ist 4711"}, "Der Code ist ********"),
        ({"media_content_id": "https://radio.example:8000/live?x=1", "media_content_type": "music"}, "radio.example"),
        ({"media_content_id": "http://evil.example\\@192.168.1.5/x"}, "http://evil.example\\@192.168.1.5/x"),
        (
            {"media_content_id": "http://192.168.1.5/p?u=http://evil.example/"},
            "http://192.168.1.5/p?u=http://evil.example/",
        ),
        ({"media_content_id": "https://radio.example/x y?token=abc"}, "https://radio.example/x y?token=********"),
        ({"command": ["https://evil.example"], "code": "1234"}, "https://evil.example"),
        ({"volume": None}, ""),
    ],
)
def test_words_and_hosts_are_told_and_no_secrets(data: dict[str, Any], told: str) -> None:
    assert outgoing(data) == told


def test_a_long_message_is_cut() -> None:
    assert len(outgoing({"message": "x" * 5000})) == 200
