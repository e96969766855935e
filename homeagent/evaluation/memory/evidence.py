"""How much of a question's evidence is among the first turns found: plain ways beside ours, on the same turns.

dense: cosine of the turn's and the question's vectors. words: BM25 over lower-case words. sum: both, each divided by
its best, added. ours: the memory itself, with each turn as a memory and no floor. crossed: the same, ordered by those
weights of `WEIGHTS` that do best on all the other conversations, so that no conversation has a say in its own.

Conversations are read in the LoCoMo format: sessions of dated turns, questions with evidence ids.

A file is one conversation or a list of them. A conversation has ``sample_id``, ``conversation`` and ``qa``; its
sessions may also stand beside ``qa``, and then the file's name is its id. In ``conversation``, ``session_N`` is a list
of turns (``speaker``, ``dia_id``, ``text``, and ``blip_caption`` where a picture was shown) and ``session_N_date_time``
tells when ("1:56 pm on 8 May, 2023"). A question has ``question``, ``evidence`` (a list of turn ids, at times several
in one text) and ``category``. Everything else is left alone.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine

from homeagent.assembly.foundation import open_engine
from homeagent.config.settings import Settings
from homeagent.errors import InvalidInput
from homeagent.evaluation.memory.playing import Embedder, InMemoryStore
from memory.checks import MAX_CONTENT, checked_content
from memory.identity import identity
from memory.memory_vectors import Embed
from memory.model import Memory, MemoryType, Source
from memory.ranking import RankWeights
from memory.store import Memories

_SESSION = re.compile(r"session_(\d+)$")
_EVIDENCE = re.compile(r"D:?\s*(\d+)\s*:\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Said:
    """One turn. ``id``: session and turn, as in ``D3:12``. ``when``: as the conversation has it."""

    id: str
    session: int
    speaker: str
    text: str
    when: str


@dataclass(frozen=True, slots=True)
class Question:
    """``evidence``: ids of the turns that hold the answer."""

    text: str
    evidence: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of all sessions in order, and the questions about them."""

    id: str
    turns: tuple[Said, ...]
    questions: tuple[Question, ...]
    """Those whose evidence is among the turns; of others nothing can be found."""


def load(paths: Sequence[Path]) -> tuple[Conversation, ...]:
    """The conversations of these files. Raises InvalidInput with the place."""
    return tuple(conversation for path in paths for conversation in _read(path))


def _read(path: Path) -> Iterator[Conversation]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidInput(f"There are no conversations at {path}.") from None
    except (ValueError, OSError) as error:
        raise InvalidInput(f"{path} cannot be read as JSON: {error}") from error
    for number, raw in enumerate(data if isinstance(data, list) else [data], 1):
        try:
            yield _conversation(raw, f"{path.stem}-{number}")
        except (KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"{path}, conversation {number}: {error!r}: a field is missing or wrong.") from error


def _conversation(raw: Mapping[str, Any], name: str) -> Conversation:
    turns = tuple(_turns(raw.get("conversation", raw)))
    known = {turn.id for turn in turns}
    questions = (_question(one) for one in raw.get("qa", ()))
    return Conversation(str(raw.get("sample_id", name)), turns, tuple(q for q in questions if q.evidence & known))


def _turns(raw: Mapping[str, Any]) -> Iterator[Said]:
    numbers = sorted(int(found.group(1)) for key in raw if (found := _SESSION.match(key)))
    for number in numbers:
        when = str(raw.get(f"session_{number}_date_time", ""))
        for turn in raw[f"session_{number}"]:
            [turn_id] = _ids(turn["dia_id"]) or [str(turn["dia_id"])]
            shown = f" [{caption}]" if (caption := turn.get("blip_caption")) else ""
            yield Said(turn_id, number, str(turn["speaker"]), f"{turn.get('text') or ''}{shown}".strip(), when)


def _question(raw: Mapping[str, Any]) -> Question:
    evidence = raw.get("evidence") or ()
    texts = [evidence] if isinstance(evidence, str) else evidence
    ids = frozenset(turn_id for text in texts for turn_id in _ids(str(text)))
    return Question(str(raw["question"]), ids, str(raw.get("category", "")))


