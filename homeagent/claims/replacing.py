"""What is said in place of what is not so: how it is, worded from the facts, each fact once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.entity_names import unique_names
from homeagent.brains.local.wording.spoken_values import attribute_words, state_words
from homeagent.claims.claim import Aspect, ClaimedAction, Judged, Unit
from homeagent.claims.facts import UNITS
from homeagent.claims.things import ClaimContext
from homeagent.domains.states import READINGS
from homeagent.languages.answers import load_answers
from homeagent.turns.agent_phrases import phrase

_MOST = 4
"""Things whose state is told one by one."""
_UNDONE = {
    ClaimedAction.REMEMBERED: "not_remembered",
    ClaimedAction.FORGOTTEN: "not_forgotten",
    ClaimedAction.SCHEDULED: "not_scheduled",
    ClaimedAction.SENT: "not_sent",
    ClaimedAction.LISTED: "nothing_changed",
}
"""Phrases for what was not done where nothing in the home shows it."""


class Corrections:
    """Words the facts of one turn. What was told is not told again."""

    def __init__(self, language: str, around: ClaimContext) -> None:
        self._language = language
        self._around = around
        self._phrases = own_phrases(language)
        self._told: set[str] = set()

    def instead(self, untrue: Sequence[Judged]) -> str:
        """The sentences for these; empty where all was told before, or waits for a yes that is asked for anyway."""
        parts = [part for judged in untrue for part in self._of(judged)]
        return " ".join(dict.fromkeys(filter(None, parts)))

    def _of(self, judged: Judged) -> Iterable[str]:
        facts = self._around.facts
        deeds = judged.claim.deeds if judged.claim else frozenset()
        key = next((key for deed, key in _UNDONE.items() if deed in deeds), None)
        if key is not None:
            return [self._once(key, phrase(key, self._language))]
        ids = [i for i in judged.wrong if i not in facts.waiting]
        if ids and self._phrases is not None:
            return self._states(ids, judged)
        if facts.waiting:
            return []
        key = "nothing_else_changed" if facts.changed else "nothing_changed"
        return [self._once(key, phrase(key, self._language))]

    def _states(self, ids: Sequence[str], judged: Judged) -> Iterable[str]:
        facts, home = self._around.facts, self._around.home
        fresh = [i for i in ids if i not in self._told][:_MOST]
        self._told |= set(ids)
        failed = [i for i in fresh if i in facts.left]
        if failed:
            yield phrase("not_done", self._language, action=", ".join(unique_names(failed, home)))
        assert self._phrases is not None
        by_state: dict[str, list[str]] = {}
        for entity_id in fresh:
            by_state.setdefault(self._state(entity_id, judged), []).append(entity_id)
        for state, alike in by_state.items():
            names = unique_names(alike, home)
            key = "one" if len(names) == 1 else "many"
            yield self._phrases.say(key, name=names[0], names=self._phrases.names(names), state=state)

    def _state(self, entity_id: str, judged: Judged) -> str:
        home, phrases = self._around.home, self._phrases
        assert phrases is not None
        state = home.state(entity_id)
        if state is None:
            return phrases.state("default", "unknown")
        words = [state_words(home.entity(entity_id), state.state, phrases)]
        amounts = judged.claim.amounts if judged.claim else ()
        units = {amount.unit for amount in amounts}
        target = any(a.aspect is Aspect.TARGET for a in amounts) or bool(judged.claim and judged.claim.deeds)
        for attribute, reading in READINGS.items():
            value = state.attributes.get(attribute)
            unit = UNITS.get(reading.unit)
            if (
                unit is None
                or unit not in units
                or value is None
                or (unit is Unit.DEGREE and target and attribute.startswith("current"))
            ):
                continue
            words.append(
                f"{phrases.say(f'attr_{attribute}')} {attribute_words(attribute, value, phrases, home)}".strip()
            )
        return ", ".join(words)

    def _once(self, key: str, text: str) -> str:
        if key in self._told:
            return ""
        self._told.add(key)
        return text


@lru_cache(maxsize=8)
def own_phrases(language: str) -> Phrases | None:
    """The words of a language for states and names; None where there are none of our own. Blocks: reads files."""
    answers = load_answers(language)
    return Phrases(answers, None) if answers is not None else None
