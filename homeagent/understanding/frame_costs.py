"""What counts against a frame, the same for all builders: what it leaves unexplained, how it stands in the home."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from homeagent.languages.concepts import (
    Amount,
    Chat,
    Clock,
    Colour,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListAction,
    Mode,
    Particle,
    PastWord,
    Purpose,
    Question,
    Reference,
    Role,
    Share,
    ShoppingWord,
    Sky,
    StateWord,
    Topic,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clause_form import form_features, hands_on
from homeagent.understanding.clauses import UNITS_OF_TIME, Clause
from homeagent.understanding.frame import ORDERS, ActKind, Feature, Frame
from homeagent.understanding.grounding import Grounded, TargetFit, excluded_of
from homeagent.understanding.noun_phrases import Target
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import (
    OF_SAFETY,
    OF_THE_PAST,
    Cell,
    Free,
    InArea,
    Items,
    Named,
    OfChoice,
    OfKind,
    OnFloor,
    TimeGone,
    TimeOfDay,
    reading_cost,
)

OPEN_WORD = 0.2
"""What a word of a title or an item costs: open text swallows anything."""
_STANDING = {
    TargetFit.SET: Feature.SET,
    TargetFit.SEVERAL: Feature.SEVERAL,
    TargetFit.NONE: Feature.NONE,
    TargetFit.INCAPABLE: Feature.INCAPABLE,
    TargetFit.NOBODY: Feature.NOBODY,
}
_SMALL = (
    *(Role.FILLER, Role.COURTESY, Role.JOIN, Role.PLACE, Role.STATEMENT, Role.EVERY, Role.HERE, Role.WHOLE_HOME),
    *(Role.TO, Role.BY, Role.AT, Role.PRONOUN, Role.REASON, Role.OR, Role.COPULA),
)
_STRONG = (Items, Verb, Particle, Heading, ShoppingWord, Dimension, Level, Share, Colour, White, Named, InArea, OnFloor)
_NOUNS = (OfKind, StateWord, Sky, ListAction, Purpose, Reference)
_LEANING = (Reference.TOO, Reference.AGAIN, Reference.INSTEAD, Reference.THERE, Reference.THEN, Reference.BOTH)
"""Words that lean on what was said before, and change nothing of what is asked for."""
_FIRM = ORDERS | {ActKind.FOLLOWING}
_OF_NOW = ORDERS | {ActKind.ASKING}
_TELLING_MORE = frozenset({Feature.LEFT_LIGHT, Feature.LEFT_NOUN, Feature.LEFT_WORD, Feature.LEFT_QUESTION})
"""What is left over of a question about the past is what was asked: a figure would be of something else."""
_OF_QUESTION = 0.1
"""What a word costs that only such a question reads, however long."""
_TELLING = frozenset({ActKind.ASIDE, ActKind.COMPLAINT})


def frame(
    clause: Clause,
    act: ActKind,
    request: Request | None,
    explained: Collection[int],
    target: Target | None = None,
    grounded: Grounded | None = None,
    extra: Mapping[Feature, float] | None = None,
) -> Frame:
    """A frame that explains these cells and those of its target, with every feature that counts for or against it."""
    places = frozenset(explained) | (target.cells if target is not None else frozenset())
    counted: dict[Feature, float] = dict(extra or {})
    guarded = Feature.GUARDED in counted
    for feature, value in (
        *_of_words(clause, act, places, OF_SAFETY if guarded else OF_THE_PAST if act is ActKind.PAST else ()),
        *_of_target(clause, target, request),
        *_of_object(clause, act, target, places),
        *form_features(clause, act, places),
        *_of_ground(grounded),
    ):
        counted[feature] = counted.get(feature, 0.0) + value
    ids = grounded.entity_ids if grounded is not None else frozenset()
    if act in ORDERS and len(ids) > 1 and target is not None and _guesses_a_set(clause, target):
        counted[Feature.HEARD] = 1.0
    return Frame(act, request, places, {f: v for f, v in counted.items() if v}, ids, target)


def _of_object(
    clause: Clause, act: ActKind, target: Target | None, explained: Collection[int]
) -> Iterator[tuple[Feature, float]]:
    """What is set without a thing is set for no noun that nothing explains: "heat the oven to 180 degrees"."""
    named = target is None or target.phrases or target.pronoun
    if act not in (ActKind.SETTING, ActKind.STEPPING) or named or clause.postpositions:
        return
    nouns = (i + 1 for i in clause.at(Role.ARTICLE) - {*explained, len(clause.cells) - 1})
    yield Feature.UNKNOWN_IN_PHRASE, sum(clause.cells[i].free and not clause.mark(i) for i in nouns)


def _guesses_a_set(clause: Clause, target: Target) -> bool:
    """Whether all things of a kind are meant by one word for a single one that only another spelling makes of it."""
    kinds = [p for p in target.phrases if p.kinds and not (p.entity_ids or p.areas or p.floors)]
    cells = {i for p in kinds for i in p.cells}
    return any(clause.cells[i].corrected and not any(k.plural for k in clause.cells[i].all(OfKind)) for i in cells)


def _of_ground(grounded: Grounded | None) -> Iterator[tuple[Feature, float]]:
    if grounded is not None and grounded.standing in _STANDING:
        yield _STANDING[grounded.standing], 1


def _of_words(
    clause: Clause, act: ActKind, explained: Collection[int], asked: tuple[type, ...]
) -> Iterator[tuple[Feature, float]]:
    """The features of the cells. ``asked``: sorts of readings that only a question of this frame's kind has; they cost
    little.
    """
    for i, cell in enumerate(clause.cells):
        if i in explained:
            of_question = cell.has(*asked)
            yield Feature.EXPLAINED, _OF_QUESTION if of_question else reading_cost(cell)
            if cell.corrected and not of_question:
                yield Feature.CORRECTED, 1
            if act in _FIRM and (hanging := _hanging(clause, i)) is not None:
                yield hanging, 1
        else:
            left = _left(clause, i, cell, act)
            yield Feature.LEFT_UNKNOWN if act is ActKind.PAST and left in _TELLING_MORE else left, 1


def _hanging(clause: Clause, place: int) -> Feature | None:
    """The veto of a suffix on a word that an order explains: a negation, a condition or a reason. A courtesy behind a
    condition makes it a wish ("it would be nice if").
    """
    cell = clause.cells[place]
    if cell.says(Role.NEGATION) and not cell.means(Role.NEGATION):
        return Feature.NEGATED
    if cell.says(Role.REPORT) and clause.postpositions and cell.has(Verb, Heading):
        return Feature.QUOTED  # "끄래"
    if cell.says(Role.CONDITION) and not cell.means(Role.CONDITION):
        wished = any(c.means(Role.COURTESY) for c in clause.cells[place + 1 : place + 2])
        return None if wished else Feature.CONDITIONAL
    if cell.says(Role.REASON) and not cell.means(Role.REASON) and cell.has(Verb, Heading, Particle):
        return Feature.LEFT_STATEMENT
    return None


def _left(clause: Clause, place: int, cell: Cell, act: ActKind) -> Feature:
    """The feature for a cell that the frame leaves over. What must never be dropped is tested first."""
    gone = cell.get(TimeGone)
    if gone is not None and act is ActKind.ASKING and (gone.when.over or clause.at(PastWord.WAS)):
        return Feature.GONE_BY
    if act is ActKind.ASKING and cell.says(PastWord.FIRST, PastWord.LAST) and clause.at(Question.WHEN):
        return Feature.LEFT_LIGHT  # when it was so last, not since when it is
    free = cell.get(Free)
    if cell.of_past:
        return Feature.LEFT_UNKNOWN
    if free is not None and cell.free and _governs(clause, place):
        return Feature.CONDITIONAL
    if free is not None and cell.free and act is ActKind.STEPPING and _is_led_to(clause, place):
        return Feature.SECOND_VALUE  # "dim it to a whisper" is no step
    if free is not None and cell.free and place and clause.tokens[cell.first].gap == "-":
        return Feature.UNKNOWN_IN_PHRASE  # "tv-kamerlamp" is no TV
    if free is not None and cell.free:
        return Feature.QUOTED if free.quoted else Feature.LEFT_ADVERB if free.adverb else Feature.LEFT_UNKNOWN
    if cell.says(Role.NEGATION) or (act in _FIRM and cell.says(Chat.NOTHING)):
        return Feature.NEGATED
    if act is ActKind.ASKING and cell.means(Topic.OUTDOORS):
        return Feature.LEFT_UNKNOWN  # a place is never dropped
    behind = clause.cells[place + 1 : place + 2]
    if cell.says(Role.DELEGATION) and any(c.means(Role.STATEMENT) for c in behind):
        return Feature.QUOTED  # "tell my wife to …"
    if cell.says(Role.DELEGATION) and place == clause.opening and hands_on(clause, place):
        return Feature.LEFT_SMALL
    if act in ORDERS and cell.means(Role.CODE):
        return Feature.LEFT_SMALL  # an order that wants a code asks for it
    if cell.says(Role.REPORT) or (act in _FIRM and cell.says(Role.TOLD) and _tells_a_deed(clause, place)):
        return Feature.QUOTED
    if cell.says(Role.JOIN) and place and clause.cells[place - 1].says(Role.EVERY, Role.EVERYTHING):
        return Feature.UNKNOWN_EXCEPTION  # "all but …"
    of_unit = act in _FIRM and cell.has(Unit) and any(place in n.cells for n in clause.numbers)
    idle = cell.says(Role.FILLER, Role.PRONOUN) and all(place not in n.cells for n in clause.numbers)
    counts = cell.has(Count) and not idle
    if counts or of_unit:
        times = {p for n in clause.numbers if n.of_time for p in n.cells}
        return Feature.FOR_LATER if place in times else Feature.SECOND_VALUE
    if cell.says(Role.CONDITION) or (act in _FIRM and cell.says(Role.OTHERWISE) and _is_no_filler(clause, place)):
        return Feature.CONDITIONAL
    joins = cell.says(Role.TIME) and place in clause.leading_joins
    if not joins and (cell.says(Role.TIME, Role.TIMER, *UNITS_OF_TIME) or cell.has(TimeOfDay)):
        return Feature.FOR_LATER
    if act in _OF_NOW and cell.has(DayWord) and not cell.says(DayWord.TODAY):
        return Feature.FOR_LATER
    if act in _FIRM and cell.means(Reference.BEFORE) and not cell.means(*_SMALL):
        return Feature.FOR_LATER  # "antes que llegue"
    if act is ActKind.ASKING and cell.has(Verb) and cell.says(Role.JOIN):
        return Feature.ALTERNATIVE  # "lock it and tell me": the order is no part of the question
    if act in ORDERS and place > clause.opening and cell.says(Role.CONTRAST, Role.ONLY) and _leads_more(clause, place):
        return Feature.QUALIFIED
    if act is ActKind.SETTING and cell.means(Reference.UNDO, Amount.LARGE):
        return Feature.NEGATED  # "24 degrees would be too much"
    if act in _FIRM and cell.says(Role.OR):
        return Feature.ALTERNATIVE
    if cell.means(Reference.OTHER):
        return Feature.UNKNOWN_IN_PHRASE  # another one than is named
    if act in ORDERS and place > clause.opening and cell.means(Reference.INSTEAD) and not cell.means(*_SMALL):
        return Feature.NEGATED  # "the TV? no"
    if act in _FIRM and cell.has(Colour, White, Level, Share):
        return Feature.SECOND_VALUE
    if cell.has(Particle) and _belongs_to_a_verb(clause, place):
        return Feature.LEFT_WORD
    if clause.postpositions and cell.says(Role.REASON) and act is not ActKind.ASIDE:
        return Feature.LEFT_WORD
    if cell.has(Question, Clock) and act is not ActKind.ASIDE and not _may_be_small(cell):
        return Feature.LEFT_QUESTION
    if _opens_a_statement(clause, place, cell, act):
        return Feature.LEFT_STATEMENT
    if act in _FIRM and cell.has(Mode) and clause.next_to(place, Role.TO):
        return Feature.SECOND_VALUE  # "let it clean on low": it is no filler
    if act in ORDERS and place + 1 == len(clause.cells) and _is_led_nowhere(clause, cell):
        return Feature.LEFT_WORD  # "the lamp of": what it was heard for may be the order
    if act in ORDERS and cell.says(Reference.AGAIN) and cell.has(Verb) and not cell.says(Role.FILLER):
        return Feature.LEFT_WORD  # "rallume" is an order of its own
    if cell.means(*_SMALL, *_LEANING):
        return Feature.LEFT_SMALL
    if cell.means(Chat.RIGHT, Chat.WRONG, Chat.JOKE, Role.WITH) and not cell.means(*_SMALL):
        return Feature.LEFT_UNKNOWN
    if act in _FIRM and cell.has(OfChoice) and len(cell.readings) == 1:
        return Feature.UNKNOWN_IN_PHRASE  # "Jazz FM on in the kitchen" is no lamp there
    if act is ActKind.ASKING and cell.has(ShoppingWord):
        return Feature.LEFT_NOUN  # "is there a shop that has closed its door"
    if cell.has(*_STRONG) or cell.says(Role.EXCEPT, Role.ENSURE):
        return Feature.LEFT_WORD
    if cell.has(Amount, DayWord):
        return Feature.LEFT_LIGHT
    return Feature.LEFT_NOUN if cell.has(*_NOUNS) else Feature.LEFT_LIGHT


def _leads_more(clause: Clause, place: int) -> bool:
    """Whether what nothing explains, or tells of somebody, stands behind a cell."""
    return any(c.free or c.says(Role.STATEMENT, Role.REPORT) for c in clause.cells[place + 1 :])


def _is_led_nowhere(clause: Clause, cell: Cell) -> bool:
    """Whether a cell is a mere preposition of place."""
    small = cell.has(Particle, Verb, Named, InArea, OnFloor, OfKind) or cell.says(Role.COURTESY, Role.PRONOUN)
    return not clause.postpositions and cell.says(Role.PLACE) and not small and not cell.says(Role.FILLER)


def _is_led_to(clause: Clause, place: int) -> bool:
    """Whether a word is what something is to be set to, an article before it aside."""
    lead = place - 1 if place and clause.cells[place - 1].says(Role.ARTICLE) else place
    return bool(clause.next_to(lead, Role.TO))


def _tells_a_deed(clause: Clause, place: int) -> bool:
    """Whether the order depends on a verb of telling ("I told him to …"); a courtesy between them makes it a wish."""
    deeds = clause.of(Verb, Particle, Heading, ListAction)
    if clause.postpositions:
        return min(deeds, default=place) < place
    last = max(deeds, default=place)
    return last > place and not any(c.says(Role.COURTESY) for c in clause.cells[place + 1 : last])


def _is_no_filler(clause: Clause, place: int) -> bool:
    """Whether the word can be no filler, or something is to be done before the cell and something behind it."""
    if not clause.cells[place].says(Role.FILLER):
        return True
    deeds = clause.of(Verb, Heading, ListAction)
    return min(deeds, default=place) < place < max(deeds, default=place)


def _governs(clause: Clause, place: int) -> bool:
    """Whether an unexplained word has an infinitive with "to" behind it ("pretend to turn it on")."""
    behind = clause.cells[place + 1 : place + 3]
    return not clause.postpositions and len(behind) == 2 and behind[0].says(Role.TO) and behind[1].has(Verb)


def _opens_a_statement(clause: Clause, place: int, cell: Cell, act: ActKind) -> bool:
    """Whether the cell makes the clause a statement or a reason; in a question only before the question word."""
    if place == 0 and cell.says(Role.REASON) and not cell.says(Role.JOIN, Role.FILLER):
        return act is not ActKind.ASIDE
    if not cell.says(Role.STATEMENT) or cell.says(Role.COURTESY, Role.FILLER, Role.PRONOUN):
        return False
    if act is ActKind.ASKING:
        first = min(clause.of(Question), default=0)
        last = clause.cells[-1]
        tag = first + 1 == len(clause.cells) and last.end - last.first > 1 and last.says(Question.YESNO)
        return not clause.postpositions and place < first and not tag  # "there is milk on the list, or not"
    return act not in _TELLING


def _may_be_small(cell: Cell) -> bool:
    return cell.has(Verb) or cell.says(Role.COURTESY, Role.FILLER, Role.STATEMENT)


def _belongs_to_a_verb(clause: Clause, place: int) -> bool:
    """Whether a particle is the verb's: right behind the verb, or at the end of the clause or of its part.

    In languages with separable verbs only the end counts: behind the verb the same word may be an article or a
    preposition.
    """
    following = place + 1
    if following == len(clause.cells):
        return True
    if place and clause.cells[place - 1].has(Verb) and not clause.names.pack.separable:
        return True
    behind = clause.cells[following]
    if bool(clause.mark(following)) or behind.says(Role.JOIN):
        return True
    # "on in the kitchen": what leads a place is another word
    return bool(clause.names.pack.separable) and behind.says(Role.PLACE, Role.COURTESY) and not behind.says(Role.FILLER)


def _of_target(clause: Clause, target: Target | None, request: Request | None) -> Iterator[tuple[Feature, float]]:
    if target is None:
        return
    if target.either and request is not None and request.act is Act.CONTROL and not request.scope.either:
        yield Feature.ALTERNATIVE, 1  # it would be done to all of them
    yield Feature.UNKNOWN_IN_PHRASE, len(target.unknown)
    yield Feature.PART_OF_NAME, target.parts
    yield Feature.UNSURE_SORT, sum(p.tells_no_sort for p in target.phrases)
    if target.excepted is not None and (not excluded_of(target, clause.names) or target.excepted.unknown):
        yield Feature.UNKNOWN_EXCEPTION, 1
