"""``python -m tests.chaos``: kills, plants damage and prints the figures; exits 1 where something is not well."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.chaos.changing_home import ChangingHome
from tests.chaos.damage import DAMAGES
from tests.chaos.planted import planted
from tests.chaos.remembering_kills import Killer
from tests.chaos.rounds import Rounds
from tests.embedding_server import EmbeddingServer

MOST = 2000
_TURNS_PER_KILL = 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=30, help="with a small embedder of the tests")
    parser.add_argument("--real", type=int, default=3, help="kills with the real embedding model")
    parser.add_argument("--entities", type=int, default=1200, help="of the home at the start; at most 2000 at the end")
    parser.add_argument("--remembering", type=int, default=40, help="kills while it remembers, and of imports")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to work; absent: a temporary folder")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ChangingHome(MOST) as home:
        folder = chosen.folder or Path(temporary)
        _remembering(folder / "remembering", chosen)
        bad = _kills(folder / "small", home, chosen) + _real(folder / "real", home, chosen)
    sys.exit(1 if bad else 0)


def _remembering(folder: Path, chosen: argparse.Namespace) -> None:
    """Raises AssertionError where something is lost, there twice, or half done."""
    if not chosen.remembering:
        return
    killer = Killer(folder, _TURNS_PER_KILL * chosen.remembering, chosen.seed)

    async def all_of_it() -> None:
        await killer.drain(chosen.remembering)
        await killer.take_over(chosen.remembering)

    try:
        asyncio.run(all_of_it())
    finally:
        killer.close()
    _show("kills while it remembers", killer.figures.shown())


def _kills(folder: Path, home: ChangingHome, chosen: argparse.Namespace) -> int:
    folder.mkdir(parents=True)
    embedder = EmbeddingServer()
    embedder.start()
    variables = {"HOMEAGENT_INDEX__ENDPOINT": embedder.url, "HOMEAGENT_INDEX__MODEL": "of-the-tests"}
    grow = min(20, (MOST - chosen.entities) // (chosen.kills + len(DAMAGES) + 12))
    rounds = Rounds(folder, home, variables, chosen.entities, grow)
    try:
        figures = rounds.run(chosen.kills, chosen.seed, _tell).shown()
        _show("kills", figures)
        damages = {}
        for damage in DAMAGES:
            damages[damage.__name__] = planted(rounds, damage)
            _tell(f"{damage.__name__}: {damages[damage.__name__]}")
    finally:
        rounds.victim.end()
        embedder.stop()
    _show("planted damage", damages)
    return _bad(figures) + sum(_bad(damage) for damage in damages.values())


def _real(folder: Path, home: ChangingHome, chosen: argparse.Namespace) -> int:
    if not chosen.real:
        return 0
    folder.mkdir(parents=True)
    figures = Rounds(folder, home, {}, chosen.entities, 10).run(chosen.real, chosen.seed, _tell).shown()
    _show("kills with the real model", figures)
    return _bad(figures)


def _bad(figures: dict[str, Any]) -> bool:
    return bool(figures.get("of them lost")) or figures["largest size / healthy size"] > 2


def _tell(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)


def _show(part: str, figures: dict[str, Any]) -> None:
    print(json.dumps({part: figures}, indent=2), flush=True)


if __name__ == "__main__":
    main()
