"""What fails in the background is told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homeagent.app import App
from homeagent.brains.local.brain import LocalBrain
from homeagent.config.loading import Settings

if TYPE_CHECKING:
    from homeagent.demo.server import DemoServer


async def test_a_grammar_that_cannot_be_loaded_is_in_the_log(
    demo: DemoServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def warm(_brain: LocalBrain, _language: str) -> None:
        raise RuntimeError("the grammar is torn")

    monkeypatch.setattr(LocalBrain, "warm", warm)
    home = {"url": demo.url, "token": demo.token}
    app = App(Settings.model_validate({"data_dir": tmp_path, "home_assistant": home}))
    await app.start()
    try:
        async with asyncio.timeout(20):
            while "warm the grammar" not in caplog.text:  # noqa: ASYNC110  a log cannot be waited for
                await asyncio.sleep(0.02)
        assert "the grammar is torn" in caplog.text
    finally:
        await app.stop()
