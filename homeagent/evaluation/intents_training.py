"""Fits the classifier of `homeagent.intents` to the sentences of `data/intents`: ``make intents``.

``--check`` writes nothing and tells how many sentences are read rightly that a fit has not seen: one in five.
"""

from __future__ import annotations

import argparse
import hashlib
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

from homeagent.intents.classifier import WEIGHTS, Classifier, save
from homeagent.intents.intent import Intent, SentenceKind, kind_of

SENTENCES = Path(__file__).parents[2] / "data" / "intents"
_FOLDS = 5


class Row(NamedTuple):
    """A sentence of ``data/intents``."""

    sentence: str
    intent: Intent
    language: str


def labelled(folder: Path = SENTENCES) -> list[Row]:
    """Each sentence. Raises `ValueError` for a class that is no intent."""
    rows: list[Row] = []
    for file in sorted(folder.glob("*.yaml")):
        for name, texts in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            rows += [Row(str(text), Intent(name), file.stem) for text in texts]
    return rows


def digest(folder: Path = SENTENCES) -> str:
    """What the weights were fitted to, as a hash of the files."""
    files = sorted(folder.glob("*.yaml"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write the weights, or check how well a fit reads what it has not seen."""
    from indexer.universal_encoder import UniversalEncoder

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args(arguments)
    rows = labelled()
    encoder = UniversalEncoder()
    encoder.load()
    vectors = encoder.embed([row.sentence for row in rows])
    if chosen.check:
        _check(rows, vectors)
    else:
        save(_fitted(rows, vectors, encoder.fingerprint), Path(__file__).parents[1] / "intents" / WEIGHTS)


def _fitted(rows: Sequence[Row], vectors: NDArray[np.float32], encoder: str) -> Classifier:
    from homeagent.evaluation.intents_network import fit  # it loads PyTorch

    return fit([row.sentence for row in rows], vectors, [row.intent for row in rows], encoder, digest())


def _check(rows: Sequence[Row], vectors: NDArray[np.float32]) -> None:
    """How a fit to four of five sentences reads the fifth."""
    unseen = np.array([zlib.crc32(row.sentence.encode()) % _FOLDS == 0 for row in rows])
    fitted = _fitted([row for row, left_out in zip(rows, unseen, strict=True) if not left_out], vectors[~unseen], "")
    asked = [row for row, left_out in zip(rows, unseen, strict=True) if left_out]
    read = [fitted.guess(row.sentence, vector).likeliest for row, vector in zip(asked, vectors[unseen], strict=True)]
    right = np.array([row.intent is intent for row, intent in zip(asked, read, strict=True)])
    print(f"{len(rows)} sentences; of {len(asked)} that the fit had not seen read rightly: {right.mean():.1%}")
    for language in sorted({row.language for row in asked}):
        print(f"  {language}: {right[[row.language == language for row in asked]].mean():.1%}")
    _tell_kinds([kind_of(row.intent) for row in asked], [kind_of(intent) for intent in read])


def _tell_kinds(kinds: Sequence[SentenceKind], read: Sequence[SentenceKind]) -> None:
    """What the sentences of each kind are read as."""
    print(f"kinds of sentences: {np.mean([one == other for one, other in zip(kinds, read, strict=True)]):.1%}")
    for kind in sorted(set(kinds)):
        counts = Counter(other for one, other in zip(kinds, read, strict=True) if one is kind)
        total = sum(counts.values())
        print(f"  {kind}:", ", ".join(f"{name} {count / total:.1%}" for name, count in counts.most_common(4)))


if __name__ == "__main__":
    main()
