"""Everything that can be told of a language pack without a home, at once.

A pack's own example sentences are read in the example home, and told in the notation that the pack tells them in.

A meaning is one part for each thing that is asked for, joined by " + ", in any order:

- an order: the action, the things in the order of their names, and the parameters, as "turn_on lamp brightness_pct=30";
- a question: "ask", what is asked for (an attribute, raw states, or "state"), and the things;
- what is only said: "say" and the name of the phrase; the time and the date: "time", "date";
- what nothing is done for and no state is told for, whatever is said to it: "nothing".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from homeagent.domains.actions import action_for
from homeagent.errors import InvalidInput
from homeagent.evaluation.packs.coverage import KINDS, SectionSize, missing_concepts, missing_sentences, sizes
from homeagent.evaluation.packs.unknown import Mined, unknown_words
from homeagent.languages.example_home import areas, things
from homeagent.languages.language_codes import best_match
from homeagent.languages.pack import Pack, languages, make_pack, path_of
from homeagent.languages.pack_schema import PackFile, read_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, Verdict, decide
from homeagent.understanding.frame import Frame
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.request import Act
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.lexicon import lexicon


@dataclass(frozen=True, slots=True)
class PackReport:
    """What is to be told of one pack. ``missing``: by section, concepts that it does not name."""

    language: str
    file: Path
    missing: Mapping[str, tuple[str, ...]]
    sizes: tuple[SectionSize, ...]
    examples: tuple[Example, ...]
    mined: Mined

    @property
    def failing(self) -> tuple[Example, ...]:
        """The examples that are taken for something else."""
        return tuple(e for e in self.examples if not e.holds)

    @property
    def whole(self) -> bool:
        """Whether every concept is named and every example holds. Of kinds of things some words will do."""
        without_kinds = not lexicon(self.language).phrases
        return not (set(self.missing) - {KINDS} or without_kinds or self.failing)


def files_for(code: str | None) -> tuple[Path, ...]:
    """The file of the pack for a code, or of every pack. Raises InvalidInput where there is none for it."""
    if code is None:
        return tuple(path_of(known) for known in languages())
    found = best_match(code, languages())
    if found is None:
        raise InvalidInput(
            f"There is no language pack for {code!r}.",
            hint=f"There are {', '.join(languages())}. --file PATH checks one that is not installed yet.",
        )
    return (path_of(found),)


def check(file: Path) -> PackReport:
    """Check the pack in a file. Takes seconds. Raises `InvalidLanguagePack`."""
    read = read_pack(file)
    pack = make_pack(read)
    names = names_of(read, pack)
    return PackReport(
        read.language,
        file,
        {**missing_concepts(read), **missing_sentences(read.language)},
        tuple(sizes(read)),
        tuple(read_examples(read, pack)),
        unknown_words(read.language, names),
    )


NOTHING = "nothing"
_DAY = date(2026, 11, 25)
_JOINT, _SAY = " + ", "say "


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, what it means by the pack, and what it is taken for."""

    sentence: str
    wanted: str
    found: str

    @property
    def holds(self) -> bool:
        """Whether it is taken for what the pack says. ``nothing`` also holds where the agent only says something."""
        found = self.found.split(_JOINT)
        if self.wanted == NOTHING:
            return all(part == NOTHING or part.startswith(_SAY) for part in found)
        return sorted(self.wanted.split(_JOINT)) == sorted(found)


def names_of(file: PackFile, pack: Pack) -> HomeNames:
    """The example home in the words of a pack."""
    named = file.examples
    return HomeNames(things(named.things, named.areas), areas(named.areas), (), pack)


def read_examples(file: PackFile, pack: Pack) -> list[Example]:
    """Every example of a pack, as it is understood."""
    names = names_of(file, pack)
    return [Example(said, wanted, meaning(said, names)) for said, wanted in file.examples.sentences.items()]


def meaning(sentence: str, names: HomeNames) -> str:
    """What a sentence is taken for, in the notation of the examples. What is not sure enough means nothing."""
    understood = understand(tokenise(sentence), SentenceContext(names, _DAY))
    decision = decide(understood)
    return _JOINT.join(_part(f) for f in _sure(decision)) or NOTHING


def _sure(decision: Decision) -> tuple[Frame, ...]:
    if decision.verdict is not Verdict.ACT or decision.best is None:
        return ()
    return tuple(f for f in decision.best.asking_for if f.request is not None)


def _part(frame: Frame) -> str:
    request = frame.request
    assert request is not None
    whom = sorted(entity_id.partition(".")[2] for entity_id in frame.entity_ids)
    if request.act is Act.CONTROL:
        values = [f"{key}={_value(value)}" for key, value in sorted(request.parameters.items())]
        return " ".join([_action(frame, request.action), *whom, *values])
    if request.act is Act.SAY:
        return _SAY + request.say
    if request.act is Act.QUERY:
        return " ".join(["ask", request.attribute or "/".join(sorted(request.states)) or "state", *whom])
    return request.act.value


def _action(frame: Frame, action: str) -> str:
    """What is done, as it is called for the things that it is done to: a cover is not turned off, but closed."""
    actions = {action_for(action, entity_id.partition(".")[0]) for entity_id in frame.entity_ids}
    return actions.pop() if len(actions) == 1 else action


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
