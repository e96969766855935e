"""What the owner has to repair: the service is away, or it and the integration are of versions apart."""

from __future__ import annotations

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.loader import async_get_integration
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN

_PATIENCE = 3
"""Failures one after the other until it is told: a service that only starts anew is nothing to repair."""
_FAILURES: HassKey[dict[str, int]] = HassKey(f"{DOMAIN}_failures")
"""By entry, since each try to set it up makes everything anew."""
_AWAY, _APART = "service_away", "versions_apart"


class Issues:
    """Of one agent. They go by themselves when they no longer hold."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry) -> None:
        self._hass = hass
        self._entry = entry
        self._failures = hass.data.setdefault(_FAILURES, {})

    @callback
    def failed(self) -> None:
        """The service did not answer."""
        count = self._failures.get(self._entry.entry_id, 0) + 1
        self._failures[self._entry.entry_id] = count
        if count == _PATIENCE:
            self._create(_AWAY, ir.IssueSeverity.ERROR, {"url": str(self._entry.data[CONF_URL])})

    async def answered(self, version: str) -> None:
        """It did, and is of this version."""
        if self._failures.pop(self._entry.entry_id, 0):
            ir.async_delete_issue(self._hass, DOMAIN, self._id(_AWAY))
        ours = str((await async_get_integration(self._hass, DOMAIN)).version)
        if _series(version) == _series(ours):
            ir.async_delete_issue(self._hass, DOMAIN, self._id(_APART))
        else:
            self._create(_APART, ir.IssueSeverity.WARNING, {"service": version, "integration": ours})

    @callback
    def forget(self) -> None:
        """The agent is removed, and nothing of it is to be repaired."""
        self._failures.pop(self._entry.entry_id, None)
        for key in (_AWAY, _APART):
            ir.async_delete_issue(self._hass, DOMAIN, self._id(key))

    def _create(self, key: str, severity: ir.IssueSeverity, told: dict[str, str]) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            self._id(key),
            is_fixable=False,
            severity=severity,
            translation_key=key,
            translation_placeholders=told,
        )

    def _id(self, key: str) -> str:
        return f"{key}_{self._entry.entry_id}"


def _series(version: str) -> list[str]:
    """Versions that differ in the last number only understand each other."""
    return version.split(".")[:2]
