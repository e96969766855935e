"""What a person is told about their memories, in their language. The words are data: ``memories`` in
each language's answers.yaml."""

from __future__ import annotations

from homeagent.turns.agent_phrases import answers, worded


def phrase(key: str, language: str, **filled: object) -> str:
    """The phrase in the language, else in English; placeholders filled in."""
    return worded(answers("memories"), key, language, **filled)
