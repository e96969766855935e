"""Memories as a Markdown file that people can read and write: a list, each memory an item of it.

An exported item has the rest of the memory as JSON in a comment behind it, which no reader of Markdown shows. An item
without one is a new statement. The section says whose it is: the household's, or one user's alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from memory.model import Memory

_HOUSEHOLD = "Household"
_ONLY = "Only for"
_BEFORE = "No longer so"
_TITLE = "# Memories"
_MARKED = re.compile(r"[\\`*_\[\]<>]")
_UNMARKED = re.compile(r"\\([\\`*_\[\]<>])")
_ITEM = re.compile(r"\s*[-*+]\s+(?P<content>.*?)\s*(?:(?<!\\)<!--\s*(?P<rest>.*)\s*-->)?\s*")
_SECTION = re.compile(r"#{1,6}\s+(?P<name>.*?)\s*#*\s*")
_NOTE = re.compile(r"\s*<!--.*-->\s*")


@dataclass(frozen=True, slots=True)
class Item:
    """A list item. ``line``: of the file, from 1. ``fields``: what the comment holds beside the content; None: there is
    none, and it is a new statement, whose is in ``user_id``. ``wrong``: why the line is no memory."""

    line: int
    content: str
    user_id: str | None = None
    fields: Mapping[str, Any] | None = None
    wrong: str | None = None


def to_markdown(memories: Sequence[Memory], now: datetime) -> str:
    """The memories as a file, the current ones by whose they are, then those that no longer hold."""
    sections = groupby(sorted(memories, key=lambda one: _order(one, now)), key=lambda one: _section(one, now))
    parts = [_TITLE]
    for name, ones in sections:
        parts += [f"## {name}", "\n".join(map(_item, ones))]
    return "\n\n".join(parts) + "\n"


def from_markdown(text: str) -> Iterator[Item]:
    """The items of a file, in order. Headings other than of sections, notes in comments and blank lines are left out;
    any other line is an item that is ``wrong``."""
    user_id: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if section := _SECTION.fullmatch(line):
            name = section["name"]
            user_id = _plain(name.removeprefix(_ONLY).strip()) if name.startswith(_ONLY) else None
        elif found := _ITEM.fullmatch(line):
            yield _read(number, found, user_id)
        elif line.strip() and not _NOTE.fullmatch(line):
            yield Item(number, line.strip(), wrong="it is no list item: memories begin with a dash.")


def _read(number: int, found: re.Match[str], user_id: str | None) -> Item:
    content = _plain(found["content"])
    if found["rest"] is None:
        return Item(number, content, user_id)
    try:
        fields = json.loads(found["rest"])
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        return Item(number, content, wrong="the comment behind it is no JSON; without one it is a new memory.")
    return Item(number, content, fields=fields)


def _order(memory: Memory, now: datetime) -> tuple[bool, bool, str, datetime, str]:
    current = memory.is_current(now)
    whose = memory.user_id or ""
    return (not current, bool(whose) and current, whose if current else "", memory.created_at, memory.id)


def _section(memory: Memory, now: datetime) -> str:
    if not memory.is_current(now):
        return _BEFORE
    return _HOUSEHOLD if memory.user_id is None else f"{_ONLY} {_marked(memory.user_id)}"


def _item(memory: Memory) -> str:
    rest = {key: value for key, value in memory.as_dict().items() if key != "content" and value not in (None, [])}
    # An angle bracket could end the comment.
    comment = json.dumps(rest, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"- {_marked(memory.content)} <!-- {comment} -->"


def _marked(text: str) -> str:
    return _MARKED.sub(r"\\\g<0>", text)


def _plain(text: str) -> str:
    return _UNMARKED.sub(r"\1", text)
