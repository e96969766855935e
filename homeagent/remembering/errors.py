"""Memory's own errors, as those that a turn and a tool put into words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from homeagent.errors import HomeAgentError, InvalidParameters, NotFound
from memory.errors import MemoriesError, MemoryNotFound


@contextmanager
def in_homeagents_words() -> Iterator[None]:
    """Within it, memory's errors are raised as those of `homeagent.errors`."""
    try:
        yield
    except MemoryNotFound as error:
        raise NotFound(error.message, hint=error.hint) from error
    except MemoriesError as error:
        named: type[HomeAgentError] = InvalidParameters if error.http_status < 500 else HomeAgentError
        raise named(error.message, hint=error.hint) from error
