"""Several models, one after the other: where one fails, the next is asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeagent.brains.llm.breaker import Breaker
from homeagent.brains.llm.client import Completion, LlmClient, OnText
from homeagent.brains.llm.resilience import Deadline
from homeagent.errors import LlmError, LlmRefused, LlmTimeout

_log = logging.getLogger(__name__)
Messages = Sequence[Mapping[str, Any]]
TimeLeft = Callable[[], float]
"""Seconds that are left for all that is asked of models in this turn."""


@dataclass(frozen=True, slots=True)
class Link:
    """A model of the chain: its profile's name, its client with what guards it, and its breaker."""

    name: str
    client: LlmClient
    breaker: Breaker


class Chain:
    """Asks the first model whose breaker lets it through; where it fails, the next.

    While another may follow, a model gets half of the time that is left, so that one that hangs does not use up the
    turn. What was handed to ``on_text`` before a failure stays said: the next model is not streamed then, and its whole
    answer is the completion. ``switched`` is told which model failed, why, and which is asked instead.
    """

    def __init__(
        self,
        links: Sequence[Link],
        left: TimeLeft,
        switched: Callable[[Link, LlmError, Link], None] = lambda _from, _error, _to: None,
    ) -> None:
        self.links = tuple(links)
        self._left = left
        self._switched = switched

    @property
    def admits(self) -> bool:
        """Whether any model would be asked now."""
        return any(link.breaker.admits() for link in self.links)

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """The first answer that a model gives. Raises the first error where none does: that of the model that was to
        answer, or what its breaker is open for."""
        first: LlmError | None = None
        said = False

        async def note(text: str) -> None:
            nonlocal said
            said = True
            assert on_text is not None
            await on_text(text)

        failed: tuple[Link, LlmError] | None = None
        for place, link in enumerate(self.links):
            seconds = self._left()
            if seconds <= 0:  # which is no failure of a model
                raise first or LlmTimeout("There is no time left in this turn to ask the language model.")
            if not link.breaker.enter():
                first = first or link.breaker.reason()
                continue
            if failed is not None:
                self._switched(*failed, link)
            more = any(other.breaker.admits() for other in self.links[place + 1 :])
            try:
                told = note if on_text and not said else None
                completion = await Deadline(link.client, seconds / 2 if more else seconds).ask(messages, tools, told)
            except LlmError as error:
                failed = (link, error)
                first = first or error
                if isinstance(error, LlmRefused):
                    link.breaker.left()
                else:
                    link.breaker.failed(error)
            except BaseException:
                link.breaker.left()
                raise
            else:
                link.breaker.succeeded()
                return replace(completion, profile=link.name)
        assert first is not None  # a breaker that lets nothing through is open for something
        raise first
