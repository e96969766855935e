"""Imports the two heavy libraries without large ones that they ask for at import and that we never use.

sentence-transformers wants one function of scikit-learn, Chroma an exporter of traces over gRPC: together some 75 MB
and several seconds. Should they ever ask for more, everything is imported as it comes.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

_SKLEARN = {"sklearn.metrics": ("pairwise_distances",)}
_EXPORTER = {"opentelemetry.exporter.otlp.proto.grpc.trace_exporter": ("OTLPSpanExporter",)}
_ROOTS = frozenset({"sklearn", "opentelemetry.exporter"})
"""Packages that are stood in for as a whole; what is above them is imported."""


def import_sentence_transformers() -> Any:
    """The module. Raises ImportError where it is not installed."""
    return _import("sentence_transformers", _SKLEARN)


def import_chromadb() -> Any:
    """The module. Raises ImportError where it is not installed."""
    return _import("chromadb", _EXPORTER)


def _import(name: str, spared: Mapping[str, tuple[str, ...]]) -> object:
    if name in sys.modules:
        return sys.modules[name]
    try:
        with _stand_ins(spared):
            return importlib.import_module(name)
    except (ImportError, AttributeError):
        for half_done in [n for n in sys.modules if n.partition(".")[0] == name]:
            del sys.modules[half_done]
        return importlib.import_module(name)


@contextmanager
def _stand_ins(spared: Mapping[str, tuple[str, ...]]) -> Iterator[None]:
    """While inside, these modules are there with these names only; a name imports the real one when it is called.

    A module that is imported already, or whose package is not installed, is left alone.
    """
    made: dict[str, ModuleType] = {}
    for module, names in spared.items():
        if module not in sys.modules and importlib.util.find_spec(module.partition(".")[0]) is not None:
            stand_in = made[module] = ModuleType(module)
            for name in names:
                setattr(stand_in, name, _when_called(module, name))
            made.update(_parents(module))
    sys.modules.update(made)
    try:
        yield
    finally:
        for name, stand_in in made.items():
            if sys.modules.get(name) is stand_in:
                del sys.modules[name]


def _parents(module: str) -> Iterator[tuple[str, ModuleType]]:
    """Empty packages down from the root; those who only look for the root find it installed."""
    while module not in _ROOTS and "." in module:
        module = module.rpartition(".")[0]
        if module not in sys.modules:
            package = ModuleType(module)
            package.__path__ = []
            package.__spec__ = importlib.util.find_spec(module) if module in _ROOTS else None
            yield module, package


def _when_called(module: str, name: str) -> object:
    def real(*args: object, **kwargs: object) -> Any:
        return getattr(importlib.import_module(module), name)(*args, **kwargs)

    return real
