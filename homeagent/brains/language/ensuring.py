"""Orders that say how a thing is to be in the end: "make sure the lamp is off" is "turn the lamp off", and "leave the
lamp off" means that nothing is to be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_STATE = "="
"""Stands for the word of a state in the forms of the section "ensure"."""
INTO_STATE: Mapping[str, str] = {
    "on": "turn_on",
    "off": "turn_off",
    "open": "open",
    "closed": "close",
    "locked": "lock",
    "unlocked": "unlock",
}
"""What brings a thing into a state."""


def ensuring(
    section: Mapping[str, Sequence[str]], states: Mapping[str, Sequence[str]]
) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Patterns of the section "actions" for every order of the form "make sure that … is" and the word of a state.

    ``section`` holds ``lead`` ("make sure") and ``form`` ("is ="); a language without leads says it at the end.
    ``states``: raw state -> its words.
    """
    leads = section.get("lead", ())
    forms = [f"{lead} _ {form}" for form in section.get("form", ()) for lead in leads] or section.get("form", ())
    return {
        "actions": {
            action: [form.replace(_STATE, word) for form in forms for word in states.get(raw, ())]
            for raw, action in INTO_STATE.items()
        }
    }


def leaving(
    section: Mapping[str, Sequence[str]], states: Mapping[str, Sequence[str]]
) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Patterns of the section "leaves" for every order of the form "leave the lamp on": a lead and a state's word."""
    words = [word for raw in INTO_STATE for word in states.get(raw, ())] + list(section.get("as", ()))
    return {"leaves": {"leave": [f"{lead} _ {word}" for lead in section.get("lead", ()) for word in words]}}
