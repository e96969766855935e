"""What somebody tells to be done or bought, among the open items of the home's lists: "I've paid the bill"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from homeagent.languages.concepts import (
    Chat,
    Concept,
    DayWord,
    ListAction,
    Particle,
    Question,
    Reference,
    Role,
    SafetyWord,
    ShoppingWord,
    StateWord,
    Verb,
)
from homeagent.languages.dictionary import base_form
from homeagent.understanding.endings import without_endings
from homeagent.understanding.home_names import LISTS, HomeNames
from homeagent.understanding.joined_pronouns import clitics_apart
from homeagent.understanding.tokeniser import Sentence, Token, tokenise
from indexer.normalise import is_syllabic
from indexer.words import normalise, words

_SMALL = (
    *(Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN, Role.PRONOUN, Role.PLACE, Role.TO, Role.STATEMENT),
    *(Role.AUXILIARY, Role.COPULA, Role.REASON, Role.BY, Role.AT),
)
"""What a word of an item says that nobody knows it by."""
_LEADING = (Role.FILLER, Role.JOIN, Role.COURTESY)
_NOT_YET = (Role.CONDITION, Role.OR, Role.REPORT, SafetyWord.STILL, DayWord.TOMORROW, DayWord.NEXT_WEEK)
"""With one of these it is not told to be done."""
_ALIKE, _ALIKE_SYLLABLES = 0.6, 0.5
"""So much of the longer word two words share at their beginning that are forms of one."""
_SHORTEST, _SHORTEST_SYLLABLES, _SHORTEST_HEAD = 3, 2, 5
_ENOUGH = 0.5
"""So many of the words of an item are said where it is meant."""
_MOST_WORDS = 30
_LONGEST_PHRASE = 4
_NO = (("default", "false"),)
_STRIKES = frozenset({ListAction.REMOVE, ListAction.COMPLETE, Chat.NOTHING, Particle.OFF, Particle.OUT})
_DENIES = frozenset({Role.NEGATION, Role.EXCEPT})
_BESIDE_A_DENIAL = frozenset(
    {
        *(Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN, Role.PRONOUN, Role.STATEMENT, Role.PLACE, Role.TO),
        *(Reference.INSTEAD, Reference.CORRECTS, Reference.TOO, Reference.AGAIN, Reference.THERE, Verb.KEEP),
        *(ShoppingWord.NEED, *_STRIKES, *_DENIES),
    }
)
"""What may stand beside an item that is not wanted after all."""
_STILL_WANTED = frozenset({Role.ONLY, Role.CONDITION, ShoppingWord.GONE, Reference.LEFT, SafetyWord.STILL})
_ACTIONS = {ListAction.REMOVE: "remove_item", ListAction.COMPLETE: "complete_item"}


@dataclass(frozen=True, slots=True)
class DoneItems:
    """Open items that are done: by the ids of the lists that have them. ``action``: what is to be done with them on the
    lists, empty where that was not said.
    """

    items: tuple[str, ...]
    list_ids: tuple[str, ...]
    action: str = ""


@dataclass(frozen=True, slots=True)
class ToldDone:
    """A statement that something is done, bought or not needed any more, whatever it is."""

    sentence: Sentence
    names: HomeNames
    parts: tuple[tuple[str, ...], ...]
    """Its comparable words between marks and conjunctions."""

    def struck_from(self) -> tuple[str, ...]:
        """The ids of the lists from which something is to be taken or ticked off; empty where none is named by such an
        order ("I bought bananas, take those off the shopping list")."""
        orders = [part for part in self.parts if {*_ACTIONS} & _said(part, self.names) and not self._tells(part)]
        phrases = [phrase for part in orders for phrase in _phrases(part, self.names)]
        named = tuple(dict.fromkeys(i for phrase in phrases for i in _lists_called(phrase, self.names)))
        of_any = any(_is_list(phrase, self.names) for phrase in phrases)
        return named or (tuple(e.entity_id for e in self.names.of_domain(LISTS)) if of_any else ())

    def _tells(self, part: Sequence[str]) -> bool:
        return Role.COPULA in _said(part, self.names) or any(_is_settled(w, self.names) for w in part)

    def among(self, lists: Mapping[str, Sequence[str]], spoken_of: Collection[str] = ()) -> DoneItems | None:
        """Which of the open items, by the ids of their lists, it names; None where it names none. Of a list that was
        ``spoken_of`` right before an order is for that list.
        """
        shares = {(i, item): self._share(item, i) for i, items in lists.items() for item in items}
        best = max(shares.values(), default=0.0)
        meant = [found for found, share in shares.items() if share == best and best >= _ENOUGH]
        if not meant or (best < 1 and len(meant) > 1):
            return None
        items = tuple(dict.fromkeys(item for _, item in meant))
        ids = tuple(dict.fromkeys(i for i, _ in meant))
        action = self._action(items, of_list=len(ids) == 1 and ids[0] in spoken_of)
        return DoneItems(items, ids, action) if action is not None else None

    def unwanted(self, lists: Mapping[str, Sequence[str]]) -> DoneItems | None:
        """Which of the items that were put on the lists are not wanted there after all: what is said of them between
        two marks denies them or strikes them off, not both, and says nothing else. None where that is said of none.
        """
        found = [
            (item, i)
            for part in _parts(self.sentence.tokens, self.names, softly=False)
            for i, items in lists.items()
            for item in not_wanted(part, items, self.names)
        ]
        return _to_remove(found)

    def named(self, lists: Mapping[str, Sequence[str]]) -> DoneItems | None:
        """Those of the items on the lists that it names in full, to be taken off; None where it names none."""
        said = [w for part in self.parts for w in part]
        whole = [
            (item, i)
            for i, items in lists.items()
            for item in items
            if all(any(_is_same(w, s, self.names) for s in said) for w in _content(item, self.names))
        ]
        return _to_remove(whole)

    def _share(self, item: str, list_id: str) -> float:
        """How many of an item's words are said, but for the verb of what is to be done."""
        content = _content(item, self.names)
        said = [w for part in self.parts for w in part]
        if len(content) > 1 and list_id not in self.names.shopping_lists:
            last = self.names.pack.postpositions or bool(self.names.pack.separable)
            content = content[:-1] if last else content[1:]
        return sum(any(_is_same(w, s, self.names) for s in said) for w in content) / max(len(content), 1)

    def _action(self, items: Sequence[str], *, of_list: bool) -> str | None:
        """What is to be done with the items: an order tells that names none of them, or the list is named. None where
        an order is of some of them only, or two different things are ordered: that the sentence says by itself.
        """
        found: list[str] = []
        for part in self.parts:
            said = _said(part, self.names)
            ordered = {*_ACTIONS} & said
            told = self._tells(part)
            named = sum(self._names(part, item) for item in items)
            if ordered and not told and 0 < named < len(items):
                return None
            named_list = any(_is_list(phrase, self.names) for phrase in _phrases(part, self.names))
            if named_list or (ordered and not told and (of_list or not named)):
                found += [_ACTIONS[deed] for deed in _ACTIONS if deed in said] or ["complete_item"]
        return None if len({*found}) > 1 else next(iter(found), "")

    def _names(self, part: Sequence[str], item: str) -> bool:
        return any(_is_same(w, s, self.names) for w in _content(item, self.names) for s in part)


