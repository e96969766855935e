"""Courtesies of several words: "would you be so kind", "if it's no trouble", "wäre es möglich, dass du"; and what only
announces that something is asked for: "two things".

They are made of few words in any order that a language allows: who is asked, the verb that asks, what makes it kind,
and small ones between. What they hold of a wish is nothing; where they end, it begins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from homeagent.languages.concepts import Count, Courteous, Form, Heading, ListAction, Ordinal, Role, Verb
from homeagent.languages.pack import Pack
from homeagent.understanding.spans import Cell
from homeagent.understanding.tokeniser import Token

_ENDS = frozenset(
    {Courteous.ASKED, Courteous.ABLE, Courteous.KIND, Courteous.OCCASION, Courteous.LIGHT, Courteous.ANNOUNCED}
)
_SMALL = frozenset({Courteous.LINK, Courteous.THAT, Courteous.LEADS})
_NOT_WITHIN = _SMALL | {Courteous.ANNOUNCED}
"""What opens one only where a clause may begin: "two things", and not "the two things"."""
_LEADING = frozenset({Courteous.LEADS, Courteous.THAT})
_COUNTED = frozenset({Courteous.LINK})
_LONGEST = 12
_ENDS_A_SENTENCE = frozenset(".!?")
_Parts = frozenset[Courteous]


def courtesies(tokens: Sequence[Token], pack: Pack) -> Iterator[tuple[int, int]]:
    """The stretches of at least two tokens that are a courtesy: (first, end), the end not included."""
    if not pack.courteous:
        return
    parts = [_parts(t, pack) for t in tokens]
    conditions = _conditions(tokens, pack)
    for first, token in enumerate(tokens):
        begins = not first or bool(token.mark) or Role.JOIN in pack.phrases.get(tokens[first - 1].text, ())
        if not (conditions[first] or (parts[first] and (begins or not parts[first] <= _NOT_WITHIN))):
            continue
        for end in range(first + 1, min(len(tokens), first + _LONGEST) + 1):
            place = end - 1
            if not (parts[place] or conditions[place]):
                break
            if place > first and tokens[place].mark and not (conditions[place] or Courteous.THAT in parts[place]):
                break
            if place > first and parts[place] & _ENDS:
                negated = any(Role.NEGATION in pack.phrases.get(t.text, ()) for t in tokens[first:end])
                closed = end == len(tokens) or bool(
                    tokens[end].mark or parts[end] & _LEADING or _acts(tokens[end], pack)
                )
                conditional = any(conditions[first:end])
                if _is_courtesy(parts[first:end], conditional=conditional, negated=negated, closed=closed):
                    yield first, end
                    if end < len(tokens) and Courteous.LEADS in parts[end] and not tokens[end].mark:
                        yield first, end + 1


def _parts(token: Token, pack: Pack) -> _Parts:
    if token.quoted:
        return frozenset()
    said = pack.courteous.get(token.text, frozenset())
    if said:
        return said
    counts = token.text.isdigit() or any(isinstance(c, Count | Ordinal) for c in pack.phrases.get(token.text, ()))
    return _COUNTED if counts else said


def _acts(token: Token, pack: Pack) -> bool:
    return any(isinstance(c, Verb | ListAction | Heading) for c in pack.phrases.get(token.text, ()))


def _conditions(tokens: Sequence[Token], pack: Pack) -> list[bool]:
    """For each token whether it says a condition, alone or with its neighbour ("s'il", "as soon as")."""
    found = [Role.CONDITION in pack.phrases.get(t.text, ()) for t in tokens]
    for place, (one, other) in enumerate(itertools.pairwise(tokens)):
        if not other.mark and Role.CONDITION in pack.phrases.get(f"{one.text} {other.text}", ()):
            found[place] = found[place + 1] = True
    return found


def _is_courtesy(parts: Sequence[_Parts], *, conditional: bool, negated: bool, closed: bool) -> bool:
    """Whether tokens with these parts make a courtesy: one that calls the person kind, that names an occasion, or that
    asks whether the person can.

    With nothing of the clause left behind it (``closed``) the person need not be named: "that would be nice", "is it
    possible to"; then it may only announce a wish, too. An occasion must close the clause or have a verb behind it: "if
    you get a minute, turn …".
    """
    if negated and not conditional:
        return False
    said = frozenset[Courteous]().union(*parts)
    if closed and Courteous.ANNOUNCED in said:
        return True
    if Courteous.KIND in said and (conditional or Courteous.ASKED in said):
        return True
    if closed and Courteous.KIND in said and Courteous.LIGHT in said:
        return True
    return (closed and conditional and Courteous.OCCASION in said) or _asks(parts)


def _asks(parts: Sequence[_Parts]) -> bool:
    """Whether the person and the verb that asks stand side by side, small words aside."""
    heads = [p for p in parts if not p or not p <= _SMALL]
    return any(
        {Courteous.ASKED, Courteous.ABLE} <= one | other and one and other for one, other in itertools.pairwise(heads)
    )


def hangs_unasked(cells: Sequence[Cell], tokens: Sequence[Token], place: int, courteous: Mapping[str, _Parts]) -> bool:
    """Whether the clause behind a mark is an infinitive that depends on a main clause which asks nobody for anything
    ("ich habe Angst, das Licht auszuschalten").
    """
    marks = [i for i in range(1, len(cells)) if tokens[cells[i].first].mark]
    if place not in marks or _ENDS_A_SENTENCE & set(tokens[cells[place].first].mark):
        return False
    own = cells[place : next((i for i in marks if i > place), len(cells))]
    last = next((c for c in reversed(own) if not c.means(Role.COURTESY, Role.FILLER)), own[-1])
    before = cells[max((i for i in marks if i < place), default=0) : place]
    if not last.says(Form.INFINITIVE) or any(c.means(Role.COURTESY) for c in before):
        return False
    words = (t.text for c in before for t in tokens[c.first : c.end])
    denied = any(c.says(Role.NEGATION, Role.AUXILIARY, Role.TOLD) for c in before)
    return denied or frozenset[Courteous]().union(*(courteous.get(w, frozenset()) for w in words)).isdisjoint(
        _ENDS - {Courteous.LIGHT}
    )
