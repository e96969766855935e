"""The forms of questions: which one a clause asks, and what shows that it asks at all."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from homeagent.domains import PROFILES
from homeagent.domains.person import PEOPLE
from homeagent.languages.concepts import (
    Attribute,
    Concept,
    Heading,
    Particle,
    Question,
    Reference,
    Role,
    StateWord,
    Verb,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.request import Asked
from homeagent.understanding.spans import Named, OfKind

_FORMS = (
    (Question.HOW_LONG, Asked.HOW_LONG),
    (Question.HOW_MANY, Asked.HOW_MANY),
    (Question.WHERE, Asked.WHERE),
    (Question.WHEN, Asked.HOW_LONG),
    (Question.WHICH, Asked.WHICH),
    (Question.ANY, Asked.ANY),
    (Question.ALL, Asked.ALL),
    (Question.YESNO, Asked.YESNO),
    (Question.VALUE, Asked.VALUE),
)
"""Forms of questions, the one that tells most first."""
CLOSED = (Asked.YESNO, Asked.ANY)
"""Forms that are answered with yes or no."""
_LONGEST_OPENING = 4


def form_of(clause: Clause) -> Asked:
    """The most specific form of question that is said; yes-or-no only where its word comes first."""
    forms = {q for _, q in clause.said(Question)}
    first = min(clause.of(Question), default=0)
    said = [(q, form) for q, form in _FORMS if q in forms]
    if len(said) > 1 and not clause.cells[first].says(Question.YESNO):
        said = [(q, form) for q, form in said if q is not Question.YESNO]
    if clause.opening in worded_as_questions(clause):
        said = [(q, form) for q, form in said if q is not Question.YESNO]  # "what station is on"
    if any(form is Asked.YESNO for _, form in said[:1]) and clause.at(Reference.BOTH) and _of_people(clause):
        return Asked.ALL  # "are we both home"
    closed = (clause.asks or bool(verb_of_a_state(clause))) and not clause.at(Attribute.DOING)
    return said[0][1] if said else Asked.YESNO if closed else Asked.VALUE


def worded_as_questions(clause: Clause) -> set[int]:
    """The indexes of phrases for an attribute that open with a question word ("wie heißt das Lied")."""
    said = clause.names.pack.phrases
    first = {i: clause.tokens[clause.cells[i].first].text for i in clause.of(Attribute)}
    media = clause.at(Attribute.MEDIA)
    things = clause.of(Named, OfKind) - media
    opens = {i for i in media if i == clause.opening and not things}  # "läuft gerade Musik"
    whether = {i for i in opens if Question.YESNO in said.get(first[i], ())}
    return whether | {i for i, word in first.items() if {Question.VALUE, Question.WHICH} & {*said.get(word, ())}}


def verb_of_a_state(clause: Clause) -> set[int]:
    """The index of a verb that says a state and opens the clause before its subject, in languages with the verb second
    ("saugt der Roboter"): that asks, with or without a mark.
    """
    place = clause.opening
    opening, behind = clause.cells[place], clause.cells[place + 1 : place + 3]
    verb = opening.has(StateWord) and not opening.has(Particle, Verb, Heading, *THINGS)
    subject = any(c.has(Named, OfKind) for c in behind) and not clause.of(Verb, Particle, Heading)
    return {place} if clause.names.pack.separable and verb and subject else set()


def is_tagged(clause: Clause) -> bool:
    """Whether it ends with a tag such as "or not"."""
    last = clause.cells[-1]
    return last.says(Question.YESNO) and last.end - last.first > 1 and not clause.postpositions


def asks_for_no_state(clause: Clause) -> bool:
    """Whether the first words are together a phrase for what no state tells ("how do I")."""
    first = clause.cells[0].first
    openings = (
        clause.tokens[first:end] for end in range(first + 2, min(first + _LONGEST_OPENING, len(clause.tokens)) + 1)
    )
    phrases = clause.names.pack.phrases
    return any(Question.OTHER in phrases.get(" ".join(t.text for t in opening), ()) for opening in openings)


def asks_twice(clause: Clause, states: Collection[int]) -> bool:
    """Whether a conjunction and another thing stand between two states, so that each is asked of its own thing. The
    conjunction may hang on the first one.
    """
    first, *between = clause.cells[min(states) : max(states)] if len(states) > 1 else (None,)
    joined = any(c.says(Role.JOIN) for c in (first, *between) if c is not None)
    return joined and any(c.has(*THINGS) for c in between)


def _of_people(clause: Clause) -> bool:
    """Whether it asks whether somebody is at home."""
    return any(raw == PROFILES[PEOPLE[0]].active for _, word in clause.said(StateWord) for _, raw in word.raw)


def subjects(clause: Clause) -> Iterator[frozenset[Concept]]:
    """What each word that may be a subject can stand for, words within phrases included."""
    said = clause.names.pack.phrases
    tokens = clause.tokens[clause.cells[0].first : clause.cells[-1].end]
    found = (frozenset(said.get(t.text, ())) for t in tokens)
    return (meant for meant in found if meant & {Role.STATEMENT, Role.PRONOUN})


def is_of_the_speaker(clause: Clause) -> bool:
    """Whether a subject is there that tells of oneself ("I", "we") and stands for nothing spoken of."""
    return any(Role.STATEMENT in said and Role.PRONOUN not in said for said in subjects(clause))
