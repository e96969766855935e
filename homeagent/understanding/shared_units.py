"""A unit of time that is said once for several lengths: "five minutes for the pasta and ten for the sauce"."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from homeagent.languages.concepts import Concept, Count, Role
from homeagent.languages.pack import Pack
from homeagent.understanding.clauses import UNITS_OF_TIME
from homeagent.understanding.tokeniser import Sentence, Token, tokenise


def with_shared_units(sentence: Sentence, pack: Pack) -> Sentence:
    """The sentence with the unit said again behind each joined number that is for something else and has none."""
    text = sentence.text
    for place, unit in reversed(list(_missing(sentence, pack))):
        text = f"{text[:place]} {unit}{text[place:]}"
    return sentence if text == sentence.text else tokenise(text)


def _missing(sentence: Sentence, pack: Pack) -> Iterator[tuple[int, str]]:
    """Where in the text a unit is missing, and which."""
    tokens, unit = sentence.tokens, ""
    for i, token in enumerate(tokens[:-1]):
        behind = tokens[i + 1]
        if not _counts(token, pack) or _counts(behind, pack):
            continue
        said: Collection[Concept] = pack.phrases.get(behind.text, ())
        if UNITS_OF_TIME & {*said}:
            served = i + 2 < len(tokens) and Role.SERVED in pack.phrases.get(tokens[i + 2].text, ())
            unit = behind.raw if served else ""  # "on for 5 minutes and 20 for reading" says no length for reading
        elif unit and Role.SERVED in said and not behind.mark and _is_joined(tokens, i, pack):
            yield token.end, unit


def _counts(token: Token, pack: Pack) -> bool:
    return token.text.isdigit() or any(isinstance(c, Count) for c in pack.phrases.get(token.text, ()))


def _is_joined(tokens: tuple[Token, ...], place: int, pack: Pack) -> bool:
    """Whether a conjunction or a mark stands before the number that ends at a token."""
    while place and _counts(tokens[place - 1], pack) and not tokens[place].mark:
        place -= 1
    before = pack.phrases.get(tokens[place - 1].text, ()) if place else ()
    return bool(tokens[place].mark) or Role.JOIN in before
