"""What everything stands on: Home Assistant, the database, the sinks of events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homeagent.database import open_database, upgrade
from homeagent.errors import ConfigError
from homeagent.ha.connection import DEFAULT_EXPOSED_DOMAINS, HomeAssistant
from homeagent.sinks import HomeAssistantBusSink, JsonLinesSink, LogSink

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.config.loading import Settings
    from homeagent.events import Sink


def make_home_assistant(settings: Settings) -> HomeAssistant:
    """The connection, not started. Raises ConfigError where address or token are not set."""
    chosen = settings.home_assistant
    if chosen.url is None or chosen.token is None:
        missing = "home_assistant.url" if chosen.url is None else "home_assistant.token"
        raise ConfigError(f"`{missing}` is not set.", hint="Run `homeagent setup`.")
    return HomeAssistant(
        chosen.url,
        chosen.token.get_secret_value(),
        verify=chosen.trust,
        timeout=chosen.timeout,
        fallback_domains=frozenset(chosen.fallback_domains or DEFAULT_EXPOSED_DOMAINS),
    )


def open_engine(settings: Settings) -> Engine:
    """The database, its schema up to date. Blocks. Raises DatabaseError."""
    engine = open_database(settings.database.url, settings.data_dir)
    try:
        upgrade(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def make_sinks(settings: Settings, ha: HomeAssistant) -> list[Sink]:
    """Where events go, as set."""
    chosen = settings.events
    sinks: list[Sink] = []
    if chosen.log:
        sinks.append(LogSink(include_text=chosen.include_text))
    if chosen.jsonl is not None:
        sinks.append(JsonLinesSink(chosen.jsonl, include_text=chosen.include_text))
    if chosen.home_assistant_bus:
        sinks.append(HomeAssistantBusSink(ha.fire_event, include_text=chosen.include_text))
    return sinks
