"""Many conversations at once: whether a turn is lost or gets into another's, how long turns take, what stays in memory.

Half of them speak to the local brain: each of a lamp of its own, then only of "it", all in the same words. The others
speak to a model that answers out of order; from the second sentence on all say the same words, so that only the history
of a conversation tells whose it is.
"""

from __future__ import annotations

import itertools
import math
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.bench import thinking
from tests.bench.homes import DemoHome, demo_home
from tests.bench.measure import Times, memory_mb
from tests.bench.serving import RunningService, named, running_service, until_warm

_SIZE = 500
_ALONE = 10.0
"""Seconds that one conversation alone is measured for."""
_AT = (0, 1000, 2000, 5000, 10_000)
"""Turns after which the memory is looked at."""
_SPEAKERS = 8
_LONG = 20
"""Turns of a conversation, where many follow each other."""


@dataclass(slots=True)
class Heard:
    """What came of the sentences. ``lost``: without an answer; ``crossed``: with one that belongs to another."""

    local: Times = field(default_factory=Times)
    model: Times = field(default_factory=Times)
    lost: list[str] = field(default_factory=list)
    crossed: list[str] = field(default_factory=list)

    @property
    def turns(self) -> int:
        return len(self.local.ms) + len(self.model.ms)

    def told(self) -> dict[str, Any]:
        """Figures; of the model's turns what they take beyond its thinking."""
        found: dict[str, Any] = {"turns": self.turns, "lost": len(self.lost), "crossed": len(self.crossed)}
        if self.local.ms:
            found["local"] = str(self.local)
        if self.model.ms:
            found["model, beyond its thinking"] = str(self.model)
        return {**found, "examples": [*self.lost, *self.crossed][:5]}


class Conversation:
    """One, with its speaker."""

    def __init__(self, number: int, service: RunningService, heard: Heard) -> None:
        self.number = number
        self.heard = heard
        self.turn = itertools.count()
        headers = {"Authorization": f"Bearer {service.token}"}
        self._client = httpx.Client(base_url=service.url, headers=headers, timeout=60)
        self._id: str | None = None

    def say(self, text: str) -> tuple[str, float] | None:
        """The answer and its milliseconds; None where there is none."""
        fields = {"text": text, "language": "en", "user_id": f"speaker {self.number}", "conversation_id": self._id}
        started = time.perf_counter()
        try:
            answer = self._client.post("/api/services/process", json=fields)
            answer.raise_for_status()
        except httpx.HTTPError as error:
            self.heard.lost.append(f"{text}: {error!r}")
            return None
        took = (time.perf_counter() - started) * 1000
        told = answer.json()
        if self._id is not None and told["conversation_id"] != self._id:
            self.heard.crossed.append(f"{text}: in another conversation")
        self._id = told["conversation_id"]
        return str(told["response"]), took

    def expect(self, text: str, right: Callable[[str], bool], times: Times, less_ms: float = 0.0) -> None:
        """Say it, and hold the answer against what only this conversation is told."""
        said = self.say(text)
        if said is None:
            return
        if not right(said[0]):
            self.heard.crossed.append(f"{text}: {said[0]}")
        times.ms.append(said[1] - less_ms)

    def new(self) -> None:
        """The next sentence begins another conversation."""
        self._id = None


def about_a_lamp(talk: Conversation, lamp: str) -> None:
    """A lamp by its name, and then only by what was said before."""
    for text in (f"turn on the {lamp}", "turn it off", "turn it on", "is it on?"):
        talk.expect(text, lambda answer: lamp.casefold() in answer.casefold(), talk.heard.local)


def with_the_model(talk: Conversation) -> None:
    """The same words in every conversation, after its first sentence."""
    number = next(talk.turn)
    about, whose = f"apples{number}", f"speaker{talk.number}"
    talk.expect(
        thinking.sentence(about, "" if number else whose),
        lambda answer: answer == thinking.answer(about, whose),
        talk.heard.model,
        thinking.seconds(about, whose) * 1000,
    )


def together(
    service: RunningService, lamps: Sequence[str], count: int, *, seconds: float = math.inf, rounds: int = 1_000_000
) -> Heard:
    """So many conversations at once, every second one with the model; each sentence follows upon the last answer.

    Until so many seconds are over, or each has had its rounds: a sentence with the model, four about a lamp.
    """
    heard = Heard()
    until = time.monotonic() + seconds

    def speak(number: int) -> None:
        talk = Conversation(number, service, heard)
        for _ in range(rounds):
            if time.monotonic() > until:
                return
            if number % 2:
                with_the_model(talk)
            else:
                about_a_lamp(talk, lamps[number // 2])

    _at_once(speak, count)
    return heard


@contextmanager
def service_with_a_thinking_model(size: int = _SIZE) -> Iterator[tuple[RunningService, DemoHome]]:
    """A service over a home, with that model for what the local brain does not know."""
    with demo_home(size) as home, thinking.thinking_model() as model, tempfile.TemporaryDirectory() as folder:
        settings = {"HOMEAGENT_LLM__MODEL": "openai/thinking", "HOMEAGENT_LLM__BASE_URL": model}
        settings |= {"HOMEAGENT_LLM__API_KEY": "sk-thinking", "HOMEAGENT_LLM__STREAM": "false"}
        settings |= {"HOMEAGENT_MEMORY__EXTRACT": "false"}
        with running_service(home, Path(folder), settings) as service:
            until_warm(service, time.monotonic())
            yield service, home


def times_together(count: int = 50, seconds: float = 60.0) -> dict[str, Any]:
    """One conversation alone of each kind, then all at once."""
    with service_with_a_thinking_model() as (service, home):
        lamps = named(home, "light")
        alone = Heard()
        for number in (0, 1):
            together_alone(service, lamps, number, alone)
        at_once = together(service, lamps, count, seconds=seconds)
        return {
            "one at a time": alone.told(),
            f"{count} at once for {seconds:g} s": at_once.told(),
            "turns a second": round(at_once.turns / seconds, 1),
        }


def memory_over_turns(show: Callable[[dict[str, Any]], None]) -> None:
    """The memory over so many turns; ``show`` takes what is known whenever it was looked at."""
    with service_with_a_thinking_model() as (service, home):
        for figures in _memory_over(service, named(home, "light")):
            show(figures)


def together_alone(service: RunningService, lamps: Sequence[str], number: int, heard: Heard) -> None:
    """One conversation, for a while."""
    talk, until = Conversation(number, service, heard), time.monotonic() + _ALONE
    while time.monotonic() < until:
        with_the_model(talk) if number % 2 else about_a_lamp(talk, lamps[0])


def _memory_over(service: RunningService, lamps: Sequence[str]) -> Iterator[dict[str, Any]]:
    """MB (proportional) of all processes after so many turns, in conversations that end and begin anew."""
    heard, started = Heard(), time.monotonic()
    said = Counter[str]()
    for at in _AT:

        def speak(number: int, at: int = at) -> None:
            talk = Conversation(number, service, heard)
            while heard.turns < at:
                said["conversations"] += 1
                talk.new()
                for _ in range(_LONG // 4):
                    about_a_lamp(talk, lamps[number])

        _at_once(speak, _SPEAKERS)
        yield {
            "turns": heard.turns,
            "mb": round(memory_mb(service.pid)[0]),
            "conversations": said["conversations"],
            "seconds": round(time.monotonic() - started),
            "lost": len(heard.lost),
            "crossed": len(heard.crossed),
        }


def _at_once(speak: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=speak, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
