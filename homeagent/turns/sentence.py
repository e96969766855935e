"""What can be taken as a sentence."""

from __future__ import annotations

from homeagent.errors import InvalidInput, TooLarge

LONGEST_TEXT = 8_192
"""Bytes of a sentence, a query."""
_LONGEST_ID = 64


def checked(text: str, conversation_id: str | None) -> str:
    """The sentence, stripped and in valid Unicode. Raises `InvalidInput` with what to do, `TooLarge`."""
    stripped = text.strip()
    if not stripped:
        raise InvalidInput("There is no text.", hint="Say what you want, such as: turn on the kitchen light.")
    short_enough(stripped)
    if conversation_id is not None and not 0 < len(conversation_id) <= _LONGEST_ID:
        raise InvalidInput(f"conversation_id has 1 to {_LONGEST_ID} characters.")
    return stripped.encode("utf-8", "replace").decode("utf-8")


def short_enough(text: str) -> str:
    """The same text. Raises `TooLarge`."""
    if len(text.encode(errors="replace")) > LONGEST_TEXT:
        raise TooLarge("The text is too long.", hint=f"At most {LONGEST_TEXT} bytes are taken.")
    return text