def _to_remove(found: Sequence[tuple[str, str]]) -> DoneItems | None:
    items, ids = (tuple(dict.fromkeys(one)) for one in zip(*found, strict=True)) if found else ((), ())
    return DoneItems(items, ids, _ACTIONS[ListAction.REMOVE]) if found else None


def not_wanted(part: Sequence[str], items: Sequence[str], names: HomeNames) -> list[str]:
    """Which of the items comparable words say not to be wanted on a list: they deny them or strike them off, not both,
    and say nothing else ("not the apples", "leave the apples off", and not "don't take the apples off").
    """
    found = [i for i in items if all(any(_is_same(w, s, names) for s in part) for w in _content(i, names))]
    named = {w for item in found for w in _content(item, names)}
    said = _covering([w for w in part if not any(_is_same(n, w, names) for n in named)], names)
    return found if bool(_STRIKES & said) is not bool(_DENIES & said) else []


def _is_same(word: str, said: str, names: HomeNames) -> bool:
    """Whether two words are forms of one, or what was said is the head of the other."""
    shared = next((n for n, (a, b) in enumerate(zip(word, said, strict=False)) if a != b), min(len(word), len(said)))
    least, alike = (_SHORTEST_SYLLABLES, _ALIKE_SYLLABLES) if is_syllabic(word) else (_SHORTEST, _ALIKE)
    if word == said or (shared >= least and shared / max(len(word), len(said)) >= alike):
        return True
    if len(said) >= _SHORTEST_HEAD and word.endswith(said):
        return True
    code = names.pack.language
    return normalise(base_form(word, code)) == normalise(base_form(said, code))


def told_of_items(text: str, names: HomeNames) -> ToldDone | None:
    """A sentence as a statement that may be about items; None where it asks, or the home has no list."""
    sentence = clitics_apart(tokenise(text), names)
    tokens = sentence.tokens
    if sentence.asks or not tokens or len(tokens) > _MOST_WORDS or not names.of_domain(LISTS):
        return None
    return ToldDone(sentence, names, _parts(tokens, names))


def told_done(text: str, names: HomeNames) -> ToldDone | None:
    """A sentence as a statement that something is done; None where it asks, denies, or tells nothing of the kind."""
    if (told := told_of_items(text, names)) is None:
        return None
    parts, tokens, phrases = told.parts, told.sentence.tokens, names.pack.phrases
    said = {c for part in parts for c in _said(part, names)}
    opening = next((c for t in tokens if not {*(c := phrases.get(t.text, ()))} & {*_LEADING}), ())
    asks = any(isinstance(c, Question) for c in opening) and Role.STATEMENT not in opening
    unneeded = ShoppingWord.NEED in said and Role.NEGATION in said
    if asks or (not unneeded and {Role.NEGATION, ShoppingWord.NEED} & said) or not said.isdisjoint(_NOT_YET):
        return None
    done = unneeded or ListAction.COMPLETE in said or any(_is_settled(w, names) for p in parts for w in p)
    return told if done else None


