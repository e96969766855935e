"""What the tests of the brain that needs no model share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from homeagent.agent import Reply
from homeagent.demo.server import DemoServer

Ask = Callable[..., Awaitable[Reply]]
Other = Callable[[str], AbstractAsyncContextManager[tuple[Ask, DemoServer]]]


def reached(demo: DemoServer) -> set[str]:
    """The entities that were told something; looks do not count."""
    return {call.entity_id for call in demo.calls if not call.service.startswith("get_")}
