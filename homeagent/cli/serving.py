"""Commands about the service itself: running it, watching it, setting it up, finding out what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import call, find_place, run_async, with_client
from homeagent.errors import ConfigError, InvalidInput

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient
    from homeagent.config.loading import Settings

_SIGNS = {"ok": "✓", "off": "–", "warming up": "…", "failed": "✗", "degraded": "✗", "skipped": "–"}


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.command()(serve)
    app.command()(demo)
    app.command()(setup)
    app.command()(doctor)
    app.command()(config)
    app.command()(status)
    app.command("health", hidden=True)(status)
    app.command()(events)
    app.command()(tool)


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0: any free one.", min=0, max=65535)] = None,
) -> None:
    """Run the service."""
    chosen = options(context)
    place = find_place(chosen)
    if not place.demo and place.settings.home_assistant.token is None:
        raise ConfigError("`home_assistant.token` is not set.", hint="Run `homeagent setup`.")
    from homeagent.service.serve import listening_on, run_service

    run_service(listening_on(place.settings, host, port), config=chosen.config, demo=place.demo)


def demo(
    context: typer.Context,
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on; 0: any free one, unless service.port is set.", min=0, max=65535),
    ] = None,
) -> None:
    """Run the service on a home that comes with it: nothing is needed, nothing real is switched.

    With --language it speaks German, Spanish, French, Korean or Dutch (de, es, fr, ko, nl) in place of English.
    """
    from homeagent.config.loading import load
    from homeagent.service.demo import for_demo
    from homeagent.service.serve import listening_on, run_service

    chosen = options(context)
    settings = load(chosen.config)
    run_service(
        listening_on(for_demo(settings, chosen.language), None, _port_of_demo(settings) if port is None else port),
        demo=True,
        configured=bool(settings.home_assistant.url),
    )


def _port_of_demo(settings: Settings) -> int:
    """The port that was set for the service; else any free one, beside a service that may run already."""
    return settings.service.port if "port" in settings.service.model_fields_set else 0


def setup(
    context: typer.Context,
    url: Annotated[str | None, typer.Option(help="Address of Home Assistant.")] = None,
    token_file: Annotated[Path | None, typer.Option(help="File with the token; - reads standard input.")] = None,
    ca_file: Annotated[Path | None, typer.Option(help="Certificate of a private authority (PEM).")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Do not check the certificate.")] = False,
    untried: Annotated[bool, typer.Option("--untried", help="Write the file though Home Assistant fails.")] = False,
) -> None:
    """Connect your Home Assistant: asks for address and token, tries them, writes the configuration."""
    from homeagent.setup import SetupOptions, set_up

    chosen = options(context)
    wishes = SetupOptions(url=url, token_file=token_file, ca_file=ca_file, insecure=insecure, untried=untried)
    path = run_async(set_up(chosen.config, wishes))
    show.as_json({"config": str(path)}) if chosen.json else show.line(f"Written to {path}. Next: `homeagent serve`")


def doctor(context: typer.Context) -> None:
    """Try each part for real and say what to do about what fails. Exits 1 where something does."""
    place = find_place(options(context))
    from homeagent.cli.diagnosing import diagnose

    checks = run_async(diagnose(place.settings, demo=place.demo))
    if options(context).json:
        show.as_json({"checks": checks})
    else:
        rows = [(_SIGNS[c["status"]], c["part"], c["detail"], c["hint"]) for c in checks]
        show.table(("", "part", "what was found", "what to do"), rows, empty="")
    if any(check["status"] == "failed" for check in checks):
        raise typer.Exit(1)


def config(context: typer.Context) -> None:
    """Show the settings that are in force, secrets masked."""
    from homeagent.config.loading import config_path, load, masked
    from homeagent.values.jsonable import jsonable

    chosen = options(context)
    settings = jsonable(masked(load(chosen.config)))
    file = config_path(chosen.config)
    if chosen.json:
        show.as_json({"file": str(file), "exists": file.exists(), "settings": settings})
        return
    show.table(("setting", "value"), _flat(settings), empty="")
    show.note(f"file: {file}" + ("" if file.exists() else " (not there: defaults and environment)"))


def status(context: typer.Context) -> None:
    """Show how the service and its parts are."""
    chosen = options(context)

    async def work(client: ApiClient) -> Any:
        return await client.get("/health")

    answer = with_client(chosen, work)
    if chosen.json:
        show.as_json(answer)
        return
    show.line(f"{_SIGNS[answer['status']]} {answer['status']}")
    for name, part in answer["parts"].items():
        said = ", ".join(f"{k}: {v}" for k, v in part.items() if k != "status")
        details = f" ({said})" if said else ""
        show.line(f"  {_SIGNS[part['status']]} {name.replace('_', ' ')}: {part['status']}{details}")


def events(
    context: typer.Context,
    text: Annotated[bool, typer.Option("--text", help="With what was said, asked for and returned.")] = False,
) -> None:
    """Show what happens, as it happens. Ctrl-C ends it."""
    from homeagent.cli.trace import one_line
    from homeagent.client.api_client import find_answering, running

    chosen = options(context)
    place = find_place(chosen)

    async def watch() -> None:
        service = await find_answering(place.settings)
        if service is None:
            raise place.none_runs(" whose events could be shown")
        async with running(service) as client:
            async for event in client.events(text=text):
                show.json_lines([event]) if chosen.json else show.line(one_line(event))

    run_async(watch())


def tool(context: typer.Context, name: str, parameters: Annotated[str, typer.Argument(help="JSON object.")]) -> None:
    """Use one tool, through the same checks as in a turn."""
    from homeagent.cli.talk import WAITS_FOR_YES, tell_waiting

    chosen = options(context)
    answer = call(
        chosen,
        "execute_tool",
        tool_name=name,
        parameters=_json_object(parameters),
        conversation_id=chosen.conversation,
        user_id=chosen.user,
        device_id=chosen.device,
    )
    show.as_json(answer)
    waiting = answer["result"].get("confirmation") if isinstance(answer["result"], dict) else None
    if waiting:
        if not chosen.json:
            tell_waiting([waiting])
        raise typer.Exit(WAITS_FOR_YES)
    if not answer["success"]:
        show.note(f"homeagent: {answer['error']}")
        raise typer.Exit(1)


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"The parameters are not valid JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidInput('The parameters must be a JSON object, such as {"entity_id": "light.kitchen"}.')
    return value


def _flat(values: Mapping[str, object], front: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{front}{name}.")
        else:
            yield front + name, value if value not in ({}, []) else None
