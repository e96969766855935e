"""The command line. Imports as little as it can: help must be there at once."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

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
    from homeagent.errors import HomeAgentError

    try:
        if not all(_is_text(argument) for argument in sys.argv):
            _fail("The command line is not valid UTF-8.", BAD_INPUT)
        from homeagent.cli.app import app

        app()
    except HomeAgentError as error:
        _fail(str(error), exit_code(error))


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


def _fail(message: str, code: int) -> None:
    from homeagent.cli import show

    show.note(f"homeagent: {message}")
    sys.exit(code)


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
