"""The chain of causes in words, with the names that may be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from homeagent.ha.home import Home
from homeagent.history.summaries.days import clock
from homeagent.history.summaries.kinds import tellable, telling_of
from homeagent.knowledge.causes import Link, LinkKind, Why
from homeagent.knowledge.config_words import cut, unexposed, word

_CHAIN_ENDS = (LinkKind.SERVICE, LinkKind.TRIGGER)


class Who(StrEnum):
    """Who called a service."""

    OURSELVES = "own_user"
    PERSON = "person"
    """One whose name may be told."""
    SOMEBODY = "somebody"


@dataclass(frozen=True, slots=True)
class WhyTeller:
    """``own_user``: the id of the user as whom we act; ``all_named``: what is not exposed is named too."""

    home: Home
    now: datetime
    own_user: str | None = None
    all_named: bool = False

    def text(self, found: Why, at: datetime) -> str:
        """What it was, since when, and the causes, the nearest first."""
        if found.state is None or found.since is None:
            return word("why", "nothing").format(name=self.name(found.entity_id), at=self.time(at))
        state = self.state(found.entity_id, found.state)
        head = word("why", "since_before" if found.since_before else "state").format(
            name=self.name(found.entity_id), state=state, since=self.time(found.since)
        )
        if found.since_before:
            return head
        causes = [self.link(link) for link in found.links]
        if not found.logbook:
            causes = [word("why", "no_logbook")]
        elif not causes:
            causes = [word("why", "unknown")]
        elif found.links[-1].kind not in _CHAIN_ENDS and found.links[-1].user_id is None:
            causes.append(word("why", "end"))
        return "; ".join([head, *causes])

    def link(self, link: Link) -> str:
        """One cause."""
        at = self.time(link.at)
        if link.kind is LinkKind.SERVICE:
            service = word("why", "service").format(service=cut(link.detail)) if link.detail else ""
            if link.user_id is None:
                return word("why", "called").format(service=cut(link.detail), at=at)
            return word("why", "by").format(user=self.user(link.user_id), at=at, service=service)
        told = word("why", link.kind.value)
        entity_id = link.entity_id or ""
        state = self.state(entity_id, link.detail) if link.kind is LinkKind.CHANGE else ""
        return told.format(name=self.name(entity_id), state=state, at=at, detail=cut(link.detail))

    def name(self, entity_id: str) -> str:
        """What it is called, where that may be told."""
        entity = self.home.entity(entity_id)
        if entity is not None and (entity.exposed or self.all_named):
            return cut(entity.name)
        domain = entity_id.partition(".")[0]
        return word("why", f"hidden_{domain}") if domain in ("automation", "script") else unexposed()

    def user(self, user_id: str) -> str:
        """The person's name; ourselves; or that it is not known."""
        who = self.who(user_id)
        return self._persons()[user_id] if who is Who.PERSON else word("why", who.value)

    def who(self, user_id: str) -> Who:
        """What is known of who it was."""
        if user_id == self.own_user:
            return Who.OURSELVES
        return Who.PERSON if user_id in self._persons() else Who.SOMEBODY

    def state(self, entity_id: str, state: str) -> str:
        """A state in the words of its kind."""
        entity = self.home.entity(entity_id)
        if entity is None or not tellable(entity.domain):
            return cut(state)
        return telling_of(entity.domain, entity.device_class).word(state)

    def time(self, at: datetime) -> str:
        """``07:31``, with the day where it is not today's."""
        zone = self.home.config.time_zone
        local, today = at.astimezone(zone), self.now.astimezone(zone).date()
        return (
            clock(at, zone) if local.date() == today else f"{clock(at, zone)} on {local:%A} {local.date().isoformat()}"
        )

    def _persons(self) -> Mapping[str, str]:
        """Name of the exposed person of each user id."""
        found = {}
        for entity in self.home.entities.values():
            state = self.home.state(entity.entity_id) if entity.domain == "person" else None
            if state is not None and (entity.exposed or self.all_named):
                found[str(state.attributes.get("user_id"))] = cut(entity.name)
        return found
