"""What a sentence calls something: "call this …", "we call the kitchen light …", "when I say …, I mean …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from indexer.normalise import straight, unaccented
from memory.function_words import function_words_of
from memory.memory_words import Language, language, question_words
from memory.request_patterns import Thing, first_match, matched
from memory.statement_parts import wording

ENDS = " \t.!,;:…。！"
"""What may stand after a statement or a name and is no part of it."""
_WORDS, _NAME = 40, 8
"""Words of a sentence in which the names of things are looked for, and of such a name."""


IsThing = Callable[[str], bool]
"""Whether a phrase is what a thing of the home is called."""


def no_thing(phrase: str) -> bool:
    """The home of which nothing is known."""
    return False


@dataclass(frozen=True, slots=True)
class Naming:
    """Somebody says what they call something: ``name``, and ``what`` it is; ``here``: what they point at."""

    name: str
    what: str
    here: bool


def naming(text: str, code: str | None, is_thing: IsThing = no_thing) -> Naming | None:
    """What the text calls something, if that is what it does."""
    known = language(code)
    match = _naming_in(known, straight(text).strip(), is_thing) if known else None
    if known is None or match is None:
        return None
    name = match.group("name").strip(ENDS + "\"'«»„“”")
    what = (match.groupdict().get("this") or "").strip(ENDS)
    if unaccented(what) in question_words(known.code):
        return None  # "wie heißt das Lied" asks
    here = not what or unaccented(what) in {unaccented(word) for word in known.outright["this"]}
    return Naming(name, what, here) if name else None


def _naming_in(known: Language, sentence: str, is_thing: IsThing) -> re.Match[str] | None:
    return (
        _pointing(known, sentence) or _called(known, sentence, is_thing) or _calling_a_thing(known, sentence, is_thing)
    )


def _called(known: Language, sentence: str, is_thing: IsThing) -> re.Match[str] | None:
    """The match of "we call … …" shapes, with the longest name of a thing in the sentence as the thing ("we call the
    kitchen light Sun"); any match where there is no thing.
    """
    loose = matched(known, "called", sentence)
    things = _things_in(sentence, is_thing) if loose and loose.groupdict().get("this") else []
    exact = first_match(known, "called", Thing.ANYTHING, sentence, things) if things else None
    return exact or loose


def _pointing(known: Language, sentence: str) -> re.Match[str] | None:
    """The match of "call this …" shapes, which point at a thing or name none; None where the sentence says what is
    called.
    """
    match = first_match(known, "call", Thing.POINTED_AT, sentence)
    if match and not match.groupdict().get("this") and first_match(known, "call", Thing.ANYTHING, sentence):
        return None  # it does say what is called
    if match is None or unaccented(match.groupdict().get("this") or "") not in known.outright.get("before_nouns", ()):
        return match
    if sentence[match.end("this") : match.start("name")].strip():
        return match  # "noem die de …": the name has its own article, within the shape
    # "Das Wetter", "het weer": such a word belongs to the noun after it, where that has no article of its own.
    first = match.group("name").split()[0]
    return match if unaccented(first) in function_words_of(known.code) else None


def _calling_a_thing(known: Language, sentence: str, is_thing: IsThing) -> re.Match[str] | None:
    """The match of "call … …" shapes whose thing is the whole name of one, the longest in the sentence; None without
    one.
    """
    loose = first_match(known, "call", Thing.ANYTHING, sentence)
    if loose is None:
        return None
    things = _things_in(sentence, is_thing)
    things += [loose.group("this")] if not things and is_thing(loose.group("this")) else []
    match = first_match(known, "call", Thing.ANYTHING, sentence, things) if things else None
    # "The temperature in the bath" is one thing, not a name for another.
    goes_on = match is not None and any(
        word.has("place") for word in wording(match.group("name"), known.code).words[:1]
    )
    return None if goes_on else match


def _things_in(sentence: str, is_thing: IsThing) -> list[str]:
    """The names of things that stand in the sentence, the longest first."""
    return sorted({phrase for phrase in _phrases(sentence) if is_thing(phrase)}, key=len, reverse=True)


def _phrases(sentence: str) -> Iterator[str]:
    """The runs of words that may be the name of a thing."""
    words = list(re.finditer(r"[^\s,:.!?]+", sentence))[:_WORDS]
    for first, start in enumerate(words):
        for end in words[first : first + _NAME]:
            yield sentence[start.start() : end.end()]
