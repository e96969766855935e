"""The chat. The service is spoken to on a thread of its own, so that the home is followed while the person types."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from homeagent.cli import show
from homeagent.cli.conversations import latest, taken_up
from homeagent.cli.options import Options
from homeagent.cli.place import client
from homeagent.cli.trace import show_trace
from homeagent.errors import HomeAgentError, InvalidInput
from homeagent.values.plain_text import PlainStream

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient

T = TypeVar("T")
_YES_OR_NO = "[y/n]"
_LETTERS = {"y": "yes", "n": "no"}
"""What the letters of the prompt stand for, where the last answer asked for a yes."""
_ENDS = frozenset({"exit", "quit", "/exit", "/quit", "/bye"})
"""Words that end a chat as they end a shell."""


class Chat:
    """One conversation at the terminal, from ``run`` until the person ends it."""

    def __init__(self, chosen: Options, *, trace: bool) -> None:
        self._chosen = chosen
        self._trace = trace
        self._conversation = chosen.conversation
        self._waits = False
        self._loop = asyncio.new_event_loop()

    def run(self) -> None:
        """Talk until the person ends it. Raises what starting the app or reaching the service raises."""
        gc.enable()
        thread = threading.Thread(target=self._loop.run_forever, name="chat", daemon=True)
        thread.start()
        connection = client(self._chosen)
        try:
            connected = self._wait(connection.__aenter__())
            try:
                self._take_up(connected)
                self._talk(connected)
            finally:
                self._wait(connection.__aexit__(None, None, None))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(timeout=5)

    def _talk(self, connected: ApiClient) -> None:
        while (sentence := _read_sentence(f"{_YES_OR_NO} > " if self._waits else "> ")) is not None:
            if sentence.casefold() in _ENDS:
                return
            sentence = _LETTERS.get(sentence.casefold(), sentence) if self._waits else sentence
            try:
                self._wait(self._say(connected, sentence))
            except HomeAgentError as error:
                show.note(f"homeagent: {error}")

    def _take_up(self, connected: ApiClient) -> None:
        """Find the conversation to go on with, and give the arrow keys what was said before."""
        if not _at_terminal():
            return
        known = self._wait(taken_up(connected, self._chosen))
        self._conversation = known.id
        _remember_lines(known.said or self._wait(latest(connected, self._chosen)))

    async def _say(self, connected: ApiClient, sentence: str) -> None:
        with show.Spinner("thinking") as spinner:
            await self._hear(connected, sentence, spinner)

    async def _hear(self, connected: ApiClient, sentence: str, spinner: show.Spinner) -> None:
        fields = {**self._chosen.speaker, "conversation_id": self._conversation, "trace": self._trace or None}
        spoken, plain = "", PlainStream()
        async for part in connected.stream("process", text=sentence, **fields):
            spinner.stop()
            if part.event == "delta" and not self._chosen.json:
                spoken += part.data["text"]
                show.piece(plain.take(part.data["text"]))
            elif part.event == "result":
                self._conversation = part.data["conversation_id"]
                self._finish(part.data, spoken)

    def _finish(self, answer: dict[str, Any], spoken: str) -> None:
        """What the stream did not say yet: the answer is printed once, streamed or not."""
        self._waits = bool(answer["pending"])
        if self._chosen.json:
            show.as_json(answer)
            return
        if not spoken.strip():
            show.line(answer["response"])
        else:
            rest = answer["response"].removeprefix(spoken)
            show.line(rest if rest != answer["response"] else "")
        if self._trace:
            show_trace(answer.get("trace") or {})

    def _wait(self, work: Coroutine[object, object, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _read_sentence(prompt: str) -> str | None:
    """The next line, or None at the end."""
    return _typed(prompt) if _at_terminal() else _piped()


def _typed(prompt: str) -> str | None:
    """With line editing and the lines before. An empty line ends the chat."""
    try:
        return input(prompt).strip() or None
    except EOFError:
        show.line()
        return None


def _remember_lines(sentences: tuple[str, ...]) -> None:
    """Give line editing these lines of before. Lines that are typed are kept in memory only: one may hold a code."""
    try:
        import readline
    except ImportError:  # Python without it still reads lines
        return
    for sentence in sentences:
        readline.add_history(sentence)


def _piped() -> str | None:
    while raw := sys.stdin.buffer.readline():
        try:
            text = raw.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InvalidInput(f"Standard input is not valid UTF-8 (byte {error.start} of a line).") from None
        if text:
            return text
    return None
