"""Every setting, documented where it is declared. Reading, naming errors and writing are in `loading.py`.

A setting is written ``section.name``: in the TOML file ``name`` under ``[section]``, in the environment
``HOMEAGENT_SECTION__NAME``. The environment wins over the file.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from platformdirs import user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from homeagent.config.asking_settings import PhonesSettings, TelegramSettings
from homeagent.config.field_types import (
    Folder,
    Names,
    Seconds,
    Secret,
    Section,
    Share,
    Url,
    existing_file,
    parsed_json,
)
from homeagent.config.model_settings import ExternalLlmSettings, LlmSettings, ModelSettings, ProfileName
from homeagent.config.service_settings import OllamaSettings, ServiceSettings, SupervisorSettings
from homeagent.config.web_settings import McpSettings, ToolsSettings, WebSettings

__all__ = ["ExternalLlmSettings", "LlmSettings", "ModelSettings"]


class BrainMode(StrEnum):
    """Who decides in a turn. AUTO: the local brain where it is sure, else the model."""

    AUTO = "auto"
    LOCAL = "local"
    LLM = "llm"


class Form(StrEnum):
    """The form of the home's tools that a model is offered. OWN: `ha_control` and `ha_query` as they are."""

    OWN = "own"
    HASS = "hass"
    SERVICES = "services"
    ASSIST = "assist"


class RuleDecision(StrEnum):
    """What a rule says of an action: do it, ask first, or refuse."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


class LogLevel(StrEnum):
    """The least severe messages that are logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class HomeAssistantSettings(Section):
    """How Home Assistant is reached."""

    url: Url | None = Field(
        default=None, description="Address of Home Assistant, such as http://homeassistant.local:8123."
    )
    token: Secret | None = Field(
        default=None, description="Long-lived access token, from your profile in Home Assistant."
    )
    verify: bool = Field(default=True, description="Whether the certificate of an https address is checked.")
    ca_file: Annotated[Path, AfterValidator(existing_file)] | None = Field(
        default=None, description="Certificate (PEM) of a private authority that signed Home Assistant's."
    )
    fallback_domains: Names | None = Field(
        default=None,
        description="Domains that count as exposed where Home Assistant does not tell; absent: those without locks.",
    )
    timeout: Seconds = Field(default=10.0, gt=0, description="Longest wait for an answer of Home Assistant.")

    @property
    def trust(self) -> bool | str:
        """What the connection takes as ``verify``: the private authority's file, or whether to check at all."""
        return str(self.ca_file) if self.ca_file and self.verify else self.verify


class IndexSettings(Section):
    """How entities are found."""

    model: str | None = Field(
        default=None,
        min_length=1,
        description="Embedding model: name or folder; absent: the packaged all-MiniLM-L6-v2.",
    )
    endpoint: Url | None = Field(
        default=None,
        description="Address of an embedding service that speaks OpenAI's protocol; `model` is its model then.",
    )
    endpoint_key: Secret | None = Field(default=None, description="Key of that embedding service.")
    chroma_url: Url | None = Field(
        default=None, description="Address of a Chroma server; absent: kept in the data folder."
    )
    retrieve_limit: int = Field(
        default=10, ge=1, le=100, description="Most entities that a sentence brings into its context."
    )
    threads: int | None = Field(
        default=None, ge=1, le=64, description="Threads for embedding; absent: as the machine has."
    )


