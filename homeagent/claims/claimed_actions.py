"""The deeds that a clause tells of."""

from __future__ import annotations

from homeagent.claims.claim import RESULT, Claim, ClaimedAction
from homeagent.claims.claim_words import Frame, Group, Mark, Said
from homeagent.claims.clause_reading import Clause
from homeagent.claims.facts import HOMELESS
from homeagent.claims.things import ClaimContext
from indexer.lexicon import lexicon
from indexer.mentions import MentionKind

_BARE = 2
"""So many words may stand beside "done" for it to be the whole of what is told."""
_SHORTEST = 3
_THINGS = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_OF_HOME = (MentionKind.NAME, MentionKind.DOMAIN)
_PERFECT = 2
"""Words of a frame that tells of something past: "I have"; "I" alone may go on in any way."""
_VERB_FIRST = frozenset({"en", "es", "fr"})
"""Languages in which what was done is told before the things that it was done to."""
SUBJECTLESS = frozenset({"ko"})
"""Languages that leave out who did it."""


def actions_of(clause: Clause, around: ClaimContext, *, mine: bool, after: Claim | None) -> frozenset[ClaimedAction]:
    """The deeds that the clause says were done in this turn, or are promised."""
    if any(s.concept == Mark.NONE for s in clause.negations) or clause.framed(Frame.LEFT):
        return frozenset()
    if promised := _promised(clause):
        return promised
    found = [s for s in clause.of(Group.DEED) if not is_hedged(clause, s) and not is_denied(clause, s)]
    deeds = {ClaimedAction(s.concept) for s in found}
    for always in (ClaimedAction.SCHEDULED, ClaimedAction.LISTED):
        if always in deeds:
            return frozenset({always})
    if others := [s for s in found if s.concept != ClaimedAction.DID]:
        return frozenset(
            ClaimedAction(s.concept) for s in others if _was_done(clause, s, around, mine=mine, after=after)
        )
    if found and (_is_bare(clause, found) or (mine and not clause.framed(Frame.COPULA))):
        return frozenset({ClaimedAction.DID})
    if not found and _is_a_message(clause):
        return frozenset({ClaimedAction.SENT})
    return frozenset({ClaimedAction.DID}) if not found and _is_unknown_deed(clause, around) else frozenset()


def _is_a_message(clause: Clause) -> bool:
    """Whether it tells, by whatever verb, that the speaker made a message or a call: "I've popped a text over"."""
    perfect = any(len(s.positions) >= _PERFECT for s in clause.framed(Frame.I))
    told = clause.negations or clause.marked(Mark.PERCEIVED, Mark.HEDGE, Mark.OTHER)
    return perfect and not told and bool(clause.of(Group.PROMISED, ClaimedAction.SENT))


def _is_unknown_deed(clause: Clause, around: ClaimContext) -> bool:
    """Whether it tells of a deed to a thing of the home by a verb that is not known: "I've quietened the speaker"."""
    frame = next(iter(clause.framed(Frame.I)), None)
    tells = clause.negations or clause.states or clause.marked(Mark.PERCEIVED, Mark.HEDGE, Mark.OTHER, Mark.PAST)
    if frame is None or len(frame.positions) < _PERFECT or tells or around.facts.looked_back:
        return False
    verb = frame.last + 1 if clause.language in _VERB_FIRST else len(clause.words) - 1
    known = {p for s in clause.said for p in s.positions}
    of_home = any(m.kind in _OF_HOME for m in clause.mentions)
    if not frame.last < verb < len(clause.words) or verb in known or not of_home:
        return False
    word = clause.words[verb]
    small = any(lexicon(clause.language).has(kind, word.text) for kind in ("stop", "articles", "place"))
    return not (word.named or small or any(m.start < word.end and word.start < m.end for m in clause.mentions))


