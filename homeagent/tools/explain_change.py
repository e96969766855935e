"""explain_change: why an entity is, or was, as it is: what changed it, and what caused that."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from homeagent.errors import InvalidParameters, NotExposed, UnknownTarget
from homeagent.ha.connection import HomeAssistant
from homeagent.history.when.find_times import find_times
from homeagent.history.when.local_days import wall_before
from homeagent.prompting.firewall import clean
from homeagent.tools.toolbox import Tool
from homeagent.turn import Turn
from homeagent.values.timespan import parse_moment
from indexer.words import nearest

if TYPE_CHECKING:
    from homeagent.knowledge.causes import Link
    from homeagent.knowledge.telling_why import WhyTeller

_LONGEST_DETAIL = 60


class _ExplainChangeParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entity_id: str = Field(min_length=1, max_length=255, description="Exact id of the entity")
    at: str | None = Field(
        default=None, max_length=100, description="When: ISO date and time or 03:00, local, or in words; absent: now"
    )
    state: str | list[str] | None = Field(
        default=None, description="The state that is asked about, such as on: the last time until then that it was so"
    )
    after: str | None = Field(default=None, max_length=100, description="With state: no earlier time than this")


class ExplainChange(Tool):
    """``unexposed``: whether automations, scripts and entities are named that are not exposed."""

    name = "explain_change"
    description = (
        "Why an entity is or was in its state: which automation, script or person changed it, and what triggered that, "
        "as far as Home Assistant knows. Says so where it does not know: then tell the person that, and guess nothing."
    )
    Params = _ExplainChangeParams

    def __init__(self, ha: HomeAssistant, *, unexposed: bool = False) -> None:
        self._ha = ha
        self._unexposed = unexposed

    async def run(self, params: _ExplainChangeParams, turn: Turn) -> dict[str, Any]:
        """The state, since when, and the causes. Raises UnknownTarget, NotExposed, InvalidParameters."""
        from homeagent.knowledge.causes import why
        from homeagent.knowledge.telling_why import WhyTeller  # not for every start

        await self._check(params.entity_id)
        now = self._ha.home.now().astimezone(UTC)
        at = self._moment(params.at, turn.language, now) if params.at else now
        states = [params.state] if isinstance(params.state, str) else params.state or []
        earliest = self._moment(params.after, turn.language, now) if params.after else None
        found = await why(self._ha, params.entity_id, at, states, earliest)
        teller = WhyTeller(self._ha.home, now, await self._ha.own_user(), self._unexposed)
        return {
            "entity_id": found.entity_id,
            "at": self._ha.home.config.local(at),
            "name": teller.name(found.entity_id),
            "state": found.state,
            "since": self._ha.home.config.local(found.since) if found.since and not found.since_before else None,
            "known": bool(found.links),
            "logbook": found.logbook,
            "causes": [self._link(link, teller) for link in found.links],
            "text": teller.text(found, at),
        }

    async def _check(self, entity_id: str) -> None:
        home = self._ha.home
        if home.entity(entity_id) is None:
            known = [e.entity_id for e in home.exposed()]
            raise UnknownTarget(f"There is no entity {entity_id}.", nearest=nearest(entity_id, known, 3))
        if not (await self._ha.is_exposed([entity_id]))[entity_id]:
            raise NotExposed(f"{entity_id} is not exposed.")

    def _moment(self, said: str, language: str, now: datetime) -> datetime:
        """A moment not after now: a time of day that is still to come is yesterday's."""
        zone = self._ha.home.config.time_zone
        try:
            at = parse_moment(said, now, zone)
        except InvalidParameters:
            times = find_times(said, language, now, zone)
            if not times:
                raise
            at = times[0].start
        return at if at <= now else min(now, wall_before(at, zone, 1))

    def _link(self, link: Link, teller: WhyTeller) -> dict[str, Any]:
        told: dict[str, Any] = {
            "kind": link.kind.value,
            "at": self._ha.home.config.local(link.at),
            "text": teller.link(link),
        }
        if link.detail:
            told["detail"] = clean(link.detail, _LONGEST_DETAIL)
        if link.entity_id:
            entity = self._ha.home.entity(link.entity_id)
            if entity is not None and (entity.exposed or self._unexposed):
                told["entity_id"] = link.entity_id
            told["name"] = teller.name(link.entity_id)
        if link.user_id:
            told["user"] = teller.user(link.user_id)
            told["who"] = teller.who(link.user_id).value
        return told
