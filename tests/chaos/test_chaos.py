"""The short version of `make chaos`: one kill of each kind, and damage that was seen in the field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.changing_home import ChangingHome
from tests.chaos.damage import cut_links, garble_pages, poison_links
from tests.chaos.planted import planted
from tests.chaos.rounds import Rounds
from tests.embedding_server import EmbeddingServer

pytestmark = pytest.mark.slow


@pytest.fixture
def rounds(tmp_path: Path) -> Iterator[Rounds]:
    embedder = EmbeddingServer()
    embedder.start()
    variables = {"HOMEAGENT_INDEX__ENDPOINT": embedder.url, "HOMEAGENT_INDEX__MODEL": "of-the-tests"}
    with ChangingHome(1300) as home:
        rounds = Rounds(tmp_path, home, variables, entities=1050, grow=20)
        yield rounds
        rounds.victim.end()
    embedder.stop()


@pytest.mark.timeout(600)
def test_killed_in_the_middle_nothing_is_lost_and_it_heals(rounds: Rounds) -> None:
    figures = rounds.run(kills=3, seed=1)
    assert figures.kills == 3
    assert figures.memories_acknowledged > 20
    assert figures.memories_lost == 0
    assert max(figures.ratios) < 2
    for damage in (poison_links, cut_links, garble_pages):
        healed = planted(rounds, damage)
        assert healed["made anew"] >= 1 or damage is cut_links, "it says so; cut links may be written over"
        assert healed["largest size / healthy size"] < 2
