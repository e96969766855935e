"""What stands on phones and in chats, in a person's language. The words are data: ``channels`` in each answers.yaml."""

from __future__ import annotations

from homeagent.confirmations import Outcome
from homeagent.turns.agent_phrases import answers, phrase, worded

_ENDED = {Outcome.APPROVED: "answered_yes", Outcome.REJECTED: "answered_no"}


def word(key: str, language: str) -> str:
    """One of ``channels``, in the language, else in English."""
    return worded(answers("channels"), key, language)


def ended(outcome: Outcome, language: str) -> str:
    """How a question came out that was not answered here."""
    if outcome is Outcome.EXPIRED:
        return phrase("not_in_time", language)
    return word(_ENDED.get(outcome, "gone"), language)