def _ids(text: str) -> list[str]:
    """The turn ids in a text, in one spelling: ``D8:6; D9:17`` and ``D:11:26`` are found, too."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _EVIDENCE.findall(text)]


AT = (5, 10, 20)
_WORD = re.compile(r"\w+")
_K1, _B = 1.2, 0.75
"""BM25's usual constants."""
_BATCH = 64
Scores = NDArray[np.float64]
Shares = list[tuple[float, ...]]
"""For each question the share of its evidence at each of `AT`."""
WEIGHTS = (
    RankWeights(),
    *(
        RankWeights(meaning=meaning, before=before, after=after, around=around, session=session)
        for meaning in (0.25, 0.5)
        for before, after, around in ((0.3, 0.3, 0.1), (0.5, 0.3, 0.2))
        for session in (0.3, 0.9)
    ),
    RankWeights(before=0, after=0, around=0, session=0),
)
"""Weights that are tried: the product's own, others around them, and none for what stands around a turn."""


async def measure(conversations: Sequence[Conversation], embedder: Embedder) -> dict[str, object]:
    """Recall of the evidence, 0 to 1, for each way at each of `AT`: the mean over questions of the share found.

    Without an embedder only ``words`` and the memory itself are measured; of a single conversation nothing is crossed.
    """
    found: defaultdict[str, defaultdict[str, list[tuple[float, ...]]]] = defaultdict(lambda: defaultdict(list))
    weighed = []
    for conversation in conversations:
        for name, rankings in (await _plain(conversation, embedder)).items():
            _add(found[name], conversation, _shares(conversation, rankings))
        ours = await _ours(conversation, embedder)
        weighed.append([_shares(conversation, rankings) for rankings in ours])
        _add(found["ours"], conversation, weighed[-1][0])
    for number, conversation in enumerate(conversations if len(conversations) > 1 else ()):
        others = [shares for other, shares in enumerate(weighed) if other != number]
        chosen = max(range(len(WEIGHTS)), key=lambda at: sum(sum(map(sum, shares[at])) for shares in others))
        _add(found["crossed"], conversation, weighed[number][chosen])
    return {
        "conversations": len(conversations),
        "turns": sum(len(c.turns) for c in conversations),
        "questions": sum(len(c.questions) for c in conversations),
        "embedder": embedder.fingerprint,
        "at": AT,
        "recall": {name: _means([row for rows in parts.values() for row in rows]) for name, parts in found.items()},
        "by_category": {
            name: {category: _means(rows) for category, rows in sorted(parts.items())} for name, parts in found.items()
        },
    }


def _add(found: defaultdict[str, list[tuple[float, ...]]], conversation: Conversation, shares: Shares) -> None:
    for question, row in zip(conversation.questions, shares, strict=True):
        found[question.category].append(row)


def _shares(conversation: Conversation, rankings: Sequence[Sequence[str]]) -> Shares:
    pairs = zip(conversation.questions, rankings, strict=True)
    return [tuple(_share(question, ranking[:k]) for k in AT) for question, ranking in pairs]


def _share(question: Question, ranking: Sequence[str]) -> float:
    return len(question.evidence & set(ranking)) / len(question.evidence)


def _means(rows: Sequence[tuple[float, ...]]) -> dict[str, float]:
    return {str(k): round(sum(column) / len(column), 4) for k, column in zip(AT, zip(*rows, strict=True), strict=True)}


async def _plain(conversation: Conversation, embedder: Embedder) -> dict[str, list[list[str]]]:
    """For each way, the best turns of each question, as ids."""
    texts = [_content(turn) for turn in conversation.turns]
    questions = [question.text for question in conversation.questions]
    bm25 = Bm25(texts)
    by_words = np.array([bm25.scores(question) for question in questions]).reshape(len(questions), len(texts))
    ways: dict[str, Scores] = {"words": by_words}
    if embedder.there:
        dense = await _embedded(embedder, questions) @ (await _embedded(embedder, texts)).T
        ways = {"dense": dense, "words": by_words, "sum": _of_best(dense) + _of_best(by_words)}
    return {name: [_best(conversation.turns, row) for row in scores] for name, scores in ways.items()}


