"""The history index over a real Home Assistant with recorded days: the first filling, a night's, a catch-up."""

from __future__ import annotations

import asyncio
import math
import random
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from homeagent.assembly.foundation import open_engine
from homeagent.config.loading import Settings
from homeagent.demo.inventory import parse_inventory
from homeagent.ha.connection import HomeAssistant
from homeagent.history.recording.recording import Recording, RecordingReport
from indexer.history_index import HistoryIndex
from indexer.index import Index
from tests.bench.measure import memory_mb, watching_the_loop
from tests.e2e import real

DAYS = 14
_MISSED = 3
_MOST_POINTS = 100_000
"""Points a day of the one sensor that never rests."""
_SHARES = (("light", 0.2), ("switch", 0.1), ("binary_sensor", 0.2), ("cover", 0.04), ("sensor", 0.46))
_ROOMS = 25


def history_times(entities: int = 500) -> dict[str, Any]:
    """Figures for a home of ``entities``. Starts Home Assistant twice; takes some minutes."""
    with tempfile.TemporaryDirectory(prefix="recorded-home-") as folder:
        home = real.start(parse_inventory(_home(entities)), Path(folder) / "ha")
        try:
            time.sleep(5)  # what the recorder knows of the entities, it writes within a second or two
            real.stop(home)
            points = _record(home.folder / "home-assistant_v2.db", DAYS + _MISSED + 1)
            real.start_again(home)
            return {"entities": entities, "days": DAYS, "points": points} | asyncio.run(_figures(home, Path(folder)))
        finally:
            real.stop(home, for_good=True)


async def _figures(home: real.RealHomeAssistant, folder: Path) -> dict[str, Any]:
    settings = Settings.model_validate({"data_dir": folder / "data"})
    engine = open_engine(settings)
    index, ha = Index(folder / "data", engine), HomeAssistant(home.url, home.token, timeout=60)
    history = HistoryIndex(engine, index.embed, index.wait_ready, lambda: index.status.embedder, index.store)
    back = timedelta(days=_MISSED + 1)
    recording = Recording(ha, history, keep_days=90, fill_days=DAYS, now=lambda: datetime.now(UTC) - back)
    await asyncio.gather(ha.start(), index.start())
    try:
        assert await ha.wait_ready(120), ha.status
        await index.wait_ready()
        figures: dict[str, Any] = {"memory_before_mb": round(memory_mb(_own_pid())[0])}
        figures["first"] = await _told(recording.fill(DAYS))
        figures |= _sizes(folder / "data") | {"memory_after_mb": round(memory_mb(_own_pid())[0])}
        figures["again"] = await _told(recording.fill(DAYS))
        back = timedelta(days=_MISSED)
        figures["night"] = await _told(recording.tick())
        back = timedelta()
        restarted = Recording(ha, history, keep_days=90, fill_days=DAYS)
        figures["after three missed days"] = await _told(restarted.tick())
        figures["nothing to do"] = await _told(restarted.tick())
        return figures
    finally:
        await recording.stop()
        await ha.stop()
        await index.stop()
        engine.dispose()


async def _told(work: Any) -> dict[str, Any]:
    async with watching_the_loop() as stalls:
        started = time.perf_counter()
        report: RecordingReport = await work
        seconds = time.perf_counter() - started
    return {
        "seconds": round(seconds, 1),
        "days": report.days,
        "summaries": report.summaries,
        "vectors_written": report.written,
        "texts_embedded": report.embedded,
        "worst_stall_ms": round(stalls.worst_ms),
        "stalls_over_50_ms": stalls.over_50_ms,
    }


def _sizes(folder: Path) -> dict[str, float]:
    def megabytes(path: Path, pattern: str) -> float:
        return round(sum(f.stat().st_size for f in path.glob(pattern) if f.is_file()) / 1e6, 1)

    return {"database_mb": megabytes(folder, "*.db*"), "chroma_mb": megabytes(folder / "chroma", "**/*")}


def _own_pid() -> int:
    return int(subprocess.check_output(["sh", "-c", "echo $PPID"]))


def _home(size: int) -> dict[str, Any]:
    kinds = [domain for domain, share in _SHARES for _ in range(round(size * share))][:size]
    attributes: dict[str, dict[str, Any]] = {
        "light": {"supported_color_modes": ["onoff"]},
        "binary_sensor": {"device_class": "motion"},
        "cover": {"device_class": "shutter"},
        "sensor": {"device_class": "temperature", "unit_of_measurement": "°C", "state_class": "measurement"},
    }
    states = {"cover": "closed", "sensor": "20"}
    return {
        "x-time-zone": "Europe/Berlin",
        "areas": [{"id": f"room_{n}", "name": f"Room {n}"} for n in range(_ROOMS)],
        "entities": [
            {
                "id": f"{domain}.thing_{n}",
                "name": f"{domain.replace('_', ' ').title()} {n}",
                "state": states.get(domain, "off"),
                "area": f"room_{n % _ROOMS}",
                "attributes": attributes.get(domain, {}),
            }
            for n, domain in enumerate(kinds)
        ],
    }


def _record(database: Path, days: int) -> int:
    """Write a past into the recorder's own tables; returns how many points."""
    made = sqlite3.connect(database)
    known = made.execute(
        "SELECT m.entity_id, m.metadata_id, MAX(s.attributes_id) FROM states_meta m JOIN states s USING (metadata_id)"
        " WHERE m.entity_id LIKE '%.thing_%' GROUP BY m.metadata_id"
    ).fetchall()
    until = made.execute("SELECT MIN(last_updated_ts) FROM states").fetchone()[0]
    busiest = max((e for e, _, _ in known if e.startswith("sensor.")), default=None)
    total = 0
    for entity_id, metadata_id, attributes_id in known:
        points = _busy(until) if entity_id == busiest else _past(entity_id, until, days)
        rows = [(state, metadata_id, attributes_id, at, 0) for at, state in points if at < until]
        made.executemany(
            "INSERT INTO states (state, metadata_id, attributes_id, last_updated_ts, origin_idx) VALUES (?,?,?,?,?)",
            rows,
        )
        total += len(rows)
    made.commit()
    made.close()
    return total


def _past(entity_id: str, until: float, days: int) -> Iterator[tuple[float, str]]:
    chance = random.Random(entity_id)
    start = until - days * 86_400
    if entity_id.startswith("sensor."):
        step = chance.choice((300, 300, 900))
        level, swing = chance.uniform(17, 23), chance.uniform(0.1, 4)
        for i in range(int(days * 86_400 / step)):
            at = start + i * step
            yield at, f"{level + swing * math.sin(at / 13_751) + chance.uniform(-0.1, 0.1):.1f}"
        return
    on, off = ("open", "closed") if entity_id.startswith("cover.") else ("on", "off")
    most = 40 if entity_id.startswith("binary_sensor.") else 6
    yield start, off
    for day in range(days):
        moments = sorted(chance.uniform(0, 86_000) for _ in range(2 * chance.randint(0, most)))
        for i, seconds in enumerate(moments):
            yield start + day * 86_400 + seconds, off if i % 2 else on


def _busy(until: float) -> Iterator[tuple[float, str]]:
    """One whole day and a half of a sensor with 100,000 points a day, so late that it is in the last days."""
    step = 86_400 / _MOST_POINTS
    for i in range(int(1.5 * _MOST_POINTS)):
        at = until - (1.5 * _MOST_POINTS - i) * step - 86_400
        yield at, f"{20 + 5 * math.sin(i / 9_000) + (i % 7) / 10:.1f}"
