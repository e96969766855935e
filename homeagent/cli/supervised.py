"""What the app of Home Assistant OS runs: starting, and what is done before and after a backup."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from homeagent.cli import show
from homeagent.errors import ConfigError

_Folder = Annotated[Path, typer.Option("--data", help="The app's data folder.")]
_DATA = Path("/data")


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line; nobody types them."""
    group = typer.Typer(help="What the app of Home Assistant OS runs.", no_args_is_help=True)
    group.command()(start)
    group.command("before-backup")(before_backup)
    group.command("after-backup")(after_backup)
    app.add_typer(group, name="app", hidden=True)


def start(data: _Folder = _DATA) -> None:
    """Run the service with the options of the app, in place of this process."""
    from homeagent.private_folder import make_private
    from homeagent.supervisor.backups import restore
    from homeagent.supervisor.starting import environment

    made = environment(os.environ, data)
    make_private(data)
    if restore(data):
        show.note("The database was restored from a backup.")
    command = shutil.which("homeagent", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if command is None:
        raise ConfigError("There is no command `homeagent` beside this Python.")
    os.execve(command, [command, "serve"], made)


def before_backup(data: _Folder = _DATA) -> None:
    """Put a copy of the database that is whole where the backup takes it from."""
    from homeagent.supervisor.backups import prepare

    show.line("The database is copied." if prepare(data) else "There is no database yet.")


def after_backup(data: _Folder = _DATA) -> None:
    """Remove that copy."""
    from homeagent.supervisor.backups import finish

    finish(data)
