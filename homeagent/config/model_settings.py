"""Settings of language models: profiles by name, and which of them does what."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from homeagent.config.field_types import Names, Seconds, Secret, Section, Url, parsed_json

ProfileName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=40)]
EnvironmentVariable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Options = Annotated[dict[str, object], BeforeValidator(parsed_json)]


class Price(Section):
    """What a model costs, in US dollars for a million tokens, where litellm does not know it or you pay otherwise."""

    prompt: float = Field(ge=0, description="Of the request.")
    completion: float = Field(ge=0, description="Of the answer.")
    cached: float | None = Field(
        default=None, ge=0, description="Of what the provider has in its cache; absent: as `prompt`."
    )


class _Asked(Section):
    """How a model is asked, wherever it is set."""

    api_key: Secret | None = Field(default=None, description="The provider's key.")
    api_key_env: EnvironmentVariable | None = Field(
        default=None, description="Environment variable that holds the key, such as OPENAI_API_KEY."
    )
    base_url: Url | None = Field(
        default=None, description="Address of a server of your own, such as http://localhost:11434."
    )
    timeout: Seconds = Field(default=60.0, gt=0, description="Longest wait for the model, per request.")
    max_tokens: int = Field(default=1024, ge=16, description="Longest answer, in tokens.")
    temperature: float | None = Field(default=None, ge=0, le=2, description="Absent: the model's own default.")
    context_window: int | None = Field(
        default=None,
        ge=1024,
        description="Tokens that the model takes in all, request and answer. Ollama is told it with each request "
        "(`num_ctx`). Absent: 8192 of Ollama, at most what the model has; else what litellm knows of it, else 8192.",
    )
    stream: bool = Field(default=True, description="Whether the answer is taken as it is made.")
    text_tool_calls: bool = Field(
        default=False,
        description="Whether a call that the model writes as its whole answer is run, for models that cannot make "
        "calls the proper way. What the home holds as text (a to-do item, a title) may look like such a call: leave "
        "it off where you can.",
    )
    max_attempts: int = Field(default=3, ge=1, le=10, description="Attempts at a request that fails for the moment.")
    requests_per_minute: int | None = Field(
        default=None, ge=1, description="Most requests a minute; absent: no limit of ours."
    )
    tokens_per_day: int | None = Field(
        default=None,
        ge=1000,
        description="Most tokens in 24 hours, requests and answers together, counted since the start; absent: no limit "
        "of ours.",
    )
    price: Price | None = Field(default=None, description="What it costs; absent: what litellm knows.")
    warm_up: bool = Field(
        default=False,
        description="Whether a request of one token is made at the start, so that the provider has the fixed part of "
        "the prompt in its cache. Ollama loads its model at the start in any case, which takes no token.",
    )
    options: Options = Field(
        default_factory=dict, description="Whatever else the provider takes, passed on as it is: reasoning_effort, …"
    )

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if self.api_key is not None and self.api_key_env is not None:
            raise ValueError("set api_key or api_key_env, not both")
        return self


class ModelSettings(_Asked):
    """A language model by a name of your own."""

    model: str = Field(
        min_length=1, description="Model as litellm names it: gpt-4o-mini, anthropic/…, ollama_chat/qwen3, …"
    )


class LlmSettings(_Asked):
    """The language model, through litellm. Without `model` or `profile` everything works but what needs one."""

    model: str | None = Field(
        default=None, min_length=1, description="Model as litellm names it: gpt-4o-mini, ollama_chat/qwen3, …"
    )
    profile: ProfileName | None = Field(
        default=None, description="The model of `models` that is asked, in place of `model` and what belongs to it."
    )
    fallback: Names = Field(
        default=(), description="Models of `models` that are asked where the one before fails, in this order."
    )
    breaker_failures: int = Field(
        default=3, ge=1, le=100, description="Failures in a row after which a model is left alone for a while."
    )
    breaker_pause: Seconds = Field(
        default=30.0,
        gt=0,
        description="How long it is left alone; then one request tries it, and each try that fails doubles the pause. "
        "A refused key and a used-up quota count at once, with a pause of ten times that.",
    )

    @model_validator(mode="after")
    def _one_main(self) -> Self:
        if self.model is not None and self.profile is not None:
            raise ValueError("set model or profile, not both")
        if self.fallback and not self.configured:
            raise ValueError("fallback needs a model or profile before it")
        return self

    @property
    def configured(self) -> bool:
        """Whether there is a language model."""
        return self.model is not None or self.profile is not None


class ExternalLlmSettings(Section):
    """Another model, which `query_external_llm` asks. It is sent what the call holds, never the conversation."""

    model: str | None = Field(
        default=None, min_length=1, description="Model as litellm names it; absent: the tool is not offered."
    )
    api_key: Secret | None = Field(default=None, description="That provider's key.")
    base_url: Url | None = Field(default=None, description="Address of a server of your own.")
    timeout: Seconds = Field(default=60.0, gt=0, description="Longest wait for its answer.")
    max_tokens: int = Field(default=2048, ge=16, description="Longest answer, in tokens.")
    options: Options = Field(default_factory=dict, description="Whatever else the provider takes, passed on as it is.")
    profile: ProfileName | None = Field(
        default=None, description="The model of `models` that is asked, in place of `model` and what belongs to it."
    )
