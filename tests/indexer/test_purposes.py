"""What things are for: found by a sentence that is near in meaning, with vectors made by hand."""

from __future__ import annotations

import numpy as np

from homeagent.domains import PROFILES
from indexer.catalog import Catalog
from indexer.embed import Vectors
from indexer.lexicon import concepts
from indexer.postings import Scores
from indexer.purposes import PurposeTable, purposes, texts
from indexer.vectors import VectorTable
from tests.indexer.index_helpers import KITCHEN, entity

DARK, COLD, THIRSTY, NOTHING = np.eye(4, dtype=np.float32)
HOME = (
    entity("light.counter", "Counter", KITCHEN),
    entity("climate.kitchen", "Kitchen", KITCHEN),
    entity("switch.s1", "Pott", KITCHEN),
    entity("switch.s2", "Pump", KITCHEN),
)


def vector_of(text: str) -> Vectors:
    """Every sentence about the dark, the cold and tea means the same; so do a kettle and tea."""
    if "dark in here" in text:
        return DARK
    if "I am cold" in text:
        return COLD
    return THIRSTY if "cup of tea" in text or text.startswith("kettle") else NOTHING * 0


def tables(home: Catalog) -> tuple[VectorTable, PurposeTable]:
    described, meant = VectorTable(), PurposeTable()
    vectors = dict.fromkeys(home.entities, NOTHING) | {"switch.s1": THIRSTY}
    described.load(list(vectors), np.stack(list(vectors.values())), dict.fromkeys(vectors, ""))
    meant.load("by hand", {text: vector_of(text) for text in texts()})
    return described, meant


def best(scores: Scores, home: Catalog) -> tuple[str | None, float]:
    return home.ids[int(np.argmax(scores))], float(scores.max())


def test_a_kind_serves_what_it_is_for() -> None:
    home = Catalog.build(HOME, (KITCHEN,), ())
    described, meant = tables(home)
    assert best(meant.scores(home, described, DARK), home) == ("light.counter", 1.0)
    assert best(meant.scores(home, described, COLD), home) == ("climate.kitchen", 1.0)
    assert not meant.scores(home, described, NOTHING).any()


def test_a_thing_serves_what_things_called_much_like_it_are_for() -> None:
    home = Catalog.build(HOME, (KITCHEN,), ())
    described, meant = tables(home)
    assert best(meant.scores(home, described, THIRSTY), home) == ("switch.s1", 1.0)
    assert sum(meant.scores(home, described, THIRSTY) > 0) == 1


def test_a_new_entity_and_a_new_description_count_at_once() -> None:
    home = Catalog.build(HOME, (KITCHEN,), ())
    described, meant = tables(home)
    assert meant.scores(home, described, DARK).sum() == 1
    home.put(entity("light.new", "New", KITCHEN))
    assert meant.scores(home, described, DARK).sum() == 2
    described.change({"switch.s2": THIRSTY}, {"switch.s2": ""}, ())
    assert meant.scores(home, described, THIRSTY).sum() == 2


def test_nothing_is_said_without_vectors_or_with_those_of_another_embedder() -> None:
    home = Catalog.build(HOME, (KITCHEN,), ())
    described, meant = tables(home)
    assert not PurposeTable().scores(home, described, DARK).any()
    assert not meant.scores(home, described, np.ones(3, np.float32)).any()
    assert meant.scores(Catalog(), described, DARK).shape == (0,)


def test_every_kind_of_the_file_is_known_and_nothing_is_told_twice() -> None:
    said = [text for p in purposes() for text in p.said]
    assert all(p.kinds or p.thing for p in purposes())
    kinds = {k for p in purposes() for k in p.kinds}
    assert {k for k in kinds if k.device_class} <= {k for c in concepts().values() for k in c.kinds}
    assert {k.domain for k in kinds} <= PROFILES.keys()
    assert len(said) - len(set(said)) <= len(said) // 20, "a sentence may be true of two things, hardly of more"
