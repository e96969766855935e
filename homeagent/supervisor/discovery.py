"""Telling Home Assistant that the agent is there: its integration is offered there, and nobody copies a token."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from homeagent.access_tokens import Tokens
from homeagent.pairing import SCOPES, free_name
from homeagent.private_folder import replace_private

if TYPE_CHECKING:
    from homeagent.config.service_settings import SupervisorSettings

_log = logging.getLogger(__name__)
SERVICE = "home_agent"
"""The integration that is offered; `app/config.yaml` names it under `discovery`."""
TOKEN_FILE = "home-assistant-token"
NAME = "Home Assistant"
_FIRST, _LONGEST = 2.0, 300.0
"""Seconds until it is tried again, twice as long each time."""


async def announce(settings: SupervisorSettings, tokens: Tokens, folder: Path, port: int) -> None:
    """Tell the Supervisor where the agent is and with which token; again and again until it has heard.

    A Supervisor that refuses is not asked again: the log says so, and the integration can be paired by its code.
    """
    if settings.url is None or settings.token is None:
        return
    config = {"host": settings.host, "port": port, "token": await token(tokens, folder)}
    headers = {"Authorization": f"Bearer {settings.token.get_secret_value()}"}
    pause = _FIRST
    async with httpx.AsyncClient(base_url=settings.url, headers=headers, timeout=30, trust_env=False) as http:
        while True:
            try:
                answer = await http.post("/discovery", json={"service": SERVICE, "config": config})
            except httpx.HTTPError as error:
                _log.warning("the Supervisor does not answer (%s)", type(error).__name__)
            else:
                if answer.is_success:
                    _log.info("Home Assistant was told that the agent is here")
                    return
                if answer.status_code < 500:
                    _log.error("the Supervisor refuses to tell of the agent: %s", answer.text[:200])
                    return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST)


async def token(tokens: Tokens, folder: Path) -> str:
    """The integration's token: the one that was made before, else, or where it was revoked, a new one.

    Raises DatabaseError, OSError.
    """
    file = folder / TOKEN_FILE
    kept = file.read_text("utf-8").strip() if file.is_file() else ""
    if kept and await tokens.identify(kept.encode()):
        return kept
    taken = {one.name for one in await tokens.named()}
    made = await tokens.add(free_name(NAME, taken), SCOPES, None)
    replace_private(file, made + "\n")
    return made
