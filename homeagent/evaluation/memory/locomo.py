"""Reading conversations with questions in the LoCoMo format: sessions of dated turns, questions with evidence ids.

A file is one conversation or a list of them. A conversation has ``sample_id``, ``conversation`` and ``qa``; its
sessions may also stand beside ``qa``, and then the file's name is its id. In ``conversation``, ``session_N`` is a list
of turns (``speaker``, ``dia_id``, ``text``, and ``blip_caption`` where a picture was shown) and ``session_N_date_time``
tells when ("1:56 pm on 8 May, 2023"). A question has ``question``, ``evidence`` (a list of turn ids, at times several
in one text) and ``category``. Everything else is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeagent.errors import InvalidInput

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
