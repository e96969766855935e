"""Every setting, documented where it is declared. Reading, naming errors and writing are in `loading.py`.

A setting is written ``section.name``: in the TOML file ``name`` under ``[section]``, in the environment
``HOMEAGENT_SECTION__NAME``. The environment wins over the file.
"""

from __future__ import annotations

import ipaddress
import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from homeagent.private_folder import expanded
from homeagent.values.timespan import parse_seconds

_LANGUAGE = r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$"


def _plain_url(text: str) -> str:
    """An http or https address, without the slash at its end."""
    url = text.strip().rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        example = url if "://" not in url and url else "homeassistant.local:8123"
        raise ValueError(f"write the whole address, beginning with http:// or https://, such as http://{example}")
    if not parts.hostname or parts.port == 0 or re.search(r"\s", url):  # .port raises ValueError out of range
        raise ValueError("the address has no host, or a wrong port")
    return url


def _secret(value: object) -> object:
    """Without the blanks and line ends that copying brings along; what no header can carry is refused."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", text):
        raise ValueError("it is empty, or holds blanks or letters that a token cannot have")
    return text


def _names(value: object) -> object:
    """A list may be written as text, comma-separated or as JSON, for the environment's sake."""
    if isinstance(value, str) and not value.strip().startswith("["):
        return [part for part in (p.strip() for p in value.split(",")) if part]
    return _json(value)


