"""What a request to memory is about: the statements in its sentence, and what of the sentence is for somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.act_reading import Act, ActKind
from memory.act_words import Part, PhraseBook, Token
from memory.function_words import function_words_of
from memory.memory_words import Language
from memory.statement_parts import wording

_COUNTED = 2
"""Words that say how many things are to be kept."""
ENDS = ' \t.!,;:…。！？?"“”„«»-–'
"""What may stand around a statement and is no part of it."""


@dataclass(frozen=True, slots=True)
class Contents:
    """``statements``: in their own words; none: what it is about stands in another sentence. ``marked``: something
    shows where the statement begins or ends. ``rest``: what else the sentence says."""

    statements: tuple[str, ...] = ()
    rest: str = ""
    marked: bool = True


def contents_of(sentence: str, tokens: Sequence[Token], act: Act, known: Language) -> Contents | None:
    """What the request is about; None where it asks for something else: to do a thing, or to tell one."""
    if act.kind is ActKind.FORGET:
        return _to_forget(sentence, tokens, act, known)
    if (first := _announced(tokens, act, known)) is not None:
        before = "" if known.acts.endings else span(sentence, tokens, 0, act.first)
        return Contents((span(sentence, tokens, first, len(tokens)),), before)
    return (
        _behind_a_verb(sentence, tokens, act, known) if known.acts.endings else _to_keep(sentence, tokens, act, known)
    )


def _announced(tokens: Sequence[Token], act: Act, known: Language) -> int | None:
    """Where the statement begins behind "remember two things:"; None: only so many are announced."""
    counted = range(max(0, act.first - _COUNTED), act.first) if known.acts.endings else range(act.end, len(tokens))
    first, end = (counted.start, act.end) if known.acts.endings else (act.end, act.end + _COUNTED)
    count = first < len(tokens) and any(c.startswith("numbers:") for c in known.at([tokens[first].text], 0)[1])
    return end if count and counted and end < len(tokens) and ":" in tokens[end - 1].mark else None


def span(sentence: str, tokens: Sequence[Token], first: int, end: int) -> str:
    """The text of these tokens, without the marks around it."""
    if first >= end:
        return ""
    return sentence[tokens[first].start : tokens[end].start if end < len(tokens) else len(sentence)].strip(ENDS)


def is_order(tokens: Sequence[Token], place: int, known: Language) -> bool:
    """Whether an order to the home begins here."""
    words = known.acts
    if place >= len(tokens) or not words.at(tokens, place, Part.ORDER):
        return False
    concepts = known.at([tokens[place].text], 0)[1]
    return "copula" not in concepts and not words.at(tokens, place, Part.NOT_IT, Part.MODAL)


def _to_keep(sentence: str, tokens: Sequence[Token], act: Act, known: Language) -> Contents | None:
    behind, before = act.end < len(tokens), act.first > 0
    opens = behind and ":" in tokens[act.end - 1].mark
    opened = act.that or opens or (act.colon and not act.points)
    if behind and before and not act.that and _enclosed(tokens, act) and not is_order(tokens, 0, known):
        joined = f"{span(sentence, tokens, 0, act.first)} {span(sentence, tokens, act.end, len(tokens))}"
        return Contents((joined,)) if not act.points else _pointing(sentence, tokens, act, known)
    if behind and (opens or not (act.points and before)):
        if before and not act.apart and not opens:
            return None
        return _opened(sentence, tokens, act, known, opened=opened)
    if before:
        polite = act.points and all(_is_polite(token, known) for token in tokens[act.first : act.core_at])
        return _pointing(sentence, tokens, act, known) if act.apart or polite else None
    return Contents()


def _is_polite(token: Token, known: Language) -> bool:
    """Whether the word may stand between a statement and the request to keep it, without a mark."""
    concepts = known.at([token.text], 0)[1]
    return "smalltalk" in concepts or bool(known.acts.at([token], 0, Part.YOU, Part.MODAL, Part.POINT, Part.NEGATION))


def _enclosed(tokens: Sequence[Token], act: Act) -> bool:
    """Whether it is an aside between two marks, and not a clause that goes on with "and"."""
    return "," in tokens[act.first - 1].mark and "," in tokens[act.end - 1].mark


def _pointing(sentence: str, tokens: Sequence[Token], act: Act, known: Language) -> Contents | None:
    """The statement stands before the request, and whatever stands behind it is something else."""
    first = 0
    if is_order(tokens, first, known):
        return None
    after = _after_joins(tokens, act.end, known.acts)
    leads_on = known.acts.at(tokens, after, Part.NOT_IT) and not sentence.endswith("?")
    rest = "" if leads_on else span(sentence, tokens, after, len(tokens))
    return Contents((span(sentence, tokens, 0, act.first),), rest)


def _opened(sentence: str, tokens: Sequence[Token], act: Act, known: Language, *, opened: bool) -> Contents | None:
    words = known.acts
    if (not opened or (act.comma and not act.that)) and _is_to_do(tokens, act, words):
        return None
    todo = () if ":" in tokens[act.end - 1].mark else (Part.TODO,)
    if act.colon and not act.that and words.at(tokens, act.end, *todo, Part.NOT_IT):
        return None
    ends, starts, rest = [], [act.end], ""
    for place in range(act.end + 1, len(tokens)):
        if not (joins := words.at(tokens, place, Part.JOIN)):
            continue
        if that := words.at(tokens, place + joins, Part.THAT) if place + joins < len(tokens) and act.that else 0:
            ends.append(place)
            starts.append(place + joins + that)
        elif is_order(tokens, place + joins, known):
            ends.append(place)
            rest = span(sentence, tokens, place + joins, len(tokens))
            break
    ends += [len(tokens)] if len(ends) < len(starts) else []
    statements = tuple(span(sentence, tokens, a, b) for a, b in zip(starts, ends, strict=True))
    before = span(sentence, tokens, 0, _before_joins(tokens, act.first, words))
    return Contents(statements, " ".join(filter(None, (before, rest))), marked=opened)


def _is_to_do(tokens: Sequence[Token], act: Act, words: PhraseBook) -> bool:
    """Whether what follows is to be done or to be told: "to call Anna", "where it is", "das Tor zu schließen"."""
    todo = any(words.at(tokens, place, Part.TODO) for place in range(act.end, len(tokens)))
    return todo or bool(words.at(tokens, act.end, Part.NOT_IT))


def _after_joins(tokens: Sequence[Token], place: int, words: PhraseBook) -> int:
    while place < len(tokens) and (length := words.at(tokens, place, Part.JOIN)):
        place += length
    return place


def _before_joins(tokens: Sequence[Token], place: int, words: PhraseBook) -> int:
    while place > 0 and (length := words.ending_at(tokens, place, Part.JOIN)):
        place -= length
    return place


# Korean: the statement stands before the verb that speaks of it, and its own last word says so.


def _behind_a_verb(sentence: str, tokens: Sequence[Token], act: Act, known: Language) -> Contents | None:
    words = known.acts
    before, behind = tokens[: act.first], tokens[act.end :]
    if not before:
        return Contents((span(sentence, tokens, act.end, len(tokens)),) if behind else ())
    first = _behind_orders(before, words)
    text = span(sentence, tokens, first, act.first)
    marked = bool(before[-1].mark)
    if length := words.ending_at(tokens, act.first, Part.THAT_NOUNS):
        spoken = _without_ending(span(sentence, tokens, first, act.first - length), words)
        if spoken is None:
            return None if not marked else Contents((text,))
        text, marked = spoken, True
    elif (spoken := _without_ending(text, words)) is not None:
        text, marked = spoken, True
    rest = [span(sentence, tokens, 0, first)]
    if behind:
        more = span(sentence, tokens, act.end, len(tokens))
        if wording(more, known.code).conditions:
            text = f"{text}, {more}"
        else:
            rest.append(more)
    return Contents((text,), " ".join(filter(None, rest)), marked)


def _behind_orders(before: Sequence[Token], words: PhraseBook) -> int:
    """Where the statement begins behind an order that is only joined to it: "불 켜 주고 …"."""
    places = [i + 1 for i in range(len(before) - 1) if words.at(before, i, Part.ORDER_ENDINGS)]
    return max(places, default=0)


def _without_ending(text: str, words: PhraseBook) -> str | None:
    """The statement without what says that it is spoken of; None where nothing does."""
    for ending, left in words.endings:
        if text.endswith(ending) and len(text) > len(ending):
            return text[: len(text) - len(ending)] + left
    return None


# What is to be forgotten


def _to_forget(sentence: str, tokens: Sequence[Token], act: Act, known: Language) -> Contents | None:
    words = known.acts
    before, behind = tokens[: act.first], tokens[act.end :]
    if act.that:
        return Contents((span(sentence, tokens, act.end, len(tokens)),))
    if words.endings and before:
        if words.ending_at(tokens, act.first, Part.THAT_NOUNS):
            length = words.ending_at(tokens, act.first, Part.THAT_NOUNS)
            spoken = _without_ending(span(sentence, tokens, 0, act.first - length), words)
            if spoken is not None:
                return Contents((spoken,))
        return _named(before, sentence, known)
    if behind and before and not act.apart and tokens[act.end - 1].mark:  # "you can forget …": why follows
        return _named(before, sentence, known) if act.asked or words.at(before, 0, Part.LIGHT, Part.POINT) else None
    if behind and not (act.points and before):
        return _named(behind, sentence, known) if act.apart else None
    if before:
        return _named(before, sentence, known) if act.apart or act.points or act.asked else None
    return Contents()


def _named(tokens: Sequence[Token], sentence: str, known: Language) -> Contents:
    """What is named, without "the thing about": in the words that tell something."""
    words = known.acts
    told, place, light = [], 0, False
    function = function_words_of(known.code)
    while place < len(tokens):
        if length := words.at(tokens, place, Part.LIGHT, Part.NEGATION):
            light = light or any(token.text not in function for token in tokens[place : place + length])
            place += length
            continue
        told.append(sentence[tokens[place].start : tokens[place].end] + tokens[place].mark.strip("\"'»”"))
        place += 1
    return Contents((" ".join(told).strip(ENDS),) if told else (), marked=light)
