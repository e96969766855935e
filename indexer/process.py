"""A slow or dangerous library in a child process of its own, called without blocking the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import logging
import os
import pickle
import sys
from asyncio.subprocess import Process
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from indexer.child import ANSWER_HEAD, ERROR, ITEM, RESULT, START_ID, frame
from indexer.errors import ChildDied, ChildFailed, ChildTimeout

log = logging.getLogger(__name__)

_CHILD = Path(__file__).with_name("child.py")
_STOP_SECONDS = 5.0
_READ_AHEAD = 1 << 20
_FOR_OWNER_ONLY = 0o077
"""umask of a child: what it makes holds what people said and where their things are."""
_TRUSTED = frozenset(
    {"builtins", "collections", "copyreg", "datetime", "decimal", "uuid", "numpy", "indexer", "memory", "homeagent"}
)


class _LightUnpickler(pickle.Unpickler):
    """Makes plain values only: an answer can never pull a heavy library into this process."""

    def find_class(self, module: str, name: str) -> object:
        if module.partition(".")[0] not in _TRUSTED:
            raise pickle.UnpicklingError(f"{module}.{name} may not cross the process border")
        return super().find_class(module, name)


class ChildProcess:
    """Calls the public methods of an object that lives in a child process.

    ``target`` is ``"package.module:factory"``; the child imports the module, calls the factory with ``args`` and keeps
    what it returns. Plain methods run in a thread of their own, ``async`` ones on the child's event loop; a generator
    (plain or async) is a stream. Arguments and results must be picklable and, towards the parent, made of plain
    values, numpy arrays and this project's classes.

    The child ends when this process ends, however that happens. Starting it again after a death is the owner's
    business: make a new one, or call ``start`` again.

    ``env`` is added to this process's environment, from which ``HOMEAGENT_…`` (settings, tokens) is kept back;
    ``args`` travel over the pipe, never on the command line. ``secrets`` are masked in what the child writes to
    stderr before that is logged. ``start_timeout`` is in seconds and covers the child's imports.
    """

    def __init__(
        self,
        target: str,
        *args: object,
        name: str,
        env: Mapping[str, str] | None = None,
        start_timeout: float = 120.0,
        secrets: Sequence[str] = (),
    ) -> None:
        self._target = target
        self._args = args
        self._name = name
        self._env = dict(env or {})
        self._start_timeout = start_timeout
        self._secrets = tuple(s for s in secrets if s)
        self._ids = itertools.count(START_ID + 1)
        self._answers: dict[int, asyncio.Queue[tuple[int, object]]] = {}
        self._process: Process | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._last_words: deque[str] = deque(maxlen=5)

    @property
    def alive(self) -> bool:
        """Whether the process runs (it may still be importing)."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        """The running child's process id; None where none runs."""
        return self._process.pid if self._process is not None and self.alive else None

    async def start(self) -> None:
        """Start the child and wait until its object is made.

        Raises as `call` does, what the factory raised too; the process is gone then.
        """
        if self.alive:
            return
        self._last_words.clear()
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                str(_CHILD),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=self._environment(),
                limit=_READ_AHEAD,
                umask=_FOR_OWNER_ONLY,
            )
        except OSError as error:
            raise ChildDied(f"The {self._name} process cannot be started: {error}") from error
        self._readers = [
            asyncio.create_task(self._read_answers(self._process), name=f"{self._name} answers"),
            asyncio.create_task(self._log_stderr(self._process), name=f"{self._name} stderr"),
        ]
        try:
            await self._ask(START_ID, ("start", list(sys.path), self._target, self._args), self._start_timeout)
        except BaseException:
            await self.kill()
            raise

    async def stop(self) -> None:
        """Let the child close its object and end; after five seconds it is killed."""
        process = self._process
        if process is None:
            return
        if process.returncode is None and process.stdin is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):
                process.stdin.write(frame(("stop",)))
                process.stdin.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STOP_SECONDS):
                    await process.wait()
        await self.kill()

    async def kill(self) -> None:
        """End the child now, whatever it is doing, and take leave of it so that no zombie stays."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if process.returncode is None:
                process.kill()
        await process.wait()
        for reader in self._readers:
            with contextlib.suppress(asyncio.CancelledError):
                await reader
        self._readers = []

    async def ended(self) -> None:
        """Return when the child has ended, for whatever reason; at once where it does not run."""
        if self._process is not None:
            await self._process.wait()

    async def call(self, method: str, *args: object, timeout: float | None = None) -> Any:
        """The method's result. ``timeout`` is in seconds.

        Raises the child's error made again where it is this project's, else `ChildFailed`; `ChildTimeout`, or
        `ChildDied`.
        """
        call_id = next(self._ids)
        return await self._ask(call_id, ("call", call_id, method, args), timeout)

    async def stream(self, method: str, *args: Any, timeout: float | None = None) -> AsyncIterator[Any]:
        """The items of a generator method, as they come. ``timeout`` is the longest wait for the next item.

        Leaving the loop early (or being cancelled) ends the generator in the child. Raises as `call` does.
        """
        call_id = next(self._ids)
        answers = self._send(call_id, ("call", call_id, method, args))
        finished = False
        try:
            while True:
                kind, value = await self._next(answers, timeout, method)
                if kind != ITEM:
                    finished = True
                    self._settle(kind, value)
                    return
                yield value
        finally:
            self._forget(call_id, cancel=not finished)

    async def _ask(self, call_id: int, message: tuple[object, ...], timeout: float | None) -> Any:
        answers = self._send(call_id, message)
        finished = False
        try:
            kind, value = ITEM, None
            while kind == ITEM:  # a generator called for its end only
                kind, value = await self._next(answers, timeout, str(message[2]))
            finished = True
            return self._settle(kind, value)
        finally:
            self._forget(call_id, cancel=not finished)

    def _send(self, call_id: int, message: tuple[object, ...]) -> asyncio.Queue[tuple[int, object]]:
        process = self._process
        if process is None or process.returncode is not None or process.stdin is None or not self._readers:
            raise self._death()
        data = frame(message)  # before it is registered: what cannot be pickled is the caller's mistake
        answers = self._answers[call_id] = asyncio.Queue()
        process.stdin.write(data)
        return answers

    async def _next(
        self, answers: asyncio.Queue[tuple[int, object]], timeout: float | None, what: str
    ) -> tuple[int, object]:
        try:
            async with asyncio.timeout(timeout):
                return await answers.get()
        except TimeoutError:
            raise ChildTimeout(f"{self._name}: {what} did not answer within {timeout:g} s") from None

    @staticmethod
    def _settle(kind: int, value: Any) -> object:
        if kind == RESULT:
            return value
        if isinstance(value, BaseException):
            raise value
        raise ChildFailed(*value)

    def _forget(self, call_id: int, *, cancel: bool) -> None:
        self._answers.pop(call_id, None)
        process = self._process
        if cancel and call_id != START_ID and process is not None and process.stdin is not None and self.alive:
            process.stdin.write(frame(("cancel", call_id)))

    async def _read_answers(self, process: Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                head = await process.stdout.readexactly(ANSWER_HEAD.size)
                size, call_id, kind = ANSWER_HEAD.unpack(head)
                self._deliver(call_id, kind, await process.stdout.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            await process.wait()
            for answers in self._answers.values():
                answers.put_nowait((ERROR, self._death()))

    def _deliver(self, call_id: int, kind: int, body: bytes) -> None:
        answers = self._answers.get(call_id)
        if answers is None:
            return
        try:
            answers.put_nowait((kind, _LightUnpickler(io.BytesIO(body)).load()))
        except pickle.UnpicklingError as error:
            answers.put_nowait((ERROR, (type(error).__name__, str(error))))

    async def _log_stderr(self, process: Process) -> None:
        assert process.stderr is not None
        with contextlib.suppress(ConnectionError):
            while chunk := await _line(process.stderr):
                text = self._masked(chunk.decode(errors="replace").rstrip())
                if text:
                    self._last_words.append(text)
                    log.info("%s: %s", self._name, text)

    def _masked(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text

    def _death(self) -> ChildDied:
        code = self._process.returncode if self._process is not None else None
        words = f": {self._last_words[-1]}" if self._last_words else ""
        how = "is not running" if code is None else f"ended with {code}"
        return ChildDied(f"The {self._name} process {how}{words}")

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("HOMEAGENT_")}
        return kept | {"PYTHONUNBUFFERED": "1"} | self._env


async def _line(stream: asyncio.StreamReader) -> bytes:
    """A line, or a piece of one that is longer than the reader holds; empty at the end."""
    try:
        return await stream.readuntil(b"\n")
    except asyncio.IncompleteReadError as end:
        return end.partial
    except asyncio.LimitOverrunError as overrun:
        return await stream.read(overrun.consumed)
