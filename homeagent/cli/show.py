"""What commands print, and ask at the terminal: tables for people, JSON for programs. Nothing is printed but from here.

Names, states and answers come from other people's homes and from models: all that is printed is plain text, in JSON
what is not is escaped, and none of it is read as markup.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from homeagent.errors import InvalidInput
from homeagent.values.plain_text import escaped_json, one_line, plain_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.status import Status


def as_json(data: object) -> None:
    """One JSON value: indented on a terminal, else in one line."""
    json_lines([data], indent=2 if sys.stdout.isatty() else None)


def json_lines(rows: Iterable[object], *, indent: int | None = None) -> None:
    """One JSON value after the other."""
    import json

    for row in rows:
        print(escaped_json(json.dumps(row, ensure_ascii=False, indent=indent)), flush=indent is not None)
    sys.stdout.flush()


def line(text: str = "") -> None:
    """One line of plain text, control characters taken out."""
    print(plain_text(text), flush=True)


def piece(text: str) -> None:
    """A part of a line that goes on. It is plain text already: of a part alone that cannot be told."""
    print(text, end="", flush=True)


def note(text: str) -> None:
    """Something on the side, which does not belong to the answer."""
    print(plain_text(text), file=sys.stderr, flush=True)


def json_note(data: object) -> None:
    """As `note`, for programs: one line of JSON."""
    import json

    print(escaped_json(json.dumps(data, ensure_ascii=False)), file=sys.stderr, flush=True)


def question(text: str) -> None:
    """What the person is to answer, in the same line."""
    print(one_line(text), end=" ", file=sys.stderr, flush=True)


def console() -> Console:
    """Where tables go: as wide as the terminal, without colours of Rich's own choosing."""
    from rich.console import Console

    # Not a terminal: so wide that nothing is broken into lines for whoever reads it later.
    return Console(highlight=False, width=None if sys.stdout.isatty() else 10_000)


def progress(quiet: bool) -> Progress:
    """A bar on stderr that goes when it is done; none where ``quiet``."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True, disable=quiet)


def plain() -> bool:
    """Whether the person wants no colours and no other dress: NO_COLOR (no-color.org) is set to something."""
    return bool(os.environ.get("NO_COLOR"))


class Spinner:
    """Turns on standard error while something takes longer than a moment; at a terminal only.

    A context: it is gone with its end, or as soon as `stop` is called, and never comes back.
    """

    _MOMENT = 0.4
    """Seconds in which most sentences are answered: for these it is not shown."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lock = threading.Lock()
        self._stopped = False
        self._status: Status | None = None
        self._waiting = threading.Timer(self._MOMENT, self._start)

    def __enter__(self) -> Spinner:
        if sys.stdout.isatty() and sys.stderr.isatty():
            self._waiting.daemon = True
            self._waiting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Take it off the screen for good. May be called from any thread, and more than once."""
        self._waiting.cancel()
        with self._lock:
            self._stopped = True
            if self._status is not None:
                self._status.stop()

    def _start(self) -> None:
        from rich.console import Console
        from rich.status import Status

        with self._lock:
            if not self._stopped:
                style = "none" if plain() else "status.spinner"
                self._status = Status(self._text, console=Console(stderr=True), spinner_style=style)
                self._status.start()


def clock_time(moment: str) -> str:
    """A moment of the service (ISO 8601, by the home's clock) as people write it, with its offset."""
    return datetime.fromisoformat(moment).isoformat(sep=" ", timespec="seconds")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """Rows for people. What is in them is never read as markup: names come from other people's homes."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None, pad_edge=False, header_style="" if plain() else "bold")
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(_plain(cell)) for cell in row))
    if shown.row_count:
        console().print(shown)
    else:
        line(empty)


def fields(data: Mapping[str, object]) -> None:
    """One thing with its fields, a line each."""
    for name, value in data.items():
        line(f"{name.replace('_', ' ')}: {_plain(value)}")


def _plain(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ", ".join(_plain(v) for v in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_plain(v)}" for k, v in value.items())
    return one_line(str(value))


def has_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def yes(asked: str) -> bool:
    """Whether the person says yes; anything else is no."""
    question(f"{asked} [y/N]".lstrip())
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def ask_yes(question: str, *, otherwise: str) -> None:
    """Go on only after a yes. Raises InvalidInput with ``otherwise`` where it is not given or nobody can be asked."""
    if not (has_terminal() and yes(question)):
        raise InvalidInput(otherwise)


def text_of(argument: str) -> str:
    """The text itself, or what comes on standard input where it is ``-``. Raises InvalidInput where there is none."""
    try:
        text = sys.stdin.buffer.read().decode("utf-8").strip() if argument == "-" else argument
    except UnicodeDecodeError as error:
        raise InvalidInput(f"Standard input is not valid UTF-8 (byte {error.start}).") from None
    if not text.strip():
        raise InvalidInput("There is no sentence.", hint='Say one, such as `homeagent ask "is the door locked?"`.')
    return text
