"""Embedding by an OpenAI-compatible service: real HTTP answers of several shapes, and every way to fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.embed import vectors_from_answer
from indexer.embedding_models import EmbedEndpoint
from indexer.endpoint import EndpointEmbedder
from indexer.errors import EmbedderUnavailable

ENDPOINT = EmbedEndpoint("http://embedder.local/v1", "some-model", api_key="key-1")


def served(answer: Callable[[httpx.Request], httpx.Response]) -> EndpointEmbedder:
    return EndpointEmbedder(ENDPOINT, transport=httpx.MockTransport(answer))


def openai_shape(texts: list[str]) -> Any:
    rows = [{"index": i, "embedding": [float(len(t)), 0.0]} for i, t in enumerate(texts)]
    return {"object": "list", "data": rows[::-1]}


def bare_list(texts: list[str]) -> Any:
    return [{"index": i, "embedding": [float(len(t)), 0.0]} for i, t in enumerate(texts)]


def llama_cpp(texts: list[str]) -> Any:
    return [{"index": i, "embedding": [[float(len(t)), 0.0]]} for i, t in enumerate(texts)]


def only_vectors(texts: list[str]) -> Any:
    return [[float(len(t)), 0.0] for t in texts]


@pytest.mark.parametrize("shape", [openai_shape, bare_list, llama_cpp, only_vectors])
async def test_every_known_shape_is_understood(shape: Callable[[list[str]], Any]) -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json=shape(json.loads(request.content)["input"]))

    vectors = await served(answer).embed(["a", "bb"])
    assert vectors.tolist() == [[1.0, 0.0], [1.0, 0.0]], "rows have length 1"
    assert str(requests[0].url) == "http://embedder.local/v1/embeddings"
    assert requests[0].headers["Authorization"] == "Bearer key-1"
    assert json.loads(requests[0].content)["model"] == "some-model"


async def test_the_order_is_the_requests() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        rows = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
        return httpx.Response(200, json={"data": rows})

    assert (await served(answer).embed(["first", "second"])).tolist() == [[1.0, 0.0], [0.0, 1.0]]


async def test_many_texts_go_in_several_requests() -> None:
    sizes: list[int] = []

    def answer(request: httpx.Request) -> httpx.Response:
        texts = json.loads(request.content)["input"]
        sizes.append(len(texts))
        return httpx.Response(200, json=openai_shape(texts))

    assert (await served(answer).embed(["x"] * 150)).shape == (150, 2)
    assert sum(sizes) == 150
    assert max(sizes) < 150


async def test_the_fingerprint_knows_model_address_and_dimension() -> None:
    one = await served(
        lambda r: httpx.Response(200, json=openai_shape(json.loads(r.content)["input"]))
    ).find_fingerprint()
    wide = await served(lambda _: httpx.Response(200, json=[[1.0, 0.0, 0.0]])).find_fingerprint()
    assert one.startswith("some-model-")
    assert one != wide


def refuse(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("connection refused")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda _: httpx.Response(401, text="no such key"), "401: no such key"),
        (lambda _: httpx.Response(200, text="<html>"), "not understood"),
        (lambda _: httpx.Response(200, json={"error": "loading"}), "not understood"),
        (lambda _: httpx.Response(200, json={"data": []}), "vectors"),
        (lambda _: httpx.Response(200, json=[[1.0], [2.0], [3.0]]), "3 vectors for 1 texts"),
        (lambda _: httpx.Response(200, json={"data": [{"embedding": ["x"]}]}), "not understood"),
        (refuse, "cannot be reached"),
    ],
)
async def test_failures_are_named_and_say_what_to_do(
    answer: Callable[[httpx.Request], httpx.Response], words: str
) -> None:
    with pytest.raises(EmbedderUnavailable, match=words) as caught:
        await served(answer).embed(["one"])
    assert "key-1" not in str(caught.value)
    assert "index." in caught.value.hint or "doctor" in caught.value.hint


def test_the_key_is_not_shown() -> None:
    assert "key-1" not in repr(ENDPOINT)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["data", "embedding", "index", "x"]), inner),
    max_leaves=10,
)


@given(st.binary() | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_answer_is_vectors_or_a_named_error(answer: bytes) -> None:
    try:
        vectors = vectors_from_answer(answer)
    except EmbedderUnavailable:
        return
    assert vectors.ndim == 2
    assert np.isfinite(vectors).all()
