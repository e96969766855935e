"""A house on paper, for the policy alone: entities, what scenes set, what scripts and automations do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home, HomeConfig, State
from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Call, Verdict
from indexer.entity import Area, Entity

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class House:
    """``configs``: what Home Assistant tells of a scene, a script or an automation, by entity id."""

    own_hosts = frozenset({"homeassistant.example"})

    def __init__(
        self,
        *entities: Entity,
        configs: Mapping[str, Any] | None = None,
        states: Mapping[str, str] | None = None,
        areas: tuple[Area, ...] = (),
    ) -> None:
        self.home = Home()
        self.home.replace(
            config=HomeConfig(),
            areas=list(areas),
            floors=[],
            device_areas={},
            entities=list(entities),
            states=[State(entity_id, state, {}, NOW, NOW) for entity_id, state in (states or {}).items()],
        )
        self.configs = dict(configs or {})

    async def scene_config(self, entity_id: str) -> Any:
        assert entity_id.startswith("scene.")
        return self.configs.get(entity_id)

    async def script_config(self, entity_id: str) -> Any:
        assert entity_id.startswith("script.")
        return self.configs.get(entity_id)

    async def automation_config(self, entity_id: str) -> Any:
        assert entity_id.startswith("automation.")
        return self.configs.get(entity_id)

    async def verdict(self, entity_id: str, service: str, *, policy: Policy | None = None, **data: Any) -> Verdict:
        entity = self.home.entities[entity_id]
        call = Call(entity.domain, service, service, entity, data)
        return await (policy or Policy()).judge([call], entity, cast(HomeAssistant, self))
