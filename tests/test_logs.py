"""The log: one line a record, whatever is in a name."""

from __future__ import annotations

import logging
import sys

from homeagent.logs import MaskingFormatter


def test_a_name_cannot_forge_a_record_or_move_the_cursor() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "changed: %s", ("Lamp\n2026 ERROR forged\x1b[2J\u202e",), None)
    assert MaskingFormatter("%(levelname)s %(message)s").format(record) == "INFO changed: Lamp 2026 ERROR forged"


def test_a_traceback_keeps_its_lines() -> None:
    try:
        raise ValueError("bad \x1b[31mname")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), sys.exc_info())
    lines = MaskingFormatter("%(message)s").format(record).splitlines()
    assert lines[0] == "failed"
    assert lines[-1] == "ValueError: bad name"
