"""Clients that mean no good, in a process of their own: ``python -m tests.bench.attackers KIND PORT TOKEN COUNT``.

Says ``ready`` once all are there, and goes on until it is ended. Who is sent away comes again after a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import sys
from collections.abc import Awaitable, Callable

_HEAD = "Host: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
_COME_AGAIN = 1.0

Attack = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], Awaitable[None]]


async def half_open(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _token: str) -> None:
    """Begin a request and never end it."""
    writer.write(b"POST /api/services/process HTTP/1.1\r\nHost: ")
    await reader.read()


async def listener(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
    """Listen to every event."""
    writer.write(f"GET /api/events HTTP/1.1\r\n{_HEAD.format(token=token)}".encode())
    while await reader.read(1 << 16):
        pass


async def wrong_token(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _token: str) -> None:
    """Guess, one token after the other."""
    while True:
        writer.write(f"POST /api/services/process HTTP/1.1\r\n{_HEAD.format(token='guessed')}".encode())
        await reader.readuntil(b'"unauthorized"')


ATTACKS: dict[str, Attack] = {attack.__name__: attack for attack in (half_open, listener, wrong_token)}


async def _attack(attack: Attack, port: int, token: str, count: int) -> None:
    missing, all_there = count, asyncio.Event()

    async def one() -> None:
        nonlocal missing
        first = True
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                missing -= first
                first = False
                if missing == 0:
                    all_there.set()
                try:
                    await attack(reader, writer, token)
                finally:
                    writer.close()
            await asyncio.sleep(_COME_AGAIN)

    attacking = [asyncio.create_task(one()) for _ in range(count)]
    await all_there.wait()
    print("ready", flush=True)
    await asyncio.gather(*attacking)


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_attack(ATTACKS[sys.argv[1]], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
