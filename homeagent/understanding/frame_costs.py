"""What counts against a frame, the same for all builders: what it leaves unexplained, how it stands in the home."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping

from homeagent.languages.concepts import (
    Amount,
    Attribute,
    Chat,
    Clock,
    Colour,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListAction,
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
    Verb,
    White,
)
from homeagent.understanding.clauses import UNITS_OF_TIME, Clause
from homeagent.understanding.frame import ANSWERED, ORDERS, ActKind, Feature, Frame
from homeagent.understanding.grounding import Grounded, TargetFit, excluded_of
from homeagent.understanding.noun_phrases import Target
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import (
    OF_SAFETY,
    OF_THE_PAST,
    Cell,
    Free,
    InArea,
    Named,
    OfChoice,
    OfKind,
    OnFloor,
    TimeGone,
    TimeOfDay,
    reading_cost,
)
from homeagent.understanding.statement_clauses import describes, tells

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
_STRONG = (Verb, Particle, Heading, ShoppingWord, Dimension, Level, Share, Colour, White, Named, InArea, OnFloor)
_NOUNS = (OfKind, StateWord, Sky, ListAction, Purpose, Reference)
_BESIDE_A_VERB = (OfKind, Dimension, Question)
_BETWEEN_VERBS = (Named, OfKind, InArea, Count, Colour)
_LEANING = (Reference.TOO, Reference.AGAIN, Reference.INSTEAD, Reference.THERE, Reference.BOTH)
"""Words that lean on what was said before, and change nothing of what is asked for."""
_OPEN = (ActKind.ASIDE, ActKind.LIST)
"""Acts with words of any kind in them, which nobody has misheard."""
_ASKED = (Question, Attribute, Clock, StateWord, Sky)
"""What a question holds that is complete before a conjunction."""
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
        *_of_form(clause, act, places),
        *_of_ground(grounded),
    ):
        counted[feature] = counted.get(feature, 0.0) + value
    ids = grounded.entity_ids if grounded is not None else frozenset()
    return Frame(act, request, places, {f: v for f, v in counted.items() if v}, ids, target)


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
            if (cell.corrected or cell.heard) and not of_question:
                yield Feature.HEARD if cell.heard and act not in _OPEN else Feature.CORRECTED, 1
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
    if gone is not None and act is ActKind.ASKING and (gone.over or clause.at(PastWord.WAS)):
        return Feature.GONE_BY
    if act is ActKind.ASKING and cell.says(PastWord.FIRST, PastWord.LAST) and clause.at(Question.WHEN):
        return Feature.LEFT_LIGHT  # when it was so last, not since when it is
    free = cell.get(Free)
    if cell.of_past:
        return Feature.LEFT_UNKNOWN
    if free is not None and cell.free and _governs(clause, place):
        return Feature.CONDITIONAL
    if free is not None and cell.free:
        return Feature.QUOTED if free.quoted else Feature.LEFT_ADVERB if free.adverb else Feature.LEFT_UNKNOWN
    if cell.says(Role.NEGATION) or (act in _FIRM and cell.says(Chat.NOTHING)):
        return Feature.NEGATED
    if cell.heard:
        return Feature.LEFT_UNKNOWN
    if act is ActKind.ASKING and cell.means(Topic.OUTDOORS):
        return Feature.LEFT_UNKNOWN  # a place is never dropped
    behind = clause.cells[place + 1 : place + 2]
    if cell.says(Role.DELEGATION) and any(c.means(Role.STATEMENT) for c in behind):
        return Feature.QUOTED  # "tell my wife to …"
    if cell.says(Role.DELEGATION) and place == clause.opening and _hands_on(clause, place):
        return Feature.LEFT_SMALL
    if act in ORDERS and cell.means(Role.CODE):
        return Feature.LEFT_SMALL  # an order that wants a code asks for it
    if cell.says(Role.REPORT) or (act in _FIRM and cell.says(Role.TOLD) and _tells_a_deed(clause, place)):
        return Feature.QUOTED
    if cell.says(Role.JOIN) and place and clause.cells[place - 1].says(Role.EVERY, Role.EVERYTHING):
        return Feature.UNKNOWN_EXCEPTION  # "all but …"
    if cell.has(Count) and not (cell.says(Role.FILLER) and all(place not in n.cells for n in clause.numbers)):
        times = {p for n in clause.numbers if n.of_time for p in n.cells}
        return Feature.FOR_LATER if place in times else Feature.SECOND_VALUE
    if cell.says(Role.CONDITION):
        return Feature.CONDITIONAL
    joins = cell.says(Role.TIME) and place in clause.leading_joins
    if not joins and (cell.says(Role.TIME, Role.TIMER, *UNITS_OF_TIME) or cell.has(TimeOfDay)):
        return Feature.FOR_LATER
    if act in _OF_NOW and cell.has(DayWord) and not cell.says(DayWord.TODAY):
        return Feature.FOR_LATER
    if act is ActKind.ASKING and cell.has(Verb) and cell.says(Role.JOIN):
        return Feature.ALTERNATIVE  # "lock it and tell me": the order is no part of the question
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


def _hands_on(clause: Clause, place: int) -> bool:
    """Whether a thing and, behind it, a verb follow the cell."""
    behind = clause.cells[place + 1 :]
    thing = next((i for i, c in enumerate(behind) if c.has(Named, OfKind)), len(behind))
    return any(c.has(Verb) for c in behind[thing + 1 :])


def _tells_a_deed(clause: Clause, place: int) -> bool:
    """Whether the order depends on a verb of telling ("I told him to …"); a courtesy between them makes it a wish."""
    deeds = clause.of(Verb, Particle, Heading, ListAction)
    if clause.postpositions:
        return min(deeds, default=place) < place
    last = max(deeds, default=place)
    return last > place and not any(c.says(Role.COURTESY) for c in clause.cells[place + 1 : last])


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


def _of_form(clause: Clause, act: ActKind, explained: Collection[int]) -> Iterator[tuple[Feature, float]]:
    if act in ORDERS:
        yield Feature.DESCRIBES, describes(clause) + tells(clause, explained) + clause.told
        yield Feature.NEGATED, float(clause.keeps)
    if act in ORDERS or act is ActKind.UNKNOWN:
        yield Feature.SEVERAL_VERBS, _verbs_apart(clause, explained)
    if act in ANSWERED and not clause.postpositions:
        yield Feature.SEVERAL_VERBS, float(_asks_twice(clause))
    if act in ORDERS:
        yield Feature.ASKS, _asks(clause)
        if act in (ActKind.SETTING, ActKind.STEPPING):
            yield Feature.BROKEN_VERB, float(any(clause.cells[i].parted for i in explained))
    if act is not ActKind.CHAT:
        first = _behind_leading_words(clause)
        within = (i for i in range(first, len(clause.cells)) if i != clause.exception)
        yield Feature.ACROSS_A_MARK, sum(bool(clause.mark(i)) for i in within)


def _behind_leading_words(clause: Clause) -> int:
    """The index from which a mark counts against a frame. One behind a leading place ("in the hall, …") or behind words
    that only introduce the order ("would it be possible, …") does not.
    """
    mark = next((i for i in range(1, len(clause.cells)) if clause.mark(i)), 0)
    leading = clause.cells[:mark]
    if clause.cells[0].says(Role.PLACE) and not any(c.has(Verb) for c in leading):
        return mark + 1
    if mark and all(c.says(Role.COURTESY, Role.FILLER, Role.JOIN) or c.has(Question) for c in leading):
        return mark + 1
    return 1


def _verbs_apart(clause: Clause, explained: Collection[int]) -> float:
    """How often another constituent stands between two verbs, which then are two orders.

    A neutral verb ("make the fan go on") needs a conjunction or a mark between them, not just a thing.
    """
    excepted = clause.excepted
    verbs = [
        i
        for i, cell in enumerate(clause.cells)
        if i in explained
        and i not in excepted
        and (cell.has(Verb) or any(h.dimension is not None for h in cell.all(Heading)))
        and (not cell.has(*_BESIDE_A_VERB) or cell.parted or _opens_its_part(clause, i))
        and not cell.says(Role.PLACE, Role.TO)
    ]
    return sum(_parts_verbs(clause, one, other) for one, other in itertools.pairwise(verbs))


def _opens_its_part(clause: Clause, place: int) -> bool:
    """Whether a cell stands where a verb opens a part: behind a conjunction or a mark ("and switch on the TV")."""
    return place > 0 and (bool(clause.mark(place)) or clause.cells[place - 1].says(Role.JOIN))


def _parts_verbs(clause: Clause, one: int, other: int) -> bool:
    if _is_particle_of(clause, one, other) or clause.cells[one].parted & clause.cells[other].parted:
        return False
    between = clause.cells[one + 1 : other]
    if clause.mark(other) or any(c.says(Role.JOIN) for c in between):
        return True
    if set(clause.cells[one].all(Verb)) == set(clause.cells[other].all(Verb)):
        return False  # "send it back to its base": one order, said twice
    neutral = any(clause.cells[i].says(Verb.DO) for i in (one, other))
    return not neutral and any(c.has(*_BETWEEN_VERBS) for c in between)


def _asks_twice(clause: Clause) -> bool:
    """Whether another question begins behind a conjunction: with a question word, or with its verb and a pronoun
    ("… und regnet es morgen")."""
    joins = (i for i in clause.at(Role.JOIN) if 0 < i < len(clause.cells) - 1)
    return any(_opens_a_question(clause, i + 1) and any(c.has(*_ASKED) for c in clause.cells[:i]) for i in joins)


def _opens_a_question(clause: Clause, place: int) -> bool:
    opening, behind = clause.cells[place], clause.cells[place + 1 : place + 2]
    if opening.has(Question) and not opening.says(Role.FILLER, Role.PRONOUN, Role.COURTESY) and behind:
        return True
    return opening.has(Sky, Verb) and any(c.says(Role.PRONOUN) and not c.says(Role.ARTICLE) for c in behind)


def _is_particle_of(clause: Clause, verb: int, place: int) -> bool:
    """Whether the cell is the particle of a separable verb elsewhere in the clause."""
    cell = clause.cells[place]
    apart = clause.tokens[cell.first].text in clause.names.pack.separable
    return apart and not set(clause.cells[verb].all(Verb)).isdisjoint(cell.all(Verb))


def _asks(clause: Clause) -> float:
    """How much the form is that of a question; a courtesy ("could you …?") makes it an order."""
    polite = bool(clause.at(Role.COURTESY, Role.ENSURE))
    marked = 1.0 if clause.asks and not polite else 0.0
    return marked + 1.5 * _begins_as_question(clause) + 1.5 * _ends_as_question(clause)


def worded_as_question(clause: Clause) -> bool:
    """Whether its words are those of a question, whatever its mark: "is the lamp …", and not "the lamp?"."""
    return _begins_as_question(clause) or _ends_as_question(clause)


def _begins_as_question(clause: Clause) -> bool:
    first = next(
        (c for c in clause.cells if not c.says(Role.JOIN, Role.FILLER) or c.has(Question, Verb)), clause.cells[0]
    )
    handed = first.says(Role.DELEGATION) and _hands_on(clause, clause.opening)
    small = first.says(Role.COURTESY, Role.TO, Role.ARTICLE)  # "à 40 pour cent", "un degré de plus"
    amount = first.has(Amount) and bool(clause.of(Heading)) and not clause.cells[0].first
    small = small or amount  # "iets feller"
    return first.has(Question) and not small and not first.has(Verb) and not handed


def _ends_as_question(clause: Clause) -> bool:
    last = clause.cells[-1]
    return clause.postpositions and last.has(Question) and not last.says(Role.COURTESY, Verb.LOCATE)
