"""The services about tokens: who may use the service, and for what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from homeagent.service import request_fields
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App


async def add_token(app: App, fields: request_fields.AddToken) -> dict[str, Any]:
    """Make a named token with scopes of the caller's own, for the household or one user. It is shown this once."""
    fields.caller.need(*fields.scopes)
    token = await app.tokens.add(fields.name, fields.scopes, fields.user_id)
    return {"name": fields.name, "scopes": sorted(set(fields.scopes)), "user_id": fields.user_id, "token": token}


async def list_tokens(app: App, _fields: request_fields.ListTokens) -> dict[str, Any]:
    """All named tokens: scopes, user, since when; never what they read as."""
    return {"tokens": [jsonable(token) for token in await app.tokens.named()]}


async def revoke_token(app: App, fields: request_fields.RevokeToken) -> dict[str, Any]:
    """From now on this token opens nothing."""
    await app.tokens.revoke(fields.name)
    return {"revoked": fields.name}
