"""The OpenAPI document: whole enough that a client can be made of it, and true of what is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from pydantic import ValidationError

from homeagent.app import App
from homeagent.service.services import SERVICES
from tests.service.conftest import Services, as_documented

Operation = tuple[str, str, dict[str, Any]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def document(unchanged: httpx.AsyncClient) -> dict[str, Any]:
    response = await unchanged.get("/openapi.json")
    told: dict[str, Any] = response.json()
    return told


def _operations(document: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


async def test_every_operation_is_named_sorted_and_told_in_words(document: dict[str, Any]) -> None:
    operations = list(_operations(document))
    ids = [operation["operationId"] for *_, operation in operations]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch("[a-z_]+", one) for one in ids)
    tags = {tag["name"] for tag in document["tags"]}
    assert {tag for *_, operation in operations for tag in operation["tags"]} == tags
    assert all(operation["summary"] and "\n" not in operation["summary"] for *_, operation in operations)


async def test_every_operation_tells_what_it_answers_and_how_it_fails(document: dict[str, Any]) -> None:
    for path, method, operation in _operations(document):
        responses = operation["responses"]
        assert all(re.fullmatch(r"\d{3}", status) for status in responses), (path, "none by wildcard")
        done = [response for status, response in responses.items() if status.startswith("2")]
        assert len(done) == 1, (path, method)
        for status, response in responses.items():
            failed = not status.startswith("2")
            assert response["description"], (path, method, status)
            for media_type, content in response.get("content", {}).items():
                assert content["schema"], (path, method, status)
                if failed and not path.startswith("/v1/"):
                    assert media_type == "application/problem+json"
                    assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert {"400", "401", "403", "408", "413", "422", "500", "503"} <= responses.keys(), (path, method)


async def test_every_operation_but_health_tells_the_scopes_that_it_needs(document: dict[str, Any]) -> None:
    scheme = document["components"]["securitySchemes"]["HTTPBearer"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    without = [path for path, _, operation in _operations(document) if "security" not in operation]
    assert sorted(without) == ["/api/services/pair", "/health"]
    for path, _, operation in _operations(document):
        for requirement in operation.get("security", ()):
            assert requirement["HTTPBearer"], path


async def test_every_body_has_an_example_that_fits(document: dict[str, Any]) -> None:
    for path, method, operation in _operations(document):
        if body := operation.get("requestBody"):
            (content,) = body["content"].values()
            schema = content["schema"]
            assert schema.get("examples"), (path, method)
    for service in SERVICES.values():
        service.fields.model_validate(service.example)


@pytest.mark.slow
async def test_the_examples_do_what_they_say(app: App, call: Services) -> None:
    await app.index.wait_ready()
    await call("add_token", name="kitchen", scopes=["read"])
    told = []
    of_timers = ("set_timer", "change_timer", "steer_timer", "cancel_timer")
    for name in (*(SERVICES.keys() - of_timers), *of_timers):
        example = SERVICES[name].example
        named = {"conversation_id", "memory_id", "confirmation_id", "id"} & example.keys()
        if (named and name != "clear_history") or name in ("add_token", "snooze_timer", "index_history", "pair"):
            continue  # of things that are not there
        told.append(name)
        await call(name, **example)
    assert len(told) > 20


def test_an_answer_with_more_or_less_than_the_document_tells_is_found_out() -> None:
    answer = SERVICES["list_memories"].answer
    memory = {
        "id": "1",
        "content": "c",
        "type": "fact",
        "importance": 0.5,
        "user_id": None,
        **dict.fromkeys(("created_at", "updated_at", "valid_from"), "2026-11-29T20:00:00+00:00"),
    }
    as_documented(answer, {"memories": [memory]})
    for wrong in ({**memory, "more": 1}, {k: v for k, v in memory.items() if k != "content"}, {**memory, "id": 1}):
        with pytest.raises(ValidationError):
            as_documented(answer, {"memories": [wrong]})


async def test_every_choice_is_told_once(document: dict[str, Any]) -> None:
    def choices(part: Any) -> Iterator[list[Any]]:
        if isinstance(part, dict):
            yield from ([part["enum"]] if isinstance(part.get("enum"), list) else ())
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from choices(inner)

    told = list(choices(document))
    assert len(told) > 10
    assert all(len(set(map(str, one))) == len(one) for one in told)


async def test_every_model_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    assert not [name for name in document["components"]["schemas"] if "__" in name]
