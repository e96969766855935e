"""The services about what is to happen later: each is the tool `timer`, with its checks and its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homeagent.errors import ConfirmationRequired, HomeAgentError
from homeagent.service import timer_fields
from homeagent.timers import timer_texts
from homeagent.timers.shown import shown
from homeagent.turn import ToolCall, Turn, new_id
from homeagent.values.subclasses import subclasses

if TYPE_CHECKING:
    from homeagent.app import App


async def list_timers(app: App, fields: timer_fields.ListTimers) -> dict[str, object]:
    """Timers, alarms, reminders and actions to come, with what is left; and, where asked for, what went otherwise."""
    now, config = app.timers.now(), app.home.config
    found = await app.timers.find(kind=fields.kind)
    answer: dict[str, object] = {"timers": [shown(timer, now, config) for timer in found]}
    if fields.notes:
        untold = await app.timers.untold(fields.user_id)
        language = fields.language or app.language
        answer["notes"] = [
            {**shown(timer, now, config), "told": timer_texts.note(timer, app.home, language)} for timer in untold
        ]
        await app.timers.store.told(untold)
    return answer


async def set_timer(app: App, fields: timer_fields.SetTimer) -> dict[str, object]:
    """Set a timer, an alarm, a reminder or an action; ``confirmation`` is there where it waits for a yes first."""
    return await _use(app, "set", fields)


async def change_timer(app: App, fields: timer_fields.ChangeTimer) -> dict[str, object]:
    """Give one another time, name or deed."""
    return await _use(app, "change", fields)


async def cancel_timer(app: App, fields: timer_fields.CancelTimer) -> dict[str, object]:
    """Cancel one, or all."""
    return await _use(app, "cancel", fields)


async def snooze_timer(app: App, fields: timer_fields.SnoozeTimer) -> dict[str, object]:
    """Let one that rings ring again later."""
    return await _use(app, "snooze", fields)


async def steer_timer(app: App, fields: timer_fields.SteerTimer) -> dict[str, object]:
    """Pause one, go on with it, or silence it."""
    return await _use(app, fields.action, fields)


async def _use(app: App, action: str, fields: timer_fields.SetTimer | timer_fields.CancelTimer) -> dict[str, object]:
    await app.need_home()
    turn = Turn(
        text="",
        language=fields.language or app.language,
        conversation_id=fields.conversation_id or new_id(),
        user_id=fields.user_id,
        device_id=fields.device_id,
        area_id=app.home.area_of_device(fields.device_id),
    )
    call = ToolCall(new_id(), "timer", {**fields.parameters(), "action": action})
    result = await app.toolbox.call(call, turn)
    if not result.success and result.error_type != ConfirmationRequired.code:
        raise _raised(result.error or "That did not work.", result.error_type)
    answer: dict[str, object] = result.result
    return answer


def _raised(message: str, code: str | None) -> HomeAgentError:
    """The error that the tool told by its code; its hint stands in the message already."""
    kind = next((kind for kind in subclasses(HomeAgentError) if kind.code == code), HomeAgentError)
    return kind(message, hint="")
