"""Reads a page in a process of its own that ends with it: it has little time, little memory, and nothing to lose."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from dataclasses import dataclass

from homeagent.errors import WebError
from homeagent.web.fetching import Fetched

_SECONDS = 30.0
"""Of waiting; of work the child allows itself fewer."""
_KEPT = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "SYSTEMROOT")
"""Of the environment: keys and tokens stand in it, too."""


@dataclass(frozen=True, slots=True)
class Page:
    """What can be read on a page. ``cut``: there is more."""

    title: str
    content: str
    charset: str
    cut: bool


async def read_page(fetched: Fetched, format: str, seconds: float = _SECONDS) -> Page:
    """``format``: markdown, text or html. Raises WebError where it cannot be read in time or at all."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "homeagent.web.page",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={name: os.environ[name] for name in _KEPT if name in os.environ},
    )
    asked = {"content_type": fetched.content_type, "charset": fetched.charset, "url": fetched.url, "format": format}
    try:
        async with asyncio.timeout(seconds):
            out, _ = await child.communicate(json.dumps(asked).encode() + b"\n" + fetched.body)
        read = json.loads(out)
    except (TimeoutError, ValueError):
        raise WebError("The page could not be read: it is too large or too tangled.") from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()
    return Page(read["title"], read["content"], read["charset"], read["cut"])
