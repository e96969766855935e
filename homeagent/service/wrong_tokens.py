"""What becomes of requests with a wrong token or none: told in the log, and answered the later the more there were."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable

from homeagent.service.errors import Failure
from homeagent.service.tally import Tally

_log = logging.getLogger(__name__)
_FREE = 3
"""Failures of an address that are answered at once: somebody mistypes."""
_FIRST, _LONGEST = 0.1, 2.0
"""Seconds that the next one waits for its answer, twice as long each time up to the longest."""
_FORGOTTEN = 60.0
"""Seconds without a failure after which an address starts afresh."""
_MOST_ADDRESSES = 1024

UNAUTHORIZED = Failure(
    401,
    "unauthorized",
    "The token is missing or wrong.",
    "Send `Authorization: Bearer <token>`; `homeagent token show` tells the owner's, `homeagent token add` makes one.",
)


class WrongTokens:
    """Counts failures by address. A right token is never looked up here, so nobody's failures slow it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._told = Tally(_log, "{count} requests had a wrong token or none")

    async def answered(self, address: str) -> Failure:
        """What to answer, after the time that this address has to wait."""
        self._told.add(address)
        await asyncio.sleep(self.delay(address))
        return UNAUTHORIZED

    def delay(self, address: str) -> float:
        """Count one more failure of this address: seconds until it is answered."""
        count, at = self._failures.pop(address, (0, 0.0))
        now = self._clock()
        count = count + 1 if now - at < _FORGOTTEN else 1
        self._failures[address] = (count, now)
        if len(self._failures) > _MOST_ADDRESSES:
            self._failures.popitem(last=False)
        return 0.0 if count <= _FREE else min(_FIRST * 2.0 ** min(count - _FREE - 1, 10), _LONGEST)
