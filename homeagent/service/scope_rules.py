"""Which scopes a request needs, by its method and path."""

from __future__ import annotations

import re
from collections.abc import Mapping

from homeagent.access import Scope

Scopes = tuple[Scope, ...]
_PLACE = re.compile(r"\\{\w+\\}")


class ScopeRules:
    """``needs``: by path for any method ("/health"), or by method and path, with places for ids
    ("GET /api/memories/{memory_id}").
    """

    def __init__(self, needs: Mapping[str, Scopes]) -> None:
        self._by_path = {path: scopes for path, scopes in needs.items() if " " not in path}
        self._by_method = [
            (method, re.compile(_PLACE.sub("[^/]+", re.escape(path))), scopes)
            for named, scopes in needs.items()
            for method, _, path in (named.partition(" "),)
            if path
        ]

    def of(self, method: str, path: str) -> Scopes | None:
        """The scopes; empty: open to everybody. None where nothing is named so."""
        if (scopes := self._by_path.get(path)) is not None:
            return scopes
        return next((s for m, pattern, s in self._by_method if m == method and pattern.fullmatch(path)), None)

    def knows(self, path: str) -> bool:
        """Whether there is anything at this path, for some method."""
        return path in self._by_path or any(pattern.fullmatch(path) for _, pattern, _ in self._by_method)