def _of_best(scores: Scores) -> Scores:
    best = scores.max(axis=1, keepdims=True)
    return np.asarray(scores / np.where(best > 0, best, 1.0), dtype=np.float64)


def _best(turns: Sequence[Said], scores: Scores) -> list[str]:
    order = np.argsort(-scores, kind="stable")[: max(AT)]
    return [turns[place].id for place in order if scores[place] > 0]


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> Scores:
    parts = [await embedder.embed(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
    return np.concatenate(parts).astype(np.float64)


class Bm25:
    """Okapi BM25 over texts in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(_words(text)) for text in texts]
        self._lengths = np.array([sum(count.values()) for count in self._counts], dtype=np.float64)
        holders = Counter(word for count in self._counts for word in count)
        total = len(texts)
        self._weight = {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in holders.items()}

    def scores(self, query: str) -> Scores:
        """One score for each text, 0 where no word is shared."""
        found = np.zeros(len(self._counts))
        norm = _K1 * (1 - _B + _B * self._lengths / max(1.0, float(self._lengths.mean())))
        for word in set(_words(query)) & self._weight.keys():
            often = np.array([count[word] for count in self._counts], dtype=np.float64)
            found += self._weight[word] * often * (_K1 + 1) / (often + norm)
        return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


async def _ours(conversation: Conversation, embedder: Embedder) -> list[list[list[str]]]:
    """For each of `WEIGHTS`, the best turns of each question, as ids."""
    vectors: dict[str, NDArray[np.float32]] = {}

    async def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        if missing := [text for text in texts if text not in vectors]:
            vectors.update(zip(missing, await embedder.embed(missing), strict=True))
        return np.stack([vectors[text] for text in texts])

    with tempfile.TemporaryDirectory() as folder:
        engine = await asyncio.to_thread(open_engine, Settings(data_dir=Path(folder)))
        shelf = InMemoryStore()
        try:
            await Memories(engine, embed, shelf).restore(_told(conversation, datetime.now(UTC)))
            return [await _found(engine, embed, shelf, embedder, w, conversation) for w in WEIGHTS]
        finally:
            engine.dispose()


async def _found(
    engine: Engine, embed: Embed, shelf: InMemoryStore, embedder: Embedder, weights: RankWeights, of: Conversation
) -> list[list[str]]:
    memories = Memories(engine, embed, shelf, fingerprint=lambda: embedder.fingerprint, weights=weights)
    await memories.start()
    try:
        if embedder.there:
            await memories.settled()
        return [await _first(memories, question.text) for question in of.questions]
    finally:
        await memories.stop()


def _content(turn: Said) -> str:
    """What all ways read of a turn."""
    return f"{turn.speaker}, {turn.when}: {turn.text}"[:MAX_CONTENT]


def _told(conversation: Conversation, now: datetime) -> list[Memory]:
    """Each turn as a memory of what somebody said then, under its own id, told in its session one after the other. They
    are no claims: none replaces another.

    The same said again in the same session is one memory, the first.
    """
    said: dict[str, Memory] = {}
    first = now - timedelta(seconds=len(conversation.turns))
    for number, turn in enumerate(conversation.turns):
        told_at = first + timedelta(seconds=number)
        content = checked_content(_content(turn))
        memory = Memory(
            id=turn.id,
            content=content,
            type=MemoryType.CONTEXT,
            importance=0.5,
            user_id=None,
            created_at=told_at,
            updated_at=told_at,
            valid_from=told_at,
            source=Source("service", conversation_id=f"{conversation.id} {turn.session}"),
        )
        said.setdefault(identity(content, None), memory)
    return list(said.values())


async def _first(memories: Memories, question: str) -> list[str]:
    found = await memories.search(question, limit=max(AT), min_relevance=0.0)
    return [one.memory.id for one in found]
