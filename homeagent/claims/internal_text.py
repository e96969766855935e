"""What is never meant for a person: thoughts, calls and ids as programs write them, our own notes to the model."""

from __future__ import annotations

import re
from functools import cache

from homeagent.ha.home import Home
from homeagent.prompting.prompt import NOTES
from indexer.words import normalise

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_MACHINE = re.compile(
    r"<\s*/?\s*(?:\|?tool|function|parameter|\|python_tag)|\[TOOL_CALLS\]|\{\s*[\"']|(?-i:[a-z]_[a-z_]+\(|(?m:^)\s*[a-z]+_[a-z_]+\s*[:=])",
    re.IGNORECASE,
)
_ID = re.compile(r"`?\b([a-z][a-z_]*)\.([a-z0-9]+(?:_[a-z0-9]+)*)\b`?")
_BRACKETED_ID = re.compile(r"\s*[(\[]\s*`?([a-z][a-z_]*\.[a-z0-9_]+)`?\s*[)\]]")
_TOOL = re.compile(r"\b(?:ha_control|ha_query|\w+_(?:memory|knowledge|profile|change|llm))\b")
_FEWEST_WORDS = 4
"""A shorter sentence may stand in our notes by chance."""


def without_thoughts(text: str) -> str:
    """The text without what a model thinks aloud. A thought that only ends began before the text."""
    return _THOUGHT_END.sub("", _THOUGHT.sub("", text)).strip()


def looks_like_call(text: str) -> bool:
    """Whether the text holds something that only a program should read: an object in JSON, a call's markup, or a
    call or field as code writes it (``ha_control(``, ``entity_id:``)."""
    return bool(_MACHINE.search(text))


def is_internal(sentence: str) -> bool:
    """Whether a sentence is one of ours to the model, looks like a call, or speaks of a tool by its name."""
    if looks_like_call(sentence) or _TOOL.search(sentence):
        return True
    said = normalise(sentence)
    return said.count(" ") + 1 >= _FEWEST_WORDS and f" {said} " in _notes()


def with_names(text: str, home: Home) -> str:
    """The text with names in place of the ids of exposed things; an id in brackets behind a name goes."""

    def name(found: re.Match[str]) -> str:
        return _name_of(f"{found[1]}.{found[2]}", home) or found.group()

    def bracketed(found: re.Match[str]) -> str:
        known = _name_of(found[1], home)
        if known is None:
            return found.group()
        before = text[: found.start()]
        return "" if before.casefold().endswith(known.casefold()) else f" {known}"

    return _ID.sub(name, _BRACKETED_ID.sub(bracketed, text))


def _name_of(entity_id: str, home: Home) -> str | None:
    """What is said for an id; None where it is none: "example.com"."""
    entity = home.entity(entity_id)
    if entity is not None and entity.exposed:
        return entity.name
    domain, _, rest = entity_id.partition(".")
    return rest.replace("_", " ") if entity is not None or home.of_domain(domain) else None


@cache
def _notes() -> str:
    return f" {' '.join(normalise(note) for note in NOTES)} "
