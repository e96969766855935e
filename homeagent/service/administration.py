"""The services about tokens, what may be done, and what was: verdicts explained, and the audit log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import homeagent
from homeagent.errors import InvalidParameters
from homeagent.policy.audit import told
from homeagent.policy.verdicts import Verdict
from homeagent.service import request_fields
from homeagent.tools.ha_control import HaControl
from homeagent.turn import ToolCall, Turn, new_id
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App


async def add_token(app: App, fields: request_fields.AddToken) -> dict[str, Any]:
    """Make a named token with scopes of the caller's own, for the household or one user. It is shown this once."""
    fields.caller.need(*fields.scopes)
    token = await app.tokens.add(fields.name, fields.scopes, fields.user_id)
    return {"name": fields.name, "scopes": sorted(set(fields.scopes)), "user_id": fields.user_id, "token": token}


async def start_pairing(app: App, _fields: request_fields.StartPairing) -> dict[str, Any]:
    """Show a code with which another program gets a token of its own, once, within the next minutes."""
    return jsonable(app.pairing.begin())  # type: ignore[no-any-return]


async def pair(app: App, fields: request_fields.Pair) -> dict[str, Any]:
    """Get a token for the code that `start_pairing` shows; needs no token. The token is shown this once."""
    return {"token": await app.pairing.redeem(fields.code, fields.name), "version": homeagent.__version__}


async def list_tokens(app: App, _fields: request_fields.ListTokens) -> dict[str, Any]:
    """All named tokens: scopes, user, since when; never what they read as."""
    return {"tokens": [jsonable(token) for token in await app.tokens.named()]}


async def revoke_token(app: App, fields: request_fields.RevokeToken) -> dict[str, Any]:
    """From now on this token opens nothing."""
    await app.tokens.revoke(fields.name)
    return {"revoked": fields.name}


async def explain_policy(app: App, fields: request_fields.ExplainPolicy) -> dict[str, Any]:
    """What would be reached by a sentence or a call, with which effects, what is decided, and why. Nothing is done."""
    await app.need_home()
    text = fields.text.strip()
    verdicts = await (_of_call(app, text) if text.startswith("{") else _of_sentence(app, fields))
    return {"verdicts": [told(verdict) for verdict in verdicts]}


async def _of_sentence(app: App, fields: request_fields.ExplainPolicy) -> list[Verdict]:
    return await app.agent.explain(
        fields.text, user_id=fields.user_id, device_id=fields.device_id, language=fields.language
    )


async def _of_call(app: App, text: str) -> list[Verdict]:
    try:
        parameters = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidParameters(
            f"That is no JSON object: {error.msg}.", hint="Give a sentence, or a call as JSON."
        ) from None
    turn = Turn(text="", language=app.language, dry_run=True)
    result = await app.toolbox.call(ToolCall(new_id(), HaControl.name, parameters), turn)
    if not result.success:
        raise InvalidParameters(result.error or "That call cannot be made.")
    return turn.verdicts


async def list_audit(app: App, fields: request_fields.ListAudit) -> dict[str, Any]:
    """The newest actions: who asked, what it came to, what was decided, and what came of it."""
    return {"entries": await app.audit.entries(fields.limit, fields.entity_id)}
