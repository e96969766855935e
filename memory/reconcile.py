"""How a new statement stands to one that is known: the same, a new value, a correction, or about something else.

By structure: the same words about the same subject, except for a number, a date, a negation, a condition or a name.
Where it is in doubt, the two are different: keeping both is a smaller fault than losing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from memory.alike_words import alike
from memory.identity import same_statement, slot
from memory.model import Subject, SubjectKind
from memory.statement_parts import Word, Wording, wording


class Relation(StrEnum):
    """``SAME``: known already. ``DIFFERENT``: about something else; both stay. All others: the new one takes over."""

    SAME = "same"
    NEW_VALUE = "new_value"
    """Another number, date, unit or name for the same thing."""
    CORRECTION = "correction"
    """It says itself that the old one was wrong."""
    NARROWING = "narrowing"
    """The old one, under a condition or more exactly."""
    CONTRADICTION = "contradiction"
    """The one denies the other."""
    DIFFERENT = "different"


class Says(Protocol):
    """A statement: a candidate or a memory."""

    @property
    def content(self) -> str:
        """The statement in words."""

    @property
    def language(self) -> str | None:
        """Its language code, where known."""

    @property
    def user_id(self) -> str | None:
        """Whose it is; None: the household's."""

    @property
    def key(self) -> str | None:
        """What it gives a value to; None: not keyed."""

    @property
    def value(self) -> str | None:
        """The value of ``key``, in words."""

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """Who or what it is about."""


_WHEN = frozenset({"date", "day", "time"})
_LEAST_CORE = 2
"""Words that tell what a statement is about, besides how often it holds."""


def relation(new: Says, old: Says) -> Relation:
    """How ``new`` stands to ``old``, both in one scope. Statements of different scopes are different."""
    if new.user_id != old.user_id:
        return Relation.DIFFERENT
    if new.key is not None and old.key is not None:
        return _keyed(new, old)
    if same_statement(new.content, old.content):
        return Relation.SAME
    if _other_subjects(new, old):
        return Relation.DIFFERENT
    return between(wording(new.content, new.language), wording(old.content, old.language))


def between(new: Wording, old: Wording) -> Relation:
    """The relation of two statements by their words alone."""
    if new.question or old.question or not old.content:
        return Relation.DIFFERENT
    mine, theirs = _core(new.content), _core(old.content)
    if mine is None or theirs is None:
        mine, theirs = new.content, old.content
    left, added = _apart(theirs, mine)
    if new.has("wish") and old.has("wish"):  # "I like", "I'd rather": that it is a liking is in common
        left, added = ([word for word in words if not word.has("wish")] for words in (left, added))
    if new.language == "ko" and left[-1:] == theirs[-1:] and added[-1:] == mine[-1:] and _one_verb(left, added):
        left, added, mine, theirs = left[:-1], added[:-1], mine[:-1], theirs[:-1]
    if new.denied and _denies(new, old, left):
        return Relation.CORRECTION
    if left and added:
        return _another_name(new, old)
    if (left or added) and new.values != old.values and _another_name(new, old) is not Relation.DIFFERENT:
        return Relation.NEW_VALUE
    if added and not _begins(theirs, mine):
        return Relation.DIFFERENT
    if left and not _begins(mine, theirs):
        return Relation.DIFFERENT
    if not left and not added and not _same_order(mine, theirs):
        return Relation.DIFFERENT
    return _by_values(new, old, more=bool(added), less=bool(left))


def taken_back(new: Wording, old: Wording, said: Wording) -> bool:
    """Whether ``said``, which ``new`` was drawn from, names a value of the old one as wrong: "5 watts, not 3"."""
    exactly = old.values | {(kind, text.split(" ")[0]) for kind, text in old.values}
    if not said.denied & exactly or {kind for kind, _ in new.values} != {kind for kind, _ in old.values}:
        return False
    about = _core(old.content) or old.content
    return all(any(alike(word, other) for other in (*new.content, *said.words)) for word in about)


