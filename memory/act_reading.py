"""What asks something of memory in a sentence, wherever it stands, and what is left of the sentence on both sides.

A request is a row of words: what asks ("remember", "don't forget", "delete"), the words that may stand before and
behind it ("could you please … for me"), what it points at ("that") and what opens a statement ("that …", a colon). A
denial turns it round: not to forget is to remember. What it is about stands behind it, before it, around it ("the
filter, please remember, …"), or in the sentence beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.act_words import Part, PhraseBook, Token

_BEFORE = (Part.LEAD, Part.YOU, Part.NEGATION, Part.MODAL, Part.POINT)
_BEHIND = (Part.AFTER, Part.NEGATION)
_CORES = (Part.KEEP_THIS, Part.KEEP, Part.FORGET, Part.ERASE, Part.KEEP_WEAK)
_SURE = 2
"""The last of these that hardly means anything else."""


_OPENING = ":,-–—"
"""Marks behind which a statement may begin."""


class ActKind(StrEnum):
    """What is asked of memory."""

    KEEP = "keep"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Act:
    """A request in a sentence: the tokens ``first`` to ``end`` without end. ``core``: what part asks.

    ``points``: it points at what it is about; ``that``: it opens a statement; ``colon``: a mark stands behind it, or
    only a ``comma``; ``apart``: a mark or "and" stands before it;
    """

    kind: ActKind
    core: Part
    first: int
    end: int
    core_at: int
    """Where what asks itself stands."""
    points: bool = False
    that: bool = False
    colon: bool = False
    comma: bool = False
    apart: bool = False
    asked: bool = False
    """Somebody is asked to: "could you …", "please …"."""


def acts_in(tokens: Sequence[Token], words: PhraseBook, *, question: bool, verb_last: bool) -> list[Act]:
    """The requests that the sentence may make, the likeliest first; mostly none.

    ``question``: it ends with a question mark; ``verb_last``: what asks stands behind what it is about, as in Korean.
    """
    found = [act for act in _acts(tokens, words, verb_last=verb_last) if _asks(act, tokens, words, question=question)]

    def likeliest(act: Act) -> tuple[bool, bool, bool, int, int]:
        inside = verb_last and act.end < len(tokens)
        return inside, _CORES.index(act.core) > _SURE, not act.that, act.first, -act.end

    return sorted(found, key=likeliest)


def _acts(tokens: Sequence[Token], words: PhraseBook, *, verb_last: bool) -> Iterator[Act]:
    for place in range(len(tokens)):
        for core in _CORES:
            length = words.at(tokens, place, core)
            ends = place + length
            if length and (
                core is not Part.KEEP_THIS or _closes(tokens, words, ends) or _leads_on(tokens, words, ends)
            ):
                yield _whole(tokens, words, core, place, place + length, verb_last=verb_last)


def _whole(tokens: Sequence[Token], words: PhraseBook, core: Part, place: int, end: int, *, verb_last: bool) -> Act:
    first, after_core = _start(tokens, words, place), end
    points, that = core is Part.KEEP_THIS, False
    while end < len(tokens):
        opens = words.at(tokens, end, Part.THAT)
        if opens and end + opens < len(tokens) and not _closes(tokens, words, end + opens):
            end, that = end + opens, True
            break
        last = tokens[end - 1].mark
        if last and last not in ",":
            break
        behind, pointing = words.at(tokens, end, *_BEHIND), words.at(tokens, end, Part.POINT)
        if pointing and (_closes(tokens, words, end + pointing) or verb_last):
            end, points = end + pointing, True
        elif behind and (not last or verb_last or _closes(tokens, words, end + behind) or _opens(tokens, words, end)):
            end += behind
        else:
            break
    before = tokens[first:place]
    clause = next((i + 1 for i in range(after_core - 1, end) if tokens[i].mark), end)
    denied = any(words.at(tokens, i, Part.NEGATION) for i in (*range(first, place), *range(after_core, clause)))
    apart = first == 0 or bool(tokens[first - 1].mark) or bool(words.at(tokens, first, Part.JOIN))
    points = points or (
        apart and any(words.at(before, i, Part.POINT) and _is_object(before, words, i) for i in range(len(before)))
    )
    keeps = (core in (Part.KEEP, Part.KEEP_THIS, Part.KEEP_WEAK)) is not denied
    mark = tokens[end - 1].mark
    return Act(
        ActKind.KEEP if keeps else ActKind.FORGET,
        core,
        first,
        end,
        place,
        points=points and not that,
        that=that,
        colon=any(c in mark for c in _OPENING) and end < len(tokens),
        comma=mark == "," and end < len(tokens),
        apart=apart,
        asked=denied or any(words.at(before, i, Part.LEAD, Part.MODAL) for i in range(len(before))),
    )


def _is_object(before: Sequence[Token], words: PhraseBook, place: int) -> bool:
    """Whether a pointing word before the verb is all that it is about, as in "das solltest du dir merken"."""
    return not words.at(before, place, Part.THAT) or place == 0


def _start(tokens: Sequence[Token], words: PhraseBook, place: int) -> int:
    """Where the words begin that lead to what asks. Over a comma they go only where nothing else stands before."""
    first = place
    while first > 0 and not tokens[first - 1].mark:
        if not (length := words.ending_at(tokens, first, *_BEFORE)):
            break
        first -= length
    leading = first
    while leading > 0:
        if not (length := words.ending_at(tokens, leading, *_BEFORE)):
            break
        leading -= length
    return 0 if leading == 0 else first


def _closes(tokens: Sequence[Token], words: PhraseBook, end: int) -> bool:
    """Whether the request ends here: at a mark, at the end, or with words that may stand behind it."""
    while end < len(tokens) and not tokens[end - 1].mark:
        if not (length := words.at(tokens, end, *_BEHIND)):
            return False
        end += length
    return True


def _leads_on(tokens: Sequence[Token], words: PhraseBook, end: int) -> bool:
    """Whether only when to think of it follows: "keep that in mind when we cook"."""
    return bool(words.at(tokens, end, Part.NOT_IT))


def _opens(tokens: Sequence[Token], words: PhraseBook, end: int) -> bool:
    """Whether behind these words a statement is opened: ", please, that …"."""
    length = words.at(tokens, end, *_BEHIND)
    return bool(words.at(tokens, end + length, Part.THAT)) if end + length < len(tokens) else False


def _asks(act: Act, tokens: Sequence[Token], words: PhraseBook, *, question: bool) -> bool:
    """Whether it is a request to the agent: no question whether it remembers, nor what somebody tells of themselves."""
    within = tokens[act.first : act.end]
    before = tokens[act.first : act.core_at]
    if words.has(tokens[: act.end], Part.ASKS):
        return False
    modal = any(words.at(within, i, Part.MODAL) for i in range(len(within)))
    if question and not modal:
        return False
    own = any(words.at(before, i, Part.SELF) for i in range(len(before)))
    yours = any(words.at(within, i, Part.YOU) for i in range(len(within)))
    if own and not yours:
        kept = act.kind is ActKind.KEEP
        return kept and (act.that or act.colon) and (modal or act.core is Part.FORGET)
    return True
