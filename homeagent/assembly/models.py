"""The language models, as set; each may be missing."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from homeagent.brains.llm.brain import Schemas
from homeagent.brains.llm.client import LlmModel, Prices, litellm_process
from homeagent.brains.llm.external_model import ExternalModel, MemoryModel
from homeagent.brains.llm.language_model import LanguageModel, LlmOptions
from homeagent.brains.llm.profile import OLLAMA, Profile
from homeagent.brains.llm.readiness import OLLAMAS_ADDRESS
from homeagent.errors import ConfigError
from homeagent.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from pydantic import SecretStr

    from homeagent.claims.answer_checker import Checker
    from homeagent.config.loading import Settings
    from homeagent.config.model_settings import LlmSettings, ModelSettings
    from homeagent.events import Emitter
    from homeagent.ha.home import Home
    from indexer.process import ChildProcess


_LLM_SHARE = 0.9
"""Share of a turn's time that models may take in all, so that their failure can still be told."""
_MILLION = 1_000_000
_OF_OLLAMAS_CLOUD = re.compile(r"[:-]cloud$", re.IGNORECASE)
_ADDRESSES = ("api_base", "base_url")
"""Options of litellm that send a request elsewhere."""
_NAME_AT_HOME = re.compile(r"(?!(?:\d+|0x[0-9a-f]*)$)[a-z0-9_-]+|[^/]+\.(?:local|lan|home|internal)")
"""A name without a dot, or under one that no registry gives away."""


def make_litellm(settings: Settings) -> ChildProcess:
    """The process that all models are asked through; it starts when it is needed."""
    asked = (settings.llm, *settings.models.values())
    keys = [settings.external_llm.api_key, settings.memory.api_key, *(section.api_key for section in asked)]
    held = [_held(section.api_key_env) for section in asked if section.api_key_env]
    return litellm_process(*map(_plain, keys), *held)


def main_profiles(settings: Settings) -> list[Profile]:
    """The model that answers, then those that are asked where it fails; empty where none is set."""
    chosen = settings.llm
    if chosen.model is not None:
        first = [_profile("llm", "llm", chosen.model, chosen)]
    elif chosen.profile is not None:
        first = [_named(settings, chosen.profile)]
    else:
        return []
    others = [_named(settings, name) for name in dict.fromkeys(chosen.fallback)]
    return [*first, *(other for other in others if other.name != first[0].name)]


def make_external_model(settings: Settings, child: ChildProcess) -> ExternalModel | None:
    """The other model that may be asked; None where none is set."""
    chosen = settings.external_llm
    if chosen.profile is not None:
        return ExternalModel(_named(settings, chosen.profile), child)
    if chosen.model is None:
        return None
    model = LlmModel(
        name=chosen.model,
        base_url=chosen.base_url,
        api_key=_plain(chosen.api_key),
        timeout=chosen.timeout,
        max_tokens=chosen.max_tokens,
        options=chosen.options,
        section="external_llm",
    )
    return ExternalModel(Profile("external_llm", model, attempts=settings.llm.max_attempts), child)


def make_language_model(
    settings: Settings, home: Home, toolbox: Toolbox, emitter: Emitter, child: ChildProcess, checker: Checker
) -> LanguageModel | None:
    """The models that are configured, not started; None where none is."""
    profiles = main_profiles(settings)
    if not profiles:
        return None
    whole = settings.agent.turn_timeout
    options = LlmOptions(
        deadline=whole * _LLM_SHARE,
        reserve=whole * (1 - _LLM_SHARE),
        breaker_failures=settings.llm.breaker_failures,
        breaker_pause=settings.llm.breaker_pause,
        entity_tokens=settings.agent.entity_tokens,
        memory_tokens=settings.agent.memory_tokens,
        history_tokens=settings.agent.history_tokens,
        history_turns=settings.agent.history_turns,
        strict_targets=settings.agent.strict_targets,
        form=settings.agent.toolset,
        keeps_back=keeps_back(settings, profiles),
    )
    more = bool(settings.mcp.servers or settings.tools.plugins)
    schemas = _offered(toolbox, settings.agent.tools, more_come=more)
    offered = settings.agent.tools or toolbox.names
    return LanguageModel(profiles, home, schemas, emitter, options, child=child, checker=checker, offered=offered)


