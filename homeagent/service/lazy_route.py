"""Routes that are made when they are first asked for: making the validators of all of them took most of a start."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from fastapi.routing import APIRoute
from starlette.routing import compile_path

_MAKING = threading.RLock()
"""A request and the document, which is made in a thread, may ask for one route at once."""


class LazyRoute(APIRoute):
    """A route that knows only its path and methods until a request comes, or the document asks for the rest."""

    def __init__(self, path: str, endpoint: Callable[..., Any], *, methods: Sequence[str], **options: Any) -> None:
        self.path, self.endpoint = path, endpoint
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.methods = set(methods)
        self._options: dict[str, Any] | None = {"methods": methods, **options}

    def __getattr__(self, name: str) -> Any:
        with _MAKING:
            if name in self.__dict__:  # made while we waited
                return self.__dict__[name]
            options, self.__dict__["_options"] = self.__dict__.get("_options"), None
            if options is None:
                raise AttributeError(name)
            super().__init__(self.path, self.endpoint, **options)
        return getattr(self, name)
