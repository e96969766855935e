"""Whatever is typed is read, and nothing of it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from homeagent.understanding.tokeniser import tokenise
from homeagent.values.yaml_text import read_yaml
from tests.examples import share
from tests.understanding.reading import decision

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko", "it")
TESTS = Path(__file__).parents[1]


def outcomes() -> Iterator[str]:
    for rows in read_yaml((TESTS / "understanding" / "outcomes.yaml").read_text("utf-8")).values():
        yield from rows


def sayings_about_times() -> Iterator[str]:
    for said in read_yaml((TESTS / "timers" / "sentences.yaml").read_text("utf-8")).values():
        yield from said["sentences"]


WORDS = sorted({word for sentence in (*outcomes(), *sayings_about_times()) for word in sentence.split()})
ANY = st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=12).map(" ".join)


@settings(deadline=None, max_examples=share(150))
@example("B0A:E0", "es")
@example("이따 저녁 여덟 시에 쓰레기 내놓으라고 알려줘 또 까먹는다", "ko")
@given(st.text(max_size=80) | ANY, st.sampled_from(LANGUAGES))
def test_anything_typed_is_read(text: str, language: str) -> None:
    at = 0
    for token in tokenise(text).tokens:
        assert token.raw
        found = text.find(token.raw, at)
        assert found >= at, token
        at = found
    decision(text, language=language)
