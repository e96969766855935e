"""Fits the guard of the memories (`memory.secret_model`) to the sentences of `data/secrets`: ``make secrets``.

The sentences of `data/intents` count as everyday ones, but for those that the words of the guard know for a secret.
``--check FILE`` writes nothing and tells what the packaged guard refuses of a file with lines
``{"lang", "text", "secret"}``.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml
from numpy.typing import NDArray

from homeagent.evaluation.intents_training import labelled as everyday
from memory.secret_model import BUCKETS, WEIGHTS, forms_of, letters_of, masked
from memory.secret_reader import SecretReader
from memory.secrets import holds_a_secret, pays

if TYPE_CHECKING:
    from indexer.universal_encoder import UniversalEncoder

SENTENCES = Path(__file__).parents[2] / "data" / "secrets"
_STRICTNESS = 10.0
"""Inverse of the L2 penalty."""
_SEED, _DATED = 7, 3
"""One sentence of so many is taught a second time as the turn of a dump."""
_YEARS = 8 * 365 * 24 * 60
_NAMES = ("Anna", "Ben", "Caroline", "Jonas", "Melanie", "Mila", "Sofía", "Théo", "민수", "지영")
_WRITTEN = ("%-I:%M %p on %-d %B, %Y", "%d.%m.%Y %H:%M", "%Y-%m-%d %H:%M", "%H:%M, %-d %b %Y", "%d/%m/%Y")
_EVERYDAY = 0.3
"""How much an everyday sentence counts: there are ten times as many as the others."""


def _heads(count: int) -> Iterator[str]:
    """Who said it and when, as dumps of conversations put it before each turn: no number of it is a code."""
    chance = random.Random(_SEED)
    for _ in range(count):
        at = datetime(2020, 1, 1) + timedelta(minutes=chance.randrange(_YEARS))
        yield f"{chance.choice(_NAMES)}, {at:{chance.choice(_WRITTEN)}}: "


def labelled(folder: Path = SENTENCES) -> list[tuple[str, bool, str]]:
    """Each sentence, whether it tells a secret, and its language."""
    rows = []
    for file in sorted(folder.glob("*.yaml")):
        for name, texts in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            rows += [(str(text), name == "secret", file.stem) for text in texts]
    return rows


def digest(folder: Path = SENTENCES) -> str:
    """What the weights were fitted to, as a hash of the files; the everyday sentences do not count."""
    files = sorted(folder.glob("*.yaml"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write the weights, or tell what is refused of a file."""
    from indexer.universal_encoder import UniversalEncoder

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", type=Path, metavar="FILE")
    chosen = parser.parse_args(arguments)
    encoder = UniversalEncoder()
    encoder.load()
    if chosen.check is not None:
        rows = [json.loads(line) for line in chosen.check.read_text(encoding="utf-8").splitlines()]
        asyncio.run(_check(rows, encoder))
        return
    rows = labelled()
    others = [(text, False, language) for text, _, language in everyday() if not holds_a_secret(text, language)]
    weights = np.array([1.0] * len(rows) + [_EVERYDAY] * len(others))
    rows += others
    dated = random.Random(_SEED).sample(range(len(rows)), len(rows) // _DATED)
    rows += [(f"{head}{rows[i][0]}", *rows[i][1:]) for i, head in zip(dated, _heads(len(dated)), strict=True)]
    weights = np.concatenate([weights, weights[dated]])
    told = [secret for _, secret, _ in rows]
    forms = [forms_of(text, code, holds_a_secret(text, code), pays(text)) for text, _, code in rows]
    vectors = encoder.embed([masked(text) for text, _, _ in rows])
    kept: dict[str, Any] = {"encoder": np.array(encoder.fingerprint), "sentences": np.array(digest())}
    for name, meaning in (("alone", vectors[:, :0]), ("together", vectors)):
        kept |= {f"{name}_{part}": value for part, value in _fitted(rows, forms, meaning, told, weights).items()}
    np.savez_compressed(Path(__file__).parents[2] / "memory" / WEIGHTS, **kept)


def _fitted(
    rows: Sequence[tuple[str, bool, str]],
    forms: Sequence[NDArray[np.float32]],
    vectors: NDArray[np.float32],
    told: Sequence[bool],
    weights: NDArray[np.float64],
) -> dict[str, NDArray[np.float16]]:
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    letters = [letters_of(text) for text, _, _ in rows]
    ends = np.cumsum([0, *(len(buckets) for buckets, _ in letters)])
    groups = csr_matrix(
        (np.concatenate([c for _, c in letters]), np.concatenate([b for b, _ in letters]), ends),
        shape=(len(rows), BUCKETS),
    )
    read = hstack([csr_matrix(np.array(forms)), groups, csr_matrix(vectors)]).tocsr()
    model = LogisticRegression(C=_STRICTNESS, max_iter=2000).fit(read, told, sample_weight=weights)
    [found] = model.coef_.astype(np.float16)
    width = len(forms[0])
    return {
        "forms": found[:width],
        "letters": found[width : width + BUCKETS],
        "meaning": found[width + BUCKETS :],
        "bias": np.float16(model.intercept_[0]),
    }


async def _check(rows: Sequence[dict[str, Any]], encoder: UniversalEncoder) -> None:
    async def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(encoder.embed(texts))

    with_meaning, without = SecretReader(embed, lambda: encoder.fingerprint), SecretReader(embed, lambda: None)
    for name, reader in (("with meaning", with_meaning), ("without", without)):
        refused = await reader.tell([(row["text"], row["lang"]) for row in rows])
        let = [row for row, no in zip(rows, refused, strict=True) if row["secret"] and not no]
        lost = [row for row, no in zip(rows, refused, strict=True) if not row["secret"] and no]
        secrets = sum(row["secret"] for row in rows)
        print(
            f"{name}: {len(let)} of {secrets} secrets let through, {len(lost)} of {len(rows) - secrets} others refused"
        )
        for mark, wrong in (("  kept   ", let), ("  refused", lost)):
            for row in wrong:
                print(mark, row["lang"], row["text"])


if __name__ == "__main__":
    main()
