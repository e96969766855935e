"""Stands where the index's worker would be, and is always dead: what needs no vectors is the same without them."""

from __future__ import annotations

from indexer.errors import ChildDied


class NoProcess:
    """As `indexer.process.ChildProcess`, never alive."""

    alive = False
    pid = None

    def __init__(self, target: str, *args: object, **more: object) -> None:
        self._target = target

    async def start(self) -> None:
        raise ChildDied(f"No process is started for {self._target} in these tests.")

    async def call(self, method: str, *args: object, timeout: float | None = None) -> object:
        raise ChildDied(f"No process runs that could {method}.")

    async def ended(self) -> None: ...

    async def stop(self) -> None: ...

    async def kill(self) -> None: ...
