"""Imports sentence-transformers without scikit-learn, of which it needs one function that we never call.

That saves some 60 MB and several seconds. Should it ever ask for more, everything is imported as it comes.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

_NAME = "sentence_transformers"


def import_sentence_transformers() -> Any:
    """The module. Raises ImportError where it is not installed."""
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    try:
        with _stand_in_for_sklearn():
            return importlib.import_module(_NAME)
    except (ImportError, AttributeError):
        for name in [n for n in sys.modules if n.partition(".")[0] in {_NAME, "sklearn"}]:
            del sys.modules[name]
        return importlib.import_module(_NAME)


@contextmanager
def _stand_in_for_sklearn() -> Iterator[None]:
    """While inside, ``sklearn.metrics.pairwise_distances`` can be imported and nothing else of scikit-learn."""
    spec = importlib.util.find_spec("sklearn")
    if spec is None or "sklearn" in sys.modules:
        yield
        return
    package, metrics = ModuleType("sklearn"), ModuleType("sklearn.metrics")
    package.__spec__, package.__path__ = spec, []
    metrics.pairwise_distances = _pairwise_distances  # type: ignore[attr-defined]
    package.metrics = metrics  # type: ignore[attr-defined]
    sys.modules.update({"sklearn": package, "sklearn.metrics": metrics})
    try:
        yield
    finally:
        for name, module in (("sklearn", package), ("sklearn.metrics", metrics)):
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _pairwise_distances(*args: Any, **kwargs: Any) -> Any:
    """The real function, imported when somebody does call it."""
    return importlib.import_module("sklearn.metrics").pairwise_distances(*args, **kwargs)
