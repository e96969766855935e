"""Whether a sentence may ask for a change in the home."""

from __future__ import annotations

from functools import lru_cache

from homeagent.brains.language.lexicon import Lexicon, load, words_of
from homeagent.claims.foreign import holds_a_command
from homeagent.claims.statements import QUESTION_MARKS
from homeagent.turn import Turn
from indexer.mentions import MentionKind

_ACTIONS = ("actions", "adjust", "set", "timers")
_HOME = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)


def asks_for_action(turn: Turn) -> bool:
    """Whether the sentence may ask for a change. Where the agent has no words of its own for the language, anything
    about the home may, and anything with a word that only Home Assistant's commands hold."""
    lexicon = lexicon_of(turn.language)
    if lexicon is not None:
        return _commands(turn.text, lexicon)
    mentions = turn.gathered.retrieval.mentions
    about_home = any(mentions.of(kind) for kind in _HOME) and not turn.text.rstrip().endswith(QUESTION_MARKS)
    return about_home or holds_a_command(turn.text, turn.language)


def _commands(text: str, lexicon: Lexicon) -> bool:
    spots = lexicon.spot(words_of(text))
    asked = [spot.positions[0] for spot in spots if spot.section == "questions"]
    acts = [spot.positions[0] for spot in spots if spot.section in _ACTIONS]
    return bool(acts) and not (asked and min(asked) <= min(acts))


@lru_cache(maxsize=16)
def lexicon_of(language: str) -> Lexicon | None:
    """The words that a language's sentences are read with; None where there are none."""
    lexicon = load(language)
    return lexicon if lexicon is not None and lexicon.has_concepts else None
