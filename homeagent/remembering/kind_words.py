"""Words that stand for many things: kinds ("the alarm", "the windows"), the whole house, everything.

As a nickname one would have a single thing answer for all of them, and a lamp for the alarm. The words are those that
sentences are read with. A name is read in every language that has any, as nobody tells which one it is of.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from homeagent.languages.concepts import Role, SafetyKind
from homeagent.languages.pack import load_pack
from homeagent.languages.safety import safety_words
from homeagent.safety.guards import HOT, is_of, members_of
from indexer.entity import Entity
from indexer.lexicon import Lexicon, languages, lexicon
from indexer.words import words

_OF_ALL = (Role.WHOLE_HOME, Role.EVERYTHING)


def stands_for_more(name: str, things: Sequence[Entity], home: Collection[Entity]) -> bool:
    """Whether ``name``, said of ``things``, is a word for more than these, or for another kind that guards the home.

    ``home``: all things. Blocks: the first time it reads every language's words.
    """
    read = [_read(name, language) for language in languages()]
    if any(one.is_of_all() or _is_kind_of_others(one, things, home) for one in read):
        return True
    is_something_else = any(one.is_other_kind() for one in read)
    return any(_is_guarding(one, things, home, is_something_else) for one in read)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as one language reads it: its comparable words, ``said`` and without the first articles (``bare``), the
    kinds among the latter, and the place of the one that says what the thing is."""

    known: Lexicon
    said: tuple[str, ...]
    bare: tuple[str, ...]
    guarding: tuple[tuple[SafetyKind, range], ...]
    all_of_home: bool
    head: int

    def is_of_all(self) -> bool:
        """Whether it says "all the …", "everything", "the house"."""
        begins = (" ".join(self.said[:end]) for end in range(1, len(self.said) + 1))
        return not self.bare or self.all_of_home or any(self.known.has("every", b) for b in begins)

    def is_other_kind(self) -> bool:
        """Whether it says of what kind the thing is, and that is none that guards: "garage speaker"."""
        word = self.known.phrases.get(self.bare[self.head])
        named = word is not None and any(concept.kinds for concept in word.concepts)
        return named and not any(self.head in places for _, places in self.guarding)

    def is_plural(self) -> bool:
        word = self.known.phrases.get(self.bare[self.head])
        return word is not None and word.plural


def _read(name: str, language: str) -> _Name:
    known, safety, pack = lexicon(language), safety_words(language), load_pack(language)
    said = words(name)
    start = next((place for place, word in enumerate(said) if not known.has("articles", word)), len(said))
    bare = said[start:]
    # what tells where the thing is comes after what it is, in any language
    last = next((place for place, word in enumerate(bare[1:]) if known.has("place", word)), len(bare) - 1)
    guarding = tuple(safety.kinds_in(bare)) if safety else ()
    whole = " ".join(bare)
    said_of_all = pack is not None and any(role in pack.phrases.get(whole, ()) for role in _OF_ALL)
    all_of_home = said_of_all or known.has("whole_home", whole)
    return _Name(known, said, bare, guarding, all_of_home, 0 if known.head_first else last)


def _is_kind_of_others(name: _Name, things: Sequence[Entity], home: Collection[Entity]) -> bool:
    """Whether a name is the plural of a kind, or a kind that the home has and these things are not of."""
    word = name.known.phrases.get(" ".join(name.bare))
    kinds = [kind for concept in word.concepts for kind in concept.kinds] if word else []
    if word is None or not kinds:
        return False
    may_be = [*kinds, *(kind for concept in word.concepts for kind in concept.near)]
    fits = all(any(kind.matches(thing) for kind in may_be) for thing in things)
    return word.plural or not (fits or not any(kind.matches(thing) for kind in kinds for thing in home))


def _is_guarding(name: _Name, things: Sequence[Entity], home: Collection[Entity], is_something_else: bool) -> bool:
    """Whether a name says that a thing is of a kind that guards the home: all of these, or one where it is not."""
    language = name.known.language
    for kind, places in name.guarding:
        alone = len(places) == len(name.bare)
        if name.head not in places or (is_something_else and not alone):
            continue
        if kind in HOT:
            found = any(thing not in things for thing in members_of(kind, home, language))
        else:
            many = name.is_plural() and not any(thing.members for thing in things)
            found = alone or many or not all(is_of(kind, thing, language) for thing in things)
        if found:
            return True
    return False
