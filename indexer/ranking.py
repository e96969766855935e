"""How well each entity fits a sentence: one sum of what words, places, kinds, situation and meaning say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indexer.catalog import Catalog
from indexer.columns import Mask
from indexer.lexicon import Lexicon, lexicon
from indexer.mentions import MentionKind, Mentions
from indexer.postings import Scores
from indexer.retrieval import Situation
from indexer.wanted_properties import Wanted
from indexer.words import numbers, words


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign counts. Chosen on public command sets in four languages; a rank fusion did worse."""

    named: float = 1.0
    covered: float = 0.7
    used: float = 0.4
    words: float = 0.3
    area: float = 0.6
    elsewhere: float = -0.3
    floor: float = 0.5
    kind: float = 0.5
    near_kind: float = 0.3
    other_kind: float = -0.25
    hint: float = 0.35
    near_hint: float = 0.2
    label: float = 0.4
    room: float = 0.15
    state: float = 0.2
    last: float = 0.6
    last_aside: float = 0.05
    nickname: float = 1.2
    other_number: float = -0.6
    meaning: float = 2.1
    inner: float = 0.25
    instead: float = 2.0


WEIGHTS = Weights()
_LIKELY = 200
_SOMEWHAT = 0.2
_CALLED = 0.2
FULL_SCORE = 2.0
"""The sum that counts as a score of 1: an exact name with its place or kind."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What the signs were, slot by slot: kept to tell people why."""

    total: Scores
    by_words: Scores
    """The total without what meaning adds."""
    covered: Scores
    area: Mask
    floor: Mask
    kind: Mask
    near: Mask
    called: Mask
    hint: Mask
    room: Mask
    meaning: Scores | None


def rank(
    catalog: Catalog,
    mentions: Mentions,
    wanted: Wanted,
    situation: Situation,
    nicknamed: Sequence[str],
    meaning: Scores | None = None,
) -> Signs:
    """Score every slot. ``meaning`` says how near each slot is in meaning, if that was asked."""
    spoken = words(mentions.text)
    covered, used = catalog.name_scores(spoken)
    if meaning is not None and mentions.unread:
        sure = _surely_called(catalog, mentions, spoken, lexicon(situation.language))
        covered, used = covered * sure, used * sure
    area, floor = catalog.in_areas(wanted.area_ids), catalog.on_floors(wanted.floor_ids)
    kind, near = catalog.of_kinds(wanted.kinds), catalog.of_kinds(wanted.near)
    called = _called_so(catalog, mentions)
    hint = catalog.of_kinds(wanted.hints)
    room = catalog.in_areas((situation.area_id,) if situation.area_id and not wanted.placed else ())
    total = catalog.prior.copy()
    total += WEIGHTS.covered * covered + WEIGHTS.used * used + WEIGHTS.words * catalog.word_scores(spoken)
    total += _places(wanted, area, floor) + _kinds(wanted, kind, near | called, hint, catalog)
    total += WEIGHTS.label * catalog.labelled(wanted.labels) + WEIGHTS.room * room
    total += _beside_the_name(catalog, wanted)
    _add_names(total, catalog, wanted)
    _add_situation(total, catalog, wanted, situation, nicknamed)
    total[~catalog.alive] = -np.inf
    _part_numbers(total, catalog, mentions, covered, lexicon(situation.language))
    by_words = total
    if meaning is not None:
        total = total + WEIGHTS.meaning * meaning
    return Signs(total, by_words, covered, area, floor, kind, near | called, called, hint, room, meaning)


def _surely_called(catalog: Catalog, mentions: Mentions, spoken: Sequence[str], lexicon: Lexicon) -> Scores:
    """How surely a name is meant that the sentence has a part of, 0 to 1: "light" alone is no sign of "Den light".

    Words that only say a kind, or what to do, are no part of one name more than of another.
    """
    said = (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS, MentionKind.ACTION)
    plain = {w for kind in said for m in mentions.of(kind) for w in words(m.text) if w in lexicon.phrases}
    telling = [w for w in spoken if w not in plain and not lexicon.has("stop", w)]
    covered, _ = catalog.name_scores(telling)
    sure: Scores = np.minimum(covered / _CALLED, 1.0).astype(np.float32)
    return sure


