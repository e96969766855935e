"""Which entities the agent may see and touch: Home Assistant's own list, or failing that a cautious rule."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from homeagent.domains import PROFILES
from homeagent.ha.registries import Commands
from homeagent.ha.shapes import MALFORMED, mapping, tell
from homeagent.ha.websocket import CommandFailed
from homeagent.policy.openings import ENTRANCES
from indexer.entity import Entity

ASSISTANT = "conversation"

DEFAULT_EXPOSED_DOMAINS = frozenset(d for d, p in PROFILES.items() if p.exposed)
"""Without Home Assistant's list. Nothing that lets somebody in, and nothing that can do anything (scripts, scenes)."""

_NO_LIST = frozenset({"unauthorized", "unknown_command"})


class Exposure:
    """``source`` tells whose word `exposes` is."""

    def __init__(self, fallback_domains: frozenset[str]) -> None:
        self.source: Literal["home_assistant", "domains"] = "home_assistant"
        self._fallback_domains = fallback_domains
        self._listed: frozenset[str] = frozenset()

    async def read(self, commands: Commands) -> None:
        """Read Home Assistant's list. Where it may not be read, or there is none, the rule takes its place."""
        try:
            answer = await commands.command("homeassistant/expose_entity/list")
        except CommandFailed as refusal:
            if refusal.wire_code not in _NO_LIST:
                raise  # a passing fault must not open what the list keeps closed
            self.source, self._listed = "domains", frozenset()
            return
        self.source = "home_assistant"
        try:
            entities = answer["exposed_entities"]
            self._listed = frozenset(i for i, assistants in entities.items() if _is_exposed(assistants, ASSISTANT))
        except MALFORMED as error:  # what was exposed before stays so; at the start nothing is
            tell("the list of exposed entities", error)

    async def read_few(self, commands: Commands, entity_ids: Collection[str]) -> bool:
        """Read these alone, from the registry, where Home Assistant keeps what is set for its entities.

        Returns whether that was possible: not for an entity without a registry entry, nor without the right to look.
        """
        if self.source != "home_assistant":
            return False
        entries = mapping(await commands.command("config/entity_registry/get_entries", entity_ids=list(entity_ids)))
        if not all(mapping(entries.get(i)) for i in entity_ids):
            return False
        options = {i: mapping(mapping(entries[i].get("options")).get(ASSISTANT)) for i in entity_ids}
        exposed = {i for i, chosen in options.items() if _is_exposed(chosen, "should_expose")}
        self._listed = self._listed - frozenset(entity_ids) | exposed
        return True

    def exposes(self, entity: Entity) -> bool:
        """Whether this entity is exposed, whatever it says of itself."""
        if self.source == "home_assistant":
            return entity.entity_id in self._listed
        entrance = entity.domain == "cover" and entity.device_class in ENTRANCES
        return entity.domain in self._fallback_domains and entity.in_plurals and not entrance


def _is_exposed(said: object, name: str) -> bool:
    """Only a plain yes opens."""
    return mapping(said).get(name) is True
