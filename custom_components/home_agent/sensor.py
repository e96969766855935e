"""How the service is, what its last turn took, and what it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from homeassistant.components.sensor import (
    RestoreSensor,
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .coordinator import AgentCoordinator, AgentEntry
from .entity import AgentEntity

PARALLEL_UPDATES = 0
_TODAY = frozenset({"tokens_today", "cost_today"})
_STATUSES = {"ok": "ok", "warming up": "warming_up", "degraded": "degraded"}


@dataclass(frozen=True, kw_only=True)
class AgentSensorDescription(SensorEntityDescription):
    """A sensor, and where its value stands."""

    value: Callable[[AgentCoordinator], str | int | float | datetime | None]


def _status(agent: AgentCoordinator) -> str | None:
    return _STATUSES.get(agent.data.health["status"])


def _index_size(agent: AgentCoordinator) -> int | None:
    return agent.data.health["parts"]["index"].get("entities")


def _memories(agent: AgentCoordinator) -> int | None:
    return agent.data.health["parts"]["memory"].get("memories")


def _next_timer(agent: AgentCoordinator) -> datetime | None:
    return dt_util.parse_datetime(agent.data.timers[0]["due"]) if agent.data.timers else None


SENSORS = (
    AgentSensorDescription(
        key="status",
        translation_key="status",
        device_class=SensorDeviceClass.ENUM,
        options=list(_STATUSES.values()),
        entity_category=EntityCategory.DIAGNOSTIC,
        value=_status,
    ),
    AgentSensorDescription(
        key="latency",
        translation_key="latency",
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.MILLISECONDS,
        suggested_display_precision=0,
        state_class=SensorStateClass.MEASUREMENT,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda agent: agent.usage.latency_ms,
    ),
    AgentSensorDescription(
        key="tokens_today",
        translation_key="tokens_today",
        state_class=SensorStateClass.TOTAL,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda agent: agent.usage.tokens,
    ),
    AgentSensorDescription(
        key="cost_today",
        translation_key="cost_today",
        device_class=SensorDeviceClass.MONETARY,
        native_unit_of_measurement="USD",
        suggested_display_precision=4,
        state_class=SensorStateClass.TOTAL,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda agent: round(agent.usage.cost, 6),
    ),
    AgentSensorDescription(
        key="index_size",
        translation_key="index_size",
        state_class=SensorStateClass.MEASUREMENT,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=_index_size,
    ),
    AgentSensorDescription(
        key="memories",
        translation_key="memories",
        state_class=SensorStateClass.MEASUREMENT,
        value=_memories,
    ),
    AgentSensorDescription(
        key="next_timer",
        translation_key="next_timer",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=_next_timer,
    ),
)


async def async_setup_entry(
    hass: HomeAssistant, entry: AgentEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add all of them."""
    async_add_entities((TodaySensor if one.key in _TODAY else AgentSensor)(entry.runtime_data, one) for one in SENSORS)


class AgentSensor(AgentEntity, SensorEntity):
    """One value of the service."""

    entity_description: AgentSensorDescription

    @property
    def native_value(self) -> str | int | float | datetime | None:
        """The value now."""
        return self.entity_description.value(self.coordinator)

    @property
    def extra_state_attributes(self) -> dict[str, list[dict[str, str | None]]] | None:
        """All timers, with the next one."""
        if self.entity_description.key != "next_timer":
            return None
        return {
            "timers": [{key: one.get(key) for key in ("kind", "name", "due")} for one in self.coordinator.data.timers]
        }


class TodaySensor(AgentSensor, RestoreSensor):
    """A sum of this day, which goes on where Home Assistant was started anew."""

    async def async_added_to_hass(self) -> None:
        """Take up what was counted before, where it was today."""
        await super().async_added_to_hass()
        usage, state = self.coordinator.usage, await self.async_get_last_state()
        before = await self.async_get_last_sensor_data()
        if state is None or before is None or not isinstance(before.native_value, int | float | Decimal):
            return
        if dt_util.as_local(state.last_updated).date() == usage.day:
            if self.entity_description.key == "tokens_today":
                usage.tokens = max(usage.tokens, int(before.native_value))
            else:
                usage.cost = max(usage.cost, float(before.native_value))

    @property
    def last_reset(self) -> datetime:
        """The beginning of the day."""
        return dt_util.start_of_local_day(self.coordinator.usage.day)
