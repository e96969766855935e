"""What a domain does of which nothing more is to be told than its profile says: it comes into the state that a service
leads to, and takes over what it is set to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from homeagent.demo.devices.base import ACTIONS, Action, Data, Device
from homeagent.demo.failures import NotValid
from homeagent.demo.service_schema import (
    Field,
    a_date,
    a_datetime,
    a_time,
    anything,
    boolean,
    duration,
    integer,
    number,
    optional,
    required,
    text,
    texts,
)
from homeagent.domains import DOMAINS, Effect, Kind, Param, Profile, Service

_VALIDATE = {
    Kind.NUMBER: number(),
    Kind.INTEGER: integer(),
    Kind.TEXT: text,
    Kind.OPTION: text,
    Kind.FLAG: boolean,
    Kind.DATE: a_date,
    Kind.TIME: a_time,
    Kind.DATETIME: a_datetime,
    Kind.DURATION: duration,
    Kind.TEXTS: texts,
}


def register_usual() -> None:
    """Register the services of which no module of this package knows what they lead to."""
    known = frozenset(ACTIONS)
    for domain, profile in DOMAINS.items():
        services = (*profile.actions.values(), *profile.setters)
        for service in (s for s in services if (domain, s.name) not in known):
            run = partial(_carry_out, profile, service)
            ACTIONS[domain, service.name] = Action(domain, service.name, run, _fields(service), _needs(service))


def _fields(service: Service) -> Mapping[str, Field]:
    setting = len(service.params) == 1 and not service.reaches
    fields: dict[str, Field] = {}
    for param in service.params:
        validate = _VALIDATE.get(param.kind, anything)
        fields[param.sent_as] = required(validate) if param.required or setting else optional(validate)
    return fields


def _needs(service: Service) -> tuple[int, ...]:
    """Each of the bits of which one is needed."""
    return tuple(1 << place for place in range(service.feature.bit_length()) if service.feature >> place & 1)


def _carry_out(profile: Profile, service: Service, device: Device, data: Data) -> None:
    _in_range(service.params, device, data)
    if service.effect is Effect.UNSEEN or device.state in service.reaches[:1]:
        return
    device.halt()
    attributes = {**_shown(service.shows, device.attributes), **_set(service.params, data)}
    state = attributes.pop("state", None) or next(iter(service.reaches), None)
    if state is None and device.state in service.leaves:
        state = next((s for s in profile.states if s not in service.leaves), None)
    if state is not None and service.under_way:
        device.move(service.under_way[0], state, **attributes)
    else:
        device.become(state, **attributes)


def _in_range(params: Iterable[Param], device: Device, data: Mapping[str, object]) -> None:
    """Raises NotValid for a number that the device does not take, in the words of Home Assistant's thermostats."""
    for param in (p for p in params if p.kind in (Kind.NUMBER, Kind.INTEGER) and p.sent_as in data and not p.step):
        low, high = (device.attributes.get(end) if isinstance(end, str) else end for end in (param.low, param.high))
        value = data[param.sent_as]
        assert isinstance(value, int | float)
        if (low is not None and value < low) or (high is not None and value > high):
            raise NotValid(f"Provided {param.sent_as} {value} is not valid. Accepted range is {low} to {high}.")


def _shown(shows: Mapping[str, object], has: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in shows.items() if name in has}


def _set(params: Iterable[Param], data: Mapping[str, object]) -> dict[str, Any]:
    """What the parameters set, by the attribute that shows it."""
    return {p.reads or p.name: data[p.sent_as] for p in params if p.sent_as in data and not p.step}
