"""Fits the classifier of `homeagent.intents` to the sentences of `data/intents`: ``make intents``.

``--check`` writes nothing and tells how many sentences are read rightly that a fit has not seen, by five folds and
language by language.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml
from numpy.typing import NDArray

from homeagent.intents.classifier import WEIGHTS
from homeagent.intents.intent import Intent

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

SENTENCES = Path(__file__).parents[2] / "data" / "intents"
_FOLDS = 5
_STRICTNESS = 5.0
"""Inverse of the L2 penalty. From one writer to another 5 reads the most rightly; what is read with a share above 0.6
then holds for nine of ten."""


def labelled(folder: Path = SENTENCES) -> list[tuple[str, Intent, str]]:
    """Each sentence with its intent and its language. Raises `ValueError` for a class that is no intent."""
    rows = []
    for file in sorted(folder.glob("*.yaml")):
        for name, texts in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            rows += [(str(text), Intent(name), file.stem) for text in texts]
    return rows


def digest(folder: Path = SENTENCES) -> str:
    """What the weights were fitted to, as a hash of the files."""
    files = sorted(folder.glob("*.yaml"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def fit(vectors: NDArray[np.float32], names: Sequence[str]) -> LogisticRegression:
    """A classifier over ``vectors`` (n, d). A class of many sentences counts by the square root of their number, so
    that the few of a rarer one are heard beside it."""
    from sklearn.linear_model import LogisticRegression

    counts = Counter(names)
    weights = [counts[name] ** -0.5 for name in names]
    return LogisticRegression(C=_STRICTNESS, max_iter=2000).fit(
        vectors, names, sample_weight=np.array(weights) / np.mean(weights)
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write the weights, or check how well a fit reads what it has not seen."""
    from indexer.universal_encoder import UniversalEncoder

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args(arguments)
    rows = labelled()
    encoder = UniversalEncoder()
    encoder.load()
    vectors = encoder.embed([text for text, _, _ in rows])
    names = [str(intent) for _, intent, _ in rows]
    if chosen.check:
        _check(vectors, np.array(names), np.array([language for _, _, language in rows]))
        return
    model = fit(vectors, names)
    path = Path(__file__).parents[1] / "intents" / WEIGHTS
    np.savez_compressed(
        path,
        intents=np.array(model.classes_),
        weights=model.coef_.astype(np.float16),
        bias=model.intercept_.astype(np.float16),
        encoder=np.array(encoder.fingerprint),
        sentences=np.array(digest()),
    )


def _check(vectors: NDArray[np.float32], names: NDArray[np.str_], languages: NDArray[np.str_]) -> None:
    from sklearn.model_selection import StratifiedKFold

    right = np.zeros(len(names), bool)
    for known, unseen in StratifiedKFold(_FOLDS, shuffle=True, random_state=0).split(vectors, names):
        right[unseen] = fit(vectors[known], list(names[known])).predict(vectors[unseen]) == names[unseen]
    print(f"{len(names)} sentences, {len(set(names))} intents; read rightly of what the fit had not seen:")
    print(f"  five folds: {right.mean():.1%}")
    for language in sorted(set(languages)):
        other = languages != language
        read = fit(vectors[other], list(names[other])).predict(vectors[~other]) == names[~other]
        print(f"  {language}: {right[~other].mean():.1%}, without any sentence in {language}: {read.mean():.1%}")


if __name__ == "__main__":
    main()
