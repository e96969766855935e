"""What automations, scripts and scenes do, and which of them does something: asked without a model."""

from __future__ import annotations

import pytest

from homeagent.app import App
from tests.tools.test_retrieve_knowledge import app, embeddings, server

pytestmark = pytest.mark.slow  # it starts a store

__all__ = ["app", "embeddings", "server"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "what does the automation Hall light off at night do?"),
        ("en", "what does Hall light off at night do?"),
        ("de", "Was macht die Automation Hall light off at night?"),
        ("fr", "Que fait l'automatisation Hall light off at night ?"),
        ("es", "¿Qué hace la automatización Hall light off at night?"),
        ("nl", "Wat doet de automatisering Hall light off at night?"),
        ("ko", "Hall light off at night 자동화는 무슨 일을 해?"),
    ],
)
async def test_what_an_automation_does_is_told(app: App, language: str, text: str) -> None:
    reply = await app.agent.process(text, language=language)
    assert "23:30" in reply.response
    assert "turns off Hall light" in reply.response


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what does the scene Cosy evening do?", "Hall light on"),
        ("what does the script Goodbye do?", "turns off Hall light"),
        ("which script turns the hall light off?", "Goodbye does that."),
        ("which automation turns the hall light off?", "Hall light off at night does that."),
        ("which automation turns the hall light on?", "I know of none that does that"),
    ],
)
async def test_what_does_what(app: App, text: str, told: str) -> None:
    """The routine that is not exposed is not named, though it turns the light on."""
    response = (await app.agent.process(text, language="en")).response
    assert told.casefold() in response.casefold()
    assert "Secret" not in response