class AgentSettings(Section):
    """How a sentence is handled."""

    brain: BrainMode = Field(
        default=BrainMode.AUTO,
        description="auto: the grammar where it is sure, else the model; local: never; llm: always.",
    )
    language: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$",
        description="Absent: Home Assistant's language.",
    )
    entity_tokens: int = Field(default=600, ge=50, le=20000, description="Most tokens of entities shown to the model.")
    memory_tokens: int = Field(default=200, ge=0, le=20000, description="Most tokens of memories shown to the model.")
    history_tokens: int = Field(
        default=300, ge=0, le=600, description="Most tokens of past days shown to the model, where one is asked about."
    )
    history_turns: int = Field(
        default=10, ge=0, le=200, description="Most past turns of the conversation that are shown to the model."
    )
    tools: Names = Field(
        default=(),
        description="Tools that the model is offered, by their names; absent: all. Of models with a small window "
        "`ha_control` and `ha_query` alone leave room for the rest.",
    )
    toolset: Form = Field(
        default=Form.OWN,
        description="The form in which the model is offered the home's tools: own; hass (hass_control, hass_query); "
        "services (call_ha_service and its like); assist (Home Assistant's intents, for models tuned to them).",
    )
    max_rounds: int = Field(default=6, ge=1, le=50, description="Most rounds of tool calls in a turn.")
    turn_timeout: Seconds = Field(default=90.0, gt=0, description="Longest time for a turn.")
    settle_timeout: Seconds = Field(default=2.0, description="Longest wait for a device to show what it was told.")
    strict_targets: bool = Field(default=False, description="Whether the model may name retrieved entities only.")
    confirmation_ttl: Seconds = Field(default=300.0, gt=0, description="How long a confirmation waits for its yes.")
    conversation_idle: Seconds = Field(
        default=1800.0, gt=0, description="Silence after which a conversation is no longer followed up."
    )


class PolicyRule(Section):
    """What to do about an action on targets. The first rule that fits decides; none: as delivered."""

    action: str = Field(default="*", min_length=1, description="Action, or a pattern: unlock, open, turn_*.")
    target: str = Field(default="*", min_length=1, description="Entity id, or a pattern: lock.*, cover.garage_door.")
    decision: RuleDecision = Field(description="allow, confirm or deny.")


class PolicySettings(Section):
    """What the agent may do without asking."""

    read_only: bool = Field(default=False, description="Whether the agent may only look at the home, not change it.")
    rules: Annotated[tuple[PolicyRule, ...], BeforeValidator(parsed_json)] = Field(
        default=(), description="Rules of your own, before those as delivered."
    )


class MemorySettings(Section):
    """What is remembered."""

    enabled: bool = Field(default=True, description="Whether memories are recalled and can be stored.")
    recall_limit: int = Field(
        default=5, ge=0, le=50, description="Most memories that a sentence brings into its context."
    )
    min_relevance: Share = Field(default=0.45, description="Relevance (0 to 1) under which no memory is recalled.")
    extract: bool = Field(
        default=True, description="Whether finished turns are looked through for what is worth remembering."
    )
    model: str | None = Field(
        default=None,
        min_length=1,
        description="Model that looks them through, as litellm names it; absent: the one of `llm`, if there is one.",
    )
    api_key: Secret | None = Field(default=None, description="That model's key.")
    base_url: Url | None = Field(default=None, description="Address of a server of your own for that model.")
    profile: ProfileName | None = Field(
        default=None, description="The model of `models` that looks them through, in place of `model`."
    )
    sensitive_to_hosted: bool = Field(
        default=False,
        description="Whether what is kept as sensitive may be told to a language model that runs on somebody else's "
        "machines.",
    )
    most: int = Field(
        default=10_000, ge=100, description="Most memories that are kept; beyond it the least useful are dropped."
    )


class TimerSettings(Section):
    """What is to happen later."""

    most: int = Field(default=1000, ge=1, le=100_000, description="Most timers, alarms, reminders and actions to come.")
    grace: Seconds = Field(
        default=600.0,
        ge=0,
        description="How late something is still done, where the service was down or the clock was put ahead; "
        "beyond that it is told that it was missed.",
    )
    ring_on: str | None = Field(
        default=None,
        pattern=r"^(assist_satellite|media_player|notify)\.[a-z0-9_]+$",
        description="Entity that timers ring on where they were not set at a satellite; absent: a notification in "
        "Home Assistant.",
    )
    ring_for: Seconds = Field(
        default=120.0,
        ge=0,
        le=1800,
        description="How long an alarm or a timer is said again and again, every 15 seconds, until somebody stops it "
        "or puts it off; 0: it is said once.",
    )


