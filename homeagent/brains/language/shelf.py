"""Grammars as they were when parsed, kept in files: reading one takes a tenth of the time that parsing it takes."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

_HEAD = 2 * hashlib.sha256().digest_size
_SOURCES = ("grammar.py", "narrowing.py")
"""What else a kept grammar is made of, besides the two packages."""
_TRUSTED = frozenset({"hassil", "homeagent.brains.language.grammar", "homeagent.brains.language.narrowing"})
_PLAIN = frozenset({"set", "frozenset"})


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder of parsed grammars, one file a language. What cannot be read or written is as if it were not there.

    All shelves are equal: what is taken from one is what another would give, so it is loaded once for all.
    """

    folder: Path = field(compare=False)

    def take(self, language: str) -> Any:
        """The grammar that was put there; None where it is missing, damaged, or made by other versions than now."""
        with contextlib.suppress(OSError, pickle.UnpicklingError):
            content = self._file(language).read_bytes()
            body = content[_HEAD:]
            if content[:_HEAD] == _head(body):
                return _Reader(io.BytesIO(body)).load()
        return None

    def put(self, language: str, grammar: object) -> None:
        """Keep a grammar, readable by its owner only."""
        with contextlib.suppress(OSError, pickle.PicklingError, TypeError):
            body = pickle.dumps(grammar, protocol=5)
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = self.folder / f"{self._file(language).name}.{os.getpid()}"
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(_head(body) + body)
            draft.replace(self._file(language))

    def _file(self, language: str) -> Path:
        return self.folder / f"grammar-{language}.pickle"


def _head(body: bytes) -> bytes:
    return _made_by() + hashlib.sha256(body).digest()


@cache
def _made_by() -> bytes:
    """A digest of all that decides what a parsed grammar looks like."""
    digest = hashlib.sha256(f"{sys.version} {version('hassil')} {version('home-assistant-intents')}".encode())
    for name in _SOURCES:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.digest()


class _Reader(pickle.Unpickler):
    """Makes what a grammar consists of, and nothing else: a file cannot run what it likes."""

    def find_class(self, module: str, name: str) -> Any:
        known = module.partition(".")[0] in _TRUSTED or module in _TRUSTED or (module == "builtins" and name in _PLAIN)
        found = super().find_class(module, name) if known and "." not in name else None
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a grammar")
        return found
