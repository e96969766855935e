"""An answer of a language model, judged as it comes: what of it may be said, and what is said in place of the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from homeagent.brains.language.recognition import Recogniser
from homeagent.brains.question_detection import asks_for_action
from homeagent.claims.answer_clauses import Sentence, clauses, sentences
from homeagent.claims.claim import Claim, ClaimedAction, Judged, Verdict
from homeagent.claims.claim_extraction import Read, read_all
from homeagent.claims.claim_words import ClaimWords, Group, Mark, claim_words
from homeagent.claims.facts import facts_of
from homeagent.claims.internal_text import is_internal, with_names
from homeagent.claims.other_languages import tells_of_a_deed
from homeagent.claims.replacing import Corrections
from homeagent.claims.thing_names import Names
from homeagent.claims.things import ClaimContext, LastNamed
from homeagent.claims.verdict import judge
from homeagent.ha.home import Home
from homeagent.languages.folder import Part, languages_with
from homeagent.languages.language_codes import base_language
from homeagent.prompting.outside import without_strange_addresses
from homeagent.prompting.prompt import NOTHING_CHANGED
from homeagent.turn import Turn
from indexer.mentions import MentionKind

Recognises = Callable[[str, str], str]
"""Gives the language of a text, the second being the likeliest before it is read."""
_SHORT = 3
"""Words: so short an answer ("Hecho.") tells its language only by what it says."""
_ANY = "one two three four"
"""A text that claims nothing."""
_ENDS = " \n,;:(–—-"


@dataclass(frozen=True, slots=True)
class Passed:
    """What may be said of a stretch of an answer, and what of it was not so."""

    text: str
    untrue: tuple[Judged, ...] = ()


class Checker:
    """Judges answers of turns in one home. ``recognise`` tells languages apart."""

    def __init__(self, home: Home, names: Names | None = None, recognise: Recognises | None = None) -> None:
        self._home = home
        self._names = names or Names(home)
        self._recognise = recognise or Recogniser(lambda word: bool(self._names.with_word(word))).of

    def warm(self, language: str) -> None:
        """Read what the first answer would wait for: a short one may be in any language. Blocks for a second."""
        own = base_language(language)
        for code in dict.fromkeys((own, *languages_with(Part.CLAIMS))):
            if claim_words(code) is not None:
                self._names.mentions(_ANY, code)
        self._recognise(_ANY, own)

    def of(self, turn: Turn) -> AnswerCheck:
        """What judges one answer in a turn whose calls so far are made. Blocks: it may read language files."""
        facts = facts_of(turn, self._home)
        around = ClaimContext(self._home, self._names, facts, _meant(turn), turn.area_id)
        return AnswerCheck(turn, around, self._recognise)


class AnswerCheck:
    """Judges one answer, sentence by sentence, whether it comes in pieces or whole."""

    def __init__(self, turn: Turn, around: ClaimContext, recognise: Recognises) -> None:
        self._turn = turn
        self._around = around
        self._recognise = recognise
        self._asked_for_action = asks_for_action(turn)
        self._corrections = Corrections(turn.language, around)
        self._text = ""
        self._passed = Passed("")
        self._left_out = False

    def take(self, text: str) -> Passed:
        """What may be said of the sentences that ``text``, the answer up to the end of one, has more than at the last
        call."""
        return self._on(text)

    def finish(self, text: str) -> Passed:
        """All that may be said of the whole answer, what `take` has given included."""
        if not text.startswith(self._text):  # a stream broke off, and the answer is another one
            self._text, self._passed, self._left_out = "", Passed(""), False
            self._around.last = LastNamed()
            self._corrections = Corrections(self._turn.language, self._around)
        self._on(text)
        return Passed(self._passed.text.strip(), self._passed.untrue)

    def asks_again(self, untrue: Sequence[Judged]) -> bool:
        """Whether the model is told of it, so that it may do what it told: a deed that was not even tried, or a state
        that is otherwise where the person may have wanted a change."""
        facts = self._around.facts
        tried = facts.left | facts.waiting
        deeds = (j for j in untrue if j.verdict is Verdict.UNSUPPORTED or not self._turn.only_asks)
        return any(not (set(j.wrong) <= tried if j.wrong else tried) for j in deeds)

    def _on(self, text: str) -> Passed:
        fresh = text[len(self._text) :]
        if not fresh:
            return Passed("")
        more = Passed("")
        for sentence in sentences(fresh):
            passed = self._sentence(sentence)
            passed = Passed(without_strange_addresses(passed.text, self._turn), passed.untrue)
            gap = " " if self._left_out and passed.text and not passed.text[0].isspace() else ""
            before = self._passed.text + more.text
            said = gap + passed.text if before[-1:].strip() else passed.text
            more = Passed(more.text + (said if before else said.lstrip()), more.untrue + passed.untrue)
            self._left_out = not passed.text
        self._text = text
        self._passed = Passed(self._passed.text + more.text, self._passed.untrue + more.untrue)
        return more

    def _sentence(self, sentence: Sentence) -> Passed:
        declared = NOTHING_CHANGED in sentence.text
        text = sentence.text.replace(NOTHING_CHANGED, "").lstrip()
        lead = sentence.text[: len(sentence.text) - len(sentence.text.lstrip())]
        passed = self._core(text, asks=sentence.asks, declared=declared)
        return Passed(lead + passed.text, passed.untrue) if passed.text else passed

    def _core(self, text: str, *, asks: bool, declared: bool) -> Passed:
        if is_internal(text):
            return Passed("")
        reads, foreign = self._read(text, asks, declared=declared)
        judged = [judge(read.claim, self._around) if read.claim else Judged(Verdict.NO_CLAIM) for read in reads]
        if foreign and not self._around.facts.changed:
            return Passed(self._instead((foreign,), text), (foreign,))
        if not any(one.untrue for one in judged):
            return Passed(with_names(text, self._around.home))
        untrue = tuple(one for one in judged if one.untrue)
        kept = _kept(reads, judged)
        parts = [(read.clause.text, keep) for read, keep in zip(reads, kept, strict=True)]
        return Passed(with_names(_put(parts, self._instead(untrue, ""), text), self._around.home), untrue)

    def _instead(self, untrue: Sequence[Judged], text: str) -> str:
        words = self._corrections.instead(untrue)
        return words + text[len(text.rstrip()) :] if words else ""

    def _read(self, text: str, asks: bool, *, declared: bool) -> tuple[list[Read], Judged | None]:
        """What the clauses claim, in the language that finds something untrue, else in the likeliest; and a deed that
        is told in a language without words of its own."""
        before, kept, best = self._around.last, self._around.last, list[Read]()
        for words in self._languages(text):
            self._around.last = before
            mentions = self._around.names.mentions(text, words.language)
            found = list(read_all(clauses(text, mentions, words), self._around, asks=asks))
            if any(judge(read.claim, self._around).untrue for read in found if read.claim):
                return found, None
            if not best:
                best, kept = found, self._around.last
        self._around.last = kept
        if best or asks or claim_words(self._turn.language):
            return best, None
        told = tells_of_a_deed(text, self._turn.language) or (self._asked_for_action and not declared)
        return [], Judged(Verdict.UNSUPPORTED, Claim(deeds=frozenset({ClaimedAction.DID}))) if told else None

    def _languages(self, text: str) -> Iterator[ClaimWords]:
        """The languages that a sentence may be in: what it looks like, then the person's; of a few words any."""
        own = base_language(self._turn.language)
        codes = [self._recognise(text, own), own]
        if text.count(" ") < _SHORT:
            codes += languages_with(Part.CLAIMS)
        for code in dict.fromkeys(codes):
            if (words := claim_words(code)) is not None:
                yield words


