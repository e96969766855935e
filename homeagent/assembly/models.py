"""The language models, as set; each may be missing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from homeagent.brains.llm.client import LlmModel, litellm_process
from homeagent.brains.llm.external_model import ExternalModel, MemoryModel
from homeagent.brains.llm.language_model import LanguageModel, LlmOptions
from homeagent.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from pydantic import SecretStr

    from homeagent.claims.answer_checker import Checker
    from homeagent.config.loading import Settings
    from homeagent.config.settings import ExternalLlmSettings, LlmSettings
    from homeagent.events import Emitter
    from homeagent.ha.home import Home
    from indexer.process import ChildProcess


_LLM_SHARE = 0.9
"""Share of a turn's time that one answer of the model may take, so that its failure can still be told."""


def make_litellm(settings: Settings) -> ChildProcess:
    """The process that all models are asked through; it starts when it is needed."""
    keys = (settings.llm.api_key, settings.external_llm.api_key, settings.memory.api_key)
    return litellm_process(*(key for key in map(_plain, keys) if key))


def make_external_model(settings: Settings, child: ChildProcess) -> ExternalModel | None:
    """The other model that may be asked; None where none is set."""
    chosen = settings.external_llm
    if chosen.model is None:
        return None
    return ExternalModel(
        _model(chosen.model, chosen), attempts=settings.llm.max_attempts, deadline=chosen.timeout, child=child
    )


def make_language_model(
    settings: Settings, home: Home, toolbox: Toolbox, emitter: Emitter, child: ChildProcess, checker: Checker
) -> LanguageModel | None:
    """The model that is configured, not started; None where none is."""
    chosen = settings.llm
    if chosen.model is None:
        return None
    options = LlmOptions(
        attempts=chosen.max_attempts,
        deadline=settings.agent.turn_timeout * _LLM_SHARE,
        requests_per_minute=chosen.requests_per_minute,
        stream=chosen.stream,
        context_window=chosen.context_window,
        entity_tokens=settings.agent.entity_tokens,
        memory_tokens=settings.agent.memory_tokens,
        history_tokens=settings.agent.history_tokens,
        history_turns=settings.agent.history_turns,
        strict_targets=settings.agent.strict_targets,
        text_tool_calls=chosen.text_tool_calls,
    )
    model = replace(_model(chosen.model, chosen), temperature=chosen.temperature)
    return LanguageModel(model, home, toolbox.schemas, emitter, options, child=child, checker=checker)


def make_memory_model(settings: Settings, child: ChildProcess) -> MemoryModel | None:
    """The model of its own that turns are looked through with; None where none is set."""
    chosen = settings.memory
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
    )
    return MemoryModel(model, settings.llm.max_attempts, child)


def _model(name: str, chosen: LlmSettings | ExternalLlmSettings) -> LlmModel:
    return LlmModel(
        name=name,
        base_url=chosen.base_url,
        api_key=_plain(chosen.api_key),
        timeout=chosen.timeout,
        max_tokens=chosen.max_tokens,
        options=chosen.options,
    )


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
