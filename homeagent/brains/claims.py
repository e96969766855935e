"""Whether an answer may claim that something was done.

A model that says "Done" without having called a tool is the worst fault there is: nobody notices until later. No list
of phrases finds such answers in every language, and a rule that is too strict makes the agent refuse to chat. So:

- Where a call changed something in this turn, the model was shown what, and its words pass.
- Else an answer to a sentence that asks for an action must *declare* that nothing was changed, by a mark that the
  system text asks for (`prompt.NOTHING_CHANGED`) and that never reaches the person. A declaration is the same in every
  language. A plain question back needs none.
- An answer to any other sentence ("I'm cold") passes unless it holds a word by which Home Assistant itself, in that
  language, tells that it did something ("turned", "eingeschaltet"): its response texts are data in 60 languages. For
  our own languages the few forms are known, too, that a deed is told in ("ich habe", "j'ai") or its outcome ("now").

What does not pass is asked again once, and then replaced. A sentence that is wrongly taken for a command costs one
more request and nothing else, as the model can declare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from homeagent.brains.effects import changed_something, only_looked
from homeagent.brains.language.lexicon import Lexicon, claiming, load, words_of
from homeagent.prompting.prompt import NOTHING_CHANGED
from homeagent.turn import Turn
from indexer.mentions import MentionKind

_ACTIONS = ("actions", "adjust", "set", "timers")
_HOME = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
QUESTION_MARKS = ("?", "？", "؟", "՞")
_SENTENCE_END = re.compile(r"[.!?。！？؟…]\s+\S|[。！？]\S")
_SENTENCE = re.compile(r"[^.!?。！？…\n]+[.!?。！？…]*")
_CLAUSE_END = re.compile(r"[,;:–—]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FILLED_IN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_RULE = re.compile(r"<(\w+)>")
_REFERENCE = re.compile(r"<[^>]*>|\{[^}]*\}")
_OPTIONAL_END = re.compile(r"(?<=\w)\[(\w+)\]")
_ASKING = ("Get", "Status", "Nevermind", "Respond", "Current")
_SHORTEST = 4
_TAKEN_BACK = 3
"""Words."""


class Claims:
    """Judges the answers of one turn. Made in a thread: it may read language files."""

    def __init__(self, turn: Turn) -> None:
        self._free = changed_something(turn)
        self._asked_for_action = asks_for_action(turn)
        self._looked = only_looked(turn)
        self._only_asks = turn.only_asks
        self._language = turn.language
        self._words = _claim_words(turn.language)
        self._forms = claiming(turn.language)

    def may_pass(self, answer: str) -> bool:
        """Whether ``answer``, whole or as far as it is known, may reach the person."""
        if self._free or answer.lstrip().startswith(NOTHING_CHANGED):
            return True
        told = _told(answer, self._forms)
        if self._asked_for_action:
            return not _holds(answer, *self._words) and "did" not in told and is_single_question(answer)
        if _holds(answer, *self._words) and not self._looked:  # "it was opened at nine", from a look-up
            return False
        if "did" in told:  # "I have looked: it is off", where nothing could be done
            return self._only_asks
        return not told or self._looked or self._only_asks


def asks_for_action(turn: Turn) -> bool:
    """Whether the sentence may ask for a change. Where the agent has no words of its own for the language, anything
    about the home may, and anything with a word that only Home Assistant's commands hold."""
    lexicon = lexicon_of(turn.language)
    if lexicon is not None:
        return _commands(turn.text, lexicon)
    mentions = turn.gathered.retrieval.mentions
    about_home = any(mentions.of(kind) for kind in _HOME) and not turn.text.rstrip().endswith(QUESTION_MARKS)
    return about_home or _holds(turn.text, *_command_words(turn.language), prefix=True)


def _told(answer: str, lexicon: Lexicon | None) -> set[str]:
    """Whether the answer tells of a deed (``did``) or of what has come about (``now``), by the forms of its language.

    What takes it back ("not") before it or right behind it leaves neither, and a question asks about the second.
    """
    if lexicon is None:
        return set()
    found: set[str] = set()
    for sentence in _SENTENCE.findall(answer):
        of_interest = {"did"} if sentence.endswith(QUESTION_MARKS) else {"did", "now"}
        for clause in _CLAUSE_END.split(sentence):
            spots = lexicon.spot(words_of(clause))
            back = [spot.positions[0] for spot in spots if spot.concept == "not"]
            found |= {s.concept for s in spots if s.concept in of_interest and not _near(s.positions[-1], back)}
    return found


