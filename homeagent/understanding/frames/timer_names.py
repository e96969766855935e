"""What a timer is called, or what it is for: the words of a clause that nothing else explains."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.timers.timer import TimerAction
from homeagent.understanding.frame_costs import OPEN_WORD
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import TimerClause
from homeagent.understanding.timer_words import Noun

WAKING = (Noun.CLOCK, Noun.ALARM, Noun.WAKE)
MOST_NAME_WORDS = 4
"""Words of a timer's name."""
_WEAK_REST = 0.35
"""What a word of a name costs that is not right beside the word for a timer."""


def label_of(said: TimerClause, places: Sequence[int], ahead: Ahead) -> tuple[bool, str]:
    """Whether something leads it, and what is to be remembered, as it was said."""
    inside, led = list(places), False
    while inside and (led or inside[0] not in said.articles):
        leads = said.tokens[inside[0]].text in ahead.words.label
        if not leads and (led or inside[0] not in said.small):
            break
        if led and inside[0] in said.articles:
            break
        led = led or leads
        inside.pop(0)
    text = said.text(inside)
    for ending in ahead.words.label_ends:
        if text.endswith(ending) and len(text) > len(ending):
            return True, text[: -len(ending)].strip()
    return led, text


def _beside(said: TimerClause, deed: TimerAction) -> tuple[list[int], int]:
    """The places of the words that may be the name, and how many others stand apart from it by a mark: "no, wait,
    the alarm at seven"."""
    rest = said.rest
    if not said.noun_at:
        return rest, 0
    noun = said.noun_at[0]
    part = [sum(bool(t.mark) for t in said.tokens[: i + 1]) for i in range(len(said.tokens))]
    timed = {part[i] for i in said.timed}
    near = [i for i in rest if part[i] == part[noun]]
    if not near and deed is TimerAction.SET and said.noun not in WAKING:
        near = rest
    elif not near:
        near = [i for i in rest if part[i] in timed and i > noun]
    return near, len(rest) - len(near)


def name_of(said: TimerClause, deed: TimerAction, ahead: Ahead) -> tuple[str, float]:
    """What it is called, or for, and what so many words of it cost."""
    if said.label:
        return said.label, float(len(said.rest))
    rest, aside = _beside(said, deed)
    while rest and said.tokens[rest[0]].text in ahead.words.label:
        rest.pop(0)
    while rest and said.tokens[rest[-1]].text in ahead.words.label:
        rest.pop()
    written = [(i, n) for i in sorted(said.nouns) if (n := ahead.words.written_to(said.tokens[i].text))]
    if written and not rest:
        place, size = written[0]
        return said.tokens[place].raw[:size].rstrip("-"), 0.2
    if not rest:
        return "", float(aside)
    first, last = rest[0], rest[-1]
    inside = [i for i in range(first, last + 1) if i not in said.timed | said.nouns]
    apart = sum(i in said.nouns | said.timed | said.doing for i in range(first, last + 1))
    price = len(rest) + aside + (_WEAK_REST * apart + 10 * (len(rest) > MOST_NAME_WORDS)) / OPEN_WORD
    return said.text(inside), price
