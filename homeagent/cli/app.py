"""The commands, put together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import homeagent
from homeagent.cli import (
    conversations,
    evaluation,
    language,
    mcp,
    memory,
    policy,
    search,
    serving,
    supervised,
    talk,
    timers,
    token,
    wrong,
)
from homeagent.cli.options import Options, OptionsAnywhere, refuse_unknown

app = typer.Typer(
    name="homeagent",
    help="Talk to your Home Assistant. The options below may also stand after the command.",
    cls=OptionsAnywhere,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Rich would take half of the time that `--help` may take.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"homeagent {homeagent.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option("--config", help="Configuration file.")] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Use the demo home.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
    user: Annotated[str | None, typer.Option("--user", help="Who speaks.")] = None,
    conversation: Annotated[str | None, typer.Option("--conversation", help="Conversation to carry on.")] = None,
    device: Annotated[str | None, typer.Option("--device", help="Device that was spoken to: tells the room.")] = None,
    language: Annotated[str | None, typer.Option("--language", help="Language of the sentence, such as en.")] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    if language is not None:
        refuse_unknown(language)
    context.obj = Options(config, demo, json, user, conversation, device, language)


for _room in (
    talk,
    conversations,
    wrong,
    search,
    memory,
    timers,
    policy,
    serving,
    mcp,
    token,
    language,
    evaluation,
    supervised,
):
    _room.add_commands(app)
