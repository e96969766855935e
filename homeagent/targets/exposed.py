"""The target of a call: the fields that name it, and the entities that it comes to and that are exposed this moment."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from homeagent.errors import NotExposed
from homeagent.ha.connection import HomeAssistant
from homeagent.targets.resolve import Resolved, resolve, spec_from
from indexer.entity import Entity


class TargetParams(BaseModel):
    """The fields of a call that say what is acted on or looked at."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    entity_id: str | list[str] | None = Field(default=None, description="Exact, or such as light.*")
    area: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("area", "area_id"))
    floor: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("floor", "floor_id"))
    domain: str | list[str] | None = None
    device_class: str | list[str] | None = None
    label: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("label", "label_id"))
    exclude: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("exclude", "except"))


async def exposed_targets(
    ha: HomeAssistant,
    params: TargetParams,
    meant: Callable[[Resolved], Collection[Entity]] = lambda resolved: resolved.entities,
    *,
    technical: bool = False,
) -> tuple[Entity, ...]:
    """The entities that are meant, as they are called now and each of them exposed.

    ``meant`` chooses from what the target resolves to; ``technical`` as in `resolve`. Raises what `resolve` raises,
    and NotExposed where one that is named is not exposed, or none of a set is.
    """
    spec = spec_from(params.model_dump())
    await ha.catch_up()
    try:
        resolved = resolve(ha.home, spec, technical=technical)
    except NotExposed:  # perhaps it was exposed a moment ago
        await ha.is_exposed(())
        resolved = resolve(ha.home, spec, technical=technical)
    entities = meant(resolved)
    exposed = await ha.is_exposed([entity.entity_id for entity in entities])
    for entity in entities:
        if entity.entity_id in resolved.chosen and not exposed[entity.entity_id]:
            raise NotExposed(f"{entity.entity_id} is not exposed to me.")
    still = tuple(entity for entity in entities if exposed[entity.entity_id])
    if not still:
        raise NotExposed("Nothing of that is exposed to me.")
    return still
