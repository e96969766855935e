"""What is only told, or called off, beside an order or a question: "my mum comes on Friday, which lamps are on?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground
from indexer.mentions import Mention, MentionKind

_MARKS = frozenset(",;.!?:、。？！")
_ASKED = frozenset("?？")
_HOMELY = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_ASKING = ("questions", "asking")
_WANTING = ("actions", "adjust", "set", "lists", "search", "timers", *_ASKING)
_HANGING = ("conditions", "delays", "subordinate", "except")
"""Sections whose words at the opening hang a clause on what comes: "when my mum is here, …" is no mere telling."""
_TOLD_OF = ("tellers", "people")


def without_asides(reading: Reading, around: Ground) -> tuple[Reading, Ground]:
    """The sentence without the clauses before and after it that only tell of somebody, or of a reason.

    The ground knows what these spoke of, so that "it" may mean that. Where nothing would be left that asks or
    orders, or nothing is told, both are as they were.
    """
    start, end = _less_told(reading, around)
    end = next((r for r in (*_reasons(reading, start, end), *_for_whom(reading, start, end))), end)
    if (start, end) == (0, len(reading.words)) or not _wants(reading.part(start, end)):
        return reading, around
    left = reading.part(start, end)
    spoken = _named([m for m in reading.mentions if m not in left.mentions], around)
    return left, replace(around, last_entities=spoken or around.last_entities)


def _less_told(reading: Reading, around: Ground) -> tuple[int, int]:
    """Where the clauses begin and end that do more than tell, of several; of one alone nothing is taken."""
    whole = (0, len(reading.words))
    segmented = segments(reading)
    if len(segmented) < 2:
        return whole
    parts = [reading.part(a, b) for a, b in segmented]
    told = [_is_aside(part, around) for part in parts]
    denied = [_denies(part) or _complains(reading, a, b) for part, (a, b) in zip(parts, segmented, strict=True)]
    first = next((i for i, aside in enumerate(told) if not aside and not denied[i]), len(parts))
    last = next((i for i in range(len(parts) - 1, -1, -1) if not told[i]), -1)
    return (segmented[first][0], segmented[last][1]) if first <= last else whole


def segments(reading: Reading) -> list[tuple[int, int]]:
    """The stretches between punctuation marks: positions, the end not included."""
    cuts = [
        place
        for place in range(1, len(reading.words))
        if _MARKS & set(reading.text[reading.words[place - 1].end : reading.words[place].start])
    ]
    return list(zip([0, *cuts], [*cuts, len(reading.words)], strict=True)) if reading.words else []


def _is_aside(part: Reading, around: Ground) -> bool:
    """Whether a clause tells of somebody, and neither asks nor orders nor says when.

    Who begins with who does it tells, whatever follows; elsewhere nothing of the home may be spoken of.
    """
    opening = part.opening
    if any(opening in s.positions for s in part.of(*_HANGING)):
        return False
    if any(len(part.words) - 1 in s.positions for s in part.of("subordinate")):
        return False  # some languages say "when" at the end
    subjects = _somebody(part) | _persons(part)
    if opening in subjects:
        return True
    homely = [m for m in part.of_kind(*_HOMELY) if m.score == 1]
    return bool(subjects) and not homely and not _wants(part, asked=_asks(part))


def _somebody(part: Reading) -> set[int]:
    """Positions of the words for somebody, also where a thing is called a little like them: "guests", "guest mode"."""
    sure = {i for i in range(len(part.words)) if any(m.score == 1 for m in part.mentions_at(i))}
    return {p for s in part.unmarked if s.section in _TOLD_OF for p in s.positions} - sure


def _denies(part: Reading) -> bool:
    """ "Never mind the blinds, just …", "don't open the gate, …": what is not to be done before what is."""
    return part.has("nothing") or (part.has("negation") and bool(part.of("actions", "adjust", "set")))


def _complains(reading: Reading, start: int, end: int) -> bool:
    """ "It's way too loud, turn the TV down": what is to be done is told by the order, which names its own thing."""
    part, after = reading.part(start, end), reading.part(end, len(reading.words))
    if not part.has("complaints") or not part.has("complaining") or part.of("actions", "set"):
        return False
    return not part.of_kind(MentionKind.NAME, MentionKind.AREA) and bool(after.words) and bool(after.of_kind(*_HOMELY))


def _asks(part: Reading) -> bool:
    """Whether a clause asks: by how it begins or ends, and not by an "is" somewhere."""
    end = part.text[part.words[-1].end :].lstrip()[:1] if part.words else ""
    return end in _ASKED or any(part.opening in s.positions for s in part.of("questions")) or bool(part.of("asking"))


def _persons(part: Reading) -> set[int]:
    """Positions of the names of people of this home that are no part of another name ("Anna's room")."""
    spoken = [m for m in part.of_kind(*_HOMELY) if any(not v.startswith("person.") for v in m.values)]
    people = [m for m in part.of_kind(MentionKind.NAME) if all(v.startswith("person.") for v in m.values)]
    alone = [m for m in people if not any(o.start < m.end and m.start < o.end for o in spoken)]
    return {i for i, w in enumerate(part.words) if any(m.start < w.end and m.end > w.start for m in alone)}


def _wants(part: Reading, *, asked: bool = True) -> bool:
    """Whether a clause asks (unless it is known not to) or orders: by more than the particle of "on Friday"."""
    particles = {p for s in part.of("particles", "weekdays", "horizon", "ahead") for p in s.positions}
    weak = [s for s in part.of("lists") if s.concept in ("into", "show")]
    weak += [s for s in part.of("search") if s.concept == "on"]
    wanting = [s for s in part.of(*_WANTING) if s not in weak and (asked or s.section not in _ASKING)]
    homely = bool(part.of_kind(*_HOMELY))
    return any(homely or not set(s.positions) <= particles for s in wanting)


def _says_anything(reading: Reading) -> bool:
    """Whether what is played or put on a list is said, which may be any words."""
    things = [m for m in reading.of_kind(MentionKind.NAME, MentionKind.DOMAIN) if m.score == 1]
    listed = any(v.partition(".")[0] == "todo" for m in things for v in m.values)
    return listed or (reading.has("search", "play") and not things)


def _reasons(reading: Reading, start: int, end: int) -> Sequence[int]:
    """Where a reason begins that closes the sentence: "… because I am frying fish"."""
    if _says_anything(reading):
        return []
    found = (s.positions[0] for s in reading.of("reasons"))
    return [p for p in found if start < p < end and _wants(reading.part(start, p))]


def _for_whom(reading: Reading, start: int, end: int) -> Sequence[int]:
    """Where the words begin for whom it is done, at the end of the sentence: "… for the plumber"."""
    whom = next((s for s in reading.of("people") if s.positions[-1] == end - 1), None)
    lead = next((s for s in reading.of("whom") if whom is not None and s.positions[-1] < whom.positions[0]), None)
    if whom is None or lead is None or _says_anything(reading) or not _wants(reading.part(start, lead.positions[0])):
        return []
    between = range(lead.positions[-1] + 1, whom.positions[0])
    plain = all(reading.lexicon.is_filler(reading.words[p].text) for p in between)
    return [lead.positions[0]] if plain and lead.positions[0] > start else []


def _named(mentions: Sequence[Mention], around: Ground) -> tuple[str, ...]:
    """The one thing that is spoken of by its name."""
    names = {m.values for m in mentions if m.kind is MentionKind.NAME and len(m.values) == 1}
    things = [v for v in names if (e := around.home.entity(v[0])) is not None and e.domain != "person"]
    return things[0] if len(things) == 1 else ()
