"""Keeps the worker process alive: starts it, opens the store, loads the model, and starts it again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from indexer.embed import Vectors
from indexer.embedding_models import EmbedEndpoint
from indexer.endpoint import EndpointEmbedder
from indexer.errors import (
    ChildDied,
    ChildError,
    ChildFailed,
    ChildTimeout,
    EmbedderUnavailable,
    IndexerError,
    StoreCorrupt,
    StoreError,
    StoreUnavailable,
)
from indexer.process import ChildProcess

log = logging.getLogger(__name__)

LOCAL_EMBEDDER = "indexer.embed:make_embedder"
_OPEN_SECONDS = 90.0
_LOAD_SECONDS = 300.0
_STORE_SECONDS = 120.0
_EMBED_SECONDS = 60.0
_RETRY = (1.0, 60.0)
_HEALTHY_SECONDS = 60.0
_LOOK_EVERY = 5.0
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "ANONYMIZED_TELEMETRY": "False",
    "MALLOC_ARENA_MAX": "2",
    "OMP_WAIT_POLICY": "PASSIVE",
}


@dataclass(frozen=True, slots=True)
class BackendSettings:
    """What the worker is started with. ``embedder`` is the factory of the local embedder."""

    folder: Path
    model: str
    chroma_url: str | None = None
    endpoint: EmbedEndpoint | None = None
    threads: int = 1
    embedder: str = LOCAL_EMBEDDER


class Part:
    """One thing that becomes ready, or fails and says why."""

    def __init__(self) -> None:
        self.error: IndexerError | None = None
        self.ready = False
        self._settled = asyncio.Event()

    def succeed(self) -> None:
        """It is ready: whoever waits goes on."""
        self.ready, self.error = True, None
        self._settled.set()

    def fail(self, error: IndexerError) -> None:
        """It is not ready, and ``error`` says why: whoever waits is given it."""
        self.ready, self.error = False, error
        self._settled.set()

    def reset(self) -> None:
        """It is tried anew: whoever waits from now on waits for that."""
        self.ready = False
        self._settled.clear()

    async def wait(self) -> None:
        """Wait until it is ready; raises what made it fail."""
        await self._settled.wait()
        if self.error is not None:
            raise self.error


class Backend:
    """The embedder and the store, wherever they run. ``on_open`` is awaited each time the store was opened."""

    def __init__(self, settings: BackendSettings, on_open: Callable[[], Awaitable[None]]) -> None:
        self._settings = settings
        self._on_open = on_open
        self._child: ChildProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._endpoint = EndpointEmbedder(settings.endpoint) if settings.endpoint else None
        self._suspect = False
        self._open = False
        """Whether the store can be called; it is ready once ``on_open`` has read it too."""
        self.store = Part()
        self.embedder = Part()
        self.fingerprint: str | None = None
        """Of the embedder; known before it is loaded."""
        self.collections: dict[str, int] = {}
        """What the store held when it was opened, by name."""

    def start(self, after: Callable[[], Awaitable[object]] | None = None) -> None:
        """Run the worker from now on, or once ``after`` was awaited."""
        self._task = asyncio.create_task(self._keep_running(after), name="index worker")

    async def stop(self) -> None:
        """End the worker, or the connection to the endpoint; from then on every call raises EmbedderUnavailable."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        if self._child is not None:
            await self._child.stop()
        if self._endpoint is not None:
            await self._endpoint.close()
        for part in (self.store, self.embedder):
            part.fail(EmbedderUnavailable("The index is stopped."))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of length 1. Raises `EmbedderUnavailable`; does not wait for loading."""
        if not self.embedder.ready:
            raise self.embedder.error or EmbedderUnavailable("The embedding model is still loading.")
        if not texts:
            return np.zeros((0, 0), np.float32)
        if self._endpoint is not None:
            return await self._ask_endpoint(self._endpoint, texts)
        try:
            answer: Vectors = await self._running().call("embed", list(texts), timeout=_EMBED_SECONDS)
        except ChildError as error:
            raise EmbedderUnavailable(f"The embedder failed: {error}") from error
        return answer

    async def _ask_endpoint(self, endpoint: EndpointEmbedder, texts: Sequence[str]) -> Vectors:
        try:
            return await endpoint.embed(texts)
        except EmbedderUnavailable as error:
            self.embedder.fail(error)  # the next sentences do not wait for it; it is tried again in the background
            raise

    async def store_call(self, method: str, *args: object) -> Any:
        """Call the store. Raises `StoreUnavailable`, `StoreCorrupt`; a call that hangs costs the worker its life."""
        if not self._open:
            raise self.store.error or StoreUnavailable("The vector store is still being opened.")
        child = self._running()
        try:
            return await child.call(method, *args, timeout=_STORE_SECONDS)
        except StoreCorrupt as error:
            self._doubt(error)
            await child.kill()
            raise
        except StoreUnavailable as error:
            self._store_failed(error)  # opened again in the background
            raise
        except ChildTimeout as error:
            self._doubt(error)
            await child.kill()
            raise StoreUnavailable(f"The vector store hung in {method}.") from error
        except ChildError as error:
            failure = StoreUnavailable(f"The vector store failed: {error}")
            self._store_failed(failure)
            raise failure from error

    async def rest(self) -> None:
        """Let the worker give memory back after much work."""
        with contextlib.suppress(ChildError):
            await self._running().call("rest", timeout=_STORE_SECONDS)

    def _running(self) -> ChildProcess:
        if self._child is None:
            raise ChildDied("The index worker is not running")
        return self._child

    def _doubt(self, error: Exception) -> None:
        """The files are not to be trusted: the next start makes new ones, filled from cached vectors."""
        log.warning("the vector store is rebuilt: %s", error)
        self._suspect = self._settings.chroma_url is None

    async def _keep_running(self, after: Callable[[], Awaitable[object]] | None) -> None:
        if after is not None:
            await after()
        pause = _RETRY[0]
        while True:
            started = asyncio.get_running_loop().time()
            try:
                await self._run_once()
            except IndexerError as error:
                self._fail(error)
            if asyncio.get_running_loop().time() - started > _HEALTHY_SECONDS:
                pause = _RETRY[0]
            await asyncio.sleep(0 if self._suspect else pause)
            pause = min(2 * pause, _RETRY[1])

    async def _run_once(self) -> None:
        """One life of the worker: until it dies."""
        s = self._settings
        factory = "" if self._endpoint else s.embedder
        self._child = child = ChildProcess(
            "indexer.worker:make",
            *(str(s.folder), s.chroma_url, factory, s.model, s.threads),
            name="index worker",
            env=_ENVIRONMENT | {"OMP_NUM_THREADS": str(s.threads)},
        )
        try:
            await child.start()
            await self._find_embedder(child)
            await self._open_store(child)
            await self._load_embedder(child)
            await self._watch(child)
        finally:
            await child.kill()

    async def _watch(self, child: ChildProcess) -> None:
        """Until the worker dies; meanwhile what failed is tried again now and then."""
        pause = _RETRY[0]
        while child.alive:
            failed = not self.store.ready or not self.embedder.ready
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause if failed else _LOOK_EVERY):
                    await child.ended()
            if failed and child.alive:
                await self._try_again(child)
            pause = min(2 * pause, _RETRY[1]) if failed else _RETRY[0]
        self._fail(ChildDied("The index worker ended."))

    async def _try_again(self, child: ChildProcess) -> None:
        if not self.embedder.ready:
            known = self.fingerprint
            await self._find_embedder(child)
            await self._load_embedder(child)
            if self.fingerprint != known:
                self.store.reset()  # the vectors to read are other ones now
        if not self.store.ready:
            await self._open_store(child)

    async def _find_embedder(self, child: ChildProcess) -> None:
        try:
            if self._endpoint is not None:
                self.fingerprint = await self._endpoint.find_fingerprint()
                self.embedder.error = None
            else:
                self.fingerprint = await child.call("find_embedder", timeout=_OPEN_SECONDS)
        except (EmbedderUnavailable, ChildFailed) as error:
            self.embedder.fail(_as_embedder_error(error))

    async def _load_embedder(self, child: ChildProcess) -> None:
        if self.fingerprint is None or (self.embedder.error and self._endpoint):
            return
        try:
            if self._endpoint is None:
                await child.call("load_embedder", timeout=_LOAD_SECONDS)
            self.embedder.succeed()
        except (EmbedderUnavailable, ChildFailed) as error:
            self.embedder.fail(_as_embedder_error(error))

    async def _open_store(self, child: ChildProcess) -> None:
        try:
            await self._opened(child)
            self._open = True
            await self._on_open()
            self.store.succeed()
        except (StoreError, ChildFailed) as error:
            self._store_failed(error if isinstance(error, StoreError) else StoreUnavailable(str(error)))
            log.warning("the vector store cannot be used: %s", error)

    def _store_failed(self, error: StoreError) -> None:
        self._open = False
        self.store.fail(error)

    async def _opened(self, child: ChildProcess) -> None:
        fresh, self._suspect = self._suspect, False
        try:
            self.collections = await child.call("open_store", fresh, timeout=_OPEN_SECONDS)
        except StoreCorrupt as error:
            log.warning("the vector store is rebuilt: %s", error)
            self.collections = await child.call("open_store", True, timeout=_OPEN_SECONDS)
        except (ChildTimeout, ChildDied) as error:
            self._doubt(error)
            raise

    def _fail(self, error: IndexerError) -> None:
        log.warning("index worker: %s", error)
        self._store_failed(StoreUnavailable(str(error)))
        if self._endpoint is None:
            self.embedder.fail(EmbedderUnavailable(str(error)))


def _as_embedder_error(error: IndexerError) -> EmbedderUnavailable:
    return error if isinstance(error, EmbedderUnavailable) else EmbedderUnavailable(str(error))
