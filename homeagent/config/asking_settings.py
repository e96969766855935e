"""Settings of the phones and chats that are asked for a yes."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from homeagent.config.field_types import Names, Seconds, Secret, Section, Url, parsed_json


class _AskedSettings(Section):
    """Who is asked there, and told."""

    users: Names = Field(
        default=("household",),
        min_length=1,
        description="Whose questions are asked there, and may be answered by whoever holds it: user ids; household: "
        "those of nobody in particular; *: everybody's.",
    )
    timers: bool = Field(default=False, description="Whether timers and reminders that ring are told there, too.")
    language: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$",
        description="Absent: the language that the question came up in.",
    )


class PhoneSettings(_AskedSettings):
    """A phone with Home Assistant's companion app."""

    notify: str = Field(
        pattern=r"^notify\.[a-z0-9_]+$", description="Its service: notify.mobile_app_ and the name of the phone."
    )


class ChatSettings(_AskedSettings):
    """A chat of Telegram."""

    id: int = Field(description="Number of the chat; `homeagent audit` shows it when somebody has written to the bot.")


class PhonesSettings(Section):
    """Phones that are asked for a yes, by notifications of Home Assistant."""

    ask: Annotated[tuple[PhoneSettings, ...], BeforeValidator(parsed_json)] = Field(
        default=(), description="The phones, a table each; none: no phone is asked."
    )


class TelegramSettings(Section):
    """Chats of Telegram that are asked for a yes, by a bot of yours."""

    token: Secret | None = Field(default=None, description="The bot's token, from BotFather; absent: no chat is asked.")
    chats: Annotated[tuple[ChatSettings, ...], BeforeValidator(parsed_json)] = Field(
        default=(), description="The chats, a table each; nobody else is asked or listened to."
    )
    api_url: Url = Field(
        default="https://api.telegram.org", description="Address of the Bot API; another one for a server of your own."
    )
    poll: Seconds = Field(
        default=50.0, ge=0, le=600, description="How long one request waits for something new to happen."
    )
