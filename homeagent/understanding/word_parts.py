"""What the parts of a word say: its base form, what hangs on it, the two halves of a compound.

A word of several parts is one cell that says them all: "Küchenlampe" a kitchen and a lamp, "ausschalten" a verb and
"off", "거실에" a living room and that it is a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from homeagent.languages.concepts import (
    Attribute,
    Complaint,
    Count,
    Dimension,
    FanMotion,
    Heading,
    ListAction,
    Particle,
    Question,
    Reference,
    Role,
    ShoppingWord,
    Sky,
    StateWord,
    Topic,
    Unit,
    Verb,
)
from homeagent.languages.dictionary import base_form
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.spans import InArea, Meaning, Named, NoPlace, OfKind, OnFloor
from homeagent.understanding.tokeniser import Sentence, Token
from indexer.normalise import composed, decomposed
from indexer.words import normalise

_SHORTEST_PART = 3
_MOST_ENDINGS = 2
_TWO_SYLLABLES = 4
"""Letters: two syllables."""
_OF_CLAUSES = (Role.REASON, Role.CONDITION)
_LAST_VOWEL = "\u11a7"
"""Behind it are the letters that close a syllable."""
_MOST_CLITICS = 3
_MOST_BEHIND = 3
"""Of a verb of several words so many stand behind its thing."""
_SHORTEST_STEM = 4
"""Of a form of a verb that the pack does not hold itself: "ve-la" is a candle as well."""
_HEADS = (OfKind, Dimension, Attribute, Topic)
_MODIFIERS = (Named, InArea, OnFloor, NoPlace, OfKind, Topic)
_PREDICATES = (Verb, Heading, Particle, StateWord, Complaint, Sky, ListAction, Question, FanMotion, ShoppingWord)


def without_endings(
    word: str, names: HomeNames, depth: int = _MOST_ENDINGS
) -> Iterator[tuple[str, tuple[Role | Question | Reference, ...]]]:
    """The word without its suffixes and the roles of these, for each way to split it, the longest suffix first.

    Compared in decomposed letters, since a suffix may be part of the last syllable.
    """
    pack = names.pack
    letters = decomposed(word)
    for endings, on_predicates in ((pack.endings, False), (pack.verb_endings, True)):
        for ending, roles in endings.items():
            if not letters.endswith(ending) or letters == ending:
                continue
            stem = composed(letters[: -len(ending)])
            if not on_predicates and len(letters) - len(ending) < _TWO_SYLLABLES and _only_a_role(stem, names):
                continue
            if not on_predicates or any(isinstance(c, _PREDICATES) for c in pack.phrases.get(stem, ())):
                yield stem, roles
            if depth > 1:
                yield from ((s, (*r, *roles)) for s, r in without_endings(stem, names, depth - 1))


def _only_a_role(word: str, names: HomeNames) -> bool:
    """Whether a word has no meaning but roles; a very short one of these takes no suffix."""
    said = tuple(_meanings(word, names))
    return bool(said) and all(isinstance(m, Role) for m in said)


def hanging(word: str, names: HomeNames) -> tuple[Role, ...]:
    """The roles of the suffix of an unexplained word: a place, a reason, a condition, or that it tells something. Only
    in languages with postpositions.
    """
    if not names.pack.postpositions:
        return ()
    letters = decomposed(word)
    if any(letters.endswith(e) and letters != e for e in names.pack.told_endings):
        return (Role.STATEMENT,)
    for endings, telling in ((names.pack.verb_endings, _OF_CLAUSES), (names.pack.endings, (Role.PLACE,))):
        for ending, roles in endings.items():
            if not letters.endswith(ending) or letters == ending:
                continue
            found = tuple(r for r in roles if isinstance(r, Role) and r in telling)
            long = len(letters) - len(ending) if Role.PLACE in found else len(ending)
            if found and (long >= _TWO_SYLLABLES or Role.CONDITION in found):
                return found
    return ()


def calls_somebody(word: str, names: HomeNames) -> bool:
    """Whether an unexplained word ends as the name of somebody does who is called ("집사야")."""
    pack = names.pack
    letters = decomposed(word)
    for ending in pack.vocatives:
        stem = composed(letters.removesuffix(decomposed(ending)))
        closed = bool(stem) and not decomposed(stem)[-1] <= _LAST_VOWEL
        if len(stem) > 1 and stem != word and ending not in (pack.after_vowel if closed else pack.after_consonant):
            return True
    return False


def bare(word: str, names: HomeNames) -> str:
    """A word as typed without its particle; a single syllable keeps one that may belong to it."""
    return _stem_and_ending(word, names)[0]


def joins_the_next(word: str, names: HomeNames) -> bool:
    """Whether the suffix of an unexplained word is a conjunction ("두부랑 대파")."""
    stem, ending = _stem_and_ending(word, names)
    long = len(stem) > 1 or len(composed(ending)) > 1
    return long and Role.JOIN in names.pack.endings.get(ending, ())


def _stem_and_ending(word: str, names: HomeNames) -> tuple[str, str]:
    """A word as typed, split into stem and particle; the particle in decomposed letters, empty where there is none."""
    letters = decomposed(word)
    for ending in names.pack.endings:
        stem = composed(letters[: -len(ending)])
        if not letters.endswith(ending) or not stem:
            continue
        particle = composed(ending)
        closed = not decomposed(stem)[-1] <= _LAST_VOWEL
        fits = (particle not in names.pack.after_vowel or not closed) and (
            particle not in names.pack.after_consonant or closed
        )
        sure = particle in names.pack.after_vowel or particle in names.pack.after_consonant
        if fits and (sure or len(stem) > 1):
            return stem, ending
    return word, ""


def apart(sentence: Sentence, names: HomeNames) -> Sentence:
    """The sentence with words split that were written together ("불꺼줘"), in languages where that is usual."""
    if not names.pack.written_together:
        return sentence
    found: list[Token] = []
    for token in sentence.tokens:
        whole = token.quoted or token.text in names.vocabulary or _known(token.text, names)
        parts = () if whole else _parts(token.text, names)
        if not parts:
            found.append(token)
        at = token.start
        for part in parts:
            mark, gap = (token.mark, token.gap) if at == token.start else ("", "")
            found.append(replace(token, text=part, raw=part, start=at, end=at + len(part), mark=mark, gap=gap))
            at += len(part)
    if len(found) == len(sentence.tokens):
        return sentence
    return Sentence(sentence.text, tuple(found), sentence.asks)


def _parts(word: str, names: HomeNames) -> tuple[str, ...]:
    """The two or three known words that a word consists of, the last with its suffixes; empty where there are none."""
    for at in range(len(word) - 1, 0, -1):
        first, rest = word[:at], word[at:]
        said = [m for m in _meanings(first, names) if isinstance(m, (*_MODIFIERS, *_HEADS, Count))]
        if not said:
            continue
        if _tells(rest, names, number=any(isinstance(m, Count) for m in said)):
            return (first, rest)
        if more := _parts(rest, names):
            return (first, *more)
    return ()


def _tells(word: str, names: HomeNames, *, number: bool) -> bool:
    """Whether a word may be the second part of a compound: behind a number a unit, else a thing or a predicate."""
    wanted = (Unit,) if number else (*_HEADS, *_PREDICATES, Named)
    forms = (word, *(stem for stem, _ in without_endings(word, names)))
    return any(isinstance(m, wanted) for form in forms for m in _meanings(form, names))


def _known(word: str, names: HomeNames) -> bool:
    stems = (m for stem, _ in without_endings(word, names) for m in _meanings(stem, names))
    return any(True for _ in _meanings(word, names)) or any(not isinstance(m, Count) for m in stems)


def base_of(token: Token, names: HomeNames) -> str | None:
    """The base form in comparable spelling; None where the word is its own."""
    base = normalise(base_form(token.raw, names.pack.language))
    return base if base not in ("", token.text) else None


def clitics_apart(sentence: Sentence, names: HomeNames) -> Sentence:
    """The sentence with pronouns split from the verbs that they are joined to ("apágala": "apága", "la")."""
    if not names.pack.clitics:
        return sentence
    return replace(sentence, tokens=tuple(part for token in sentence.tokens for part in _apart(token, names)))


def _apart(token: Token, names: HomeNames, most: int = _MOST_CLITICS) -> tuple[Token, ...]:
    word = token.text
    if token.quoted or not word.isalpha() or not most or _is_known(word, names):
        return (token,)
    for clitic in names.pack.clitics:
        size = len(token.raw) - len(clitic)
        if not word.endswith(clitic) or size < 1 or len(word) != len(token.raw):
            continue
        middle = token.start + size
        stem = replace(token, text=word.removesuffix(clitic), raw=token.raw[:size], end=middle)
        parts = (stem,) if _is_deed(stem, names) else _apart(stem, names, most - 1)
        if len(parts) > 1 or _is_deed(stem, names):
            return (*parts, Token(clitic, token.raw[size:], middle, token.end, gap="-"))
    return (token,)


def _is_known(word: str, names: HomeNames) -> bool:
    """Whether the whole word has a meaning."""
    known = word in names.pack.phrases or word in names.pack.kinds or word in names.places or word in names.no_places
    return known or bool(names.called(word)[0])


def _is_deed(token: Token, names: HomeNames) -> bool:
    """Whether a word is a form of one of the pack's verbs."""
    if any(_deeds(token.text, names)):
        return True
    forms = (token.raw, token.text) if len(token.text) >= _SHORTEST_STEM else ()
    return any(True for form in forms for _ in _deeds(normalise(base_form(form, names.pack.language)), names))


