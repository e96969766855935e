"""A device, and the table of actions that devices take."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from homeagent.demo.failures import CallFailed
from homeagent.demo.inventory import EntitySpec
from homeagent.demo.service_schema import Field

if TYPE_CHECKING:
    from homeagent.demo.world import World

Data = Mapping[str, Any]
Run = Callable[[Any, Data], Any]
"""Carries out an action on a device. May be a coroutine function; what it returns is the response."""


@dataclass(frozen=True, slots=True)
class Action:
    """A service of a domain. ``features``: the device must have all bits of at least one of them.

    ``response`` is HA's ``supports_response``: ``none``, ``optional`` or ``only``.
    """

    domain: str
    service: str
    run: Run
    fields: Mapping[str, Field] = field(default_factory=dict)
    features: tuple[int, ...] = ()
    response: str = "none"


ACTIONS: dict[tuple[str, str], Action] = {}
_CLASSES: dict[str, type[Device]] = {}

_Run = TypeVar("_Run", bound=Run)
_Class = TypeVar("_Class", bound="type[Device]")


def action(
    domains: str,
    service: str,
    fields: Mapping[str, Field] | None = None,
    *,
    needs: Callable[[str], tuple[int, ...]] | tuple[int, ...] = (),
    response: str = "none",
) -> Callable[[_Run], _Run]:
    """Register what these domains (parted by spaces) do on a service."""

    def register(run: _Run) -> _Run:
        for domain in domains.split():
            features = needs(domain) if callable(needs) else needs
            ACTIONS[domain, service] = Action(domain, service, run, fields or {}, features, response)
        return run

    return register


def becomes(
    domains: str,
    service: str,
    state: str | None = None,
    fields: Mapping[str, Field] | None = None,
    *,
    needs: tuple[int, ...] = (),
    **attributes: object,
) -> None:
    """Register a service upon which these domains take a state, attributes, or both."""
    action(domains, service, fields, needs=needs)(lambda device, _: device.become(state, **attributes))


def takes(domains: str, service: str, field: str, validate: Field, *, needs: tuple[int, ...] = ()) -> None:
    """Register a service whose ``field`` becomes the attribute of that name."""
    action(domains, service, {field: validate}, needs=needs)(
        lambda device, data: device.become(**{field: data.get(field)})
    )


def toggles(domains: str, fields: Mapping[str, Field] | None = None, *, needs: tuple[int, ...] = ()) -> None:
    """Register ``toggle`` of what is on or off and nothing else."""
    action(domains, "toggle", fields, needs=needs)(
        lambda device, _: device.become("off" if device.state == "on" else "on")
    )


def device(domains: str) -> Callable[[_Class], _Class]:
    """Register the class for the devices of these domains."""

    def register(cls: _Class) -> _Class:
        for domain in domains.split():
            _CLASSES[domain] = cls
        return cls

    return register


def device_class_for(domain: str) -> type[Device]:
    """The class registered for a domain; plain `Device` where none is."""
    return _CLASSES.get(domain, Device)


class Device:
    """A device as it really is. What is shown of it is `shown`; ``attributes`` may know more than is shown."""

    def __init__(self, spec: EntitySpec, world: World) -> None:
        self.spec = spec
        self.world = world
        self.entity_id = spec.id
        self.domain = spec.domain
        self.behavior = spec.behavior
        self.state = spec.state
        self.attributes: dict[str, Any] = dict(spec.attributes)
        self._moving: asyncio.TimerHandle | None = None

    @property
    def features(self) -> int:
        """Home Assistant's ``supported_features``, as bits; 0 where there are none."""
        return int(self.attributes.get("supported_features") or 0)

    @property
    def members(self) -> tuple[str, ...]:
        """The entity ids of a group."""
        return tuple(self.spec.extra.get("x-members") or ())

    def can(self, action: Action) -> bool:
        """Whether it has all bits of at least one of the combinations that the action accepts."""
        return not action.features or any(self.features & bits == bits for bits in action.features)

    def shown(self) -> dict[str, Any]:
        """The attributes that Home Assistant shows."""
        return dict(self.attributes)

    def told(self) -> None:
        """Called before each command that reaches the device. Raises CallFailed if it is one that refuses."""
        if self.behavior.fails:
            raise CallFailed(self.behavior.fails)

    def become(self, state: str | None = None, /, **attributes: object) -> None:
        """Take a new state, attributes, or both; late, or never, if the device is like that."""
        if self.behavior.ignores:
            return
        if self.behavior.lag:
            self.world.later(self.behavior.lag, lambda: self.put(state, attributes))
        else:
            self.put(state, attributes)

    def put(self, state: str | None, attributes: Data) -> None:
        """Take it now, whatever the device is like: a change on the device's side."""
        if state is not None:
            self.state = state
        self.attributes.update(attributes)
        self.world.publish(self)

    def move(self, during: str | None, then: str, /, travel: float | None = None, **attributes: object) -> None:
        """Become ``during`` at once, and ``then`` with these attributes once it has arrived.

        ``travel``: seconds that it takes (None: the device's own time). Another movement ends this one.
        """
        self.halt()
        seconds = self.world.travel_time(self.behavior) if travel is None else travel
        if seconds <= 0 or self.behavior.ignores:
            self.become(then, **attributes)
            return
        self.become(during)
        self._moving = self.world.later(self.behavior.lag + seconds, lambda: self.put(then, attributes))

    def halt(self) -> bool:
        """End a movement where it is. Returns whether there was one."""
        moving, self._moving = self._moving, None
        if moving is None or moving.cancelled() or moving.when() <= asyncio.get_running_loop().time():
            return False
        moving.cancel()
        return True


def clock(span: timedelta) -> str:
    """A span as HA shows it: ``0:05:00``."""
    return str(timedelta(seconds=int(span.total_seconds())))


async def settle(result: object) -> object:
    """What an action returned, awaited if it is to be."""
    return await result if isinstance(result, Awaitable) else result