def _places(wanted: Wanted, area: Mask, floor: Mask) -> Scores:
    score = WEIGHTS.area * area + WEIGHTS.floor * floor
    if wanted.area_ids:
        score = score + WEIGHTS.elsewhere * ~area
    elif wanted.floor_ids:
        score = score + WEIGHTS.elsewhere * ~floor
    return score.astype(np.float32)


def _kinds(wanted: Wanted, kind: Mask, near: Mask, hint: Mask, catalog: Catalog) -> Scores:
    near_hint = catalog.of_kinds(wanted.near_hints)
    score = np.where(kind, WEIGHTS.kind, np.where(near, WEIGHTS.near_kind, 0.0))
    if wanted.kinds:
        score = score + WEIGHTS.other_kind * ~(kind | near)
    return (score + np.where(hint, WEIGHTS.hint, np.where(near_hint, WEIGHTS.near_hint, 0.0))).astype(np.float32)


def _called_so(catalog: Catalog, mentions: Mentions) -> Mask:
    """What is called by the word for a kind without being of it: a switch for "the heater"."""
    spoken = {w for m in mentions.of(MentionKind.DOMAIN) for w in words(m.text)}
    return catalog.with_words(spoken) & np.equal(catalog.prior, 0.0) & catalog.alive


def _beside_the_name(catalog: Catalog, wanted: Wanted) -> Scores:
    """What is where the named thing is, or alike; most of all what can do what is asked where that cannot."""
    there = catalog.in_areas(wanted.inner_area_ids)
    score = WEIGHTS.inner * there + WEIGHTS.inner * catalog.of_kinds(wanted.inner_kinds)
    if wanted.instead:
        able = catalog.of_kinds(wanted.instead)
        score = score + WEIGHTS.instead * (able & there if wanted.inner_area_ids else able)
    return score.astype(np.float32)


def _add_names(total: Scores, catalog: Catalog, wanted: Wanted) -> None:
    best: dict[int, float] = {}
    for entity_id, score in wanted.names:
        for slot in catalog.slots((entity_id,)):
            best[slot] = max(best.get(slot, 0.0), score)
    for slot, score in best.items():
        total[slot] += WEIGHTS.named * score


def _add_situation(
    total: Scores, catalog: Catalog, wanted: Wanted, situation: Situation, nicknamed: Sequence[str]
) -> None:
    total[catalog.slots(nicknamed)] += WEIGHTS.nickname
    tells = bool(wanted.names or wanted.kinds or wanted.placed)
    aside = tells or (bool(wanted.hints) and not wanted.again)  # what tells nothing by itself goes on: "close it"
    total[catalog.slots(situation.last_entities)] += WEIGHTS.last_aside if aside else WEIGHTS.last
    if wanted.states:
        for slot in np.flatnonzero(catalog.of_kinds(wanted.hints) & catalog.alive):
            if situation.state_of(catalog.entity_at(int(slot)).entity_id) in wanted.states:
                total[slot] += WEIGHTS.state


def _part_numbers(total: Scores, catalog: Catalog, mentions: Mentions, covered: Scores, lexicon: Lexicon) -> None:
    """A likely name with other numbers than the sentence's falls far back: "lamp 2" is never "lamp 3".

    So does one without any, where the number stands behind a word of it and counts nothing.
    """
    said = numbers(words(mentions.text)) | frozenset(
        v for m in mentions.of(MentionKind.NUMBER) for v in m.values if v.isdigit()
    )
    if not said:
        return
    counted = _numbered(words(mentions.text), lexicon)
    likely = np.argsort(-total)[:_LIKELY]
    for slot in likely[(covered[likely] > _SOMEWHAT) & catalog.alive[likely]]:  # not what is gone by now
        own = catalog.numbers_of(int(slot))
        if (own and not own & said) or (not own and counted & _name_words(catalog, int(slot))):
            total[slot] += WEIGHTS.other_number


def _numbered(spoken: Sequence[str], lexicon: Lexicon) -> frozenset[str]:
    """The words that a number follows which counts nothing itself: "lamp 3", not "lamp 30 percent"."""
    pairs = [(a, b, c) for a, b, c in zip(spoken, spoken[1:], [*spoken[2:], ""], strict=False) if b.isdigit()]
    return frozenset(a for a, _, c in pairs if not (c and lexicon.has("units", c)) and c not in ("%", "°"))


def _name_words(catalog: Catalog, slot: int) -> set[str]:
    return {w for name in catalog.entity_at(slot).names for w in words(name)}