def told_again(new: Wording, old: Wording, said: Wording) -> bool:
    """Whether ``said`` repeats all of the old statement and ``new``, drawn from it, adds nothing to that."""
    if new.negated != old.negated or new.values != old.values or not new.conditions <= old.conditions:
        return False
    heard = [word for word in new.content if any(alike(word, other) for other in said.words)]
    known = all(any(alike(word, other) for other in old.words) for word in heard)
    whole = old.values <= said.values and all(any(alike(word, other) for other in said.words) for word in old.content)
    return bool(heard) and known and whole


def _keyed(new: Says, old: Says) -> Relation:
    if slot(new.key, new.subjects, None) != slot(old.key, old.subjects, None):
        return Relation.DIFFERENT
    if same_statement(new.value or new.content, old.value or old.content):
        return Relation.SAME
    return Relation.NEW_VALUE


def _other_subjects(new: Says, old: Says) -> bool:
    """Whether both name who or what they are about by id, and none of it is in common."""
    known = (SubjectKind.ENTITY, SubjectKind.AREA, SubjectKind.USER)
    mine = {(s.kind, s.id) for s in new.subjects if s.kind in known}
    theirs = {(s.kind, s.id) for s in old.subjects if s.kind in known}
    return bool(mine) and bool(theirs) and mine.isdisjoint(theirs)


