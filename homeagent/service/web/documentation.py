"""`/docs`: the OpenAPI document for people, made here, so that nothing has to be loaded or run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from homeagent.access import Scope
from homeagent.service.document import document_of
from homeagent.service.web.rendering import Renderer, shown

DOCS = "/docs"
NEEDS: dict[str, tuple[Scope, ...]] = {DOCS: (Scope.READ,)}
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field of a request or an answer, or a parameter."""

    name: str
    kind: str
    required: bool
    said: str


@dataclass(frozen=True, slots=True)
class OperationView:
    """One operation, as it is shown. ``curl``: a call of it, as it stands in a shell."""

    id: str
    method: str
    path: str
    summary: str
    said: str
    takes: tuple[FieldView, ...]
    gives: tuple[FieldView, ...]
    answers: tuple[tuple[str, str], ...]
    curl: str


def add_documentation(api: FastAPI, renderer: Renderer) -> None:
    """The page."""

    @api.get(DOCS, response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show(request: Request) -> Response:
        document = await asyncio.to_thread(document_of, api)
        rooms = [(tag, list(_of(document, tag["name"]))) for tag in document["tags"]]
        return renderer.page(request, "documentation.html", about=document["info"], rooms=rooms)


def _of(document: Mapping[str, Any], tag: str) -> Iterator[OperationView]:
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if tag in operation["tags"]:
                yield _shown(path, method.upper(), operation, schemas)


def _shown(path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> OperationView:
    body = operation.get("requestBody", {}).get("content", {}).get(_JSON, {}).get("schema", {})
    done = next(response for status, response in operation["responses"].items() if status.startswith("2"))
    parameters = operation.get("parameters", ())
    return OperationView(
        id=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        said=operation.get("description", ""),
        takes=(*map(_parameter, parameters), *_fields(body, schemas)),
        gives=tuple(_fields(done.get("content", {}).get(_JSON, {}).get("schema", {}), schemas)),
        answers=tuple((status, told["description"]) for status, told in operation["responses"].items()),
        curl=_curl(path, method, body),
    )


def _parameter(told: Mapping[str, Any]) -> FieldView:
    kind = f"{told['in']}, {_kind(told['schema'])}"
    return FieldView(told["name"], kind, bool(told.get("required")), told.get("description", ""))


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[FieldView]:
    meant = schemas[_name(schema)] if "$ref" in schema else schema
    required = meant.get("required", ())
    for name, told in meant.get("properties", {}).items():
        yield FieldView(name, _kind(told), name in required, told.get("description", ""))


def _kind(schema: Mapping[str, Any]) -> str:
    """The type in a word: `string`, `integer or null`, `list of Question`."""
    if "$ref" in schema:
        return _name(schema)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(one) for one in schema["anyOf"]))
    if schema.get("enum"):
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _curl(path: str, method: str, body: Mapping[str, Any]) -> str:
    words = ["curl -s", f'-H "Authorization: Bearer $TOKEN" "$URL{path}"']
    if method == "DELETE":
        words.insert(1, "-X DELETE")
    if examples := body.get("examples"):
        said = json.dumps(examples[0], ensure_ascii=False)
        words.append(f"-H 'Content-Type: application/json' -d '{said}'")
    return " ".join(words)
