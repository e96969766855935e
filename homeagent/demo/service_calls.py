"""Service calls: what is targeted, what it can take, and that it reaches the devices."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from homeagent.demo.devices import ACTIONS, Action, Device
from homeagent.demo.devices.base import settle
from homeagent.demo.devices.scripted import run_script_service
from homeagent.demo.failures import CallFailed, InvalidFormat, NotFound, NotSupported, NotValid
from homeagent.demo.service_schema import check

if TYPE_CHECKING:
    from homeagent.demo.world import World

TARGET_FIELDS = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
_MESSAGE_ONLY = {
    ("persistent_notification", "create"),
    ("persistent_notification", "dismiss"),
    ("notify", "notify"),
    ("notify", "mobile_app_demo_phone"),
    ("notify", "mobile_app_demo_tablet"),
}
"""The last two are of a phone and a tablet with the companion app: ``call_service`` events show what they are sent."""
_ANY_DOMAIN = ("turn_on", "turn_off", "toggle", "update_entity")


class Services:
    """Carries out service calls on a world's devices."""

    def __init__(self, world: World) -> None:
        self._world = world

    def described(self) -> dict[str, dict[str, object]]:
        """Every service by domain, in the shape of ``get_services``. Only of domains that the home has."""
        found: dict[str, dict[str, Any]] = {"homeassistant": {name: _describe({}, "none") for name in _ANY_DOMAIN}}
        domains = self._world.domains
        for (domain, service), action in ACTIONS.items():
            if domain in domains:
                found.setdefault(domain, {})[service] = _describe(action.fields, action.response, domain)
        for domain, service in _MESSAGE_ONLY:
            found.setdefault(domain, {})[service] = _describe({}, "none")
        for entity_id in self._world.devices:
            domain, _, object_id = entity_id.partition(".")
            if domain == "script":
                found["script"][object_id] = _describe({}, "optional")
        return found

    async def call(
        self,
        domain: str,
        service: str,
        data: Mapping[str, object] | None = None,
        target: Mapping[str, object] | None = None,
        *,
        return_response: bool = False,
    ) -> dict[str, Any] | None:
        """Carry out a call. Returns the response by entity id, if one is asked for. Raises CallFailed."""
        given = {**(data or {}), **(target or {})}
        wanted = {field: _listed(given.pop(field)) for field in TARGET_FIELDS if field in given}
        self._world.fire("call_service", {"domain": domain, "service": service, "service_data": {**given, **wanted}})
        if domain == "homeassistant":
            await self._any_domain(service, wanted, given)
            return None
        if (domain, service) in _MESSAGE_ONLY:
            return None
        action = ACTIONS.get((domain, service))
        if action is None or domain not in self._world.domains:
            if domain == "script":
                await run_script_service(self._world, service, given)
                return {} if return_response else None
            raise NotFound(f"Service {domain}.{service} not found.")
        _check_response(action, return_response)
        if not wanted:
            raise InvalidFormat(f"must contain at least one of {', '.join(TARGET_FIELDS)}.")
        return await self._run(action, wanted, check(action.fields, given), return_response)

    async def _run(
        self, action: Action, wanted: Mapping[str, list[str]], data: dict[str, object], return_response: bool
    ) -> dict[str, Any] | None:
        devices = self._reached(action, wanted)
        if not devices and return_response:
            raise CallFailed("Service call requested response data but did not match any entities")
        results = await asyncio.gather(*(self._one(d, action, data) for d in devices), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        found = {device.entity_id: result for device, result in zip(devices, results, strict=True)}
        return found if return_response else None

    def _reached(self, action: Action, wanted: Mapping[str, list[str]]) -> list[Device]:
        """The devices of the action's domain that are there and can do it. Raises NotSupported for a named one."""
        named = self._expanded(wanted.get("entity_id", ()))
        ids = {*named, *self._world.registries.targets(wanted)}
        found = []
        for device in self._world.devices.values():
            if device.domain != action.domain or (device.entity_id not in ids and "all" not in named):
                continue
            if device.state == "unavailable":
                continue
            if device.can(action):
                found.append(device)
            elif device.entity_id in named:
                raise NotSupported(device.entity_id, action.domain, action.service)
        return found

    def _expanded(self, entity_ids: Iterable[str]) -> list[str]:
        """Entity ids, with the members of ``group.…`` entities in place of them."""
        found: list[str] = []
        for entity_id in entity_ids:
            device = self._world.devices.get(entity_id)
            if device is not None and device.domain == "group":
                found += self._expanded(device.members)
            else:
                found.append(entity_id)
        return found

    async def _one(self, device: Device, action: Action, data: dict[str, object]) -> object:
        if device.members:
            able = [m for m in device.members if (d := self._world.devices.get(m)) and d.can(action)]
            await self._run(action, {"entity_id": able}, data, False)
            return None
        device.told()
        self._world.log(device.entity_id, action.service, data)
        return await settle(action.run(device, data))

    async def _any_domain(self, service: str, wanted: Mapping[str, list[str]], data: Mapping[str, object]) -> None:
        """``homeassistant.turn_on`` and the like: each domain's own service, where it has one."""
        if service not in _ANY_DOMAIN:
            raise NotFound(f"Service homeassistant.{service} not found.")
        if not wanted:
            raise InvalidFormat(f"must contain at least one of {', '.join(TARGET_FIELDS)}.")
        ids = {*self._expanded(wanted.get("entity_id", ())), *self._world.registries.targets(wanted)}
        for domain in sorted({entity_id.partition(".")[0] for entity_id in ids}):
            if (domain, service) in ACTIONS:
                own = sorted(entity_id for entity_id in ids if entity_id.startswith(domain + "."))
                await self.call(domain, service, data, {"entity_id": own})


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    if isinstance(value, (list, tuple)):
        return [str(part) for part in value]
    raise InvalidFormat("expected a list of ids")


def _check_response(action: Action, wanted: bool) -> None:
    if wanted and action.response == "none":
        raise NotValid("An action which does not return responses can't be called with return_response=True.")
    if not wanted and action.response == "only":
        raise NotValid("The action requires responses and must be called with return_response=True.")


def _describe(fields: Mapping[str, Any], response: str, domain: str | None = None) -> dict[str, object]:
    told: dict[str, Any] = {
        "name": "",
        "description": "",
        "fields": {name: {"required": field.required} for name, field in fields.items()},
    }
    if domain:
        told["target"] = {"entity": [{"domain": [domain]}]}
    if response != "none":
        told["response"] = {"optional": response == "optional"}
    return told