def actions_under_way(clause: Clause) -> frozenset[ClaimedAction]:
    """The deeds that are told as just being done. In a final answer nothing is: it was done, or will not be."""
    found = [s for s in clause.of(Group.DOING) if not is_denied(clause, s)]
    if clause.marked(Mark.NONE, Mark.OTHER):
        return frozenset()
    now = clause.framed(Frame.NOW) or any(m.kind is MentionKind.AGAIN for m in clause.mentions)
    mine = clause.framed(Frame.I, Frame.PROMISE) or clause.language != "en"
    return frozenset(ClaimedAction(s.concept) for s in found if mine or (now and s.first <= 1))


def _promised(clause: Clause) -> frozenset[ClaimedAction]:
    promise = clause.framed(Frame.PROMISE) and not clause.negations
    return frozenset(ClaimedAction(s.concept) for s in clause.of(Group.PROMISED)) if promise else frozenset()


def _was_done(clause: Clause, deed: Said, around: ClaimContext, *, mine: bool, after: Claim | None) -> bool:
    """Whether a form tells that the speaker did it, or that it came about; not that it is so, or that another did."""
    if any(other.first < deed.last for other in clause.marked(Mark.OTHER)):
        return False
    if ClaimedAction(deed.concept) in HOMELESS and clause.framed(Frame.COPULA, Frame.PASSIVE):
        return True
    if clause.language in SUBJECTLESS:
        word = clause.words[deed.last].text
        if not word.endswith("고") and any(s.first == deed.last + 1 for s in clause.framed(Frame.COPULA)):
            return False  # "맞춰져 있어요": it is so
        passive = any(set(s.positions) & set(deed.positions) for s in clause.framed(Frame.PASSIVE))
        return not (passive and (clause.marked(Mark.PAST) or around.facts.looked_back))
    frames = clause.framed(Frame.I, Frame.PASSIVE, Frame.COPULA)
    before = max((f for f in frames if f.first <= deed.first), key=_nearest, default=None)
    if before is None:
        if clause.framed(Frame.COPULA):  # "dass die Tür abgeschlossen ist"
            return False
        if (
            ClaimedAction(deed.concept) in HOMELESS
            and len(clause.words) <= _SHORTEST
            and deed.concept != ClaimedAction.REMEMBERED
        ):
            return True  # "Mensaje enviado."
        if clause.language in _VERB_FIRST and not _opens(clause, deed):  # "y el aire apagado"
            return False
        return mine or (_is_alone(clause, deed) and (after is None or bool(after.deeds)))
    if before.concept == Frame.PASSIVE:
        return not (clause.marked(Mark.PAST) or around.facts.looked_back)
    if before.concept == Frame.COPULA:  # "is now dimmed": no state of its own shows it
        return ClaimedAction(deed.concept) not in RESULT and bool(clause.framed(Frame.NOW)) and not clause.amounts
    return before.concept == Frame.I


def _opens(clause: Clause, deed: Said) -> bool:
    """Whether nothing but small words stands before what was done."""
    small = {p for s in clause.said for p in s.positions}
    return all(place in small for place in range(deed.first))


def _nearest(said: Said) -> tuple[int, int]:
    return said.last, len(said.positions)


def _is_alone(clause: Clause, deed: Said) -> bool:
    """Whether a clause without a subject tells of a deed: "Locked the front door.", "Licht eingeschaltet." """
    edge = deed.first == 0 or deed.last == len(clause.words) - 1
    return edge and deed.concept != ClaimedAction.REMEMBERED  # "Noted." promises nothing


def _is_bare(clause: Clause, did: list[Said]) -> bool:
    told = {p for s in did for p in s.positions}
    return len(clause.words) - len(told) <= _BARE and not any(m.kind in _THINGS for m in clause.mentions)


def is_denied(clause: Clause, said: Said) -> bool:
    """Whether it is told as not done; what stands behind a verb denies something else, but in Korean."""
    return any(clause.language in SUBJECTLESS or no.first < said.last for no in clause.negations)


def is_hedged(clause: Clause, said: Said) -> bool:
    """Whether it is told as possible, wished for or a condition."""
    if clause.language in SUBJECTLESS:
        return bool(clause.marked(Mark.HEDGE))
    own = set(said.positions)  # "let _ know"
    return any(hedge.first < said.last and not set(hedge.positions) <= own for hedge in clause.marked(Mark.HEDGE))
