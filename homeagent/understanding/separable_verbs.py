"""Verbs whose parts stand together or apart: "ausschalten", "halt … an", "shut … down"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from homeagent.languages.concepts import Concept, Heading, ListAction, Particle, Role, Verb
from homeagent.languages.dictionary import base_form
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.spans import Meaning, Span
from homeagent.understanding.tokeniser import Token
from homeagent.understanding.word_meanings import deeds, verb_forms

_MOST_BEHIND = 3
"""Of a verb of several words so many stand behind its thing."""


def written_apart(tokens: Sequence[Token], names: HomeNames) -> Iterator[tuple[int, int, tuple[Meaning, ...]]]:
    """Separable verbs with their particle elsewhere: both indexes, and what they mean together ("halt … an":
    "anhalten").

    A particle belongs to the nearest verb before it, unless a mark stands between.
    """
    if not names.pack.separable:
        return
    for at, particle in enumerate(tokens):
        if particle.text not in names.pack.separable or particle.quoted:
            continue
        if at and not particle.mark and _is_small(f"{tokens[at - 1].text} {particle.text}", names):
            continue  # "bis auf"
        if _leads_to_a_room(tokens, at, names) or leads_to_a_noun(tokens, at, names):
            continue  # "auf der Terrasse"
        for place in range(at - 1, -1, -1):
            if tokens[place + 1].mark:
                break
            if _is_small(tokens[place].text, names):
                continue
            said = tuple(m for f in verb_forms(tokens[place], names) for m in deeds(particle.text + f, names))
            if said:
                yield place, at, tuple(dict.fromkeys(said))
            if said or any(isinstance(c, Verb) for c in names.pack.phrases.get(tokens[place].text, ())):
                break


def phrasal(
    tokens: Sequence[Token], names: HomeNames
) -> Iterator[tuple[tuple[int, int], tuple[int, int], tuple[Meaning, ...]]]:
    """Verbs of several words between which their thing stands, where a clause begins with them: the extents of both
    parts, and what they say together ("shut … down"; "nimm … vom Strom": "vom Strom nehmen").

    What is listened to may be called anything, and is left out.
    """
    for place, verb in enumerate(tokens):
        if verb.quoted or _follows_a_verb(tokens, place, names):
            continue
        forms = verb_forms(verb, names) if names.pack.separable else ()
        for at in range(place + 2, len(tokens)):
            if tokens[at].mark or tokens[at].quoted or Role.JOIN in names.pack.phrases.get(tokens[at].text, ()):
                break
            for end in range(min(len(tokens), at + _MOST_BEHIND), at, -1):
                if any(t.mark for t in tokens[at + 1 : end]):
                    continue
                rest = " ".join(t.text for t in tokens[at:end])
                closes = _closes_its_part(tokens, end, names) and tokens[at].text not in names.pack.separable
                wholes = [w for form in forms if closes for w in (f"{rest} {form}", f"{form} {rest}")]
                if end - at > 1 or _is_particle(tokens, at, names):
                    wholes.append(f"{verb.text} {rest}")
                said = dict.fromkeys(c for whole in wholes for c in names.pack.phrases.get(whole, ()))
                done = (c for c in said if isinstance(c, Verb) or c is ListAction.COMPLETE)
                if verbs := tuple(c for c in done if c is not Verb.HEAR):
                    yield (place, place + 1), (at, end), verbs
                    break


def _closes_its_part(tokens: Sequence[Token], end: int, names: HomeNames) -> bool:
    """Whether a part of the sentence ends before a place, or only a courtesy stands behind."""
    said = names.pack.phrases.get(tokens[end].text, ()) if end < len(tokens) else (Role.JOIN,)
    return Role.JOIN in said or Role.COURTESY in said or bool(tokens[end].mark)


def _is_particle(tokens: Sequence[Token], at: int, names: HomeNames) -> bool:
    """Whether a word says which way, and does not lead what stands behind it ("su riscaldamento")."""
    said = names.pack.phrases.get(tokens[at].text, ())
    ends = at + 1 == len(tokens) or bool(tokens[at + 1].mark)
    leads = not ends and any(role in said for role in (Role.PLACE, Role.TO, Role.AT))
    return not leads and any(isinstance(c, Particle | Heading) for c in said)


def _follows_a_verb(tokens: Sequence[Token], place: int, names: HomeNames) -> bool:
    """Whether a verb or an article stands before a word in its part of the sentence."""
    for i in range(place, 0, -1):
        before = names.pack.phrases.get(tokens[i - 1].text, ())
        if tokens[i].mark or Role.JOIN in before:
            return False
        if Role.ARTICLE in before and i == place:
            return True
        if any(isinstance(c, Verb | Heading) for c in before) and Role.COURTESY not in before:
            return True
    return False


def _leads_to_a_room(tokens: Sequence[Token], at: int, names: HomeNames) -> bool:
    """Whether a preposition of place has one of the home's areas behind it, with or without an article."""
    said = names.pack.phrases
    if Role.PLACE not in said.get(tokens[at].text, ()):
        return False
    behind = [t for t in tokens[at + 1 : at + 3] if not t.mark]
    if behind and Role.ARTICLE in said.get(behind[0].text, ()):
        behind = behind[1:]
    return bool(behind) and behind[0].text in names.places


