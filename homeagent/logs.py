"""Logging: to stderr, one line a record, as plain text, with secrets masked whatever wrote them."""

from __future__ import annotations

import logging

from homeagent.privacy.redact import mask_text
from homeagent.values.plain_text import one_line, plain_text

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
_TALKATIVE = ("httpx", "httpcore", "websockets", "apscheduler", "alembic", "uvicorn.access", "asyncio", "filelock")


class MaskingFormatter(logging.Formatter):
    """Masks in the finished line, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        """The line with its traceback, if there is one, as plain text with secrets masked."""
        return mask_text(plain_text(super().format(record)))

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The record's own line: a line end in a name cannot forge another record."""
        return one_line(super().formatMessage(record))


def set_up_logging(level: str) -> None:
    """Log at ``level`` (debug, info, warning, error). Libraries say only what is wrong, except at debug."""
    handler = logging.StreamHandler()
    handler.setFormatter(MaskingFormatter(_FORMAT))
    root = logging.getLogger()
    for old in tuple(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
