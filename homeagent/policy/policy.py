"""What the agent may do without asking, judged on the calls that will be sent and on all that they lead to.

Each effect of ``effects.yaml`` asks for a yes; ``homeassistant.*`` services are denied; the rest is allowed. The home's
own rules come before that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.ha.connection import HomeAssistant
from homeagent.policy.effects import ANY_SERVICE, effects_of
from homeagent.policy.reach import Part, reached
from homeagent.policy.verdicts import (
    STRICTNESS,
    UNKNOWN_ACTION,
    Call,
    Consequence,
    Decision,
    Effect,
    Rule,
    Verdict,
    digest_of,
)
from homeagent.privacy.redact import is_secret_name, mask_text, scrubbed, without_secrets
from homeagent.rights import rights
from indexer.entity import Entity
from memory.secrets import may_be_secrets, speaks_of_a_secret

_OWN_RULE = "your own rule says so"
_NOT_YOURS = "your user may not control it in Home Assistant"
_READ_ONLY = "I may only look at this home, not change it"


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found about one part of a call. ``keys``: all that is done, for the digest."""

    decision: Decision
    reason: str = ""
    consequences: tuple[Consequence, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Way:
    """How a call is come to: how deep, ``through`` which script or scene by name, and whether the caller gave words
    along, which may go on to whatever is started; ``words``: these, as they are told."""

    depth: int = 0
    through: str = ""
    has_words: bool = False
    words: str = ""


class Policy:
    """``rules``: the first that fits decides, before what is delivered. ``restricted``: what these fit asks, where
    nothing else did. ``read_only``: everything is denied. ``allow_all`` is for measuring: nothing is confirmed, only
    denied."""

    def __init__(
        self,
        rules: Sequence[Rule] = (),
        *,
        restricted: Sequence[Rule] = (),
        read_only: bool = False,
        allow_all: bool = False,
    ) -> None:
        self._rules = tuple(rules)
        self._restricted = tuple(restricted)
        self._read_only = read_only
        self._allow_all = allow_all

    async def judge(self, calls: Sequence[Call], entity: Entity, ha: HomeAssistant) -> Verdict:
        """The verdict on the ``calls`` that are sent for one target, in order. The strictest part decides."""
        if self._read_only:
            return Verdict(entity, Decision.DENY, _READ_ONLY)
        if not rights().may_control(entity.entity_id):
            return Verdict(entity, Decision.DENY, _NOT_YOURS)
        found = _together([await self._judge(call, ha, _Way()) for call in calls])
        decision = found.decision
        if decision is Decision.CONFIRM and self._allow_all:
            return Verdict(entity, Decision.ALLOW, digest=digest_of(found.keys))
        return Verdict(entity, decision, found.reason, found.consequences, digest_of(found.keys))

    async def _judge(self, call: Call, ha: HomeAssistant, way: _Way) -> _Found:
        """One call with all that it leads to."""
        own = _by_rule(self._rules, call)
        if own is Decision.DENY:
            return _Found(own, _OWN_RULE)
        inner = await self._inner(call, ha, way)
        key = f"{call.entity.name if call.entity else ''}|{replace(call, data=without_secrets(call.data)).key}"
        if own is not None:  # the home's own word on this very thing weighs more than what is delivered for its parts
            if inner.decision is Decision.DENY:
                return inner
            asks = (_consequence(Effect.OWN_RULE, call, way),) if own is Decision.CONFIRM else ()
            return _Found(own, _OWN_RULE if asks else "", asks, (*inner.keys, key))
        effects: Sequence[Effect] = effects_of(call, ha.home, own_hosts=ha.own_hosts)
        if not effects and inner.decision is Decision.ALLOW and _by_rule(self._restricted, call) is Decision.CONFIRM:
            effects = (Effect.OWN_RULE,)
        asked = tuple(_consequence(effect, call, way) for effect in effects)
        return _together([_asking(asked, (key,)), inner])

    async def _inner(self, call: Call, ha: HomeAssistant, way: _Way) -> _Found:
        led = await reached(call, ha, way.depth)
        starts = call.entity is not None and call.entity.domain in ("scene", "script", "automation")
        through = _name(call) if starts else way.through
        given = call.data.get("variables") if way.depth == 0 else None
        words = outgoing(given) if isinstance(given, Mapping) else way.words
        on = _Way(way.depth + 1, through, way.has_words or bool(given), words)
        found = [await self._part(part, call, ha, on) for part in led.parts]
        return _together([*found, _Found(Decision.ALLOW, keys=(led.read,))])

    async def _part(self, part: Part, of: Call, ha: HomeAssistant, way: _Way) -> _Found:
        if part.denied:
            return _Found(Decision.DENY, part.denied)
        if part.message:  # the owner's own words let nothing out; what the caller gives along may
            told = Consequence(Effect.LETS_OUT, "send_message", part.message, way.through, content=way.words)
            return _asking((told,)) if way.has_words else _Found(Decision.ALLOW)
        if part.call is None:
            asked = (Consequence(Effect.UNREADABLE, of.action, _name(of), way.through, part.unreadable),)
            return _Found(Decision.CONFIRM, part.unreadable, asked)
        return await self._judge(part.call, ha, way)


def _by_rule(rules: Sequence[Rule], call: Call) -> Decision | None:
    if call.entity is None:
        return None
    return next((rule.decision for rule in rules if rule.fits(call.action, call.entity)), None)


def _together(found: Iterable[_Found]) -> _Found:
    """The strictest of several with the effects and the deeds of all; allowed where there is none."""
    parts = list(found)
    worst = max(parts, key=lambda f: STRICTNESS.index(f.decision), default=_Found(Decision.ALLOW))
    consequences = tuple(dict.fromkeys(c for part in parts for c in part.consequences))
    return _Found(worst.decision, worst.reason, consequences, tuple(key for part in parts for key in part.keys))


def _asking(asked: tuple[Consequence, ...], keys: tuple[str, ...] = ()) -> _Found:
    return _Found(Decision.CONFIRM if asked else Decision.ALLOW, _reason(asked), asked, keys)


def _consequence(effect: Effect, call: Call, way: _Way) -> Consequence:
    action = UNKNOWN_ACTION if call.service == ANY_SERVICE else call.action
    content = outgoing(call.data) if effect is Effect.LETS_OUT else ""
    if "{" in content and way.words:  # a template: what the caller gave goes there
        content = way.words
    return Consequence(effect, action, _name(call), way.through, content=content)


def _name(call: Call) -> str:
    return call.entity.name if call.entity else ""


_REASONS = {
    Effect.OPENS: "it opens or unlocks {name}",
    Effect.UNPROTECTS: "it takes protection away: {name}",
    Effect.FIRE_OR_FLOOD: "{name} can start a fire or a flood",
    Effect.IRREVERSIBLE: "it cannot be undone: {name}",
    Effect.LETS_OUT: "it lets data out of the home: {name}",
    Effect.OWN_RULE: _OWN_RULE,
}
_UNKNOWN = "what it does with {name} cannot be told"


def _reason(asked: Sequence[Consequence]) -> str:
    """For a model and the log, in English."""
    return "; ".join(dict.fromkeys(_reason_of(c).format(name=c.name) for c in asked))


def _reason_of(one: Consequence) -> str:
    return _UNKNOWN if one.action == UNKNOWN_ACTION and one.effect is not Effect.OWN_RULE else _REASONS[one.effect]


_LONGEST = 200
_ADDRESS = "media_content_id"
_TOLD = ("title", "message", _ADDRESS)
"""Fields that are told, in this order; of a call that has none of them, all texts."""
_PLAIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9.-]+)(?::\d+)?(?:[/?#][^\\\s@]*)?", re.IGNORECASE)
"""An address of which every program takes the same for the host."""


def outgoing(data: Mapping[str, object]) -> str:
    """What of a call's data goes out, of at most 200 characters; empty where it holds no text."""
    known = {name: data[name] for name in _TOLD if data.get(name)}
    texts = dict.fromkeys(
        _host(text) if name == _ADDRESS else _masked(text)
        for name, value in (known or data).items()
        if not is_secret_name(name)
        for text in _texts(value)
    )
    whole = "; ".join(text for text in texts if text)
    return whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST - 1]}…"


def _host(address: str) -> str:
    """The host where that is beyond doubt, else the address."""
    plain = _PLAIN.fullmatch(address)
    return plain[1] if plain and address.count("://") == 1 else mask_text(address)


def _masked(text: str) -> str:
    secrets = {found.text for found in may_be_secrets(text, None)} if speaks_of_a_secret(text, None) else set()
    return mask_text(scrubbed(text, secrets))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = [inner for name, inner in value.items() if not is_secret_name(str(name))]
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    elif value not in (None, "") and not isinstance(value, bool):
        yield str(value)
