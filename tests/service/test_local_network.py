"""The local network is told where the service is, only where its owner has opened it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from zeroconf import ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from homeagent.config.loading import Settings
from homeagent.service.local_network import TYPE, announced, instance_id

HERE = ["127.0.0.1"]


def settings(folder: Path, **service: Any) -> Settings:
    return Settings.model_validate({"data_dir": folder, "service": service})


async def found(seconds: float) -> AsyncServiceInfo | None:
    """What Home Assistant would find within so many seconds."""
    names: asyncio.Queue[str] = asyncio.Queue()

    def changed(zeroconf: Any, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Added:
            names.put_nowait(name)

    looking = AsyncZeroconf(interfaces=HERE)
    browser = AsyncServiceBrowser(looking.zeroconf, TYPE, handlers=[changed])
    try:
        async with asyncio.timeout(seconds):
            info = AsyncServiceInfo(TYPE, await names.get())
            assert await info.async_request(looking.zeroconf, 3000)
            return info
    except TimeoutError:
        return None
    finally:
        await browser.async_cancel()
        await looking.async_close()


@pytest.mark.slow
async def test_an_open_service_is_found_and_no_longer_when_it_ends(tmp_path: Path) -> None:
    async with announced(settings(tmp_path, host="0.0.0.0"), 18765, HERE):
        info = await found(20)
        assert info is not None
        assert (info.port, info.parsed_addresses()) == (18765, HERE)
        assert info.decoded_properties["id"] == instance_id(tmp_path)
    assert await found(2) is None


@pytest.mark.parametrize(
    "chosen", [{"host": "127.0.0.1"}, {"host": "localhost"}, {"host": "0.0.0.0", "announce": False}]
)
async def test_a_closed_service_and_one_that_is_not_to_be_told_of_are_not(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    async with announced(settings(tmp_path, **chosen), 18765, HERE):
        assert await found(1) is None


async def test_where_it_cannot_be_told_the_service_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with announced(settings(tmp_path, host="0.0.0.0"), 18765, ["203.0.113.7"]):
        pass
    assert "could not be told" in caplog.text


def test_the_id_stays_and_what_is_none_is_made_anew(tmp_path: Path) -> None:
    first = instance_id(tmp_path)
    assert instance_id(tmp_path) == first
    (tmp_path / "instance-id").write_text("../../etc")
    assert instance_id(tmp_path) not in (first, "../../etc")
