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

from homeagent.intents.classifier import WEIGHTS, Classifier, save
from homeagent.intents.intent import Intent, SentenceKind, kind_of
from homeagent.intents.sentence_words import BUCKETS, LETTER_BUCKETS, buckets_of, letter_buckets_of, weight_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

SENTENCES = Path(__file__).parents[2] / "data" / "intents"
_FOLDS = 5
_STRICTNESS = 2.0
"""Inverse of the L2 penalty."""
_MEANING_SCALE, _WORD_SCALE, _LETTERS_SCALE = 2.0, 0.5, 3.0
"""How much a vector, a word and all stretches of letters count: so none drowns the others in the penalty."""


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


def fit(features: csr_matrix, names: Sequence[str]) -> LogisticRegression:
    """A classifier over ``features`` (n, d). A class of many sentences counts by the square root of their number, so
    that the few of a rarer one are heard beside it."""
    from sklearn.linear_model import LogisticRegression

    counts = Counter(names)
    weights = [counts[name] ** -0.5 for name in names]
    return LogisticRegression(C=_STRICTNESS, max_iter=2000).fit(
        features, names, sample_weight=np.array(weights) / np.mean(weights)
    )


def features_of(vectors: NDArray[np.float32], sentences: Sequence[str]) -> csr_matrix:
    """(n, d + BUCKETS + LETTER_BUCKETS): the vectors of sentences, their words and the letters of these."""
    from scipy.sparse import csr_matrix, hstack

    letters = [letter_buckets_of(sentence) for sentence in sentences]
    return csr_matrix(
        hstack(
            [
                csr_matrix(vectors * np.float32(_MEANING_SCALE)),
                _said([buckets_of(sentence) for sentence in sentences], [_WORD_SCALE] * len(sentences), BUCKETS),
                _said(letters, [_LETTERS_SCALE * weight_of(found) for found in letters], LETTER_BUCKETS),
            ]
        )
    )


def _said(found: Sequence[NDArray[np.intp]], values: Sequence[float], buckets: int) -> csr_matrix:
    """(n, buckets): in each row its value in the buckets that were found."""
    from scipy.sparse import csr_matrix

    counts = [len(one) for one in found]
    rows = np.repeat(np.arange(len(found)), counts)
    data = np.repeat(np.array(values, np.float32), counts)
    return csr_matrix((data, (rows, np.concatenate(found))), shape=(len(found), buckets))


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
    features = features_of(vectors, [text for text, _, _ in rows])
    if chosen.check:
        _check(features, np.array(names), np.array([language for _, _, language in rows]))
        return
    fitted = _fitted(features, names, encoder.fingerprint)
    save(fitted, Path(__file__).parents[1] / "intents" / WEIGHTS)


def _fitted(features: csr_matrix, names: Sequence[str], encoder: str) -> Classifier:
    model = fit(features, names)
    ends = np.cumsum([features.shape[1] - BUCKETS - LETTER_BUCKETS, BUCKETS])
    meaning, words, letters = np.split(model.coef_, ends, axis=1)
    return Classifier(
        tuple(Intent(name) for name in model.classes_),
        (meaning * _MEANING_SCALE).astype(np.float16),
        (words * _WORD_SCALE).astype(np.float16),
        (letters * _LETTERS_SCALE).astype(np.float16),
        model.intercept_.astype(np.float16),
        encoder,
        digest(),
    )


def _check(features: csr_matrix, names: NDArray[np.str_], languages: NDArray[np.str_]) -> None:
    from sklearn.model_selection import StratifiedKFold

    read = np.empty_like(names)
    for known, unseen in StratifiedKFold(_FOLDS, shuffle=True, random_state=0).split(features, names):
        read[unseen] = fit(features[known], list(names[known])).predict(features[unseen])
    print(f"{len(names)} sentences, {len(set(names))} intents; read rightly of what the fit had not seen:")
    print(f"  five folds: {(read == names).mean():.1%}")
    for language in sorted(set(languages)):
        other = languages != language
        without = fit(features[other], list(names[other])).predict(features[~other]) == names[~other]
        right = (read == names)[~other].mean()
        print(f"  {language}: {right:.1%}, without any sentence in {language}: {without.mean():.1%}")
    _tell_kinds([kind_of(Intent(name)) for name in names], [kind_of(Intent(name)) for name in read])


def _tell_kinds(kinds: Sequence[SentenceKind], read: Sequence[SentenceKind]) -> None:
    """What the sentences of each kind are read as."""
    print(f"kinds of sentences: {np.mean([one == other for one, other in zip(kinds, read, strict=True)]):.1%}")
    for kind in sorted(set(kinds)):
        counts = Counter(other for one, other in zip(kinds, read, strict=True) if one is kind)
        total = sum(counts.values())
        print(f"  {kind}:", ", ".join(f"{name} {count / total:.1%}" for name, count in counts.most_common(4)))


if __name__ == "__main__":
    main()
