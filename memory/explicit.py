"""What a sentence says outright that it wants remembered, called or forgotten: without a model, by the shapes that
people use for it in each language. The shapes are data (`memory.memory_words`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from indexer.normalise import unaccented
from memory.extract import Candidate
from memory.identity import NICKNAME
from memory.memory_words import Language, language
from memory.model import MemoryType, Sensitivity, Subject
from memory.naming_sentences import ENDS, IsThing, naming, no_thing
from memory.request_patterns import matched
from memory.statement_parts import Wording, wording
from memory.tokens import sentences

_NOT_SAID = ""
"""For the colon that a shape has and a sentence does not: "note the milk" is not "note: …"."""
_TELLING = ("copula", "wish", "dislike", "called", "confide")
_ASKED, _TOLD = 0.7, 0.6
"""Importance of what somebody wants remembered, and of a preference told in passing."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one sentence asks of memory: a statement to ``keep``, or in words what to ``forget``.

    ``sure`` False: it may well mean something else ("remember the milk", "forget the timer"). ``tells`` False: what is
    to be kept is no statement by itself. ``corrects``: it is meant to take another one's place.
    """

    keep: Candidate | None = None
    forget: str | None = None
    sure: bool = True
    tells: bool = True
    corrects: bool = False


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
    return [_of_sentence(sentence, known, speaker, tuple(subjects), is_thing) for sentence in sentences(text, code)]


def said_outright(
    text: str, code: str, speaker: str | None = None, subjects: Sequence[Subject] = (), is_thing: IsThing = no_thing
) -> list[Candidate]:
    """The statements that ``text`` itself wants kept, in order; mostly none. Parameters as of `asked_of_memory`."""
    found = asked_of_memory(text, code, speaker, subjects, is_thing)
    return [one.keep for one in found if one is not None and one.keep is not None and one.tells]


def _of_sentence(
    sentence: str, known: Language, speaker: str | None, subjects: tuple[Subject, ...], is_thing: IsThing
) -> Asked | None:
    for kind in ("forget", "forget_it"):
        if (match := matched(known, kind, sentence)) and not (kind == "forget_it" and _denied(match["it"], known)):
            return _forgetting(match, known, sure=kind == "forget")
    asking, in_confidence = _without_confiding(sentence, known)
    for kind in ("remember", "remember_it", "from_now_on", "remember_more", "correct"):
        if match := matched(known, kind, asking):
            return _remembering(match, kind, known, speaker, subjects, is_thing, in_confidence)
    if named := _naming(sentence, known, speaker, subjects, is_thing):
        return Asked(named)
    return _liking(sentence, known, speaker)


def _liking(sentence: str, known: Language, speaker: str | None) -> Asked | None:
    """What somebody tells of what they like: in a shape that people use for it, or in whatever order of words, where it
    says of themselves, how much or when."""
    if sentence.endswith(("?", "？")):
        return None
    if match := matched(known, "preference", sentence):
        sentence = sentence[match.end("polite") :]
    else:
        its = wording(sentence, known.code)
        likes = its.has("first") and its.has("wish") and not its.has("action") and not its.has("asking")
        if not likes or not (its.conditions or its.values or its.has("general")):
            return None
    liking = _candidate(sentence.strip(ENDS), known, speaker, _TOLD)
    together = wording(sentence, known.code).has("we")
    return Asked(replace(liking, user_id=None if together else speaker), sure=False)


def _without_confiding(sentence: str, known: Language) -> tuple[str, bool]:
    """A request without the words that it is for the speaker alone ("remember, just for me, that …"), and whether it
    had any."""
    words = list(re.finditer(r"[^\W_]+", sentence))
    texts = [unaccented(word.group()) for word in words]
    for place in range(len(words)):
        length, found = known.at(texts, place)
        if length > 1 and "confide" in found:
            before = sentence[: words[place].start()].rstrip(" ,")
            after = sentence[words[place + length - 1].end() :]
            return f"{before} {after.lstrip(' ,')}".replace(" :", ":").strip(), True
    return sentence, False


def _denied(content: str, known: Language) -> bool:
    """Whether not to forget it is ordered, which is to remember it."""
    words = re.findall(r"[^\W_]+", unaccented(content))
    return bool(words) and "negation" in known.at(words, 0)[1]


def _forgetting(match: re.Match[str], known: Language, *, sure: bool) -> Asked | None:
    content = match.group("it").strip(ENDS)
    return None if _is_no_statement(content, known) else Asked(forget=_capital(content), sure=sure)


def _remembering(
    match: re.Match[str],
    kind: str,
    known: Language,
    speaker: str | None,
    subjects: tuple[Subject, ...],
    is_thing: IsThing,
    in_confidence: bool,
) -> Asked | None:
    content = _with_afterthought(match, known)
    if content is None or _is_no_statement(content, known):
        return None
    keep = _naming(content, known, speaker, subjects, is_thing) or _candidate(content, known, speaker, _ASKED)
    if in_confidence or wording(match.string, known.code).has("confide"):
        keep = replace(keep, user_id=speaker, sensitivity=Sensitivity.PRIVATE)
    tells = (
        (kind not in ("remember_it", "correct") and match.groupdict(_NOT_SAID).get("colon") != _NOT_SAID)
        or keep.key is not None
        or _tells(content, known)
    )
    sure = tells and kind not in ("from_now_on", "correct")
    return Asked(keep, sure=sure, tells=tells, corrects=kind == "correct")


def _with_afterthought(match: re.Match[str], known: Language) -> str | None:
    """What is to be kept, with the condition that comes after the request where the verb stands last; None: what comes
    after it is something else."""
    content = match.group("it").strip(ENDS)
    more = (match.groupdict().get("more") or "").strip(ENDS)
    if not more:
        return content
    return f"{content}, {more}" if wording(more, known.code).conditions else None


def _tells(content: str, known: Language) -> bool:
    """Whether it says something of something, or when it is: no mere thing, and no order."""
    its = wording(content, known.code)
    said = any(its.has(concept) for concept in _TELLING) or bool(its.of("date") | its.of("day"))
    return said and not its.has("action")


def _is_no_statement(content: str, known: Language) -> bool:
    """Whether what is said is nothing that could be kept: "it", "to call Anna", "when we met"."""
    words = unaccented(content).split()
    pointing = {unaccented(word) for word in known.outright["this"]}
    return not words or unaccented(content) in pointing or words[0] in {unaccented(w) for w in known.outright["not_it"]}


def _naming(
    sentence: str, known: Language, speaker: str | None, subjects: tuple[Subject, ...], is_thing: IsThing
) -> Candidate | None:
    named = naming(sentence, known.code, is_thing)
    if named is None:
        return None
    if not named.here:
        return _candidate(sentence.strip(ENDS), known, speaker, _ASKED)
    if not subjects:
        return None
    what = ", ".join(subject.text or subject.id for subject in subjects)
    return Candidate(
        content=f"{named.name} = {what}",
        importance=_ASKED,
        category="fact",
        key=NICKNAME + unaccented(named.name),
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
