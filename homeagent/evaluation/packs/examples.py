"""A pack's own example sentences: read in the example home, and told in the notation that the pack tells them in.

A meaning is one part for each thing that is asked for, joined by " + ", in any order:

- an order: the action, the things in the order of their names, and the parameters, as "turn_on lamp brightness_pct=30";
- a question: "ask", what is asked for (an attribute, raw states, or "state"), and the things;
- what is only said: "say" and the name of the phrase; the time and the date: "time", "date";
- what nothing is done for and no state is told for, whatever is said to it: "nothing".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from homeagent.domains.actions import action_for
from homeagent.languages.example_home import areas, things
from homeagent.languages.pack import Pack
from homeagent.languages.pack_schema import PackFile
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, Verdict, decide
from homeagent.understanding.frame import Frame
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.request import Act
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise

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
