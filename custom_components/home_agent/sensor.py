"""How the service is, what its last turn took, and what it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorEntityDescription, SensorStateClass
from homeassistant.const import EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .coordinator import AgentCoordinator, AgentEntry
from .entity import AgentEntity

PARALLEL_UPDATES = 0
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
        state_class=SensorStateClass.TOTAL_INCREASING,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda agent: agent.usage.tokens,
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
    async_add_entities(AgentSensor(entry.runtime_data, description) for description in SENSORS)


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