def _json(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError(f"it is not valid JSON: {error}") from None


def _existing_file(path: Path) -> Path:
    path = expanded(path)
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


Url = Annotated[str, AfterValidator(_plain_url)]
Secret = Annotated[SecretStr, BeforeValidator(_secret)]
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Seconds = Annotated[float, BeforeValidator(parse_seconds)]
"""Seconds, or such as 30s, 5m, 1h30m, 7d."""
Folder = Annotated[Path, AfterValidator(expanded)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class BrainMode(StrEnum):
    """Who decides in a turn. AUTO: the local brain where it is sure, else the model."""

    AUTO = "auto"
    LOCAL = "local"
    LLM = "llm"


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


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HomeAssistantSettings(_Section):
    """How Home Assistant is reached."""

    url: Url | None = Field(
        default=None, description="Address of Home Assistant, such as http://homeassistant.local:8123."
    )
    token: Secret | None = Field(
        default=None, description="Long-lived access token, from your profile in Home Assistant."
    )
    verify: bool = Field(default=True, description="Whether the certificate of an https address is checked.")
    ca_file: Annotated[Path, AfterValidator(_existing_file)] | None = Field(
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


class IndexSettings(_Section):
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


class LlmSettings(_Section):
    """The language model, through litellm. Without `model` everything works but what needs one."""

    model: str | None = Field(
        default=None, min_length=1, description="Model as litellm names it: gpt-4o-mini, ollama_chat/qwen3, …"
    )
    api_key: Secret | None = Field(default=None, description="The provider's key.")
    base_url: Url | None = Field(
        default=None, description="Address of a server of your own, such as http://localhost:11434."
    )
    timeout: Seconds = Field(default=60.0, gt=0, description="Longest wait for the model, per request.")
    max_tokens: int = Field(default=1024, ge=16, description="Longest answer, in tokens.")
    temperature: float | None = Field(default=None, ge=0, le=2, description="Absent: the model's own default.")
    context_window: int | None = Field(
        default=None,
        ge=1024,
        description="Tokens that the model takes in all; absent: what litellm knows of it, else 8192.",
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
    options: Annotated[dict[str, Any], BeforeValidator(_json)] = Field(
        default_factory=dict, description="Whatever else the provider takes, passed on as it is."
    )


class ExternalLlmSettings(_Section):
    """Another model, which `query_external_llm` asks. It is sent what the call holds, never the conversation."""

    model: str | None = Field(
        default=None, min_length=1, description="Model as litellm names it; absent: the tool is not offered."
    )
    api_key: Secret | None = Field(default=None, description="That provider's key.")
    base_url: Url | None = Field(default=None, description="Address of a server of your own.")
    timeout: Seconds = Field(default=60.0, gt=0, description="Longest wait for its answer.")
    max_tokens: int = Field(default=2048, ge=16, description="Longest answer, in tokens.")
    options: Annotated[dict[str, Any], BeforeValidator(_json)] = Field(
        default_factory=dict, description="Whatever else the provider takes, passed on as it is."
    )


class AgentSettings(_Section):
    """How a sentence is handled."""

    brain: BrainMode = Field(
        default=BrainMode.AUTO,
        description="auto: the grammar where it is sure, else the model; local: never; llm: always.",
    )
    language: str | None = Field(
        default=None,
        pattern=_LANGUAGE,
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
    max_rounds: int = Field(default=6, ge=1, le=50, description="Most rounds of tool calls in a turn.")
    turn_timeout: Seconds = Field(default=90.0, gt=0, description="Longest time for a turn.")
    settle_timeout: Seconds = Field(default=2.0, description="Longest wait for a device to show what it was told.")
    strict_targets: bool = Field(default=False, description="Whether the model may name retrieved entities only.")
    confirmation_ttl: Seconds = Field(default=300.0, gt=0, description="How long a confirmation waits for its yes.")
    conversation_idle: Seconds = Field(
        default=1800.0, gt=0, description="Silence after which a conversation is no longer followed up."
    )


class PolicyRule(_Section):
    """What to do about an action on targets. The first rule that fits decides; none: as delivered."""

    action: str = Field(default="*", min_length=1, description="Action, or a pattern: unlock, open, turn_*.")
    target: str = Field(default="*", min_length=1, description="Entity id, or a pattern: lock.*, cover.garage_door.")
    decision: RuleDecision = Field(description="allow, confirm or deny.")


class PolicySettings(_Section):
    """What the agent may do without asking."""

    read_only: bool = Field(default=False, description="Whether the agent may only look at the home, not change it.")
    rules: Annotated[tuple[PolicyRule, ...], BeforeValidator(_json)] = Field(
        default=(), description="Rules of your own, before those as delivered."
    )


class MemorySettings(_Section):
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
    most: int = Field(
        default=10_000, ge=100, description="Most memories that are kept; beyond it the least useful are dropped."
    )


class TimerSettings(_Section):
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


class _AskedSettings(_Section):
    """Who is asked there, and told."""

    users: Names = Field(
        default=("household",),
        min_length=1,
        description="Whose questions are asked there, and may be answered by whoever holds it: user ids; household: "
        "those of nobody in particular; *: everybody's.",
    )
    timers: bool = Field(default=False, description="Whether timers and reminders that ring are told there, too.")
    language: str | None = Field(
        default=None, pattern=_LANGUAGE, description="Absent: the language that the question came up in."
    )


class PhoneSettings(_AskedSettings):
    """A phone with Home Assistant's companion app."""

    notify: str = Field(
        pattern=r"^notify\.[a-z0-9_]+$", description="Its service: notify.mobile_app_ and the name of the phone."
    )


class ChatSettings(_AskedSettings):
    """A chat of Telegram."""

    id: int = Field(description="Number of the chat; `homeagent audit` shows it when somebody has written to the bot.")


class PhonesSettings(_Section):
    """Phones that are asked for a yes, by notifications of Home Assistant."""

    ask: Annotated[tuple[PhoneSettings, ...], BeforeValidator(_json)] = Field(
        default=(), description="The phones, a table each; none: no phone is asked."
    )


class TelegramSettings(_Section):
    """Chats of Telegram that are asked for a yes, by a bot of yours."""

    token: Secret | None = Field(default=None, description="The bot's token, from BotFather; absent: no chat is asked.")
    chats: Annotated[tuple[ChatSettings, ...], BeforeValidator(_json)] = Field(
        default=(), description="The chats, a table each; nobody else is asked or listened to."
    )
    api_url: Url = Field(
        default="https://api.telegram.org", description="Address of the Bot API; another one for a server of your own."
    )
    poll: Seconds = Field(
        default=50.0, ge=0, le=600, description="How long one request waits for something new to happen."
    )


class HistorySettings(_Section):
    """What happened in the home, summed up by day and made findable."""

    enabled: bool = Field(default=True, description="Whether days are summed up and can be found.")
    keep_days: int = Field(default=90, ge=1, le=3650, description="How many days are kept.")
    fill_days: int = Field(
        default=14, ge=1, le=3650, description="How many days back are filled in by themselves, as far as recorded."
    )


class KnowledgeSettings(_Section):
    """How the home works: its automations, scripts and scenes, read and made findable."""

    enabled: bool = Field(default=True, description="Whether they are read and can be found.")
    unexposed: bool = Field(
        default=False, description="Whether those are told too that are not exposed, with the names of what they use."
    )


class EventSettings(_Section):
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


class ServiceSettings(_Section):
    """The HTTP service."""

    host: str = Field(
        default="127.0.0.1", min_length=1, description="Address to listen on. Loopback: this machine only."
    )
    port: int = Field(default=8765, ge=0, le=65535, description="Port to listen on; 0: any free one.")
    token: Secret | None = Field(
        default=None, description="The owner's token, which may do everything; absent: one is made at the first start."
    )
    allowed_hosts: Names = Field(
        default=(), description="Names under which the service may be reached; addresses and localhost always may."
    )
    max_connections: int = Field(
        default=256,
        ge=8,
        le=100_000,
        description="Most connections at once; beyond it the one that has idled longest is closed.",
    )
    max_listeners: int = Field(default=64, ge=1, le=100_000, description="Most listeners to events at once.")
    header_timeout: Seconds = Field(default=10.0, gt=0, description="Longest wait for the head of a request.")
    body_timeout: Seconds = Field(default=60.0, gt=0, description="Longest wait for the rest of a request.")
    idle_timeout: Seconds = Field(
        default=60.0,
        gt=0,
        description="How long a connection is kept for the next request, or for an answer that nobody reads.",
    )

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return _is_loopback(self.host)


class OllamaSettings(_Section):
    """The agent as a model of Ollama, for Home Assistant's Ollama integration and other clients of it."""

    enabled: bool = Field(default=False, description="Whether it is offered, on a port of its own.")
    host: str = Field(
        default="127.0.0.1", min_length=1, description="Address to listen on. Loopback: this machine only."
    )
    port: int = Field(default=11435, ge=0, le=65535, description="Port to listen on; 0: any free one.")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return _is_loopback(self.host)


class DatabaseSettings(_Section):
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
    events: EventSettings = EventSettings()
    service: ServiceSettings = ServiceSettings()
    ollama: OllamaSettings = OllamaSettings()
    database: DatabaseSettings = DatabaseSettings()

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
