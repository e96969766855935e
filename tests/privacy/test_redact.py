"""What counts as a secret, and that no copy holds it."""

from __future__ import annotations

import time

import pytest

from homeagent.privacy.redact import (
    MASK,
    hidden,
    is_secret_name,
    mask,
    mask_text,
    redacted,
    secrets_in,
    without_secrets,
)

SECRET = [
    "code", "PIN", "pin_code", "usercode", "user_code", "alarm-code", "passcode", "password", "WifiPassword",
    "token", "access_token", "accessToken", "api_key", "apikey", "API key", "x-api-key", "endpoint_key", "private_key",
    "aws_secret_access_key", "subscription-key", "Ocp-Apim-Subscription-Key", "client_secret", "credentials",
]  # fmt: skip
PLAIN = ["key", "token_count", "tokens", "code_format", "coder", "pinned", "keypad", "opcode", "shopping", "entity_id"]


@pytest.mark.parametrize("name", SECRET)
def test_a_secret_field_is_in_no_copy(name: str) -> None:
    given = {"deep": [{name: "4711"}, ({name: ["4711", {"first": 4711}]},)], "text": "kept"}
    for copy in (mask(given), redacted(given), hidden(given, set()), without_secrets(given)):
        assert "4711" not in repr(copy)
        assert copy["text"] == "kept"
    assert secrets_in(given) == {"4711"}
    assert hidden({"text": "it was 4711"}, secrets_in(given)) == {"text": f"it was {MASK}"}


@pytest.mark.parametrize("name", PLAIN)
def test_other_fields_are_kept(name: str) -> None:
    assert not is_secret_name(name)
    given = {name: "4711"}
    assert mask(given) == redacted(given) == without_secrets(given) == given


def test_nothing_and_a_switch_are_no_secrets() -> None:
    given = {"pin": None, "code": True}
    assert mask(given) == redacted(given) == given
    assert secrets_in(given) == set()


def test_masking_goes_by_name_and_by_look() -> None:
    masked = mask(
        {
            "code": 1234,
            "deep": [{"access_token": "x", "token_count": 5, "tokens": {"total": 5}}],
            "text": "curl -H 'Authorization: Bearer abcdefgh1234' http://me:pw1234@host/?api_key=zzz&x=1",
            "other": "eyJhbGciOiJI.eyJpc3MiOiJk.abcdefghijk",
            "bot": "POST https://api.telegram.org/bot123456789:AAHfiqksKZ8WmR2zSjiQ7EXAMPLEexample/getUpdates",
            "pin": None,
        }
    )
    assert masked["code"] == MASK
    assert masked["deep"] == [{"access_token": MASK, "token_count": 5, "tokens": {"total": 5}}]
    for gone in ("abcdefgh1234", "pw1234", "zzz"):
        assert gone not in masked["text"]
    assert "x=1" in masked["text"]
    assert masked["other"] == MASK
    assert masked["bot"] == f"POST https://api.telegram.org/bot{MASK}/getUpdates"
    assert masked["pin"] is None


@pytest.mark.parametrize(
    "piece", ["y", "://", "?token", "eyJ-", "eyJaaaaaaaa.", "a:b@", "sk-", "Bearer x", "?&;", "http://a:", "."]
)
def test_masking_takes_no_time_on_long_texts(piece: str) -> None:
    started = time.perf_counter()
    mask_text(piece * (100_000 // len(piece)))
    assert time.perf_counter() - started < 2
