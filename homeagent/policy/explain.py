"""A verdict as plain values, for people and programs."""

from __future__ import annotations

from typing import Any

from homeagent.policy.verdicts import Verdict


def told(verdict: Verdict) -> dict[str, Any]:
    """Target, decision, why, and each effect with what it falls on and through what."""
    return {
        "entity_id": verdict.entity.entity_id,
        "name": verdict.entity.name,
        "decision": verdict.decision.value,
        "reason": verdict.reason,
        "effects": [
            {
                "effect": consequence.effect.value,
                "action": consequence.action,
                "name": consequence.name,
                "through": consequence.through,
                "detail": consequence.detail,
                "content": consequence.content,
            }
            for consequence in verdict.consequences
        ],
    }
