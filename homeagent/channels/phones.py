"""Asks on phones, as notifications with buttons of Home Assistant's companion app.

The question goes out by the phone's ``notify`` service; what is pressed comes back as an event on Home Assistant's bus,
with the key of that question at that phone. So whoever the notification was sent to is who may answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from homeagent.background_tasks import finished, in_background
from homeagent.channels import words
from homeagent.channels.channel import GRACE, Answers, ChannelError, Question, Target
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.shapes import text

PRESSED = "mobile_app_notification_action"
"""The event of Home Assistant's companion apps, ``action`` being the id of the button."""
_YES, _NO = "HOMEAGENT_YES_", "HOMEAGENT_NO_"
_CLEAR = "clear_notification"
"""The message by which the app removes a notification."""
_TITLE = "homeagent"
_DOMAIN = "notify."
_COMPANION = "notify.mobile_app_"
_NO_BUTTONS = "Home Assistant has it; only its companion app, notify.mobile_app_…, shows buttons"
_NO_PHONES = "No phone has notifications on in Home Assistant's companion app: sign in there and allow them."


class Phones:
    """``targets``: their addresses are services of the domain notify, such as ``notify.mobile_app_annas_phone``."""

    name = "phone"

    def __init__(self, ha: HomeAssistant, targets: Sequence[Target]) -> None:
        """To be made before the connection to Home Assistant is started."""
        self.targets = tuple(targets)
        self._ha = ha
        self._answers: Answers | None = None
        self._taking: set[asyncio.Task[str]] = set()
        ha.listen(PRESSED, self._pressed)

    def start(self, answers: Answers) -> None:
        """From now on what is pressed goes there."""
        self._answers = answers

    async def stop(self) -> None:
        """Take no more answers."""
        self._answers = None
        await finished(GRACE, *self._taking)

    async def ask(self, target: str, question: Question) -> str:
        """A notification with a yes and a no, which goes away by itself when nobody's answer counts any more."""
        tag = f"homeagent-{question.confirmation_id}"
        seconds = max(1, round((question.expires_at - datetime.now(UTC)).total_seconds()))
        buttons = [
            # An iPhone that is locked wants to be unlocked first.
            {
                "action": _YES + question.key,
                "title": words.word("yes", question.language),
                "authenticationRequired": True,
            },
            {"action": _NO + question.key, "title": words.word("no", question.language)},
        ]
        data = {
            "tag": tag,
            "actions": buttons,
            "timeout": seconds,
            "ttl": 0,
            "priority": "high",
            "push": {"interruption-level": "time-sensitive"},
        }
        await self._notify(target, question.text, data, title=words.word("title", question.language))
        return tag

    async def told(self, target: str, message: str, question: str, outcome: str) -> None:
        """The outcome takes the place of the question."""
        await self._notify(target, outcome, {"tag": message}, title=_TITLE)

    async def withdraw(self, target: str, message: str, question: str, reason: str) -> None:
        """The notification goes away."""
        await self._notify(target, _CLEAR, {"tag": message})

    async def tell(self, target: str, text: str) -> None:
        """A plain notification."""
        await self._notify(target, text, {}, title=_TITLE)

    async def try_out(self) -> str:
        """What is pressed is heard by an administrator's token alone."""
        if not self._ha.status.is_admin:
            raise ChannelError(
                "Phones are asked, but what is pressed is not heard: Home Assistant's token is no administrator's.",
                hint="Make a long-lived access token as an administrator and set `home_assistant.token` to it.",
            )
        return "what is pressed is heard"

    async def try_target(self, target: str) -> str:
        """Home Assistant has its service; whether the phone itself is on, only a notification would tell."""
        services = await self._ha.services("notify")
        if target.removeprefix(_DOMAIN) in services:
            return "Home Assistant has it" if target.startswith(_COMPANION) else _NO_BUTTONS
        phones = [f"{_DOMAIN}{name}" for name in services if f"{_DOMAIN}{name}".startswith(_COMPANION)]
        raise ChannelError(
            f"Home Assistant has no action {target}.",
            hint=f"There is {', '.join(phones)}: set `phones.ask` to one of them." if phones else _NO_PHONES,
        )

    async def _notify(self, target: str, message: str, data: Mapping[str, Any], *, title: str | None = None) -> None:
        domain, _, service = target.partition(".")
        fields: dict[str, Any] = {"message": message, **({"title": title} if title else {})}
        if data:
            fields["data"] = dict(data)
        await self._ha.call_service(domain, service, data=fields)

    def _pressed(self, event: Mapping[str, Any]) -> None:
        """Somebody has pressed a button; those of others are none of ours."""
        action = text(event.get("action")) or ""
        approve = action.startswith(_YES)
        if self._answers is None or not (approve or action.startswith(_NO)):
            return
        key = action.removeprefix(_YES if approve else _NO)
        task = in_background(self._answers.answered(self.name, None, key, approve=approve), "take an answer")
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)
