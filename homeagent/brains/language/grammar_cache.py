"""Parsed sentence templates, kept in files as plain JSON: reading them takes a fraction of the time of parsing."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from homeagent.private_folder import replace_private

if TYPE_CHECKING:
    from hassil import Intents


@dataclass(frozen=True, slots=True)
class GrammarCache:
    """A folder of parsed templates, one file a language; None: nothing is kept. What cannot be read or written is as if
    it were not there.

    All caches are equal: what is taken from one is what another would give, so it is loaded once for all.
    """

    folder: Path | None = field(default=None, compare=False)

    def fill(self, language: str, intents: Intents) -> bool:
        """Give ``intents`` the templates that were kept of them, instead of parsing them at their first use.

        False, and nothing is changed, where they are missing, damaged, or were made by other versions than now.
        """
        from homeagent.brains.language import grammar_rows

        if self.folder is None:
            return False
        self._remove_pickles(self.folder)
        try:
            head, _, body = _file(self.folder, language).read_text("utf-8").partition("\n")
            if head != _head(body):
                return False
            grammar_rows.from_rows(json.loads(body), intents)
        except (OSError, *grammar_rows.WRONG_SHAPE):
            return False
        return True

    def keep(self, language: str, intents: Intents) -> None:
        """Keep the templates, readable by their owner only. A grammar with parts that the table has not is not kept."""
        from homeagent.brains.language import grammar_rows

        if self.folder is None:
            return
        with contextlib.suppress(OSError, *grammar_rows.WRONG_SHAPE):
            body = json.dumps(grammar_rows.to_rows(intents), ensure_ascii=False, separators=(",", ":"))
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_private(_file(self.folder, language), f"{_head(body)}\n{body}")

    def _remove_pickles(self, folder: Path) -> None:
        """Earlier releases kept pickles here. They are never read."""
        with contextlib.suppress(OSError):
            for old in folder.glob("grammar-*.pickle*"):
                old.unlink()


NOT_KEPT = GrammarCache()


def _file(folder: Path, language: str) -> Path:
    return folder / f"grammar-{language}.json"


def _head(body: str) -> str:
    return f"{_made_by()} {hashlib.sha256(body.encode()).hexdigest()}"


@cache
def _made_by() -> str:
    """A digest of all that decides what a kept template looks like."""
    digest = hashlib.sha256(f"{version('hassil')} {version('home-assistant-intents')}".encode())
    digest.update(Path(__file__).with_name("grammar_rows.py").read_bytes())
    return digest.hexdigest()
