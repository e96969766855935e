"""Objects that the process tests put into a child."""

from __future__ import annotations

import asyncio
import fractions
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from indexer.errors import StoreCorrupt


class LibraryError(Exception):
    """Stands for the error class of a heavy library."""


class Target:
    def __init__(self, greeting: str, log_file: str | None = None) -> None:
        self.greeting = greeting
        self.log_file = log_file
        self.gate = threading.Event()

    def greet(self, name: str) -> str:
        return f"{self.greeting}, {name}"

    def wait(self) -> str:
        self.gate.wait(20)
        return "released"

    def release(self) -> None:
        self.gate.set()

    async def slow_async(self, seconds: float) -> str:
        try:
            self._note("started")
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self._note("cancelled")
            raise
        return "slept"

    def count(self, n: int) -> Iterator[int]:
        try:
            for i in range(n):
                yield i
                time.sleep(0.01)
        finally:
            self._note("closed")

    async def count_async(self, n: int) -> AsyncIterator[int]:
        try:
            for i in range(n):
                yield i
                await asyncio.sleep(0.01)
        finally:
            self._note("closed async")

    def print_noise(self) -> str:
        print("noise on stdout")
        print("the token is s3cret", file=sys.stderr)
        os.write(1, b"raw noise\n")
        return sys.stdin.read() if sys.stdin else ""

    def fail(self, how: str) -> None:
        if how == "ours":
            raise StoreCorrupt("damaged", hint="mend it")
        if how == "builtin":
            raise ValueError("bad value")
        raise LibraryError("inner trouble")

    def foreign_value(self) -> object:
        return fractions.Fraction(1, 3)

    def die(self) -> None:
        os._exit(7)

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def command_line(self) -> str:
        return Path("/proc/self/cmdline").read_text()

    def close(self) -> None:
        self._note("target closed")

    def _note(self, what: str) -> None:
        if self.log_file:
            with Path(self.log_file).open("a") as file:
                file.write(what + "\n")


def broken(_: str) -> None:
    raise StoreCorrupt("cannot be made")


def hanging() -> None:
    time.sleep(60)
