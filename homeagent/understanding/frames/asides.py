"""What is only said beside an order: a reason, a courtesy, a name that is called, how things are. Nothing is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homeagent.languages.concepts import (
    Amount,
    Colour,
    Complaint,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListAction,
    Mode,
    Particle,
    Purpose,
    Question,
    Reference,
    Role,
    ShoppingWord,
    Sky,
    StateWord,
    Topic,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clauses import UNITS_OF_TIME, Clause, Number
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.beside_orders import (
    calls_by_its_kind,
    says_it_is_done,
    tells_the_manner,
    where_told,
)
from homeagent.understanding.lattice import is_called_by_name
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.segmentation import asks_indirectly, ends_an_order, orders_anew
from homeagent.understanding.spans import Cell, Free, InArea, Named, NoPlace, OfKind, OnFloor, TimeGone
from homeagent.understanding.statement_clauses import complains_of_several, copulas

_OF_A_WISH = (*(Heading, Dimension, Level, Colour, White, Mode, Count, Unit),)
_THINGS = (Named, InArea, OnFloor, OfKind, NoPlace)
_WISHED = (Role.EXCEPT, Role.EVERY, Role.EVERYTHING, Role.OR, Role.WHOLE_HOME)
_SMALL = (Role.FILLER, Role.STATEMENT, Role.COPULA, Role.AUXILIARY, Role.JOIN, Role.REASON, Role.NEGATION)
_IDLE = (Role.COURTESY, Role.FILLER, Role.JOIN)
_COLON = ":"
_SAYING_MORE = (
    *_THINGS,
    Topic,
    ListAction,
    ShoppingWord,
    Purpose,
    Complaint,
    Sky,
    DayWord,
    Particle,
    Heading,
    Dimension,
)
"""What opens what is said behind a colon as part of it: "kitchen: …", "shopping list: …"."""
_ENDS = frozenset(".!")
_TELLING = 3
"""Fewer words are a thing that is named, not something that is told."""
_HARMLESS = frozenset({Verb.DO, Verb.HEAR, Verb.CLEAN, Verb.PLAY, Verb.MAKE})
"""Verbs that open what is told as often as an order."""
_ADDRESS = 2
"""A name that is called is at most so many words."""


def aside(clause: Clause) -> Iterator[Frame]:
    """A frame that explains a clause and does nothing for it: a reason, a courtesy, a name called out, a remark. Never
    for a clause with a condition, a timer or something forbidden.
    """
    doing = clause.of(Verb) - clause.at(*_HARMLESS)
    meanwhile = clause.at(Role.CONDITION) & clause.at(Role.REASON) if _only_tells_when(clause) else set()
    conditions = clause.at(Role.CONDITION) - meanwhile
    conditions = {i for i in conditions if not asks_indirectly(clause.cells, clause.tokens, i)}
    wakes = clause.at(Role.TIMER) and (clause.numbers or not clause.at(Role.STATEMENT))  # "I do not want to wake him"
    if conditions or wakes or _quotes(clause) or _prohibits(clause, doing) or complains_of_several(clause):
        return
    content = [i for i, c in enumerate(clause.cells) if not c.means(*_IDLE) or _leans(clause, c) or _by_name(clause, c)]
    if content and clause.postpositions and _ends_with_an_order(clause):
        return
    if content and _announces(clause):
        words = {Feature.COURTESY: 1.0, Feature.ASIDE_WORD: float(len(content))}
        yield frame(clause, ActKind.ASIDE, None, range(len(clause.cells)), extra=words)
        return
    against = _sort_of_aside(clause, content)
    if against is None:
        return
    opening = next((i for i, c in enumerate(clause.cells) if not c.says(Role.JOIN, Role.REASON)), 0)
    joined = {i + 1 for i in clause.at(Role.JOIN) if i} | {i for i in range(1, len(clause.cells)) if clause.mark(i)}
    asked = {i + 1 for i in clause.at(Role.COURTESY)} & clause.of(Verb)
    asked |= {i for i in clause.at(Role.STATEMENT) if i > min(clause.of(Complaint), default=i)}
    another = ends_an_order if clause.postpositions else orders_anew
    anew = any(another(clause.cells, i) for i in range(1, len(clause.cells) - clause.postpositions))
    anew = anew or (not clause.postpositions and any(i and clause.mark(i) for i in doing))
    if opening in doing or joined & doing or (asked and not clause.postpositions) or anew:
        against[Feature.ASIDE_VERB] = 1.0
    numbers = [n for n in clause.numbers if _hours(clause).isdisjoint(n.cells) and not _is_away(clause, n)]
    gone = clause.of(TimeGone) or clause.times  # "since yesterday at three"
    why = clause.cells[0].means(Role.REASON) and not gone  # what is counted there is told
    if not why and any(not clause.cells[i].says(Role.FILLER) for n in numbers for i in n.cells):
        against[Feature.ASIDE_NUMBER] = 1.0
    told = frame(clause, ActKind.ASIDE, None, range(len(clause.cells)), extra=against)
    yield replace(told, target=target_of(clause, ()), told_in=where_told(clause))


def _only_tells_when(clause: Clause) -> bool:
    """Whether somebody tells what they do meanwhile, and nothing that an order may hang on: "while I do the dishes"."""
    told = clause.at(Role.STATEMENT) and not clause.at(Role.ONLY, Role.NEGATION)
    return bool(told) and not (clause.of(StateWord, Sky, Named, OfKind, TimeGone) or clause.times)


def _announces(clause: Clause) -> bool:
    """Whether it only leads to what is said behind a colon, and names nothing: "first things first: …"."""
    end = clause.cells[-1].end
    if end == len(clause.tokens) or _COLON not in clause.tokens[end].mark:
        return False
    if clause.of(*_SAYING_MORE) - clause.at(ListAction.ITEM, Topic.UPCOMING, Topic.MEDIA):
        return False
    opens = not clause.cells[0].first or bool(clause.mark(0))
    ordered = clause.of(Verb) - clause.at(Verb.DO) - clause.at(Role.COURTESY)
    return opens and not (ordered or clause.at(Role.NEGATION) or clause.times)


def _quotes(clause: Clause) -> bool:
    """Whether it introduces or reports what somebody said. Behind an order a clause that names nothing does not, nor
    does a complaint: that only tells why."""
    if not clause.at(Role.REPORT) or _is_of_somebody(clause) or (clause.of(Complaint) and not clause.of(Verb)):
        return False
    last = clause.cells[-1].end == len(clause.tokens)
    return not (last and clause.cells[0].first) or bool(clause.of(Named, OfKind, InArea, OnFloor, Verb))


def _is_of_somebody(clause: Clause) -> bool:
    """Whether it tells what somebody wants or thinks, in full and without a thing of the home: "she wants her cave"."""
    reported = min(clause.at(Role.REPORT), default=len(clause.cells))
    behind = clause.cells[reported + 1 :]
    whole = bool(behind) and behind[0].says(Role.ARTICLE, Role.STATEMENT) and any(c.free for c in behind)
    end = clause.cells[-1].end
    parted = end == len(clause.tokens) or clause.tokens[end].mark == ","
    return whole and parted and not clause.postpositions and not clause.of(*_THINGS, Verb, Particle, Heading)


def _prohibits(clause: Clause, doing: set[int]) -> bool:
    """Whether something is forbidden: a thing is named, a verb opens the clause, or the negation stands at it."""
    negations = clause.at(Role.NEGATION)
    if not negations or not clause.of(Verb) or clause.at(Role.STATEMENT):
        return False
    at_it = any({i - 1, i - 2} & negations for i in doing)
    opens = clause.cells[clause.opening].has(Verb)
    return clause.postpositions or at_it or opens or bool(clause.of(Named, OfKind, InArea, OnFloor))


def _leans(clause: Clause, cell: Cell) -> bool:
    """Whether a word that may stand idle can refer to what was said before ("inside", "a bit more")."""
    return clause.last is not None and (cell.says(Reference.INDOORS) or cell.has(Amount, Heading))


def _by_name(clause: Clause, cell: Cell) -> bool:
    """Whether a small word is written as the name that it is, too: "Ben" behind "en"."""
    return cell.first > 0 and is_called_by_name(clause.tokens[cell.first], clause.names)


def _ends_with_an_order(clause: Clause) -> bool:
    """Whether the last verb, a courtesy behind it aside, says what to do."""
    cells = clause.cells[: -1 if _is_about_to(clause) else None]
    for cell in reversed(cells):
        if cell.has(Verb, Heading, ListAction) and not cell.says(Role.REASON) and not cell.means(Role.STATEMENT):
            return not cell.means(Role.COURTESY, Role.FILLER)
        if not cell.means(Role.COURTESY, Role.FILLER):
            return False
    return False


def _is_about_to(clause: Clause) -> bool:
    """Whether its last two words say that somebody is about to do something ("자려고 해")."""
    before = clause.cells[-2:-1]
    said = any(c.says(Role.REASON) and not c.has(Verb, Heading, ListAction) for c in before)
    return clause.postpositions and said and set(clause.cells[-1].all(Verb)) == {Verb.DO}


def _sort_of_aside(clause: Clause, content: list[int]) -> dict[Feature, float] | None:
    """The features of the sort of aside that it is; None where it is none."""
    cells = clause.cells
    if not content:
        return {Feature.COURTESY: 1.0, Feature.ASIDE_WORD: float(len(clause.of(Reference)))}
    if clause.asks and all(cells[i].says(Role.NEGATION) for i in content):
        return {Feature.COURTESY: 1.0}  # "…, no?"
    if not cells[0].first and all(cells[i].says(Reference.INSTEAD) for i in content):
        return {Feature.COURTESY: 1.0}  # "no, …"
    if _joins_a_noun(clause, content):
        return None
    if says_it_is_done(clause, content):
        return {Feature.STATEMENT: 0.5}
    if _takes_back_a_value(clause, content) or _hesitates(clause, content):
        return {Feature.COURTESY: 1.0}
    if _calls(clause, content) or calls_by_its_kind(clause):
        return {Feature.COURTESY: 1.0}
    if tells_the_manner(clause, content):
        return {Feature.COURTESY: 1.0}
    reasons, statements = clause.at(Role.REASON), clause.at(Role.STATEMENT, Role.TOLD)
    opening = next((i for i, c in enumerate(cells) if not c.says(Role.JOIN, Role.REASON)), 0)
    if cells[0].says(Role.PLACE) and not (clause.postpositions or cells[0].says(Role.REASON, Role.STATEMENT)):
        return None
    last = len(cells) - 1 - _is_about_to(clause)
    first_reason = min(reasons, default=len(cells) + 1)
    if (last in reasons or not first_reason) if clause.postpositions else first_reason <= 1:
        return {Feature.REASON: 1.0}
    if clause.asks and not cells[0].first and cells[0].has(Question):
        return None
    if clause.at(Role.CONDITION):
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content))}  # "I can't remember if …"
    if complaints := clause.of(Complaint):
        ordered = bool(clause.of(Heading) - complaints)  # "lower, it is too hot"
        return {Feature.COMPLAINT: 1.0, Feature.ASIDE_VERB: float(ordered)}
    if _describes_what_is_meant(clause, opening):
        return {Feature.STATEMENT: 0.5}
    if _is_of_somebody(clause):
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content))}
    first = cells[opening]
    if first.has(Question) and not first.says(Role.COURTESY, Role.STATEMENT, Question.YESNO, Question.ANY):
        return None
    while (
        opening + 1 < len(cells)
        and cells[opening].says(Reference.CORRECTS, Role.FILLER)
        and not cells[opening].has(Verb)
    ):
        opening += 1  # "no, there we hear nothing"
    opens = opening + (0 if first.has(Verb) and not first.says(Role.STATEMENT) else 1)  # "play my songs" orders
    if statements and (min(statements) <= opens or (clause.postpositions and last in statements)):
        named = [c for c in cells if not c.says(Role.STATEMENT) and not c.has(Complaint)]
        things = sum(c.has(InArea, OfKind) or any(not n.part for n in c.all(Named)) for c in named)
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content)), Feature.ASIDE_THING: float(things)}
    if clause.cells[0].first and _calls_out(clause, content):
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content))}
    if len(content) <= _ADDRESS and all(cells[i].free and not cells[i].has(TimeGone, Question) for i in content):
        return {Feature.ADDRESS: float(len(content))}
    if _only_tells(clause, content) or _tells_of_a_time(clause):
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content))}
    return None


def _calls_out(clause: Clause, content: list[int]) -> bool:
    """Whether it is set off behind an order and only names what nothing explains, and where: "…, crumbs everywhere"."""
    where = (Role.EVERY, Role.EVERYTHING, Role.WHOLE_HOME, Role.PLACE)
    marked = clause.mark(0) and clause.cells[-1].end == len(clause.tokens) and not clause.asks
    told = [i for i in content if clause.cells[i].free]
    rest = [clause.cells[i] for i in content if i not in told]
    return bool(marked and told) and len(content) > 1 and all(c.says(*where) for c in rest)


def _joins_a_noun(clause: Clause, content: list[int]) -> bool:
    """Whether it is only one more thing that nothing explains: "and the wibble"."""
    noun = clause.cells[0].says(Role.JOIN) and content[0] and clause.cells[content[0] - 1].says(Role.ARTICLE)
    return bool(noun) and len(content) <= _ADDRESS and all(clause.cells[i].free for i in content)


def _hesitates(clause: Clause, content: list[int]) -> bool:
    """Whether the clause is only a neutral verb between two marks ("…, like, …")."""
    end = clause.cells[-1].end
    parted = end < len(clause.tokens) and clause.tokens[end].mark and clause.tokens[clause.cells[0].first].mark
    return bool(parted) and len(content) == 1 and set(clause.cells[content[0]].all(Verb)) == {Verb.DO}


def _calls(clause: Clause, content: list[int]) -> bool:
    """Whether it only calls somebody by name, with a greeting at most ("hey Max, …"), though the
    name is also a word.
    """
    first, end = clause.cells[0].first, clause.cells[-1].end
    token = clause.tokens[clause.cells[content[0]].first]
    if len(content) > 1 or end == len(clause.tokens) or not clause.tokens[end].mark or not token.raw[:1].isupper():
        return False
    said = clause.names.pack.phrases
    greeted = any(Role.COURTESY in said.get(t.text, ()) for t in clause.tokens[:end] if t is not token)
    led = all(Role.COURTESY in said.get(t.text, ()) for t in clause.tokens[:first])
    return led and greeted and not clause.cells[content[0]].has(*_THINGS, Question, ListAction)


def _takes_back_a_value(clause: Clause, content: list[int]) -> bool:
    """Whether it only denies a value or an amount of the previous order ("not all the way, …")."""
    goes_on = clause.cells[-1].end < len(clause.tokens)
    ordered = clause.last is not None and clause.last.fresh and clause.last.orders
    values = clause.of(Level, Colour, White, Amount, Count)
    denies = clause.cells[content[0]].says(Role.NEGATION) and bool(values)
    return bool(ordered and goes_on and denies) and values >= set(content[1:])


def _describes_what_is_meant(clause: Clause, opening: int) -> bool:
    """Whether it describes the state of the thing that a following order is about ("the lamp is still on, turn it
    off").
    """
    goes_on = clause.cells[-1].end < len(clause.tokens)
    asks = clause.asks or clause.cells[opening].has(Question)
    wishes = clause.of(Verb, Heading) | clause.at(Role.COURTESY, Role.ENSURE, Role.NEGATION)
    said = min(copulas(clause), default=0)
    marked = [i for i in range(said + 1, len(clause.cells)) if clause.mark(i)]
    described = any(i < min(marked, default=len(clause.cells)) for i in clause.of(StateWord))
    return goes_on and described and said > opening and not (asks or wishes)


def _only_tells(clause: Clause, content: list[int]) -> bool:
    """Whether the clause tells something that no wish can be read from, unexplained words included: no thing or value,
    no verb that opens it or says more than "make", no particle at its end, no other time. How something is or was may
    be told with any verb.

    It must be long enough and set off from what follows: what is not may be the main clause of an order ("it would have
    sufficed to …").
    """
    cells = clause.cells
    end = clause.cells[-1].end
    ended = end < len(clause.tokens) and not _ENDS.isdisjoint(clause.tokens[end].mark)
    if clause.asks or clause.at(*_WISHED) or len(cells) < _TELLING - ended or not _is_parted(clause):
        return False
    if cells[0].says(Question.YESNO) and cells[0].says(Role.COPULA):
        return False  # "is the door closed", without a mark
    when = clause.times | _hours(clause)
    if when and not _does_something(clause, min(when)):
        return False  # a mere time may be that of the order: "on Friday at eight, …"
    opening = cells[clause.opening]
    second = clause.opening > 0 and not clause.postpositions and set(opening.all(Verb)) <= _HARMLESS
    tells = second and (opening.has(Verb, ListAction) or cells[clause.opening - 1].says(Role.ARTICLE, Role.PRONOUN))
    if opening.has(Heading) or (opening.has(Question, Verb, ListAction) and not tells):
        return False  # a verb behind what it is said of neither orders nor asks
    if any(f.quoted for _, f in clause.said(Free)):
        return False
    described = bool(said := copulas(clause) | clause.at(Role.AUXILIARY))
    things = () if described and not clause.of(StateWord) else _THINGS
    values = {i for i in clause.of(*_OF_A_WISH, *things) if not cells[i].says(Role.PRONOUN, *_SMALL)} - when
    deeds = set() if described or clause.at(Role.NEGATION) else clause.of(Verb) - clause.at(*_HARMLESS)
    deeds -= {len(cells) - 1} if _says_what_it_does(clause) else set()
    leads = not described and cells[content[-1]].has(Particle)
    subject = any(not cells[i].says(Role.JOIN) for i in range(min(said, default=0)))
    told = any(cells[i].free for i in content) or subject
    return not (values or deeds or leads) and told


def _tells_of_a_time(clause: Clause) -> bool:
    """Whether it says how a time is or was, for which nothing is ordered: "today was hard". The time stands before the
    word that says how it is: where a question would have that."""
    said = copulas(clause)
    before, behind = clause.cells[: min(said, default=0)], clause.cells[min(said, default=0) + 1 :]
    timed = any(_is_time(c) for c in before) and all(_is_time(c) or c.says(*_IDLE, Role.ARTICLE) for c in before)
    ordered = any(c.has(StateWord, Question, *_OF_A_WISH) or (c.has(Verb) and not c.says(*_HARMLESS)) for c in behind)
    return timed and bool(behind) and not ordered and not clause.asks and _is_parted(clause)


def _says_what_it_does(clause: Clause) -> bool:
    """Whether it is a noun that nothing explains, and behind it a verb in the form for that: "the phone is ringing"."""
    noun, verb = clause.cells[-2:] if len(clause.cells) > 2 else (None, None)
    if noun is None or verb is None or clause.postpositions or not noun.free:
        return False
    endings = clause.names.pack.third_person
    formed = not endings or clause.tokens[verb.end - 1].text.endswith(endings)
    return formed and verb.has(Verb) and clause.cells[-3].says(Role.ARTICLE)


def _is_time(cell: Cell) -> bool:
    return cell.has(DayWord, Unit) or cell.says(Role.TIME)


def _hours(clause: Clause) -> set[int]:
    """The indexes of numbers that "at" makes a time of day ("at eight")."""
    return {i for n in clause.numbers for i in n.cells if i and clause.cells[i - 1].says(Role.AT)}


def _is_away(clause: Clause, number: Number) -> bool:
    """Whether it is a length by which somebody is away, or something was: "I'm two minutes away"."""
    told = clause.cells[clause.opening].means(Role.STATEMENT) and not clause.of(*_THINGS, Verb, Particle)
    return told and number.unit in UNITS_OF_TIME and number.lead is None


def _does_something(clause: Clause, end: int) -> bool:
    """Whether an unknown subject and its verb stand before an index ("my sister is coming at eight"), or both, nothing
    explains either, behind it ("gleich kommen die Gäste").
    """
    subject = next((i for i in range(end) if clause.cells[i].free), end)
    told = [i for i, c in enumerate(clause.cells) if c.free and i > end]
    led = any(clause.cells[i - 1].says(Role.ARTICLE) for i in told)
    return any(clause.cells[i].has(Verb, ListAction) for i in range(subject + 1, end)) or (led and len(told) > 1)


def _is_parted(clause: Clause) -> bool:
    """Whether a mark or a conjunction follows the clause, or nothing does."""
    end = clause.cells[-1].end
    if end == len(clause.tokens) or clause.tokens[end].mark:
        return True
    said = clause.names.pack.phrases.get(clause.tokens[end].text, ())
    return Role.JOIN in said or Role.REASON in said