def _kept(reads: Sequence[Read], judged: Sequence[Judged]) -> list[bool]:
    """Which clauses stay: not those that are untrue, nor what is concluded from one right before."""
    kept: list[bool] = []
    for read, one in zip(reads, judged, strict=True):
        concludes = any(s.first <= 1 for s in read.clause.marked(Mark.SO))
        follows = bool(kept) and not kept[-1]
        leans = read.clause.of(Group.JOINT) and not read.clause.names and not read.clause.framed() and read.claim
        leaves = follows and (leans or (concludes and one.verdict is Verdict.NO_CLAIM))
        kept.append(not one.untrue and not leaves)
    return kept


def _put(parts: Sequence[tuple[str, bool]], instead: str, sentence: str) -> str:
    """The sentence with what is said instead at the place of the first clause that goes."""
    said, told = "", False
    for text, keep in parts:
        if keep:
            joint = ", " if told and said.endswith(".") and text[:1].islower() else ""
            said = f"{said[:-1]}{joint}{text}" if joint else f"{said} {text}" if told and said else f"{said}{text}"
            told = False
        elif instead:
            before = said.rstrip(_ENDS)
            said = f"{before}{'' if not before or before[-1] in '.!?' else '.'} {instead}".lstrip()
            instead, told = "", True
        else:
            told = bool(said)
    ending = sentence[len(sentence.rstrip()) :]
    said = said.rstrip(_ENDS)
    if said and said[-1] not in ".!?。…\"'”’»)":
        said += "."
    return said + ending if said else ""


def _meant(turn: Turn) -> tuple[str, ...]:
    """Ids that the person's sentence was about, as far as it named them."""
    retrieval = turn.gathered.retrieval
    named = retrieval.mentions.values(MentionKind.NAME)
    about = retrieval.selector is not None and not retrieval.undecided
    return tuple(named or (e.entity_id for e in retrieval.entities) if named or about else ())
