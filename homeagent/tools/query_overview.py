"""What happened at all over a span, and the span in which nobody was at home."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from homeagent.errors import NotFound
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.recorder import HistoryRow
from homeagent.history.fitting import fitted
from homeagent.history.overview import last_away
from homeagent.prompting.firewall import clean
from homeagent.values.timespan import Span
from indexer.entity import Entity

if TYPE_CHECKING:
    from homeagent.history.entity_history import Detail
    from homeagent.history.overview import Happening
    from homeagent.history.summaries.kinds import Thing

_AT_ONCE = 50
EVERYBODY, SPEAKER = "everybody", "speaker"


class Overview:
    """Reads what happened."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha

    async def read(self, entities: Sequence[Entity], span: Span) -> dict[str, object]:
        """The things that changed, the most telling first, short enough for a model; ``more`` of them are left out,
        ``quiet`` ones did not change, of ``unknown`` ones nothing is recorded. Raises NotFound where it is of none."""
        from homeagent.history.overview import happenings, is_known, is_worth_telling  # not for every start
        from homeagent.history.summaries.kinds import thing_of

        home, local = self._ha.home, self._ha.home.config.local
        found = [thing for e in entities if (thing := thing_of(e, home.state(e.entity_id)))]
        things = [thing for thing in found if is_worth_telling(thing)]
        rows = await self._rows([thing.entity_id for thing in things], span)
        known = [thing for thing in things if is_known(rows.get(thing.entity_id, ()), span)]
        if not known:
            raise NotFound(
                f"Nothing is recorded of these from {local(span.start)} to {local(span.end)}.",
                hint="Home Assistant's recorder may leave them out, or keep fewer days.",
            )
        happened = await asyncio.to_thread(happenings, known, rows, span)
        return dict(await asyncio.to_thread(fitted, lambda detail: self._told(happened, known, things, span, detail)))

    async def away(self, turn_user: str | None, whose: str, span: Span) -> tuple[Span | None, bool]:
        """When in the span everybody, or the speaker, was last away (None: never), and whether that can be known."""
        home = self._ha.home
        people = [e for e in home.exposed() if e.domain == "person"]
        exposed = await self._ha.is_exposed([e.entity_id for e in people])
        people = [e for e in people if exposed[e.entity_id]]
        if whose == SPEAKER:
            mine = [e for e in people if turn_user and self._user_of(e.entity_id) == turn_user]
            people = mine or (people if len(people) == 1 else [])
        if not people:
            return None, False
        rows = await self._ha.history([e.entity_id for e in people], span.start, span.end)
        return last_away(rows, span), True

    def _user_of(self, person: str) -> str | None:
        state = self._ha.home.state(person)
        return str(state.attributes.get("user_id")) if state is not None else None

    async def _rows(self, ids: Sequence[str], span: Span) -> Mapping[str, Sequence[HistoryRow]]:
        found: dict[str, Sequence[HistoryRow]] = {}
        for start in range(0, len(ids), _AT_ONCE):
            found |= await self._ha.history(ids[start : start + _AT_ONCE], span.start, span.end)
        return found

    def _told(
        self, happened: Sequence[Happening], known: Sequence[Thing], things: Sequence[Thing], span: Span, detail: Detail
    ) -> Mapping[str, object]:
        shown = happened[: detail.entities]
        changed = {h.entity_id for h in happened}
        told: dict[str, object] = {
            "from": self._ha.home.config.local(span.start),
            "to": self._ha.home.config.local(span.end),
        }
        told["overview"] = [self._line(h) for h in shown]
        counts = {
            "more": len(changed) - len({h.entity_id for h in shown}),
            "quiet": len(known) - len(changed),
            "unknown": len(things) - len(known),
        }
        return told | {name: count for name, count in counts.items() if count}

    def _line(self, happened: Happening) -> dict[str, object]:
        entity = self._ha.home.entity(happened.entity_id)
        line: dict[str, object] = {"entity_id": happened.entity_id, "name": clean(entity.name) if entity else ""}
        if happened.state:
            line |= {"state": clean(happened.state), "time": happened.time}
        line |= {"count": happened.count, "first": self._ha.home.config.local(happened.first)}
        return line | ({"last": self._ha.home.config.local(happened.last)} if happened.count > 1 else {})