def told(token: Token, names: HomeNames) -> bool:
    """Whether the verb's ending is one that tells something, by the pack; never for a form that the pack lists."""
    word = token.raw.casefold()
    pack = names.pack
    if pack.postpositions:
        return decomposed(word).endswith(pack.told_endings) if pack.told_endings else False
    if not (pack.told_endings and word.endswith(pack.told_endings)) or word in pack.spelled:
        return False
    return word != token.text or word not in pack.phrases


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
        if _leads_to_a_room(tokens, at, names):
            continue  # "auf der Terrasse"
        for place in range(at - 1, -1, -1):
            if tokens[place + 1].mark:
                break
            if _is_small(tokens[place].text, names):
                continue
            said = tuple(m for f in _verb_forms(tokens[place], names) for m in _deeds(particle.text + f, names))
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
        forms = _verb_forms(verb, names) if names.pack.separable else ()
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
                said = (c for whole in wholes for c in names.pack.phrases.get(whole, ()))
                if verbs := tuple(dict.fromkeys(c for c in said if isinstance(c, Verb) and c is not Verb.HEAR)):
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


def _is_small(word: str, names: HomeNames) -> bool:
    """Whether a word has no meaning but roles."""
    said = names.pack.phrases.get(word, ())
    return bool(said) and all(isinstance(c, Role) for c in said)


