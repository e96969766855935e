"""What runs inside a child process: takes calls from a pipe and answers them on another.

Started by file name, so it may import nothing but the standard library until the parent has sent its ``sys.path``.

A request is its length (4 bytes, big-endian) and a pickle: ``("start", sys_path, target, args)``, then
``("call", id, method, args)``, ``("cancel", id)`` and ``("stop",)``. An answer is the length of its pickle, the id of
its call, its kind, and the pickle of the item, result or error.
"""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import os
import pickle
import signal
import struct
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from importlib import import_module
from typing import Any, BinaryIO

START_ID = 0
SHARED_PACKAGES = ("indexer", "memory", "homeagent")
"""Errors of these packages reach the parent as they are, all others as a name and a text: nobody there expects them,
and some would make it import the heavy library."""
ITEM, RESULT, ERROR = 1, 2, 3
ANSWER_HEAD = struct.Struct(">IQB")
_LENGTH = struct.Struct(">I")
_PR_SET_PDEATHSIG = 1


def read_frame(pipe: BinaryIO) -> bytes | None:
    """The next message, or None at the end."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size: int = _LENGTH.unpack(head)[0]
    body = pipe.read(size)
    return body if len(body) == size else None


def frame(message: object) -> bytes:
    """A message as bytes."""
    body = pickle.dumps(message, protocol=5)
    return _LENGTH.pack(len(body)) + body


class Answers:
    """The way back to the parent; whole messages from any thread."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()

    def send(self, call_id: int, kind: int, value: object) -> None:
        """Write one message: head (length, call, kind), then the pickled value. Blocks until it is written."""
        body = pickle.dumps(value, protocol=5)
        with self._lock:
            self._pipe.write(ANSWER_HEAD.pack(len(body), call_id, kind))
            self._pipe.write(body)
            self._pipe.flush()

    def send_error(self, call_id: int, error: BaseException) -> None:
        """Answer a call with an error that the parent can raise."""
        self.send(call_id, ERROR, _shareable(error))


def _shareable(error: BaseException) -> BaseException | tuple[str, str]:
    """The error itself where the parent knows its class and can make it again; else its type and text."""
    known = type(error).__module__.partition(".")[0] in SHARED_PACKAGES
    if known:
        try:
            copy = pickle.loads(pickle.dumps(error))
        except (TypeError, AttributeError, pickle.PickleError):
            known = False
        else:
            known = type(copy) is type(error)
    return error if known else (type(error).__qualname__, str(error))


class Calls:
    """The calls under way: plain methods and generators in a thread each, async ones on one event loop."""

    def __init__(self, target: object, answers: Answers) -> None:
        self._target = target
        self._answers = answers
        self._cancelled: set[int] = set()
        self._running: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, call_id: int, name: str, args: tuple[Any, ...]) -> None:
        """Run a public method of the target and answer with what it returns, yields or raises. Returns at once."""
        method = None if name.startswith("_") else getattr(self._target, name, None)
        if method is None:
            self._answers.send_error(call_id, AttributeError(f"no method {name!r}"))
        elif inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
            self._start_task(call_id, method, args)
        else:
            with self._lock:
                self._running.add(call_id)
            thread = threading.Thread(target=self._run, args=(call_id, method, args), name=name, daemon=True)
            thread.start()

    def cancel(self, call_id: int) -> None:
        """Ends an async call now, a plain generator before its next item; a plain call runs on unheard."""
        with self._lock:
            if call_id in self._running:
                self._cancelled.add(call_id)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel_task, call_id)

    def _run(self, call_id: int, method: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            result = method(*args)
            if inspect.isgenerator(result):
                self._drain(call_id, result)
                result = None
            self._answers.send(call_id, RESULT, result)
        except BaseException as error:  # noqa: BLE001  the boundary: whatever it is belongs to the caller
            self._answers.send_error(call_id, error)
        finally:
            with self._lock:
                self._running.discard(call_id)
                self._cancelled.discard(call_id)

    def _drain(self, call_id: int, items: Generator[Any, Any, Any]) -> None:
        for item in items:
            if call_id in self._cancelled:
                items.close()
                return
            self._answers.send(call_id, ITEM, item)

    def _start_task(self, call_id: int, method: Callable[..., object], args: tuple[object, ...]) -> None:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, name="loop", daemon=True).start()
        self._loop.call_soon_threadsafe(self._create_task, self._loop, call_id, method, args)

    def _create_task(
        self, loop: asyncio.AbstractEventLoop, call_id: int, method: Callable[..., object], args: tuple[object, ...]
    ) -> None:
        task = loop.create_task(self._run_async(call_id, method, args))
        self._tasks[call_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(call_id, None))

    def _cancel_task(self, call_id: int) -> None:
        task = self._tasks.get(call_id)
        if task is not None:
            task.cancel()

    async def _run_async(self, call_id: int, method: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            result = None
            if inspect.isasyncgenfunction(method):
                await self._drain_async(call_id, method(*args))
            else:
                result = await method(*args)
            await asyncio.to_thread(self._answers.send, call_id, RESULT, result)
        except asyncio.CancelledError:
            return
        except BaseException as error:  # noqa: BLE001  the boundary: whatever it is belongs to the caller
            self._answers.send_error(call_id, error)

    async def _drain_async(self, call_id: int, items: AsyncGenerator[object, None]) -> None:
        try:
            async for item in items:
                self._answers.send(call_id, ITEM, item)
        finally:
            await items.aclose()


def _die_with_parent() -> None:
    """Linux: be killed when the parent dies, even where a library holds the interpreter's lock."""
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, out of reach of libraries: what those print goes to stderr and what they read is empty."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _make_target(sys_path: list[str], target: str, args: tuple[object, ...]) -> object:
    sys.path[:] = sys_path
    module, _, factory = target.partition(":")
    return getattr(import_module(module), factory)(*args)


def main() -> None:
    """Serve calls until told to stop or until the parent is gone."""
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests, pipe = _private_pipes()
    answers = Answers(pipe)
    first = read_frame(requests)
    if first is None:
        return
    try:
        target = _make_target(*pickle.loads(first)[1:])
    except BaseException as error:  # noqa: BLE001  the boundary: start() raises it in the parent
        answers.send_error(START_ID, error)
        return
    answers.send(START_ID, RESULT, None)
    _serve(requests, Calls(target, answers))
    close = getattr(target, "close", None)
    if close is not None:
        close()
    sys.stderr.flush()
    os._exit(0)  # threads may still be inside a library


def _serve(requests: BinaryIO, calls: Calls) -> None:
    while (body := read_frame(requests)) is not None:
        kind, *rest = pickle.loads(body)
        if kind == "call":
            calls.start(*rest)
        elif kind == "cancel":
            calls.cancel(*rest)
        else:
            return


if __name__ == "__main__":
    main()
