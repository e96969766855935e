r"""Text that only says something: without control characters, terminal escapes, direction marks, invisible characters.

Names, states, memories and models' answers come from others. What a terminal obeys (``\x1b[2J``), what turns the order
of letters around (U+202E) and what nobody sees can make one thing look like another, or hide a part of an answer.

What stays: line ends and tabs; the joiners U+200C and U+200D between two characters beyond ASCII, since Persian, the
scripts of India and joined emoji are written with them; one variation selector after a visible character, for the same
reason. Direction marks go everywhere: letters of Hebrew and Arabic have their direction by themselves. Of an escape
sequence what controls goes with its parameters, yet no words: a name cannot swallow what stands behind it.
"""

from __future__ import annotations

import re

_INVISIBLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff0-\ufffb\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    "\U000e01f0-\U000e0fff"
)
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINABLE = rf"[^\x00-\x9f\s{_JOINERS}{_INVISIBLE}]"
_PARAMETERS = "[0-?]{0,16}"

_GONE = re.compile(
    rf"(?:\x1b\[|\x9b){_PARAMETERS}[@-~]|\x1b[@-_]?"
    rf"|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f{_INVISIBLE}]"
    rf"|(?<!{_JOINABLE})[{_JOINERS}]|[{_JOINERS}](?!{_JOINABLE})"
    rf"|(?<!\S)[{_SELECTORS}]|(?<=[{_SELECTORS}])[{_SELECTORS}]"
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNFINISHED = re.compile(rf"(?:(?:\x1b\[|\x9b){_PARAMETERS}|\x1b|\r|[{_JOINERS}]+)\Z")
_ESCAPED = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_INVISIBLE}]")


def plain_text(text: str) -> str:
    """The text as it may be shown and spoken; every kind of line end is ``\\n``, half a character is U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return _SURROGATE.sub("\ufffd", _GONE.sub("", _LINE_END.sub("\n", text)))


def one_line(text: str) -> str:
    """The same in one line: for cells, names and lines of a log, where a line end would begin something else."""
    return re.sub(r"[\n\t]+", " ", plain_text(text))


def escaped_json(text: str) -> str:
    r"""The same JSON with what a terminal obeys, or nobody sees, written as ``\uXXXX``."""
    return text if text.isascii() and "\x7f" not in text else _ESCAPED.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


class PlainStream:
    """`plain_text` of a text that comes in pieces: all that it gave makes the beginning of what that gives."""

    def __init__(self) -> None:
        self._before = ""
        self._held = ""

    def take(self, piece: str) -> str:
        """What can be shown now. An unfinished sequence at the end is kept back until it is clear what it is."""
        text = self._held + piece
        ready = _UNFINISHED.sub("", text)
        self._held = text[len(ready) :]
        if not ready:
            return ""
        before, self._before = self._before, ready[-1]  # what becomes of a character depends on the one before it
        return plain_text(before + ready)[len(plain_text(before)) :]
