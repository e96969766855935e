"""Where a yes is asked for beside the conversation: phones and chats, as set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homeagent.channels.asking import Asking
from homeagent.channels.channel import Target
from homeagent.channels.phones import Phones
from homeagent.channels.sent_questions import SentQuestions
from homeagent.channels.telegram import Telegram
from homeagent.channels.telegram_api import TelegramApi
from homeagent.timers.ringing import Ringing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Engine

    from homeagent.agent import Agent
    from homeagent.channels.channel import Channel
    from homeagent.config.asking_settings import ChatSettings, PhoneSettings
    from homeagent.config.loading import Settings
    from homeagent.confirmations import Confirmations
    from homeagent.ha.connection import HomeAssistant
    from homeagent.policy.audit import AuditLog


def make_phones(settings: Settings, ha: HomeAssistant) -> Phones | None:
    """The phones that are set, before the connection is started; None where there are none."""
    targets = [_target(one.notify, one) for one in settings.phones.ask]
    return Phones(ha, targets) if targets else None


def make_telegram(settings: Settings, audit: AuditLog) -> Telegram | None:
    """The chats that are set, not listened to yet; None where there are none, or no token."""
    chosen = settings.telegram
    if chosen.token is None:
        return None
    api = TelegramApi(chosen.api_url, chosen.token.get_secret_value())
    return Telegram(api, [_target(str(one.id), one) for one in chosen.chats], audit, poll=chosen.poll)


def make_asking(
    channels: Sequence[Channel],
    ha: HomeAssistant,
    engine: Engine,
    confirmations: Confirmations,
    agent: Agent,
    audit: AuditLog,
    language: Callable[[], str],
) -> Asking:
    """What asks by these and takes their answers, not started."""
    return Asking(
        channels,
        SentQuestions(engine),
        confirmations,
        agent,
        audit,
        language=language,
        aloud=Ringing(ha).announce,
    )


def _target(address: str, chosen: PhoneSettings | ChatSettings) -> Target:
    return Target(address, frozenset(chosen.users), chosen.timers, chosen.language)
