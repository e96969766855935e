"""Long lists a page at a time: each page says where the next one begins, and what is added meanwhile moves nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, Field

from homeagent.errors import InvalidInput
from homeagent.service.request_fields import Fields

T = TypeVar("T")
MOST = 200


class Page(BaseModel, Generic[T]):
    """A part of a list."""

    items: list[T]
    next: str | None = Field(description="Give it as `after` for the page that follows; null on the last one.")


class Paged(Fields):
    """``limit``: most items; ``after``: the ``next`` of the page before."""

    limit: Annotated[int, Field(ge=1, le=MOST)] = 50
    after: Annotated[str, Field(max_length=300)] | None = None

    @property
    def one_more(self) -> int:
        """So many are read: whether there is a further page shows in the last one."""
        return self.limit + 1

    def place(self, *kinds: Callable[[Any], Any]) -> tuple[Any, ...] | None:
        """Where the page begins: a part of each kind; None at the beginning. Raises InvalidInput."""
        if self.after is None:
            return None
        try:
            parts = json.loads(base64.urlsafe_b64decode(self.after.encode()))
            return tuple(kind(part) for kind, part in zip(kinds, parts, strict=True))
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise InvalidInput("There is no such page.", hint="Leave `after` out to begin with the first.") from None


def page(found: Sequence[T], limit: int, place: Callable[[T], tuple[object, ...]]) -> dict[str, object]:
    """The page out of ``found``, of which one more than ``limit`` was read; ``place`` tells where an item stands."""
    items, further = found[:limit], len(found) > limit
    return {"items": list(items), "next": _written(place(items[-1])) if further else None}


def page_of_all(
    found: Sequence[T], fields: Paged, key: Callable[[T], str], view: Callable[[T], object]
) -> dict[str, object]:
    """The page out of a whole list that is at hand; ``key`` is an item's id, ``view`` how it is shown. Raises
    InvalidInput."""
    begins = 0
    if (place := fields.place(str)) is not None:
        begins = next((number for number, one in enumerate(found, 1) if key(one) == place[0]), len(found))
    cut = page(found[begins : begins + fields.one_more], fields.limit, lambda one: (key(one),))
    return {**cut, "items": [view(one) for one in found[begins : begins + fields.limit]]}


def moment(text: Any) -> datetime:
    """A moment in a place. Raises ValueError, TypeError."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("a moment without offset")
    return at


def _written(place: tuple[object, ...]) -> str:
    parts = [part.isoformat() if isinstance(part, datetime) else part for part in place]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()