def _covering(said: Sequence[str], names: HomeNames) -> set[Concept]:
    """What the words say in the longest phrases that are known; nothing where one of these may not stand beside an item
    that is not wanted.
    """
    found: set[Concept] = set()
    place, tells = 0, False
    while place < len(said):
        for end in range(min(len(said), place + _LONGEST_PHRASE), place, -1):
            concepts = _concepts(" ".join(said[place:end]), names)
            if not all(isinstance(c, Question) for c in concepts):
                break
        meant = concepts & _BESIDE_A_DENIAL
        questions = {c for c in concepts if isinstance(c, Question)} - {Question.ANY}  # "not the apples either"
        asks = bool(questions) and not meant & {*_STRIKES, *_DENIES}
        if not meant or asks or concepts & _STILL_WANTED:
            return set()
        found |= meant
        tells = tells or (Role.STATEMENT in concepts and Role.FILLER not in concepts)
        place = end
    return found if not tells or ShoppingWord.NEED in found else set()  # "we have no yoghurt" wants some


def _concepts(phrase: str, names: HomeNames) -> set[Concept]:
    known = names.pack.phrases.get(phrase)
    if known is not None and any(isinstance(c, StateWord) and c.raw == _NO for c in known):
        return {*known, Role.NEGATION}  # "no candles"
    if known is None and " " not in phrase:
        stems = (c for stem, _ in without_endings(phrase, names) for c in names.pack.phrases.get(stem, ()))
        return {*stems}
    return {*(known or ())} if phrase not in names.pack.settled or _STRIKES & {*(known or ())} else set()


def _is_settled(word: str, names: HomeNames) -> bool:
    settled = names.pack.settled
    return any(word.startswith(s) for s in settled) if names.pack.postpositions else word in settled


def _parts(tokens: Sequence[Token], names: HomeNames, *, softly: bool = True) -> tuple[tuple[str, ...], ...]:
    """The words between marks, conjunctions and reasons; with the verb last, what is settled ends a part, too.
    ``softly``: at a word, too, that joins only sometimes ("maar").
    """
    parts: list[list[str]] = [[]]
    for token in tokens:
        said = {*names.pack.phrases.get(token.text, ())}
        joins = said & {Role.JOIN, Role.REASON} if softly or Role.FILLER not in said else set()
        if token.mark or joins:
            parts.append([])
        if not joins:
            parts[-1].append(token.text)
        if softly and names.pack.postpositions and _is_settled(token.text, names):
            parts.append([])
    return tuple(tuple(p) for p in parts if p)


def _said(part: Sequence[str], names: HomeNames) -> set[Concept]:
    """What a part says, small words within a phrase aside: "cross it off"."""
    phrases = names.pack.phrases
    inside = [w for w in part if not {*phrases.get(w, ())} & {Role.PRONOUN, Role.FILLER}]
    found = {c for words in (part, inside) for phrase in _phrases(words, names) for c in phrases.get(phrase, ())}
    found |= {role for w in part for _, roles in without_endings(w, names) for role in roles if role in _NOT_YET}
    tomorrow = [i for i, w in enumerate(part) if DayWord.TOMORROW in phrases.get(w, ())]
    if all(i and Role.ARTICLE in phrases.get(part[i - 1], ()) for i in tomorrow):
        found.discard(DayWord.TOMORROW)  # "esta mañana"
    return found


def _phrases(part: Sequence[str], names: HomeNames, longest: int = 4) -> list[str]:
    """The runs of up to so many words, and the words without what hangs on them."""
    runs = [" ".join(part[i:k]) for i in range(len(part)) for k in range(i + 1, min(len(part), i + longest) + 1)]
    return [*runs, *(stem for w in part for stem, _ in without_endings(w, names))]


def _content(item: str, names: HomeNames) -> list[str]:
    """The words of an item by which it is known."""
    said = list(words(item))

    def is_small(word: str) -> bool:
        meant: Sequence[Concept] = names.pack.phrases.get(word, ())
        return any(c in _SMALL for c in meant)

    return [w for w in said if not is_small(w)] or said


def _is_list(phrase: str, names: HomeNames) -> bool:
    kind = names.pack.kinds.get(phrase)
    of_kind = kind is not None and any(LISTS in c.domains for c in kind.concepts)
    return of_kind or bool(_lists_called(phrase, names))


def _lists_called(phrase: str, names: HomeNames) -> list[str]:
    return [i for i, share in names.names.get(phrase, {}).items() if share == 1 and i.startswith(f"{LISTS}.")]
