"""Beside Home Assistant's own agent: the same sentences to both, on one real home, in turns, in one run.

"To the call" is from before the request to Home Assistant's ``call_service`` event, for both alike.
"""

from __future__ import annotations

import http.client
import itertools
import json
import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from homeagent.demo.generate import generate
from homeagent.demo.inventory import EntitySpec
from tests.bench.homes import DemoHome
from tests.bench.measure import Times
from tests.bench.serving import running_service, until_warm
from tests.e2e import real

_SWITCHED = frozenset({"light", "switch", "fan"})
_EACH = 25
"""Things, or areas, that are spoken of."""
_CLIENTS = (1, 4, 16)
_SECONDS = 8.0
"""How long all clients of one number speak."""
_AT_REST = 0.03
"""Share of a core under which a service counts as at rest."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One that answers sentences. ``pid``: its process."""

    name: str
    url: str
    token: str
    path: str
    pid: int

    def client(self) -> Callable[[str], None]:
        """Says sentences over one kept connection, each until its answer is there."""
        address = urlsplit(self.url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

        def say(text: str) -> None:
            connection.request("POST", self.path, json.dumps({"text": text, "language": "en"}).encode(), headers)
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            answer.read()

        return say

    def cpu(self) -> float:
        """Seconds of the processor that it and all below it have taken."""
        root = psutil.Process(self.pid)
        times = [p.cpu_times() for p in (root, *root.children(recursive=True))]
        return sum(t.user + t.system for t in times)


@dataclass(slots=True)
class Calls:
    """When Home Assistant was told to do something (time.monotonic())."""

    at: list[float] = field(default_factory=list)

    def first_since(self, moment: float, patience: float = 0.5) -> float | None:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if (found := bisect_left(self.at, moment)) < len(self.at):
                return self.at[found]
            time.sleep(0.002)
        return None


def times_beside(size: int) -> dict[str, Any]:
    """Both agents in a home of ``size`` entities."""
    inventory = generate(size)
    with tempfile.TemporaryDirectory() as folder:
        home = real.start(inventory, Path(folder) / "home")
        try:
            with (
                running_service(DemoHome(home.url, home.token), Path(folder) / "data", {}) as service,
                _calls(home) as calls,
            ):
                until_warm(service, time.monotonic())
                ours = Agent("ours", service.url, service.token, "/api/services/process", service.pid)
                pid = int((home.folder / "hass.pid").read_text())
                theirs = Agent("theirs", home.url, home.token, "/api/conversation/process", pid)
                _until_at_rest(ours)
                _until_at_rest(theirs)
                return {
                    "entities": size,
                    **_one_client(ours, theirs, calls, inventory),
                    **_many(ours, theirs, inventory),
                }
        finally:
            real.stop(home, for_good=True)


def _one_client(ours: Agent, theirs: Agent, calls: Calls, inventory: Any) -> dict[str, Any]:
    """One client: each sentence to both, one after the other."""
    things = _spread([e for e in inventory.entities if e.domain in _SWITCHED])
    areas = _spread(
        [a for a in inventory.areas if any(e.area == a.id and e.domain == "light" for e in inventory.entities)]
    )
    orders = {
        "orders_by_name": [[f"turn {way} the {e.name}" for way in ("on", "off")] for e in things],
        "orders_by_area": [[f"turn {way} the lights in the {a.name}" for way in ("on", "off")] for a in areas],
    }
    agents = {agent: agent.client() for agent in (ours, theirs)}
    for say, pair in itertools.product(agents.values(), ("off", "on", "off")):
        say(f"turn {pair} the {things[0].name}")
    found: dict[str, Any] = {}
    for kind, pairs in orders.items():
        to_call = {agent: Times() for agent in agents}
        missed = dict.fromkeys((a.name for a in agents), 0)
        for pair in pairs:
            for agent, sentence in itertools.product(agents, pair):
                moment = time.monotonic()
                agents[agent](sentence)
                at = calls.first_since(moment)
                if at is None:
                    missed[agent.name] += 1
                else:
                    to_call[agent].ms.append((at - moment) * 1000)
        found[f"{kind}_to_the_call"] = _compared(to_call[ours], to_call[theirs]) | {"without_a_call": missed}
    answered = {agent: Times() for agent in agents}
    for thing in things:
        for agent, say in agents.items():
            with answered[agent].one():
                say(f"is the {thing.name} on?")
    found["questions_to_the_answer"] = _compared(answered[ours], answered[theirs])
    return found


def _many(ours: Agent, theirs: Agent, inventory: Any) -> dict[str, Any]:
    """Several clients at once, each with things of its own as far as there are so many."""
    things = [e for e in inventory.entities if e.domain in _SWITCHED]
    found: dict[str, Any] = {}
    for clients in _CLIENTS:
        each = {agent: _at_once(agent, clients, things) for agent in (ours, theirs)}
        found[f"{clients}_clients"] = {
            **{a.name: figures for a, figures in each.items()},
            "ratio": round(each[ours]["sentences_a_second"] / each[theirs]["sentences_a_second"], 2),
        }
    return found


def _at_once(agent: Agent, clients: int, things: Sequence[EntitySpec]) -> dict[str, Any]:
    until = time.monotonic() + _SECONDS
    times = Times()

    def speak(number: int) -> None:
        say = agent.client()
        own = itertools.cycle(things[number::clients])
        while time.monotonic() < until:
            name = next(own).name
            for way in ("on", "off"):
                with times.one():
                    say(f"turn {way} the {name}")

    threads = [threading.Thread(target=speak, args=(number,)) for number in range(clients)]
    started, cpu = time.monotonic(), agent.cpu()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - started
    return {
        "sentences_a_second": round(len(times.ms) / seconds, 1),
        "median_ms": round(times.median, 1),
        "p95_ms": round(times.p95, 1),
        "cpu_ms_a_sentence": round((agent.cpu() - cpu) * 1000 / len(times.ms), 1),
    }


def _compared(ours: Times, theirs: Times) -> dict[str, Any]:
    ratio = round(theirs.median / ours.median, 2) if ours.ms and theirs.ms else None
    return {
        "ours": str(ours) if ours.ms else None,
        "theirs": str(theirs) if theirs.ms else None,
        "times_as_fast": ratio,
    }


def _spread(found: Sequence[Any]) -> Sequence[Any]:
    """Some of many, from everywhere among them."""
    return found[:: max(1, len(found) // _EACH)][:_EACH]


def _until_at_rest(agent: Agent, patience: float = 300.0) -> None:
    """Wait until what it does in the background after its start is done."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        before = agent.cpu()
        time.sleep(3)
        if agent.cpu() - before < 3 * _AT_REST:
            return


@contextmanager
def _calls(home: real.RealHomeAssistant) -> Iterator[Calls]:
    """The calls of a home, as they come."""
    calls = Calls()
    with connect(home.url.replace("http", "ws", 1) + "/api/websocket", max_size=None) as socket:
        socket.recv()
        socket.send(json.dumps({"type": "auth", "access_token": home.token}))
        socket.recv()
        socket.send(json.dumps({"id": 1, "type": "subscribe_events", "event_type": "call_service"}))
        threading.Thread(target=_follow, args=(socket, calls), daemon=True).start()
        yield calls


def _follow(socket: ClientConnection, calls: Calls) -> None:
    try:
        for message in socket:
            if '"call_service"' in str(message):
                calls.at.append(time.monotonic())
    except ConnectionClosed:
        return
