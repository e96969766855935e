"""The history of entities over a span, or over two that are compared: figures, times and counts, change points."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.errors import HomeAgentError, InvalidParameters, NotFound
from homeagent.ha.connection import HomeAssistant
from homeagent.history.entity_history import Asked, Detail, Telling, difference
from homeagent.history.fitting import fitted
from homeagent.history.recorded_states import Recorded
from homeagent.values.timespan import Span
from indexer.entity import Entity

Told = tuple[Telling, HomeAgentError | None]
_NARROW = "Narrow by area, floor, domain, device_class or label, or ask for fewer."


class HistoryReader:
    """Reads and sums up."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha
        self._recorded = Recorded(ha)

    async def read(
        self, entities: Sequence[Entity], span: Span, asked: Asked, compare: Span | None = None
    ) -> tuple[dict[str, Any], HomeAgentError | None]:
        """What is told, short enough for a model, and the first error of those without data (their lines have
        ``error``, and where the records begin ``recorded_since``). Raises NotFound or InvalidParameters where there is
        nothing to tell at all."""
        told = await self._told(entities, span, asked)
        beside = await self._told(entities, compare, asked) if compare is not None else []
        errors = [error for _, error in (*told, *beside) if error is not None]
        if len(errors) == len(told) + len(beside) and not any(t.begins for t, _ in (*told, *beside)):
            raise errors[0]

        def tell(detail: Detail) -> Mapping[str, Any]:
            result = self._result(told, span, detail)
            if compare is None:
                return result
            other = self._result(beside, compare, detail)
            lines = [a | difference(a, b) for a, b in zip(result["history"], other["history"], strict=True)]
            return result | {"history": lines, "compared_with": other}

        return dict(await asyncio.to_thread(fitted, tell)), errors[0] if errors else None

    async def _told(self, entities: Sequence[Entity], span: Span, asked: Asked) -> list[Told]:
        pasts = await self._recorded.read(entities, span, asked.aggregate, asked.attribute)
        tellings = await asyncio.to_thread(
            lambda: [Telling(self._ha.home, self._recorded, e, span, asked, pasts[e.entity_id]) for e in entities]
        )
        return [await self._prepared(telling) for telling in tellings]

    async def _prepared(self, telling: Telling) -> Told:
        try:
            await asyncio.to_thread(telling.prepare)
        except (NotFound, InvalidParameters) as error:
            return telling, error
        await telling.refine()
        return telling, None

    def _result(self, told: Sequence[Told], span: Span, detail: Detail) -> dict[str, Any]:
        lines = [t.error(e) if e is not None else t.line(detail) for t, e in told[: detail.entities]]
        result = {
            "from": self._ha.home.config.local(span.start),
            "to": self._ha.home.config.local(span.end),
            "history": lines,
        }
        left = len(told) - len(lines)
        return result | ({"left_out": left, "narrow": _NARROW} if left else {})
