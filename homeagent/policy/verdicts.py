"""The values of the policy: effects, calls as they will be sent, what they come to, and what is decided about them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from indexer.entity import Entity


class Effect(StrEnum):
    """What a call may bring about that a person wants to be asked about first."""

    OPENS = "opens"
    """It opens or unlocks a way in."""
    UNPROTECTS = "unprotects"
    """It takes protection away: alarms, cameras, recorders, automations."""
    FIRE_OR_FLOOD = "fire_or_flood"
    """It can start a fire or a flood."""
    IRREVERSIBLE = "irreversible"
    """It cannot be undone: reset, delete, restart, firmware."""
    LETS_OUT = "lets_out"
    """It lets data out of the home."""
    UNREADABLE = "unreadable"
    """What it does cannot be told."""
    OWN_RULE = "own_rule"
    """A rule of the home's own asks for a yes."""
    AFTER_OUTSIDE = "after_outside"
    """A model wants it that has read what others wrote, and may be doing what that says."""


class Decision(StrEnum):
    """Ordered: the later, the stricter."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


STRICTNESS = (Decision.ALLOW, Decision.CONFIRM, Decision.DENY)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the home's own. ``action`` and ``target`` are patterns; ``target`` fits an entity id or a domain."""

    decision: Decision
    action: str = "*"
    target: str = "*"

    def fits(self, action: str, entity: Entity) -> bool:
        """Whether the rule speaks of this action on this entity. Patterns are as in `fnmatch`, case counts."""
        return fnmatchcase(action, self.action) and (
            fnmatchcase(entity.entity_id, self.target) or entity.domain == self.target
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One service call on one entity, as it is sent to Home Assistant or done by something that is started.

    ``action`` is our word for it. ``entity`` None: a service that names no entity. ``delayed``: it is done by a script
    or an automation, some time after it was judged.
    """

    domain: str
    service: str
    action: str
    entity: Entity | None
    data: Mapping[str, Any] = field(default_factory=dict)
    delayed: bool = False

    @property
    def key(self) -> str:
        """The same for the same deed on the same thing, in every process."""
        entity_id = self.entity.entity_id if self.entity else ""
        return json.dumps([self.domain, self.service, entity_id, dict(self.data)], sort_keys=True, default=str)


UNKNOWN_ACTION = "set"
"""The action of a consequence of which only the thing is known, and not what is done to it."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """One effect of a call, for a person to say yes to.

    ``action`` is our word for what is done to the thing called ``name``; ``through`` names the scene or script that
    does it, empty where the person asked for it outright. ``detail``: why it cannot be told, for `Effect.UNREADABLE`.
    ``content``: what goes out of the home, for `Effect.LETS_OUT`: words, or the host of an address.
    """

    effect: Effect
    action: str
    name: str
    through: str = ""
    detail: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on one target of a call.

    ``consequences``: what asks for a yes. ``digest`` stands for everything that is done, to the last member: another
    digest is another deed. ``reason`` is for the log and a model, in English; empty where it is allowed.
    """

    entity: Entity
    decision: Decision
    reason: str = ""
    consequences: tuple[Consequence, ...] = ()
    digest: str = ""


def digest_of(texts: Iterable[str]) -> str:
    """One text of 64 hexadecimal digits for several, whatever their order."""
    whole = hashlib.sha256()
    for text in sorted(texts):
        whole.update(text.encode())
        whole.update(b"\0")
    return whole.hexdigest()
