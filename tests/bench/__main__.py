"""``python -m tests.bench [part …] [--sizes 50,5000]``: figures as JSON, by part."""

from __future__ import annotations

import argparse
import asyncio
import json
import os

from tests.bench.attacked import attacked_times
from tests.bench.beside import times_beside
from tests.bench.finding import index_times
from tests.bench.measure import machine_factor
from tests.bench.recorded import history_times
from tests.bench.remembering import memory_times
from tests.bench.serving import help_time, memory_with_a_model, service_times
from tests.bench.streaming import streaming_times
from tests.bench.together import memory_over_turns, times_together

PARTS = (
    *("help", "index", "service", "model", "streaming", "memory", "history", "attacked"),
    *("together", "turns", "beside"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; all of them when left out")
    parser.add_argument("--sizes", default="50,500,1000,5000", help="entities of the homes")
    parser.add_argument("--memories", default="10000,100000", help="how many memories there are")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    parts = options.parts or PARTS
    sizes = [int(size) for size in options.sizes.split(",")]
    load = os.getloadavg()[0]
    _show("machine", {"seconds for a fixed piece of Python": round(machine_factor(), 3), "load before": load})
    if "help" in parts:
        _show("help", help_time())
    for size in sizes if "index" in parts else ():
        _show(f"index {size}", asyncio.run(index_times(size)))
    for size in sizes if "service" in parts else ():
        _show(f"service {size}", service_times(size))
    for size in sizes if "model" in parts else ():
        _show(f"model {size}", memory_with_a_model(size))
    for size in (s for s in sizes if s in (min(sizes), max(sizes))) if "streaming" in parts else ():
        _show(f"streaming {size}", streaming_times(size))
    for size in sizes if "beside" in parts else ():
        _show(f"beside {size}", times_beside(size))
    if "attacked" in parts:
        _show("attacked", attacked_times(50))
    if "together" in parts:
        _show("together", times_together())
    if "turns" in parts:
        memory_over_turns(lambda figures: _show("turns", figures))
    if "history" in parts:
        _show("history", history_times())
    for size in map(int, options.memories.split(",")) if "memory" in parts else ():
        _show(f"memory {size}", asyncio.run(memory_times(size)))


def _show(part: str, figures: dict[str, object]) -> None:
    print(json.dumps({part: figures}, indent=2, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