def _near(place: int, others: Sequence[int]) -> bool:
    """Whether one of the others stands before the place, or at most three words behind it."""
    return any(other <= place + _TAKEN_BACK for other in others)


def is_single_question(answer: str) -> bool:
    """Whether the answer is one sentence, and that a question: nothing is claimed before it."""
    text = answer.strip()
    return text.endswith(QUESTION_MARKS) and not _SENTENCE_END.search(text)


def _commands(text: str, lexicon: Lexicon) -> bool:
    spots = lexicon.spot(words_of(text))
    asked = [spot.positions[0] for spot in spots if spot.section == "questions"]
    acts = [spot.positions[0] for spot in spots if spot.section in _ACTIONS]
    return bool(acts) and not (asked and min(asked) <= min(acts))


@lru_cache(maxsize=16)
def lexicon_of(language: str) -> Lexicon | None:
    return load(language)


def _holds(text: str, spaced: frozenset[str], unspaced: frozenset[str], *, prefix: bool = False) -> bool:
    """Whether the text holds one of the words; with ``prefix``, one that begins like it counts (its inflections)."""
    folded = text.casefold()
    if any(word in folded for word in unspaced):
        return True
    for word in _WORD.findall(folded):
        shortest = _SHORTEST if prefix else len(word)
        if any(word[:end] in spaced for end in range(shortest, len(word) + 1)):
            return True
    return False


@lru_cache(maxsize=16)
def _claim_words(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of Home Assistant's responses to actions that are in none of its sentences and no other response."""
    data = _intents(language)
    done: set[str] = set()
    other = set(_words(data.get("responses", {}).get("errors", {}))) | set(_words(data.get("intents", {})))
    other |= set(_words(data.get("expansion_rules", {})))
    for intent, texts in data.get("responses", {}).get("intents", {}).items():
        (other if _only_asks(intent) else done).update(_words(texts))
    return _by_script(done - other)


@lru_cache(maxsize=16)
def _command_words(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of at least two of Home Assistant's commands that are in none of its questions."""
    data = _intents(language)
    asked: set[str] = set()
    commands: Counter[str] = Counter()
    for intent, blocks in data.get("intents", {}).items():
        words = set(_words([block["sentences"] for block in blocks["data"]], data.get("expansion_rules", {})))
        if _only_asks(intent):
            asked |= words
        else:
            commands.update(words)
    return _by_script({word for word, intents in commands.items() if intents > 1 and word not in asked})


def _intents(language: str) -> dict[str, Any]:
    from home_assistant_intents import get_intents

    return get_intents(language) or get_intents(language.partition("-")[0]) or {}


def _only_asks(intent: str) -> bool:
    return any(part in intent for part in _ASKING)


def _by_script(words: set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words in two sets: those of scripts that space their words, and those to be looked for anywhere."""
    long = {word for word in words if len(word) >= _SHORTEST or not word.isascii()}
    unspaced = frozenset(word for word in long if len(word) > 1 and ord(word[0]) > 0x2E80 and not _spaced(word))
    return frozenset(long - unspaced), unspaced


def _spaced(word: str) -> bool:
    return 0xAC00 <= ord(word[0]) <= 0xD7A3  # Korean puts spaces between words


def _words(value: Any, rules: Mapping[str, str] | None = None, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The words of every text in a nested value, without what is filled in; with ``rules``, of what it refers to."""
    if isinstance(value, str):
        text = _FILLED_IN.sub(" ", value).casefold()
        for name in set(_RULE.findall(value)) - seen if rules else ():
            yield from _words((rules or {}).get(name, ""), rules, seen | {name})
        text = _REFERENCE.sub(" ", text)
        yield from _WORD.findall(text)
        yield from _WORD.findall(_OPTIONAL_END.sub(r"\1", text))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _words(item, rules, seen)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item, rules, seen)