def _verb_forms(token: Token, names: HomeNames) -> tuple[str, ...]:
    """A word, its base form, and the base forms that the pack's inflections give it as a verb."""
    found = [token.text]
    if token.text.isalpha():
        found += [token.text.removesuffix(i.add) + i.cut for i in names.pack.inflections if token.text.endswith(i.add)]
        base = base_of(token, names)
        found += [base] if base is not None else []
    return tuple(dict.fromkeys(found))


def _deeds(word: str, names: HomeNames) -> Iterator[Meaning]:
    """The readings of a word as something to do."""
    yield from (c for c in names.pack.phrases.get(word, ()) if isinstance(c, Verb | Heading | ListAction | Topic))


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
            if verb != rest and (said := tuple(_deeds(prefix + verb, names))):
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


def halves(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The readings of both parts of a compound whose last part is a thing ("Küchenlampe"); empty for other words."""
    if not names.pack.compounds or not word.isalpha():
        return ()
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        heads = [m for m in _meanings(word[at:], names) if isinstance(m, _HEADS)]
        if not heads:
            continue
        for link in names.pack.compounds:
            first = word[:at].removesuffix(link) if link else word[:at]
            if (link and first == word[:at]) or len(first) < _SHORTEST_PART:
                continue
            # "Küche-n-lampe", but also "Schul-lampe" of a name that ends in "e"
            for modifier in (first, f"{first}e"):
                said = [m for m in _meanings(modifier, names) if isinstance(m, _MODIFIERS)]
                if said:
                    return (*said, *heads)
    return ()


def by_another_head(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The things whose names hold the compound with another word of the same kind as its last part ("ceiling lamp" for
    "ceiling light").
    """
    if not names.pack.compounds or not word.isalpha():
        return ()
    kinds = names.pack.kinds
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        said = kinds.get(word[at:])
        if said is None:
            continue
        same = {c.concept_id for c in said.concepts if c.kinds}
        called = [
            n
            for n in names.vocabulary
            if n.startswith(word[:at])
            and (k := kinds.get(n[at:]))
            and not same.isdisjoint(c.concept_id for c in k.concepts)
        ]
        ids = tuple(dict.fromkeys(i for n in sorted(called) for i in names.called(n)[0]))
        if ids:
            return (Named(ids),)
    return ()


def _meanings(word: str, names: HomeNames) -> Iterator[Meaning]:
    """The readings of a single word: names, places, kinds and concepts."""
    ids, share = names.called(word)
    if ids:
        yield Named(ids, share < 1)
    yield from names.places.get(word, ())
    if word in names.no_places:
        yield NoPlace()
    if kind := names.pack.kinds.get(word):
        yield OfKind(tuple(c for c in kind.concepts if c.kinds), kind.plural)
    yield from names.pack.phrases.get(word, ())
