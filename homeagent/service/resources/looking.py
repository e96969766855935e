"""The index, and the audit log."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request

from homeagent.access import Scope
from homeagent.service.answers.administration import AuditEntry
from homeagent.service.document import Tag
from homeagent.service.paging import Page, Paged, page
from homeagent.service.request_fields import Id
from homeagent.service.resources.registering import Resources
from indexer.status import IndexStatus

_MOST_ROWS = 2**63 - 1
"""The largest number that a database has for a row."""


class AuditQuery(Paged):
    """``entity_id``: only actions on this entity."""

    entity_id: Id | None = None


class AuditPage(Page[AuditEntry]):
    """Actions, newest first."""


def add_index(resources: Resources) -> None:
    """`/api/index`."""

    @resources.get("/api/index", "read_index", Tag.HOME, Scope.READ, IndexStatus)
    async def index(request: Request) -> object:
        """How the index is: its phase, what it holds, its embedder and store."""
        return resources.app.index.status


def add_audit(resources: Resources) -> None:
    """`/api/audit`."""
    app = resources.app

    @resources.get("/api/audit", "read_audit", Tag.ADMINISTRATION, Scope.ADMIN, AuditPage)
    async def listed(request: Request, query: Annotated[AuditQuery, Query()]) -> object:
        """What was done, for whom and with which yes; newest first."""
        (before,) = query.place(row) or (None,)
        found = await app.audit.entries(query.one_more, query.entity_id, before)
        return page(found, query.limit, lambda one: (one["id"],))

    @resources.get("/api/audit/{entry_id}", "read_audit_entry", Tag.ADMINISTRATION, Scope.ADMIN, AuditEntry)
    async def show(request: Request, entry_id: Annotated[int, Path(ge=1, le=_MOST_ROWS)]) -> object:
        """One action."""
        return await app.audit.entry(entry_id)


def row(number: object) -> int:
    """A row's number in a place. Raises ValueError."""
    if not isinstance(number, int) or not 0 < number <= _MOST_ROWS:
        raise ValueError("no row has that number")
    return number