class HistorySettings(Section):
    """What happened in the home, summed up by day and made findable."""

    enabled: bool = Field(default=True, description="Whether days are summed up and can be found.")
    keep_days: int = Field(default=90, ge=1, le=3650, description="How many days are kept.")
    fill_days: int = Field(
        default=14, ge=1, le=3650, description="How many days back are filled in by themselves, as far as recorded."
    )


class KnowledgeSettings(Section):
    """How the home works: its automations, scripts and scenes, read and made findable."""

    enabled: bool = Field(default=True, description="Whether they are read and can be found.")
    unexposed: bool = Field(
        default=False, description="Whether those are told too that are not exposed, with the names of what they use."
    )


class EventSettings(Section):
    """Where events go, besides the service's event stream."""

    home_assistant_bus: bool = Field(
        default=False, description="Fire them on Home Assistant's bus; its recorder keeps them."
    )
    include_text: bool = Field(
        default=False,
        description="Whether sentences, parameters and results go along; an admin may ask for them on the stream.",
    )
    jsonl: Folder | None = Field(default=None, description="File that gets one JSON line per event; absent: none.")
    log: bool = Field(default=True, description="Whether each event is a line of the log.")


class DatabaseSettings(Section):
    """Where conversations, memories and confirmations are kept."""

    url: str | None = Field(
        default=None,
        pattern=r"^[a-z][a-z0-9+_]*://",
        description="SQLAlchemy URL, such as postgresql+psycopg://…; absent: SQLite in the data folder.",
    )


class Settings(BaseSettings):
    """All settings, validated. Made by `config.load`; `Settings(…)` itself reads neither file nor environment."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix="HOMEAGENT_",
        env_nested_delimiter="__",
        env_ignore_empty=True,
        enable_decoding=False,
    )

    data_dir: Folder = Field(
        default_factory=lambda: user_data_path("homeagent"),
        description="Folder of the database and the index, homeagent's alone: it is closed to other users.",
    )
    log_level: LogLevel = Field(default=LogLevel.INFO, description="debug, info, warning or error.")
    home_assistant: HomeAssistantSettings = HomeAssistantSettings()
    index: IndexSettings = IndexSettings()
    models: dict[ProfileName, ModelSettings] = Field(
        default_factory=dict,
        description="Language models by a name of your own, for `llm`, `memory` and `external_llm` to choose from.",
    )
    llm: LlmSettings = LlmSettings()
    external_llm: ExternalLlmSettings = ExternalLlmSettings()
    agent: AgentSettings = AgentSettings()
    policy: PolicySettings = PolicySettings()
    memory: MemorySettings = MemorySettings()
    timers: TimerSettings = TimerSettings()
    phones: PhonesSettings = PhonesSettings()
    telegram: TelegramSettings = TelegramSettings()
    history: HistorySettings = HistorySettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    web: WebSettings = WebSettings()
    mcp: McpSettings = McpSettings()
    tools: ToolsSettings = ToolsSettings()
    events: EventSettings = EventSettings()
    service: ServiceSettings = ServiceSettings()
    ollama: OllamaSettings = OllamaSettings()
    supervisor: SupervisorSettings = SupervisorSettings()
    database: DatabaseSettings = DatabaseSettings()

    @field_validator("llm", "external_llm", "memory")
    @classmethod
    def _names_profiles(cls, section: Section, info: ValidationInfo) -> Section:
        if "models" not in info.data:  # wrong itself, which is told
            return section
        known: dict[str, ModelSettings] = info.data["models"]
        for name in (getattr(section, "profile", None), *getattr(section, "fallback", ())):
            if name is not None and name not in known:
                there = ", ".join(known) or "none"
                raise ValueError(f"there is no [models.{name}]; under models there is: {there}")
        return section

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is passed in: `config.load` reads file and environment itself."""
        return (init_settings,)
