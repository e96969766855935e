"""Commands about what is to happen later."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.options import Options, options
from homeagent.cli.place import call
from homeagent.cli.talk import WAITS_FOR_YES, tell_waiting
from homeagent.errors import InvalidParameters
from homeagent.timers.due import Sun
from homeagent.timers.timer import TimerKind
from homeagent.timers.wanted import WEEKDAYS

timers = typer.Typer(help="Timers, alarms, reminders and actions to come.", rich_markup_mode=None)

_Kind = Annotated[TimerKind | None, typer.Option("--kind", help="What it is.")]
_Which = Annotated[str, typer.Argument(help="Its id, as the list shows it, or its name.")]
_In = Annotated[str | None, typer.Option("--in", help="So long from now: 90s, 10m, 1h30m.")]
_At = Annotated[str | None, typer.Option("--at", help="HH:MM, or a local date and time: 2026-05-31T08:30.")]
_Days = Annotated[str | None, typer.Option("--days", help="Again on these days: mon,tue,wed,thu,fri,sat,sun.")]
_Sun = Annotated[Sun | None, typer.Option("--sun", help="At which turn of the day.")]
_Offset = Annotated[
    int, typer.Option("--offset", min=-720, max=720, help="Minutes after the sun, negative: before it.")
]
_Upon = Annotated[str | None, typer.Option("--upon", help="As soon as a thing comes into a state: sensor.washer=idle.")]
_Do = Annotated[list[str] | None, typer.Option("--do", help="What to do then: the parameters of ha_control as JSON.")]


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(timers, name="timers")


@timers.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_(context)


@timers.command("list")
def list_(context: typer.Context, kind: _Kind = None) -> None:
    """Show what is to come, how long is left, and what went otherwise since the last time."""
    chosen = options(context)
    answer = call(chosen, "list_timers", kind=kind, notes=True, user_id=chosen.user, language=chosen.language)
    if chosen.json:
        show.as_json(answer)
        return
    _show(answer["timers"])
    for one in answer["notes"]:
        show.line(one["told"])


@timers.command("set")
def set_(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="What it is for; of a reminder what to tell.")] = None,
    kind: _Kind = None,
    in_: _In = None,
    at: _At = None,
    days: _Days = None,
    sun: _Sun = None,
    offset: _Offset = 0,
    upon: _Upon = None,
    do: _Do = None,
) -> None:
    """Set one. Exits 3 where what it does waits for a yes first."""
    fields = {"kind": kind, "name": name, **_when(in_, at, days, sun, offset, upon), "calls": _calls(do)}
    _use(options(context), "set_timer", fields)


@timers.command()
def change(
    context: typer.Context,
    which: _Which,
    name: Annotated[str | None, typer.Option("--name", help="Its new name; WHICH must be an id then.")] = None,
    add: Annotated[str | None, typer.Option("--add", help="So much longer: 5m.")] = None,
    in_: _In = None,
    at: _At = None,
    days: _Days = None,
    sun: _Sun = None,
    offset: _Offset = 0,
    upon: _Upon = None,
    do: _Do = None,
) -> None:
    """Give one another time, name or deed. Exits 3 where that waits for a yes first."""
    when = _when(in_, at, days, sun, offset, upon)
    added = {"add_seconds": _seconds("--add", add)} if add else {}
    renamed = {"name": name} if name else {}
    _use(options(context), "change_timer", {**_meant(which), **renamed, **when, **added, "calls": _calls(do)})


@timers.command()
def cancel(
    context: typer.Context, which: Annotated[str, typer.Argument(help="Its id or name, or all.")], kind: _Kind = None
) -> None:
    """Cancel one, or all."""
    _use(options(context), "cancel_timer", {**_meant(which), "kind": kind})


@timers.command()
def snooze(context: typer.Context, which: _Which, in_: _In = None) -> None:
    """Let one that rings ring again later: in ten minutes, where nothing else is said."""
    _use(options(context), "snooze_timer", {**_meant(which), "in_seconds": _seconds("--in", in_) if in_ else None})


@timers.command()
def pause(context: typer.Context, which: _Which) -> None:
    """Stop one for now."""
    _use(options(context), "steer_timer", {**_meant(which), "action": "pause"})


@timers.command()
def resume(context: typer.Context, which: _Which) -> None:
    """Go on with one that was paused."""
    _use(options(context), "steer_timer", {**_meant(which), "action": "resume"})


@timers.command()
def dismiss(context: typer.Context, which: _Which) -> None:
    """Silence one that rings."""
    _use(options(context), "steer_timer", {**_meant(which), "action": "dismiss"})


_OPTIONS = {
    "in_seconds": "--in",
    "weekdays": "--days",
    "sun_offset_minutes": "--offset",
    "upon_entity_id with upon_state": "--upon",
    "upon_entity_id": "--upon",
    "upon_state": "--upon",
    "add_seconds": "--add",
    "calls": "--do",
}
"""The options in place of the fields that the service speaks of."""


def _use(chosen: Options, service: str, fields: dict[str, Any]) -> None:
    from homeagent.client.api_client import ServiceError

    try:
        answer = call(chosen, service, **{k: v for k, v in fields.items() if v is not None}, **chosen.speaker)
    except ServiceError as error:
        told = {"detail": _by_options(error.message), "hint": _by_options(error.hint), "code": error.code}
        raise ServiceError(error.http_status, told) from None
    if chosen.json:
        show.as_json(answer)
    else:
        _show(answer["timers"])
    if confirmation := answer.get("confirmation"):
        if not chosen.json:
            tell_waiting([confirmation])
        raise typer.Exit(WAITS_FOR_YES)


def _by_options(text: str) -> str:
    for field, option in _OPTIONS.items():
        text = re.sub(rf"\b{field}\b", option, text)
    return text


def _meant(which: str) -> dict[str, str]:
    return {"id": which} if which == "all" or which.isdecimal() else {"name": which}


def _when(
    in_: str | None, at: str | None, days: str | None, sun: Sun | None, offset: int, upon: str | None
) -> dict[str, Any]:
    said = [option for option, given in (("--in", in_), ("--at", at), ("--sun", sun), ("--upon", upon)) if given]
    if len(said) > 1:
        raise InvalidParameters(f"It is said twice when: {' and '.join(said)}.", hint="Give one of them.")
    if days and not (at or sun):
        raise InvalidParameters("--days says on which days, and not when.", hint="Give --at or --sun, too.")
    entity_id, equals, state = (upon or "").partition("=")
    if upon and not (equals and entity_id and state):
        raise InvalidParameters(f"--upon {upon} names no state.", hint="Write it like sensor.washer=idle.")
    return {
        "in_seconds": _seconds("--in", in_) if in_ else None,
        "at": at,
        "weekdays": _weekdays(days) if days else None,
        "sun": sun,
        "sun_offset_minutes": offset or None,
        "upon_entity_id": entity_id or None,
        "upon_state": state or None,
    }


def _weekdays(days: str) -> list[str]:
    said = [day.strip().casefold()[:3] for day in days.split(",")]
    if unknown := [day for day in said if day not in WEEKDAYS]:
        raise InvalidParameters(
            f"--days: there is no day {unknown[0]!r}.", hint=f"Write them like {','.join(WEEKDAYS)}."
        )
    return said


def _seconds(option: str, text: str) -> float:
    from homeagent.timers.next_time import FARTHEST
    from homeagent.values.timespan import parse_duration

    try:
        return parse_duration(text, longest=FARTHEST).total_seconds()
    except InvalidParameters as error:
        raise InvalidParameters(f"{option}: {error.message}", hint=error.hint) from None


def _calls(given: list[str] | None) -> list[Any] | None:
    try:
        return [json.loads(one) for one in given] if given else None
    except ValueError as error:
        raise InvalidParameters(f"--do is no JSON: {error}.") from None


def _show(found: list[dict[str, Any]]) -> None:
    rows = [
        (one["id"], one["kind"], one["name"], one["state"], _due(one), _left(one["seconds_left"]), _again(one))
        for one in found
    ]
    show.table(("id", "kind", "name", "state", "due", "left", "again"), rows, empty="Nothing is set.")


def _due(one: dict[str, Any]) -> str:
    if one["due"]:
        return show.clock_time(one["due"])
    return f"when {one['upon_entity_id']} is {one['upon_state']}" if "upon_entity_id" in one else ""


def _left(seconds: int | None) -> str:
    from homeagent.values.timespan import describe_seconds

    return "" if seconds is None else describe_seconds(seconds)


def _again(one: dict[str, Any]) -> str:
    return ", ".join(one.get("weekdays", ()))
