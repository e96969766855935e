"""What a turn asked the person back, as the next turn finds it: what it was about, and what is done once answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from homeagent.understanding.request import Act, Asked, Request


class QuestionKind(StrEnum):
    """What answers a question back."""

    WHICH = "which"
    """One of its candidates."""
    TARGET = "target"
    """Any thing that it can be done with."""
    SUGGEST = "suggest"
    """A yes to what is suggested, or a candidate."""
    VALUE = "value"
    """What something is to be set to."""
    CODE = "code"
    """The code of a lock or an alarm."""
    WHEN = "when"
    """The time of what is to happen later."""
    TIMER = "timer"
    """One of several timers, or all of them; its candidates are their ids."""
    ORDER = "deed"
    """What is to be done with what was only named."""


@dataclass(frozen=True, slots=True)
class QuestionBack:
    """``request``: what is done once it is answered, without whom it is about, which ``candidates`` say by entity id.

    ``confirmations``: ids of what a bare yes in the next turn answers. ``unheard``: it was put to somebody whose yes
    does not count, and whose does has not heard it. ``text``: the sentence that a time was asked for, which is read
    together with the answer.
    """

    kind: QuestionKind | None = None
    candidates: tuple[str, ...] = ()
    request: Request | None = None
    confirmations: tuple[str, ...] = ()
    unheard: bool = False
    text: str = ""

    def as_dict(self) -> dict[str, object]:
        """As the database keeps it: plain values, and none that says nothing."""
        kept = {
            "kind": self.kind.value if self.kind else None,
            "candidates": list(self.candidates),
            "request": _as_dict(self.request) if self.request else None,
            "confirmations": list(self.confirmations),
            "unheard": self.unheard,
            "text": self.text,
        }
        return {name: value for name, value in kept.items() if value}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Self:
        """What the database kept; a kind that is not known any more is none."""
        kind = kept.get("kind")
        return cls(
            QuestionKind(kind) if kind in set(QuestionKind) else None,
            tuple(kept.get("candidates", ())),
            _request(kept["request"]) if kept.get("request") else None,
            tuple(kept.get("confirmations", ())),
            bool(kept.get("unheard")),
            str(kept.get("text", "")),
        )


def _as_dict(request: Request) -> dict[str, object]:
    return {
        "act": request.act.value,
        "action": request.action,
        "parameters": dict(request.parameters),
        "asked": request.asked.value,
        "states": list(request.states),
        "attribute": request.attribute,
        "intent": request.intent,
    }


def _request(kept: Mapping[str, Any]) -> Request:
    return Request(
        Act(kept["act"]),
        action=kept["action"],
        parameters=dict(kept["parameters"]),
        asked=Asked(kept["asked"]),
        states=tuple(kept["states"]),
        attribute=kept["attribute"],
        intent=kept.get("intent", ""),
    )
