"""Brings what waits for a yes to phones and chats, takes the first answer, and tells the others.

The confirmations in the database are the truth about what waits; what stands on each channel is brought in line with
them whenever something begins to wait, is answered or runs out of time, and when the service starts. So it makes no
difference where an answer came from, or whether the service was down meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from homeagent.background_tasks import finished, in_background
from homeagent.channels import words
from homeagent.channels.channel import GRACE, Channel, ChannelError, Question, Refusals, Target
from homeagent.channels.sent_questions import Sent, SentQuestions
from homeagent.confirmations import Confirmations, Outcome, Pending
from homeagent.errors import HomeAgentError, NotFound
from homeagent.turns.agent_phrases import error_phrase, phrase
from homeagent.turns.reply import Reply

_log = logging.getLogger(__name__)
_MOST_WAITING = 200
MOST_AT_ONCE = 5
"""Questions that stand at one target; what is more is asked when one of them is over."""
_PAUSES = (2.0, 5.0, 15.0, 60.0)
"""Seconds before something that did not arrive is tried again."""
_GIVEN_UP = timedelta(days=1)
"""How long it is tried to tell how a question came out."""
_AFTER = 0.2
"""Seconds after the time of a question at which it is surely over."""
_LATEST = 3600.0
_NOTED_WITHIN = 5.0
"""Seconds within which a message that was answered is noted as sent."""


class Answering(Protocol):
    """The agent, as far as answers from elsewhere go."""

    def question(self, pending: Pending, language: str | None = None) -> str:
        """What the yes is to, in words."""

    async def answer_from(self, channel: str, confirmation_id: str, approve: bool) -> Reply:
        """Do what was said yes to, or drop it. Raises NotFound where it does not wait any more."""

    async def time_out(self) -> None:
        """End the turns that wait for a yes which has not come in time."""


Aloud = Callable[[str | None, str], Awaitable[None]]
"""Says a text at a device, where that can speak."""


@dataclass(frozen=True, slots=True)
class _Look:
    """When to look again, at the latest."""

    seconds: float


class Asking:
    """``language``: what is spoken where nobody has said anything else. ``aloud``: tells the room that a question came
    up in how it was answered elsewhere."""

    def __init__(
        self,
        channels: Sequence[Channel],
        sent: SentQuestions,
        confirmations: Confirmations,
        agent: Answering,
        audit: Refusals,
        *,
        language: Callable[[], str],
        aloud: Aloud | None = None,
    ) -> None:
        self._channels = {channel.name: channel for channel in channels}
        self._sent = sent
        self._confirmations = confirmations
        self._agent = agent
        self._audit = audit
        self._language = language
        self._aloud = aloud
        self._wakes: list[asyncio.Event] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._answering: set[int] = set()
        self._sending: dict[int, asyncio.Event] = {}
        self._ending = asyncio.Event()
        confirmations.listen(self.wake)

    async def start(self) -> None:
        """Begin to ask; what waits already is asked at once. Raises DatabaseError."""
        await self._sent.forget_unsent()
        self._run(self._time_out, "end questions that nobody answers")
        for channel in self._channels.values():
            self._run(lambda channel=channel: self._bring_in_line(channel), f"ask by {channel.name}")  # type: ignore[misc]

    async def stop(self) -> None:
        """Ask no more. What stands on phones and in chats stays, and counts again after the next start."""
        self._ending.set()
        self.wake()
        await finished(GRACE, *self._tasks)  # of what is being sent it would not be known whether it arrived

    def wake(self) -> None:
        """Something waits, or was answered."""
        for wake in self._wakes:
            wake.set()

    async def answered(self, channel: str, target: str | None, key: str, *, approve: bool) -> str:
        """Take an answer, where it is one to a question that was put there; what is told to whoever gave it."""
        try:
            return await self._take(channel, target, key, approve)
        except HomeAgentError as error:
            _log.warning("an answer by %s could not be taken: %s", channel, error)
            return error_phrase(error, self._language())

    async def _take(self, channel: str, target: str | None, key: str, approve: bool) -> str:
        sent = await self._sent.of_key(key)
        if sent is None:
            await self._audit.refuse(channel, "unknown_question", target=target)
            return phrase("no_longer_waiting", self._language())
        if sent.channel != channel or target not in (None, sent.target):
            await self._audit.refuse(channel, "asked_elsewhere", target=target, confirmation_id=sent.confirmation_id)
            return phrase("no_longer_waiting", self._language())
        self._answering.add(sent.id)
        try:
            return await self._settle(sent, key, approve)
        finally:
            self._answering.discard(sent.id)
            self.wake()

    async def _settle(self, sent: Sent, key: str, approve: bool) -> str:
        """Have it done or dropped, and tell so where it was answered."""
        pending = await self._confirmations.waiting_one(sent.confirmation_id)
        if pending is not None and self._target(sent, pending) is None:  # the owner has changed who is asked there
            await self._audit.refuse(sent.channel, "not_asked_any_more", target=sent.target)
            return phrase("asked_elsewhere", sent.language)
        try:
            reply = await self._agent.answer_from(f"{sent.channel}:{sent.target}", sent.confirmation_id, approve)
        except NotFound:
            await self._audit.refuse(
                sent.channel, "not_waiting", target=sent.target, confirmation_id=sent.confirmation_id
            )
            return phrase("no_longer_waiting", sent.language)
        with contextlib.suppress(HomeAgentError):  # where it does not arrive now, it is told later that it is over
            sent = await self._as_it_stands(sent, key)
            if sent.message is not None:
                await self._channels[sent.channel].told(sent.target, sent.message, sent.text, reply.response)
            await self._sent.end(sent)
        if self._aloud is not None and pending is not None:
            await self._aloud(pending.device_id, reply.response)
        return reply.response

    async def _as_it_stands(self, sent: Sent, key: str) -> Sent:
        """The question with the name of its message: an answer may be here before that has been noted."""
        if sent.message is None and (noted := self._sending.get(sent.id)) is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_NOTED_WITHIN):
                    await noted.wait()
        return await self._sent.of_key(key) or sent

    async def tell(self, user_id: str | None, text: str) -> bool:
        """Tell whoever is told what rings for this user; whether it arrived anywhere."""
        arrived = False
        for channel in self._channels.values():
            for target in channel.targets:
                if target.timers and target.serves(user_id):
                    try:
                        await channel.tell(target.address, text)
                        arrived = True
                    except HomeAgentError as error:
                        _log.warning("%s was not told: %s", channel.name, error.message)
        return arrived

    def _run(self, look: Callable[[], Awaitable[_Look]], name: str) -> None:
        wake = asyncio.Event()
        self._wakes.append(wake)
        self._tasks.append(in_background(self._again_and_again(look, wake, name), name))

    async def _again_and_again(self, look: Callable[[], Awaitable[_Look]], wake: asyncio.Event, name: str) -> None:
        """Look whenever something has changed, or when the last look has told; after a failure a little later."""
        failed = 0
        while True:
            wake.clear()
            if self._ending.is_set():
                return
            try:
                pause, failed = (await look()).seconds, 0
            except HomeAgentError as error:
                if not failed:
                    _log.warning("%s: %s", name, error)
                pause = max(_PAUSES[min(failed, len(_PAUSES) - 1)], getattr(error, "pause", 0.0))
                failed += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await wake.wait()

    async def _time_out(self) -> _Look:
        """End what was not answered in time."""
        await self._agent.time_out()
        return _until_the_next(await self._waiting())

    async def _bring_in_line(self, channel: Channel) -> _Look:
        """Ask what waits and was not asked there yet; tell what is over. Raises the first thing that did not arrive,
        after all else was tried."""
        waiting = {pending.id: pending for pending in await self._waiting()}
        standing = await self._sent.standing(channel.name)
        failures: list[HomeAgentError] = []
        for sent in standing:
            if sent.id in self._answering:
                continue
            pending = waiting.get(sent.confirmation_id)
            if pending is None or self._target(sent, pending) is None:
                await self._tried(self._close(channel, sent, stands=pending is not None), failures)
        at = [(sent.confirmation_id, sent.target) for sent in await self._sent.standing(channel.name)]
        for pending in waiting.values():
            for target in channel.targets:
                full = sum(address == target.address for _, address in at) >= MOST_AT_ONCE
                if target.serves(pending.user_id) and (pending.id, target.address) not in at and not full:
                    at.append((pending.id, target.address))
                    await self._tried(self._ask(channel, target, pending), failures)
        if failures:
            raise failures[0]
        return _until_the_next(waiting.values())

    async def _ask(self, channel: Channel, target: Target, pending: Pending) -> None:
        language = target.language or pending.language or self._language()
        text = await asyncio.to_thread(self._agent.question, pending, language)
        sent, key = await self._sent.begin(pending, channel.name, target, text, language)
        noted = self._sending[sent.id] = asyncio.Event()
        try:
            message = await channel.ask(target.address, Question(pending.id, key, text, language, pending.expires_at))
            await self._sent.is_sent(sent, message)
        except BaseException:
            await asyncio.shield(self._sent.end(sent))
            raise
        finally:
            noted.set()
            del self._sending[sent.id]

    async def _close(self, channel: Channel, sent: Sent, *, stands: bool) -> None:
        """Tell how it came out. ``stands``: it still waits, but is not asked there any more."""
        outcome = Outcome.GONE if stands else await self._confirmations.outcome(sent.confirmation_id)
        if outcome is None:
            return
        close = channel.told if outcome in (Outcome.APPROVED, Outcome.REJECTED) else channel.withdraw
        try:
            if sent.message is not None:
                await close(sent.target, sent.message, sent.text, words.ended(outcome, sent.language))
        except HomeAgentError as error:
            for_good = isinstance(error, ChannelError) and error.for_good
            if not for_good and datetime.now(UTC) - sent.sent_at < _GIVEN_UP:
                raise
        await self._sent.end(sent)

    async def _tried(self, work: Awaitable[None], failures: list[HomeAgentError]) -> None:
        try:
            await work
        except HomeAgentError as error:
            failures.append(error)

    async def _waiting(self) -> list[Pending]:
        return await self._confirmations.waiting_anywhere(_MOST_WAITING)

    def _target(self, sent: Sent, pending: Pending) -> Target | None:
        """Where it stands, as far as the settings still say that it is asked there."""
        channel = self._channels.get(sent.channel)
        targets = channel.targets if channel is not None else ()
        return next((one for one in targets if one.address == sent.target and one.serves(pending.user_id)), None)


def _until_the_next(waiting: Iterable[Pending]) -> _Look:
    """Until the next one runs out of time."""
    now = datetime.now(UTC)
    left = [(one.expires_at - now).total_seconds() + _AFTER for one in waiting]
    return _Look(min([_LATEST, *(max(_AFTER, seconds) for seconds in left)]))
