"""How a thing is brought back to how it was: the action into a state, and the settings that it had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import time
from typing import Any

from homeagent.domains import profile_of
from homeagent.domains.actions import BROUGHT_BY
from homeagent.domains.profile import Profile
from homeagent.domains.service import Kind, Param

_STATE = "state"
_POSITION = "current_position"
"""How far open a thing is, is its state, too."""
_WHITE = "color_temp_kelvin"
"""The attribute that a lamp holds only while it shines white; its colour is then only the same in other words."""


def calls_back(domain: str, before: str, after: str, was: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The actions with their parameters that bring a thing from the state ``after`` to the state ``before``, with the
    settings that it had (``was``, see `settings_before`). Empty where nothing differs, or nothing brings it there: what
    a script did to other things is not known.
    """
    profile = profile_of(domain)
    if profile.drives_others:
        return []
    sets_state = {p.name for service in profile.setters for p in service.params if p.reads in (_STATE, _POSITION)}
    action = action_into(domain, before) if before != after and not sets_state & was.keys() else None
    taken = {p.name for p in profile.actions[action].params} if action is not None else set()
    if action is None:
        return [("set_value", dict(was))] if was else []
    if was.keys() <= taken:
        return [(action, dict(was))]
    return [(action, {}), ("set_value", dict(was))]


def action_into(domain: str, state: str) -> str | None:
    """The action by which a thing of the domain comes into a state, the one that is meant for it before others; None
    where there is none.
    """
    actions = profile_of(domain).actions
    usual = BROUGHT_BY.get(state)
    if usual in actions:
        return usual
    reaching = [(service.reaches.index(state), name) for name, service in actions.items() if state in service.reaches]
    return min(reaching)[1] if reaching else None


def settings_before(
    domain: str, before: tuple[str, Mapping[str, Any]], after: tuple[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """The parameters of ``ha_control`` that set what differs as it was; each of both is a state and its attributes.

    Empty where nothing that can be set differs, and where the thing was off: it had no settings then.
    """
    profile = profile_of(domain)
    found: dict[str, Any] = {}
    for param, was, now in _held(profile, before, after):
        if was is None or _same(was, now, param) or (before[0] == "off" and param.reads != _STATE):
            continue
        if param.kind is Kind.TIME and not _is_time(was):
            continue  # a helper that holds a date as well
        if param.kind is Kind.RGB and (before[1].get(_WHITE) is not None or not _tinted(param, before[1])):
            continue
        found[param.name] = _number(was) if param.kind in (Kind.NUMBER, Kind.INTEGER) else was
    return found


def _held(
    profile: Profile, before: tuple[str, Mapping[str, Any]], after: tuple[str, Mapping[str, Any]]
) -> Iterator[tuple[Param, Any, Any]]:
    """Each setting in the scale in which the thing holds it, with its value in both."""
    seen = set()
    for param in (p for service in profile.setters for p in service.params):
        holds = param.reads or (param.name if param.kind is Kind.RGB else "")
        if not holds or param.step or param.shown_scale != 1 or holds in seen:
            continue
        seen.add(holds)
        features = before[1].get("supported_features")
        if param.feature and isinstance(features, int) and not features & param.feature:
            continue
        was, now = (state if holds == _STATE else held.get(holds) for state, held in (before, after))
        yield param, was, now


def _is_time(value: Any) -> bool:
    try:
        return bool(time.fromisoformat(str(value)))
    except ValueError:
        return False


def _tinted(param: Param, attributes: Mapping[str, Any]) -> bool:
    mode = attributes.get("color_mode")
    return mode is None or mode in param.modes


def _number(value: Any) -> Any:
    """A number that a state tells as text, as the number."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _same(was: Any, now: Any, param: Param) -> bool:
    one, other = _number(was), _number(now)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 1e-6
    return str(was) == str(now) if param.reads == _STATE else bool(_listed(was) == _listed(now))


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value
