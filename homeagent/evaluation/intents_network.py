"""The network that `make intents` fits: linear scores of the vector, the words and the letters of a sentence, and a
hidden layer over the same.

It is trained by AdamW with a one-cycle rate (Smith & Topin 2018), with words and letters left out at random, so that no
single one of them decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from homeagent.intents.classifier import Classifier
from homeagent.intents.intent import Intent
from homeagent.intents.sentence_words import BUCKETS, LETTER_BUCKETS, buckets_of, letter_buckets_of, weight_of

_HIDDEN = 96
_EPOCHS, _BATCH, _RATE, _DECAY = 8, 256, 3e-3, 1e-2
_LEFT_OUT, _HIDDEN_LEFT_OUT = 0.5, 0.4
_MEANING_SCALE, _WORD_SCALE, _LETTERS_SCALE = 4.0, 0.5, 3.0
"""How much a vector, a word and all stretches of letters count, so that none of them drowns the others."""
_SEED = 0


@dataclass(frozen=True, slots=True)
class _Example:
    """A sentence as the network sees it: its vector (d,), the buckets of its words and letters, and their values."""

    vector: NDArray[np.float32]
    buckets: NDArray[np.intp]
    values: NDArray[np.float32]


def fit(
    sentences: Sequence[str], vectors: NDArray[np.float32], names: Sequence[Intent], encoder: str, source: str
) -> Classifier:
    """A classifier of ``sentences``, whose intents are ``names``; ``vectors`` (n, d) of length 1.

    A class of many sentences counts by the square root of their number, so that the few of a rarer one are heard
    beside it. Two cores take about five minutes. ``encoder``, ``source``: written into it, to tell where it is from.
    """
    torch.manual_seed(_SEED)
    examples = [_example(sentence, vector) for sentence, vector in zip(sentences, vectors, strict=True)]
    intents = tuple(sorted(set(names)))
    targets = torch.tensor([intents.index(name) for name in names])
    counts = Counter(names)
    weights = torch.tensor([counts[intent] ** -0.5 for intent in intents])
    loss = nn.CrossEntropyLoss(weight=weights / weights[targets].mean())
    network = _Network(len(examples[0].vector), len(intents))
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = _EPOCHS * -(-len(examples) // _BATCH)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps, pct_start=0.1)
    network.train()
    for batch in _batches(len(examples)):
        optimiser.zero_grad()
        loss(network([examples[i] for i in batch]), targets[batch]).backward()
        optimiser.step()
        rate.step()
    return network.classifier(intents, encoder, source)


def _example(sentence: str, vector: NDArray[np.float32]) -> _Example:
    words, letters = buckets_of(sentence), letter_buckets_of(sentence)
    values = np.full(len(words) + len(letters), _WORD_SCALE, np.float32)
    values[len(words) :] = _LETTERS_SCALE * weight_of(letters)
    return _Example(vector * np.float32(_MEANING_SCALE), np.concatenate([words, letters + BUCKETS]), values)


def _batches(count: int) -> Iterator[list[int]]:
    dice = np.random.default_rng(_SEED)
    for _ in range(_EPOCHS):
        order = dice.permutation(count)
        yield from (order[at : at + _BATCH].tolist() for at in range(0, count, _BATCH))


class _Network(nn.Module):
    """The first rows of ``meaning`` and ``said`` are the linear scores of the classes, the others the hidden layer."""

    def __init__(self, width: int, classes: int) -> None:
        super().__init__()
        self.meaning = nn.Linear(width, classes + _HIDDEN)
        self.said = nn.EmbeddingBag(BUCKETS + LETTER_BUCKETS, classes + _HIDDEN, mode="sum")
        nn.init.zeros_(self.said.weight[:, :classes])
        nn.init.normal_(self.said.weight[:, classes:], std=0.02)
        self.hidden = nn.Linear(_HIDDEN, classes, bias=False)
        self.classes = classes

    def forward(self, examples: Sequence[_Example]) -> torch.Tensor:
        values = torch.tensor(np.concatenate([e.values for e in examples]))
        if self.training:
            values = values * (torch.rand_like(values) >= _LEFT_OUT) / (1 - _LEFT_OUT)
        ends = np.cumsum([0, *(len(e.buckets) for e in examples[:-1])])
        buckets = torch.tensor(np.concatenate([e.buckets for e in examples]))
        found = self.meaning(torch.tensor(np.stack([e.vector for e in examples])))
        found = found + self.said(buckets, torch.tensor(ends), per_sample_weights=values)
        scores, hidden = found[:, : self.classes], torch.relu(found[:, self.classes :])
        kept = nn.functional.dropout(hidden, _HIDDEN_LEFT_OUT, self.training)
        return torch.add(scores, self.hidden(kept))

    def classifier(self, intents: tuple[Intent, ...], encoder: str, source: str) -> Classifier:
        """What it has learned, with the scales in the weights."""
        said = self.said.weight.detach().numpy()
        step = np.abs(said[BUCKETS:]).max(axis=0) / np.iinfo(np.int8).max
        return Classifier(
            intents,
            (self.meaning.weight.detach().numpy() * _MEANING_SCALE).astype(np.float16),
            (said[:BUCKETS] * _WORD_SCALE).astype(np.float16),
            np.round(said[BUCKETS:] / step).astype(np.int8),
            (step * _LETTERS_SCALE).astype(np.float16),
            self.meaning.bias.detach().numpy().astype(np.float16),
            self.hidden.weight.detach().numpy().astype(np.float16),
            encoder,
            source,
        )
