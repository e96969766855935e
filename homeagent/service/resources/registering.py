"""How a resource becomes an operation of the API. What answers it takes the request, and whatever FastAPI gives it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Path, Request
from fastapi.responses import Response

from homeagent.access import Identity, Scope
from homeagent.service.document import Tag, bearer, failures, needing
from homeagent.service.request_fields import ShortId
from homeagent.service.request_guard import caller_of

if TYPE_CHECKING:
    from homeagent.app import App

Answered = Callable[[str, Callable[[], Awaitable[object]]], Awaitable[Response]]
"""The boundary of a request: takes what it is about, for the log, and what answers it."""
PathId = Annotated[ShortId, Path(description="The whole id.")]
Answers = Callable[..., Awaitable[object]]


class Resources:
    """The resources of one API. ``needs``: the scopes of each, as the guard asks for them."""

    def __init__(self, api: FastAPI, app: App, answered: Answered) -> None:
        self.app = app
        self.needs: dict[str, tuple[Scope, ...]] = {}
        self._api = api
        self._answered = answered

    def get(self, path: str, operation: str, tag: Tag, needs: Scope, answer: Any) -> Callable[[Answers], Answers]:
        """Something to look at; the function answers plain data in the shape of ``answer``."""
        return self._add("GET", path, operation, tag, needs, {"response_model": answer})

    def delete(self, path: str, operation: str, tag: Tag, needs: Scope) -> Callable[[Answers], Answers]:
        """Something to be rid of; nothing is answered."""
        nothing = {"status_code": HTTPStatus.NO_CONTENT, "response_class": Response, "response_model": None}
        return self._add("DELETE", path, operation, tag, needs, nothing)

    def _add(
        self, method: str, path: str, operation: str, tag: Tag, needs: Scope, options: dict[str, Any]
    ) -> Callable[[Answers], Answers]:
        self.needs[f"{method} {path}"] = (needs,)
        names_one = (HTTPStatus.NOT_FOUND,) if "{" in path else ()

        def add(answers: Answers) -> Answers:
            @wraps(answers)
            async def endpoint(**given: Any) -> Response:
                who_asks(given["request"]).need(needs)  # once more, whichever way led here
                response = await self._answered(operation, lambda: answers(**given))
                done = response.status_code == HTTPStatus.OK and method == "DELETE"
                return Response(status_code=HTTPStatus.NO_CONTENT) if done else response

            doc = (answers.__doc__ or operation).strip()
            self._api.add_api_route(
                path,
                endpoint,
                methods=[method],
                operation_id=operation,
                tags=[tag],
                summary=doc.partition("\n")[0],
                description=f"{doc}\n\n{needing([needs])}",
                responses=failures(*names_one),
                dependencies=bearer([needs]),
                **options,
            )
            return answers

        return add


def who_asks(request: Request) -> Identity:
    """Whose token the request came with."""
    caller = caller_of(request.scope)
    assert caller is not None  # the guard lets nobody else pass
    return caller