def _apart(old: Sequence[Word], new: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """The words that only the old one has, and those that only the new one has."""
    left = [word for word in old if not any(alike(word, other) for other in new)]
    added = [word for word in new if not any(alike(word, other) for other in old)]
    return left, added


def _core(words: Sequence[Word]) -> Sequence[Word] | None:
    """The words without "usually", "normally" …, which a later statement may leave out; None where nothing is left that
    tells what it is about."""
    core = [word for word in words if not word.has("general")]
    return core if len(core) >= _LEAST_CORE else None


def _denies(new: Wording, old: Wording, left: Sequence[Word]) -> bool:
    """Whether the new one says that what the old one says does not hold, and is otherwise about the same."""
    bare_values = {(kind, text.split(" ")[0]) for kind, text in old.values}
    words = {("word", word.bare) for word in old.content}
    if not new.denied & (old.values | bare_values | words):
        return False
    others = [word for word in left if ("word", word.bare) not in new.denied and not word.has("wish", "called")]
    return not others and len(new.content) > 0


def _another_name(new: Wording, old: Wording) -> Relation:
    """The relation of two statements that each have words of their own: a correction only where the thing has one
    answer (its name, place or colour) and everything else is equal.
    """
    if new.conditions != old.conditions or new.negated != old.negated:
        return Relation.DIFFERENT
    if _is_of_several(new, "indefinite", "one_of"):
        return Relation.DIFFERENT
    if any(kind != "number" or " " in text for kind, text in new.values ^ old.values):
        return Relation.DIFFERENT  # a bare number may be part of the name: "Radio Six"
    one, other = _divided(new), _divided(old)
    if one is None or other is None:
        return Relation.DIFFERENT
    (front, tail), (old_front, old_tail) = one, other
    left, added = _apart(old_front, front)
    if left or added or not front or not tail or not old_tail:
        return Relation.DIFFERENT
    if _has_one(new) and _has_one(old):
        return Relation.CORRECTION if new.has("correction") else Relation.NEW_VALUE
    return Relation.DIFFERENT


def _is_of_several(said: Wording, *concepts: str) -> bool:
    """Whether the subject is one of several, by what stands before the verb: "a ladder", "one of our dogs". What holds
    of another one of them says nothing of it."""
    return any(word.has(*concepts) for word in said.words[: _verb(said)])


def _verb(said: Wording) -> int | None:
    """The place of the verb that says what something is; None where it stands last."""
    return next((i for i, w in enumerate(said.words) if w.has("copula") or _calls(w)), None)


def _divided(said: Wording) -> tuple[list[Word], list[Word]] | None:
    """What stands before and after the verb that says what something is."""
    place = _verb(said)
    if place is None:
        return _divided_at_end(said)
    if place == len(said.words) - 1:  # "that our dog Rex is called", as in German and Dutch clauses: the value is last
        named = [word for word in said.content if word is not said.words[place]]
        return (named[:-1], named[-1:]) if len(named) > 1 else None
    before = {id(word) for word in said.words[:place]}
    front = [word for word in said.content if id(word) in before]
    if not front:
        return None
    return front, [word for word in said.content if id(word) not in before and not _calls(word)]


def _divided_at_end(said: Wording) -> tuple[list[Word], list[Word]] | None:
    """Languages whose verb stands last: the subject is the first word."""
    if said.language != "ko" or len(said.content) < 2:
        return None
    return list(said.content[:1]), list(said.content[1:])


def _calls(word: Word) -> bool:
    return word.has("called") and not word.has("attribute")


def _has_one(said: Wording) -> bool:
    """Whether what the statement tells is something of which there is one at a time."""
    return any(word.has("called", "attribute", "place") for word in said.words)


def _begins(shorter: Sequence[Word], longer: Sequence[Word]) -> bool:
    """Whether the longer one starts with all of the shorter one: it only says more of the same."""
    return all(alike(a, b) for a, b in zip(shorter, longer, strict=False)) and len(shorter) <= len(longer)


def _same_order(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """Whether what is named comes in the same order: who is taller than whom is not the same the other way round. Only
    a verb may stand last in the one and earlier in the other, as in German clauses."""
    mine, theirs = ([w for w in words if not w.concepts] for words in (new, old))
    if len(mine) != len(theirs) or _all_alike(mine, theirs):
        return True
    return len(mine) > _LEAST_CORE and any(
        _all_alike(one[:-1], [word for word in other if not alike(word, one[-1])])
        for one, other in ((mine, theirs), (theirs, mine))
    )


def _all_alike(some: Sequence[Word], others: Sequence[Word]) -> bool:
    return len(some) == len(others) and all(alike(a, b) for a, b in zip(some, others, strict=True))


def _one_verb(left: Sequence[Word], added: Sequence[Word]) -> bool:
    """Whether two words at the end of Korean sentences may be forms of one verb, which begin alike."""
    return bool(left and added) and left[-1].bare[0] == added[-1].bare[0]


def _by_values(new: Wording, old: Wording, *, more: bool, less: bool) -> Relation:
    """The relation of two statements with the same words, but for values and conditions. ``more``, ``less``: the new
    one has words beyond the old one's, or lacks some of them.
    """
    if new.negated != old.negated:
        denies = new.values == old.values and not more and not less and not _is_of_several(new, "one_of")
        return Relation.CONTRADICTION if denies else Relation.DIFFERENT
    kinds = {kind for kind, _ in new.values ^ old.values}
    lacking = {kind for kind in kinds if not new.of(kind)}
    extra = {kind for kind in kinds if not old.of(kind)}
    changed = kinds - lacking - extra
    narrower = more or bool(new.conditions - old.conditions) or bool(extra)
    wider = less or bool(old.conditions - new.conditions) or bool(lacking)
    if not changed:
        return _without_change(narrower, wider)
    if len(new.of("number") - old.of("number")) > 1:
        return Relation.DIFFERENT  # a later value is one: "lamp 3 needs 40 watts", "lamp 4 needs 60"
    if new.has("correction") and not more and not less:
        return Relation.CORRECTION
    if narrower or wider or _is_of_several(new, "one_of") or (len(changed) > 1 and not changed <= _WHEN):
        return Relation.DIFFERENT
    return Relation.NEW_VALUE


def _without_change(narrower: bool, wider: bool) -> Relation:
    if narrower and wider:
        return Relation.DIFFERENT
    return Relation.NARROWING if narrower else Relation.SAME
