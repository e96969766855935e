"""Asking the person at the terminal."""

from __future__ import annotations

import sys

from homeagent.cli import show
from homeagent.errors import InvalidInput


def has_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def yes(question: str) -> bool:
    """Whether the person says yes; anything else is no."""
    show.question(f"{question} [y/N]".lstrip())
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def ask_yes(question: str, *, otherwise: str) -> None:
    """Go on only after a yes. Raises InvalidInput with ``otherwise`` where it is not given or nobody can be asked."""
    if not (has_terminal() and yes(question)):
        raise InvalidInput(otherwise)


def text_of(argument: str) -> str:
    """The text itself, or what comes on standard input where it is ``-``. Raises InvalidInput."""
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"Standard input is not valid UTF-8 (byte {error.start}).") from None
