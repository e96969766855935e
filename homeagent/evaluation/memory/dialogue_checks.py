"""What a played dialogue got right: one check for each thing that was expected, with the reason where it failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from homeagent.evaluation.memory.dialogues import HOUSEHOLD, Mode, Pattern, Wanted
from homeagent.evaluation.memory.playing import BACKGROUND, Answered, Learnt, Played
from memory.extract import OutcomeKind
from memory.model import Memory

_FIRST = 3
"""Among how many a memory must be to count as recalled."""
_KEPT = (OutcomeKind.STORED, OutcomeKind.SUPERSEDED)
_HARMLESS = "duplicate"
"""Junk that may take the place of the memory that says the same: one of the two is left."""


class Figure(StrEnum):
    """What is counted; the value is its name in the report."""

    STORED = "stored_what_must"
    JUNK = "junk_stored"
    REPLACED = "replaced"
    FORGOTTEN = "forgotten"
    RECALLED = "recalled"
    CURRENT = "current_recalled"
    UNRELATED = "unrelated_injected_none"
    LEAK = "cross_user_leaks"
    OTHERS = "others_untouched"


@dataclass(frozen=True, slots=True)
class Check:
    """``right`` is always the good case, also where the figure counts the bad ones."""

    figure: Figure
    dialogue: str
    mode: str
    language: str
    kinds: tuple[str, ...]
    right: bool
    what: str
    why: str = ""


def judge(played: Played) -> list[Check]:
    """All checks of a played dialogue."""
    return list(_Judge(played).all())


class _Judge:
    def __init__(self, played: Played) -> None:
        self._played = played
        self._dialogue = played.dialogue
        self._expect = played.dialogue.expect
        own = [m for m in played.memories if not _background(m)]
        self._current = [m for m in own if m.superseded_by is None and m.is_current(self._dialogue.end)]
        self._history = [m for m in own if m not in self._current]

    def all(self) -> Iterator[Check]:
        for wanted in self._expect.must_store:
            yield self._check(Figure.STORED, str(wanted.pattern), self._missing(wanted))
        for old in self._expect.replaced:
            yield self._check(Figure.REPLACED, str(old), self._not_replaced(old))
        for gone in self._expect.gone:
            there = [m.content for m in self._played.memories if gone.fits(_text(m))]
            yield self._check(Figure.FORGOTTEN, str(gone), f"still there: {there}" if there else "")
        yield from self._junk()
        yield from self._others()
        for answered in self._played.answered:
            yield from self._answer(answered)
        for user, listed in self._played.listed.items():
            foreign = [m.content for m in listed if m.user_id not in (None, user)]
            yield self._check(Figure.LEAK, f"list of {user}", f"shows {foreign}" if foreign else "")

    def _missing(self, wanted: Wanted) -> str:
        fitting = [m for m in self._current if wanted.pattern.fits(_text(m))]
        right = [m for m in fitting if self._is(wanted, m)]
        if len(fitting) == 1 and right:
            return ""
        if fitting and not right:
            return f"wrong scope, subject or sensitivity: {[_described(m) for m in fitting]}"
        if len(fitting) > 1:
            return f"{len(fitting)} current: {[_described(m) for m in fitting]}"
        refused = [
            f"{one.outcome.candidate.content!r} {one.outcome.kind.value}: {one.outcome.reason}"
            for one in self._played.learnt
            if wanted.pattern.fits(one.outcome.candidate.content)
        ]
        return f"missing; {'; '.join(refused) or 'never proposed'}"

    def _is(self, wanted: Wanted, memory: Memory) -> bool:
        scope = None if wanted.scope == HOUSEHOLD else wanted.scope
        return (
            (wanted.scope is None or memory.user_id == scope)
            and (wanted.about is None or self._about(memory, wanted.about))
            and (wanted.sensitivity is None or str(memory.sensitivity) == wanted.sensitivity)
        )

    def _about(self, memory: Memory, entity_id: str) -> bool:
        """Whether it is about the entity: by its subject, or since it names it."""
        named = self._played.linker.subjects(memory.content) if self._played.linker else ()
        return any(subject.id == entity_id for subject in (*memory.subjects, *named))

    def _not_replaced(self, old: Pattern) -> str:
        if current := [m.content for m in self._current if old.fits(_text(m))]:
            return f"still current: {current}"
        return "" if any(old.fits(_text(m)) for m in self._history) else "not in history"

    def _junk(self) -> Iterator[Check]:
        if self._dialogue.mode is Mode.EXTRACTED:
            for one in self._played.learnt:
                if one.recorded and one.recorded.junk:
                    yield self._junk_kept(one)
        else:
            yield from self._uncalled_for()
        for pattern in self._expect.must_not_store:
            there = [m.content for m in [*self._current, *self._history] if pattern.fits(_text(m))]
            yield self._check(Figure.JUNK, str(pattern), f"kept: {there}" if there else "")

    def _junk_kept(self, one: Learnt) -> Check:
        assert one.recorded is not None
        kind = one.recorded.junk or ""
        kept = one.outcome.kind in _KEPT
        if kind == _HARMLESS and one.outcome.kind is OutcomeKind.SUPERSEDED:
            kept = False
        why = f"{one.outcome.kind.value}: said {one.turn.say!r}" if kept else ""
        return self._check(Figure.JUNK, one.recorded.content, why, (kind,))

    def _uncalled_for(self) -> Iterator[Check]:
        """Each turn of a dialogue without a model: what it left must be among what is wanted or was, once."""
        expect = self._expect
        wanted = [*(w.pattern for w in expect.must_store), *expect.may_store, *expect.replaced, *expect.gone]
        for turn in self._dialogue.turns:
            made = [one.outcome for one in self._played.learnt if one.turn is turn and one.outcome.kind in _KEPT]
            extra = [o.memory.content for o in made if o.memory and not any(w.fits(_text(o.memory)) for w in wanted)]
            yield self._check(Figure.JUNK, turn.say, f"kept: {extra}" if extra else "")

    def _others(self) -> Iterator[Check]:
        """What was known before and has nothing to do with it must be as it was."""
        background = {m.content: m for m in self._played.memories if _background(m)}
        for content in self._dialogue.background:
            memory = background.get(content)
            lost = memory is None or memory.superseded_by is not None or memory.valid_to is not None
            yield self._check(Figure.OTHERS, content, "gone or replaced" if lost else "")
        left = self._played.vectors_left
        yield self._check(Figure.OTHERS, "vectors", f"{len(left)} vectors of what is not current" if left else "")

    def _answer(self, answered: Answered) -> Iterator[Check]:
        what = f"{answered.user} asks {answered.text!r}"
        foreign = [r.memory.content for r in answered.found if r.memory.user_id not in (None, answered.user)]
        yield self._check(Figure.LEAK, what, f"shows {foreign}" if foreign else "")
        if answered.probe:
            return
        if answered.asked is None:
            found = [f"{r.memory.content} ({r.relevance_score:.2f}: {', '.join(r.reasons)})" for r in answered.found]
            yield self._check(Figure.UNRELATED, what, f"brings up {found}" if found else "")
            return
        why = self._not_recalled(answered)
        yield self._check(Figure.RECALLED, what, why)
        if answered.asked.after_correction:
            yield self._check(Figure.CURRENT, what, why)

    def _not_recalled(self, answered: Answered) -> str:
        asked = answered.asked
        assert asked is not None
        found = [_text(r.memory) for r in answered.found]
        shown = [f"{r.memory.content} ({r.relevance_score:.2f})" for r in answered.found[:_FIRST]]
        if missing := [str(p) for p in asked.first if not any(p.fits(text) for text in found[:_FIRST])]:
            stored = any(p.fits(_text(m)) for p in asked.first for m in self._current)
            return f"not among the first {_FIRST}: {missing} ({'' if stored else 'not '}stored); found {shown}"
        wrong = [text for text in found if any(p.fits(text) for p in asked.never)]
        return f"must not appear: {wrong}" if wrong else ""

    def _check(self, figure: Figure, what: str, why: str, kinds: tuple[str, ...] = ()) -> Check:
        of = self._dialogue
        return Check(figure, of.id, of.mode.value, of.language, kinds or of.kinds, not why, what, why)


def _background(memory: Memory) -> bool:
    return memory.source is not None and memory.source.channel == BACKGROUND


def _text(memory: Memory) -> str:
    return f"{memory.content} {memory.value or ''}"


def _described(memory: Memory) -> str:
    about = ", ".join(f"{s.kind}:{s.id}" for s in memory.subjects)
    return f"{memory.content} (for {memory.user_id or HOUSEHOLD}; about {about or '-'}; {memory.sensitivity})"
