"""What a sentence says outright that it wants remembered, called or forgotten: without a model, by the shapes that
people use for it in each language. The shapes are data (`memory.language`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory.extract import Candidate
from memory.language import Language, language, plain
from memory.model import NICKNAME, MemoryType, Sensitivity, Subject
from memory.shapes import Thing, first_match, matched
from memory.wording import Wording, wording
from memory.words import function_words_of

SENTENCE = re.compile(r"(?<=[.!?;…。！？])\s+|\n+")
"""Between sentences."""
_ENDS = " \t.!,;:…。！"
_WORDS, _NAME = 40, 8
"""Words of a sentence in which the names of things are looked for, and of such a name."""
_NOT_SAID = ""
"""For the colon that a shape has and a sentence does not: "note the milk" is not "note: …"."""
_TELLING = ("copula", "wish", "dislike", "called", "confide")
_ASKED, _TOLD = 0.7, 0.6
"""Importance of what somebody wants remembered, and of a preference told in passing."""


def sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in SENTENCE.split(_one_shape(text)) if sentence.strip()]


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


@dataclass(frozen=True, slots=True)
class Asked:
    """What one sentence asks of memory: a statement to ``keep``, or in words what to ``forget``.

    ``sure`` False: it may well mean something else ("remember the milk", "forget the timer"). ``tells`` False: what is
    to be kept is no statement by itself.
    """

    keep: Candidate | None = None
    forget: str | None = None
    sure: bool = True
    tells: bool = True


def asked_of_memory(
    text: str, code: str, speaker: str | None = None, subjects: Sequence[Subject] = (), is_thing: IsThing = no_thing
) -> list[Asked | None]:
    """What each sentence of ``text`` asks of memory, in order; None where it asks nothing of it.

    ``speaker``: the user id; what they say of themselves is theirs alone. ``subjects``: what the sentence points at
    ("call this…"). Who asks to call something by a name must name a thing of the home (``is_thing``), or point at one:
    people ask to call a doctor, and to name the capital of a country.
    """
    known = language(code)
    if known is None:
        return [None] * len(sentences(text))
    return [_of_sentence(sentence, known, speaker, tuple(subjects), is_thing) for sentence in sentences(text)]


def said_outright(
    text: str, code: str, speaker: str | None = None, subjects: Sequence[Subject] = (), is_thing: IsThing = no_thing
) -> list[Candidate]:
    """The statements that ``text`` itself wants kept, in order; mostly none. Parameters as of `asked_of_memory`."""
    found = asked_of_memory(text, code, speaker, subjects, is_thing)
    return [one.keep for one in found if one is not None and one.keep is not None and one.tells]


def naming(text: str, code: str | None, is_thing: IsThing = no_thing) -> Naming | None:
    """What the text calls something, if that is what it does."""
    known = language(code)
    match = _naming_in(known, _one_shape(text).strip(), is_thing) if known else None
    if known is None or match is None:
        return None
    name = match.group("name").strip(_ENDS + "\"'«»„“”")
    what = (match.groupdict().get("this") or "").strip(_ENDS)
    here = not what or plain(what) in {plain(word) for word in known.outright["this"]}
    return Naming(name, what, here) if name else None


def _one_shape(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u2018", "'").replace("\u00a0", " ")


def _of_sentence(
    sentence: str, known: Language, speaker: str | None, subjects: tuple[Subject, ...], is_thing: IsThing
) -> Asked | None:
    for kind in ("forget", "forget_it"):
        if match := matched(known, kind, sentence):
            return _forgetting(match, known, sure=kind == "forget")
    for kind in ("remember", "remember_it", "from_now_on", "remember_more"):
        if match := matched(known, kind, sentence):
            return _remembering(match, kind, known, speaker, subjects, is_thing)
    if named := _naming(sentence, known, speaker, subjects, is_thing):
        return Asked(named)
    if not sentence.endswith(("?", "？")) and (match := matched(known, "preference", sentence)):
        return Asked(_candidate(sentence[match.end("polite") :].strip(_ENDS), known, speaker, _TOLD), sure=False)
    return None


def _forgetting(match: re.Match[str], known: Language, *, sure: bool) -> Asked | None:
    content = match.group("it").strip(_ENDS)
    return None if _is_no_statement(content, known) else Asked(forget=_capital(content), sure=sure)


def _remembering(
    match: re.Match[str],
    kind: str,
    known: Language,
    speaker: str | None,
    subjects: tuple[Subject, ...],
    is_thing: IsThing,
) -> Asked | None:
    content = _with_afterthought(match, known)
    if content is None or _is_no_statement(content, known):
        return None
    keep = _naming(content, known, speaker, subjects, is_thing) or _candidate(content, known, speaker, _ASKED)
    if wording(match.string, known.code).has("confide"):  # "remember just for me that": the request says it
        keep = replace(keep, user_id=speaker, sensitivity=Sensitivity.PRIVATE)
    tells = (
        (kind != "remember_it" and match.groupdict(_NOT_SAID).get("colon") != _NOT_SAID)
        or keep.key is not None
        or _tells(content, known)
    )
    return Asked(keep, sure=tells and kind != "from_now_on", tells=tells)


def _with_afterthought(match: re.Match[str], known: Language) -> str | None:
    """What is to be kept, with the condition that comes after the request where the verb stands last; None: what comes
    after it is something else."""
    content = match.group("it").strip(_ENDS)
    more = (match.groupdict().get("more") or "").strip(_ENDS)
    if not more:
        return content
    return f"{content}, {more}" if wording(more, known.code).conditions else None


def _tells(content: str, known: Language) -> bool:
    """Whether it says something of something, or when it is: no mere thing, and no order."""
    its = wording(content, known.code)
    said = any(its.has(concept) for concept in _TELLING) or bool(its.of("date") | its.of("day"))
    return said and not its.has("action")


def _is_no_statement(content: str, known: Language) -> bool:
    """ "it", "to call Anna", "when we met": nothing that could be kept."""
    words = plain(content).split()
    pointing = {plain(word) for word in known.outright["this"]}
    return not words or plain(content) in pointing or words[0] in {plain(w) for w in known.outright["not_it"]}


def _naming(
    sentence: str, known: Language, speaker: str | None, subjects: tuple[Subject, ...], is_thing: IsThing
) -> Candidate | None:
    named = naming(sentence, known.code, is_thing)
    if named is None:
        return None
    if not named.here:
        return _candidate(sentence.strip(_ENDS), known, speaker, _ASKED)
    if not subjects:
        return None
    what = ", ".join(subject.text or subject.id for subject in subjects)
    return Candidate(
        content=f"{named.name} = {what}",
        importance=_ASKED,
        category="fact",
        key=NICKNAME + plain(named.name),
        value=" ".join(subject.id for subject in subjects),
        subjects=subjects,
        language=known.code,
    )


def _candidate(content: str, known: Language, speaker: str | None, importance: float) -> Candidate:
    its = wording(content, known.code)
    in_confidence = its.has("confide")
    return Candidate(
        content=_capital(content),
        type=_type(its),
        importance=importance,
        user_id=speaker if in_confidence or _about_oneself(its) else None,
        sensitivity=Sensitivity.PRIVATE if in_confidence else Sensitivity.PUBLIC,
        language=known.code,
    )


def _type(its: Wording) -> str:
    if its.has("wish") or its.has("dislike"):
        return MemoryType.PREFERENCE
    return MemoryType.FACT


def _about_oneself(its: Wording) -> bool:
    """Whether it is about the speaker: another who reads "I" would take it for themselves."""
    return its.has("first") and not its.has("we")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _naming_in(known: Language, sentence: str, is_thing: IsThing) -> re.Match[str] | None:
    return (
        _pointing(known, sentence) or matched(known, "called", sentence) or _calling_a_thing(known, sentence, is_thing)
    )


def _pointing(known: Language, sentence: str) -> re.Match[str] | None:
    """ "Call this …", and what has no room for a thing at all."""
    match = first_match(known, "call", Thing.POINTED_AT, sentence)
    if match and not match.groupdict().get("this") and first_match(known, "call", Thing.ANYTHING, sentence):
        return None  # it does say what is called
    if match is None or plain(match.groupdict().get("this") or "") not in known.outright.get("before_nouns", ()):
        return match
    if sentence[match.end("this") : match.start("name")].strip():
        return match  # "noem die de …": the name has its own article, within the shape
    # "Das Wetter", "het weer": such a word belongs to the noun after it, where that has no article of its own.
    first = match.group("name").split()[0]
    return match if plain(first) in function_words_of(known.code) else None


def _calling_a_thing(known: Language, sentence: str, is_thing: IsThing) -> re.Match[str] | None:
    """ "Call the kitchen light …": what is called must be a thing, in its whole name; the longest one there is."""
    loose = first_match(known, "call", Thing.ANYTHING, sentence)
    if loose is None:
        return None
    things = sorted({p for p in (*_phrases(sentence), loose.group("this")) if is_thing(p)}, key=len, reverse=True)
    match = first_match(known, "call", Thing.ANYTHING, sentence, things) if things else None
    # "The temperature in the bath" is one thing, not a name for another.
    goes_on = match is not None and any(
        word.has("place") for word in wording(match.group("name"), known.code).words[:1]
    )
    return None if goes_on else match


def _phrases(sentence: str) -> Iterator[str]:
    """The runs of words that may be the name of a thing."""
    words = list(re.finditer(r"[^\s,:.!?]+", sentence))[:_WORDS]
    for first, start in enumerate(words):
        for end in words[first : first + _NAME]:
            yield sentence[start.start() : end.end()]