def _offered(toolbox: Toolbox, names: Sequence[str], *, more_come: bool = False) -> Schemas:
    """The tools of these names, or all where none is given. Raises ConfigError for a name that is none, unless more
    tools come later."""
    unknown = sorted(set(names) - set(toolbox.names))
    if unknown and not more_come:
        raise ConfigError(
            f"agent.tools: there is no tool {', '.join(unknown)}.", hint=f"There are: {', '.join(toolbox.names)}."
        )
    if not names:
        return toolbox.schemas
    chosen = frozenset(names)
    return lambda ids: [tool for tool in toolbox.schemas(ids) if tool["function"]["name"] in chosen]


def make_memory_model(settings: Settings, child: ChildProcess) -> MemoryModel | None:
    """The model of its own that turns are looked through with; None where none is set."""
    chosen = settings.memory
    if chosen.profile is not None:
        return MemoryModel(_named(settings, chosen.profile), child)
    if chosen.model is None:
        return None
    model = LlmModel(
        name=chosen.model,
        base_url=chosen.base_url,
        api_key=_plain(chosen.api_key),
        timeout=settings.llm.timeout,
        max_tokens=settings.llm.max_tokens,
        temperature=settings.llm.temperature,
        options=settings.llm.options if chosen.base_url is None else {},
        section="memory",
    )
    return MemoryModel(Profile("memory", model, attempts=settings.llm.max_attempts), child)


def keeps_back(settings: Settings, profiles: Iterable[Profile]) -> bool:
    """Whether what is kept as sensitive is not told to these models: one may be asked in the place of another."""
    return not settings.memory.sensitive_to_hosted and any(is_hosted(profile.model) for profile in profiles)


def is_hosted(model: LlmModel) -> bool:
    """Whether a model runs on somebody else's machines: neither Ollama at home nor a server at a private address.

    What cannot be told counts as hosted. A model of Ollama's cloud is, whichever server passes the request on.
    """
    if _OF_OLLAMAS_CLOUD.search(model.name):
        return True
    given = [model.base_url, *(model.options.get(name) for name in _ADDRESSES)]
    if any(given):
        return not all(_at_home(str(address)) for address in given if address)
    if not model.served_as.startswith(OLLAMA):
        return True
    return not _at_home(os.environ.get(OLLAMAS_ADDRESS) or "localhost")


def _at_home(address: str) -> bool:
    """Whether a server's address is surely of the own network. A number that is written otherwise than in four parts is
    an address, too, and may be anybody's."""
    host = ""
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
        found = ipaddress.ip_address(host)
    except ValueError:
        return bool(_NAME_AT_HOME.fullmatch(host))
    found = getattr(found, "ipv4_mapped", None) or found
    return found.is_private or found.is_loopback or found.is_link_local


def _held(variable: str) -> str | None:
    """The key that the environment holds, as it is used and masked."""
    return os.environ.get(variable, "").strip() or None


def _named(settings: Settings, name: str) -> Profile:
    chosen = settings.models[name]
    return _profile(name, f"models.{name}", chosen.model, chosen)


def _profile(name: str, section: str, model: str, chosen: LlmSettings | ModelSettings) -> Profile:
    key, missing = _plain(chosen.api_key), None
    if chosen.api_key_env is not None:
        key = _held(chosen.api_key_env)
        missing = None if key else chosen.api_key_env
    price = chosen.price
    cached = price.prompt if price and price.cached is None else price.cached if price else None
    prices = Prices(price.prompt / _MILLION, price.completion / _MILLION, (cached or 0.0) / _MILLION) if price else None
    return Profile(
        name,
        LlmModel(
            name=model,
            base_url=chosen.base_url,
            api_key=key,
            timeout=chosen.timeout,
            max_tokens=chosen.max_tokens,
            temperature=chosen.temperature,
            options=chosen.options,
            section=section,
            missing_key=missing,
            prices=prices,
        ),
        attempts=chosen.max_attempts,
        requests_per_minute=chosen.requests_per_minute,
        tokens_per_day=chosen.tokens_per_day,
        stream=chosen.stream,
        window=chosen.context_window,
        text_calls=chosen.text_tool_calls,
        warm_up=chosen.warm_up,
    )


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
