"""What the parts of a word say: its base form, what hangs on it, the two halves of a compound.

A word of several parts is one cell that says them all: "Küchenlampe" a kitchen and a lamp, "ausschalten" a verb and
"off", "거실에" a living room and that it is a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homeagent.languages.concepts import Attribute, Dimension, Heading, ListDeed, Particle, Role, Topic, Verb
from homeagent.languages.dictionary import base_form
from homeagent.understanding.names import HomeNames
from homeagent.understanding.spans import InArea, Meaning, Named, NoPlace, OfKind, OnFloor
from homeagent.understanding.tokens import Token
from indexer.words import normalise

_SHORTEST_PART = 3
_MOST_ENDINGS = 2
_HEADS = (OfKind, Dimension, Attribute, Topic)
_MODIFIERS = (Named, InArea, OnFloor, NoPlace, OfKind, Topic)


def without_endings(word: str, names: HomeNames, depth: int = _MOST_ENDINGS) -> Iterator[tuple[str, tuple[Role, ...]]]:
    """The word without what may hang on it, with the roles of what was taken off; the longest ending first."""
    pack = names.pack
    for endings, on_verbs in ((pack.endings, False), (pack.verb_endings, True)):
        for ending, roles in endings.items():
            stem = word.removesuffix(ending)
            if stem in (word, ""):
                continue
            if not on_verbs or any(isinstance(c, Verb | Heading | Particle) for c in pack.phrases.get(stem, ())):
                yield stem, roles
            if depth > 1:
                yield from ((s, (*r, *roles)) for s, r in without_endings(stem, names, depth - 1))


def base_of(token: Token, names: HomeNames) -> str | None:
    """The base form of a word in comparable spelling; None where it is the word itself."""
    base = normalise(base_form(token.raw, names.pack.language))
    return base if base not in ("", token.text) else None


def written_apart(tokens: Sequence[Token], names: HomeNames) -> Iterator[tuple[int, int, tuple[Meaning, ...]]]:
    """Verbs whose particle stands apart: the places of both, and what they say together ("halt … an": "anhalten").

    A particle goes with the nearest verb before it; a mark between them parts them.
    """
    if not names.pack.separable:
        return
    for at, particle in enumerate(tokens):
        if particle.text not in names.pack.separable or particle.quoted:
            continue
        for place in range(at - 1, -1, -1):
            if tokens[place + 1].mark:
                break
            if _is_small(tokens[place].text, names):
                continue
            said = tuple(m for f in _verb_forms(tokens[place], names) for m in _deeds(particle.text + f, names))
            if said:
                yield place, at, tuple(dict.fromkeys(said))
                break


def _is_small(word: str, names: HomeNames) -> bool:
    """Whether a word only plays a role in a sentence."""
    said = names.pack.phrases.get(word, ())
    return bool(said) and all(isinstance(c, Role) for c in said)


def _verb_forms(token: Token, names: HomeNames) -> tuple[str, ...]:
    """A word, its base form, and the base forms that it has if it is a verb."""
    found = [token.text]
    if token.text.isalpha():
        found += [token.text.removesuffix(i.add) + i.cut for i in names.pack.inflections if token.text.endswith(i.add)]
        base = base_of(token, names)
        found += [base] if base is not None else []
    return tuple(dict.fromkeys(found))


def _deeds(word: str, names: HomeNames) -> Iterator[Meaning]:
    """What a word says of what is done or to be done."""
    yield from (c for c in names.pack.phrases.get(word, ()) if isinstance(c, Verb | Heading | ListDeed | Topic))


def separated(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The readings of a particle and of the verb that it is written to as one word; none where it is no such word."""
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


def halves(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The readings of both parts of a compound that says a thing and where or of what it is; none for other words."""
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
    """The things whose names hold a compound that differs in its last part only, and that for another word of the same
    kind: "ceiling lamp" by "ceiling light"."""
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
    """What one word says of things, places and what can be set of them."""
    ids, share = names.called(word)
    if ids:
        yield Named(ids, share < 1)
    yield from names.places.get(word, ())
    if word in names.no_places:
        yield NoPlace()
    if kind := names.pack.kinds.get(word):
        yield OfKind(tuple(c for c in kind.concepts if c.kinds), kind.plural)
    yield from names.pack.phrases.get(word, ())
