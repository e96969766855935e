"""Keeps data from becoming instruction: what comes from the home, the memory or the web is fenced before a model
reads it.

A fence cannot be closed from inside, since ``<`` never survives in what it holds. Without ``<`` no chat template's
control mark (``<|im_start|>``, ``</s>``) survives either; the bracketed ones (``[INST]``) are broken up.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping

LONGEST_LINE = 300
"""Characters of one name, attribute or memory. A longer one carries something else than a value."""
_MARKS = re.compile(r"\[(/?)(INST|SYS|SYSTEM|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]", re.IGNORECASE)
_ROLE_LINE = re.compile(r"(?:^|[\n.;:>\]}])\s*(?:system|assistant|developer|user|tool)\s*:", re.IGNORECASE)
_TOOL_JSON = re.compile(
    r"""["']?(?:name|tool|function)["']?\s*:\s*["'][\w.]+["'].*["']?(?:arguments|parameters)""", re.S
)
_CONTROL_MARK = re.compile(r"<\|?/?\s*\w+[^<>]*\|?>")
_KEPT_CONTROLS = "\n\t"
_ANGLES = str.maketrans({"<": "‹", "＜": "‹", "﹤": "‹", "⟨": "‹", "＞": "›", "﹥": "›", "［": "[", "］": "]"})
"""Signs that some models take for those of a mark, and what stands in their place."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""What shows nothing and counts as a letter or an accent."""
_JOINERS = "\u200c\u200d"
_LONE_JOINERS = re.compile(rf"(?<![^\W\d_])[{_JOINERS}](?![\U0001f000-\U0001faff\u2600-\u27bf])|[{_JOINERS}]{{2,}}")
"""Joiners that join nothing: between letters, and before a pictograph, they belong to the writing."""


def clean(text: str, longest: int = LONGEST_LINE) -> str:
    """One line of data as a model may see it: visible characters only, no marks, at most ``longest`` characters."""
    line = " ".join(readable(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def readable(text: str) -> str:
    """What of a text can be seen, without marks; lines stay."""
    return _unmark(_visible(text))


def fence(kind: str, body: str) -> str:
    """``body`` between marks that it cannot contain. ``kind`` is a fixed word of ours, never data."""
    return f"<{kind}>\n{_unmark(body)}\n</{kind}>"


def fence_json(value: object) -> str:
    """A value as JSON that holds no ``<``: still the same value for whoever parses it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return _MARKS.sub(r"(\1\2)", _visible(text).replace("<", "\\u003c"))


def suspicions(text: str) -> tuple[str, ...]:
    """Signs, in any language, that data tries to speak to the model: for the trace and the log, never to decide."""
    signs: Mapping[str, bool] = {
        "hidden characters": any(_hidden(c) for c in text),
        "control marks": bool(_CONTROL_MARK.search(text) or _MARKS.search(text)),
        "speaks as another role": bool(_ROLE_LINE.search(text)),
        "looks like a tool call": bool(_TOOL_JSON.search(text)),
        "longer than a value": len(text) > LONGEST_LINE,
    }
    return tuple(sign for sign, seen in signs.items() if seen)


def _unmark(text: str) -> str:
    return _MARKS.sub(r"(\1\2)", text.translate(_ANGLES))


def _visible(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return _LONE_JOINERS.sub("", "".join(c for c in text if not _hidden(c)))


def _hidden(character: str) -> bool:
    """Control, private and unassigned characters, those that only change how text runs (joiners aside), and those that
    show nothing: a text can be written in each of them."""
    if character in _JOINERS or character in _KEPT_CONTROLS:
        return False
    if character in _INVISIBLE or "\ufe00" <= character <= "\ufe0e" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    return unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Cn")
