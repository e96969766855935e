"""A scripted language model in a process of its own, so that its memory is not counted as the product's."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from subprocess import PIPE, Popen

from tests.llm_server import LlmServer, Say

_ANSWER = "It is what it is."


@contextlib.contextmanager
def scripted_model() -> Iterator[str]:
    """The address of a model that answers everything with the same words, to the end of the block."""
    process = Popen([sys.executable, "-m", "tests.bench.models"], stdout=PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


async def _serve() -> None:
    async with LlmServer() as server:
        server.script(*[Say(_ANSWER)] * 1000)
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve())
