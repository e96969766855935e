"""The command line. Imports as little as it can: help must be there at once."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typer import Typer

    from homeagent.errors import HomeAgentError

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130


def main() -> None:
    """The `homeagent` command. Ends with a clear message and an exit code, never with a traceback."""
    # Imports make much and throw nothing away: collecting meanwhile costs a sixth of the time to help. Whoever goes on
    # to work turns it on again.
    gc.disable()
    sys.excepthook = _tell_fault
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        _run()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone; nothing may be written there any more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _run() -> None:
    from homeagent.errors import HomeAgentError, InvalidInput

    try:
        if not all(_is_text(argument) for argument in sys.argv):
            raise InvalidInput("The command line is not valid UTF-8.")
        from homeagent.cli.app import app

        app() if not _for_programs() else _run_for_programs(app)
    except HomeAgentError as error:
        _tell(error)
        sys.exit(exit_code(error))


def _run_for_programs(app: Typer) -> None:
    """As `app()`, where a command line that cannot be read is an error like any other. Raises InvalidInput for it."""
    from typer import Abort, TyperException

    from homeagent.errors import InvalidInput

    try:
        code = app(standalone_mode=False)
    except TyperException as error:
        raise InvalidInput(error.format_message(), hint="`homeagent --help` shows what there is.") from None
    except Abort:
        raise KeyboardInterrupt from None
    sys.exit(code if isinstance(code, int) else 0)


def exit_code(error: Exception) -> int:
    """2 where the caller's input or configuration is at fault, 1 for every other failure."""
    from homeagent.errors import ConfigError, DataFolderLocked

    bad_input = isinstance(error, ConfigError | DataFolderLocked) or getattr(error, "http_status", 500) in (
        400,
        404,
        413,
        422,
    )
    return BAD_INPUT if bad_input else FAILED


def _tell_fault(kind: type[BaseException], fault: BaseException, trace: Any) -> None:
    """What has no name of its own is a fault of ours: said in one line, with the traceback for whoever looks for it."""
    if os.environ.get("HOMEAGENT_LOG_LEVEL") == "debug":
        sys.__excepthook__(kind, fault, trace)
    from homeagent.cli import show

    show.note(
        f"homeagent: something went wrong inside ({kind.__name__}: {fault}). "
        "HOMEAGENT_LOG_LEVEL=debug shows where; please report it."
    )


def _tell(error: HomeAgentError) -> None:
    """An error on standard error: in words for people, as the API's JSON object for programs."""
    from homeagent.cli import show

    if not _for_programs():
        show.note(f"homeagent: {error}")
        return
    own = {"code": error.code, "message": error.message, "hint": error.hint}
    show.json_note({"error": getattr(error, "error", None) or own})


def _for_programs() -> bool:
    """Whether the command line asks for JSON. What is wrong with it may be that it cannot be read otherwise."""
    return "--json" in sys.argv[1 : sys.argv.index("--") if "--" in sys.argv else None]


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