def leads_to_a_noun(tokens: Sequence[Token], at: int, names: HomeNames) -> bool:
    """Whether what may be a verb's particle is a preposition here: an article and an unknown noun behind it end the
    part ("doet pijn aan mijn ogen").
    """
    said = names.pack.phrases
    if tokens[at].text not in names.pack.separable or Role.PLACE not in said.get(tokens[at].text, ()):
        return False
    for noun in (at + 2, at + 3):  # "m'n" are two
        article = " ".join(t.text for t in tokens[at + 1 : noun])
        led = noun < len(tokens) and Role.ARTICLE in said.get(article, ()) and tokens[noun].text not in said
        if led and not any(t.mark for t in tokens[at + 1 : noun + 1]) and _closes_its_part(tokens, noun + 1, names):
            return True
    return False


def _is_small(word: str, names: HomeNames) -> bool:
    """Whether a word has no meaning but roles."""
    said = names.pack.phrases.get(word, ())
    return bool(said) and all(isinstance(c, Role) for c in said)


def separated(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The readings of a separable verb written as one word with its particle; empty for other words."""
    phrases = names.pack.phrases
    for prefix in names.pack.separable:
        rest = word.removeprefix(prefix)
        if rest == word:
            continue
        which = [c for c in phrases.get(prefix, ()) if isinstance(c, Particle | Heading)]
        for infix in (*names.pack.infixes, ""):
            verb = rest.removeprefix(infix)
            if verb != rest and (said := tuple(deeds(prefix + verb, names))):
                return said
            verbs = [c for c in phrases.get(verb, ()) if isinstance(c, Verb)] if verb != rest or not infix else []
            if which and verbs:
                return (*verbs, *which)
    return ()


def is_infinitive(tokens: Sequence[Token], place: int, names: HomeNames) -> bool:
    """Whether the verb has its infinitive marker before it, or between particle and verb ("auszuschalten")."""
    pack = names.pack
    if not pack.separable or not pack.infixes:
        return False
    lead, word = pack.infixes[0], tokens[place].text
    if place and tokens[place - 1].text == lead and not tokens[place].mark:
        return True
    return any(word.startswith(p + lead) and len(word) > len(p + lead) + 1 for p in pack.separable)


_SWITCHES = frozenset({Verb.TURN_ON, Verb.TURN_OFF, Verb.LOCK, Verb.UNLOCK, Verb.ARM, Verb.DISARM})
"""Deeds that are done in a moment: who is told to stop them is told not to do them. What goes on ends by that word."""
_ENDS = frozenset({Verb.TURN_OFF, Verb.LOCK, Verb.ARM})


def denied_by_a_stop(tokens: Sequence[Token], found: list[list[Span]], names: HomeNames) -> list[list[Span]]:
    """The spans with a "stop" as a negation where a deed hangs on it that is not to be done ("stop turning it on")."""
    return [
        [replace(s, meaning=Role.NEGATION) if _hangs_a_deed(tokens, found, names, s) else s for s in spans]
        for spans in found
    ]


def _hangs_a_deed(tokens: Sequence[Token], found: Sequence[list[Span]], names: HomeNames, stop: Span) -> bool:
    if stop.meaning is not Verb.STOP:
        return False

    def says(place: int, *meanings: Concept) -> bool:
        return any(s.meaning in meanings for s in found[place])

    behind = range(stop.end, len(tokens))
    end = next((i for i in behind if tokens[i].mark or says(i, Role.JOIN)), len(tokens))
    deed = next((i for i in range(stop.end, end) if any(isinstance(s.meaning, Verb) for s in found[i])), None)
    if deed is None:
        return False
    if names.pack.postpositions:  # "그만 켜", and not "그만 꺼", which is "that is enough, turn it off"
        return deed == stop.end and says(deed, *(_SWITCHES - _ENDS))
    led = [names.pack.phrases.get(tokens[i].text, ()) for i in range(max(stop.first + 1, stop.end - 1), stop.end + 1)]
    links = any({Role.TO, Role.PLACE, Role.WITH} & {*said} - {Role.ARTICLE} for said in led)
    raw = tokens[deed].raw.casefold()
    form = base_form(raw, names.pack.language) != raw
    switches = says(deed, *_SWITCHES) or any(says(i, Particle.ON, Particle.OFF) for i in range(deed, end))
    return switches and (links or form)
