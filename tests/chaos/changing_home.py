"""A demo home in a process of its own that is given other names, and grows, when it is told to."""

from __future__ import annotations

import asyncio
import json
import sys
from subprocess import PIPE, Popen
from typing import Self

from homeagent.demo.generate import generate
from homeagent.demo.server import DemoServer


class ChangingHome:
    """A home of at most ``most`` entities, from the beginning to the end of the block."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.url = self.token = ""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.chaos.changing_home", str(self._most)]
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, text=True)
        told = self._answer()
        self.url, self.token = told["url"], told["token"]
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def become(self, exposed: int, version: int) -> str:
        """Expose so many entities and give all of them names of this version; the name that the first one has then."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([exposed, version]) + "\n")
        self._process.stdin.flush()
        return self._answer()["first"]

    def _answer(self) -> dict[str, str]:
        assert self._process.stdout is not None
        answer: dict[str, str] = json.loads(self._process.stdout.readline())
        return answer


async def _serve(most: int) -> None:
    inventory = generate(most)
    ids = [spec.id for spec in inventory.entities]
    names = {spec.id: spec.name or spec.id for spec in inventory.entities}
    async with DemoServer(inventory, settle=0.0) as server:
        _say({"url": server.url, "token": server.token})
        while line := await asyncio.to_thread(sys.stdin.readline):
            exposed, version = json.loads(line)
            for place, entity_id in enumerate(ids):
                server.set_exposed(entity_id, place < exposed)
                _rename(server, entity_id, f"{names[entity_id]} of version {version}")
            _say({"first": f"{names[ids[0]]} of version {version}"})


def _rename(server: DemoServer, entity_id: str, name: str) -> None:
    world = server.world
    entry = world.registries.entities.get(entity_id)
    if entry is None:
        return
    entry["name"] = name
    world.rename(entity_id)
    world.fire("entity_registry_updated", {"action": "update", "entity_id": entity_id, "changes": {"name": None}})


def _say(answer: dict[str, str]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
