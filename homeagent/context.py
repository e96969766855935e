"""What the language model is shown in a turn, within a budget of tokens.

A request is: the system text and the past turns, byte-identical from turn to turn, then one message with what
changes: the home's data, the memories, the time, and at its very end the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from homeagent.events import ContextInjected, ContextOptimized, Emitter
from homeagent.ha.home import Home
from homeagent.privacy.redact import scrubbed
from homeagent.prompting.earlier import HEARD, in_short
from homeagent.prompting.entity_lines import also_line, entity_line, set_line, undecided_line
from homeagent.prompting.firewall import clean, fence
from homeagent.prompting.prompt import LONGEST_RESULT, SYSTEM, as_openai, closing, history_messages, round_messages
from homeagent.prompting.token_counting import CountTokens
from homeagent.turn import Message, PastTurn, Turn
from indexer.entity import Entity
from indexer.mentions import MentionKind

DIRECT, RETRIEVED = "direct", "vector_db"
DEFAULT_WINDOW = 8192
_BLOCK = 4
"""Old turns are dropped so many at a time: the front then stays the same for as many turns, and so does the cache."""
IN_SHORT = 20
"""So many turns before those that are shown are told in a line each."""
_SPEAKERS_TOKENS = 16
"""Of the two messages that tell them."""
_MESSAGE_TOKENS = 4
_SENTENCE_TOKENS = 150
"""What a sentence, the time and the place take at most in everyday use."""
_RESULT_LENGTHS = (LONGEST_RESULT, 2_000, 600, 200)
"""Characters of a tool result: the first unless the results of a turn would fill the whole request."""
_SAMPLE = 20


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens. ``window`` is what the model takes in all, of which ``answer`` is kept free for what it writes.

    ``turns`` is a number of past turns.
    """

    window: int = DEFAULT_WINDOW
    answer: int = 1024
    entities: int = 600
    memories: int = 200
    days: int = 300
    earlier: int = 300
    turns: int = 10


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages of a request and what they and the tools weigh, in tokens."""

    messages: list[dict[str, Any]]
    tokens: int


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that fit a budget. ``full`` is what all would weigh; ``dropped`` says what was left out."""

    text: str = ""
    full: int = 0
    tokens: int = 0
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    optimization: str = ""


class ContextBuilder:
    """Builds the request of a turn's step. Never raises for want of room: it leaves out, and an event says what."""

    def __init__(
        self,
        home: Home,
        count: CountTokens,
        emitter: Emitter,
        budget: Budget | None = None,
        *,
        system: str = SYSTEM,
    ) -> None:
        self._system = system
        self._home = home
        self._count = count
        self._emitter = emitter
        self.budget = budget or Budget()

    def build(self, turn: Turn, tools_text: str, notes: Sequence[Message] = ()) -> Prompt:
        """The request for the turn's next step.

        ``tools_text`` is the tools as they are sent, for their weight; ``notes`` end the request, after the results
        of the rounds so far.
        """
        room = (
            self.budget.window
            - self.budget.answer
            - self._count(self._system)
            - _MESSAGE_TOKENS
            - self._count(tools_text)
        )
        rounds = self._rounds(turn, room - self._count(turn.shown or turn.text))
        rounds += [as_openai(note) for note in notes]
        room -= self._weigh(rounds)
        if turn.shown is None:
            turn.shown = self._show(turn, room)
        sentence = {"role": "user", "content": turn.shown}
        room -= self._weigh([sentence])
        earlier, kept = self._history(turn, room)
        messages = [self.front(), *earlier, *history_messages(kept), sentence, *rounds]
        return Prompt(messages, self._count(tools_text) + self._weigh(messages))

    def front(self) -> dict[str, Any]:
        """The message that every request begins with."""
        return {"role": "system", "content": self._system}

    def largest(self, tools_text: str) -> int:
        """Tokens of the largest request without past turns, and of its answer."""
        budget = self.budget
        shown = budget.entities + budget.memories + budget.days + _SENTENCE_TOKENS
        return self._count(self._system) + self._count(tools_text) + shown + budget.answer

    def mode(self) -> str:
        """``direct`` where the whole home fits the entities' budget, else ``vector_db``."""
        exposed = self._home.exposed()
        sample = [self._line(e) for e in exposed[:_SAMPLE]]
        expected = sum(map(self._count, sample)) / max(len(sample), 1) * len(exposed)
        if expected > self.budget.entities:
            return RETRIEVED
        whole = fence("home", "\n".join(self._line(e) for e in exposed))
        return DIRECT if self._count(whole) <= self.budget.entities else RETRIEVED

    def _show(self, turn: Turn, room: int) -> str:
        """The last message: data first, then the sentence. Told in `ContextInjected`, and what was left out too."""
        ending = f"{self._closing(turn)}\n\n{turn.text}"
        room -= self._count(ending)
        entities = self._entity_block(turn, max(0, min(self.budget.entities, room)))
        memories = self._memory_block(turn, max(0, min(self.budget.memories, room - entities.tokens)))
        room -= entities.tokens + memories.tokens
        days = self._day_block(turn, max(0, min(self.budget.days, room)))
        self._report(turn, entities, memories, days)
        return "\n".join(part for part in (entities.text, memories.text, days.text, ending) if part)

    def shown_ids(self, turn: Turn) -> list[str]:
        """The ids of the entities that a turn may show, best first."""
        return [entity.entity_id for entity in self._shown(turn, direct=self.mode() == DIRECT)]

    def _shown(self, turn: Turn, *, direct: bool) -> Sequence[Entity]:
        """What was found; then, where the whole home fits, the rest of it."""
        found: Sequence[Entity] = turn.gathered.retrieval.entities
        known = {e.entity_id for e in found}
        return [*found, *(e for e in self._home.exposed() if e.entity_id not in known)] if direct else found

    def _entity_block(self, turn: Turn, budget: int) -> _Block:
        retrieval = turn.gathered.retrieval
        direct = self.mode() == DIRECT
        entities = self._shown(turn, direct=direct)
        places = retrieval.mentions.of(MentionKind.UNKNOWN_PLACE)
        missing = [f"not in this home: {clean(m.text, 80)}" for m in places[:3]]
        if retrieval.selector and retrieval.undecided and not direct:
            missing.append(undecided_line(retrieval.selector, self._home))
        if not direct:
            missing += [also_line(one, self._home) for one in retrieval.also]
        block = self._fit("home", "entities", entities, self._line, budget, missing)
        if not block.dropped or retrieval.selector is None or retrieval.undecided:
            return block
        whole = set_line(retrieval.selector, entities[: retrieval.total], self._home)
        text = fence("home", "\n".join([*missing, whole]))
        tokens = self._count(text)
        if tokens > budget:
            return block
        return _Block(text, block.full, tokens, (), (f"{len(entities)} entities, shown as one set",), "selector")

    def _memory_block(self, turn: Turn, budget: int) -> _Block:
        memories = [m for m in turn.gathered.memories if not (m.sensitive and turn.keeps_back)]
        lines = {m.memory_id: f"- ({m.type}) {clean(m.content)}" for m in memories}
        return self._fit("memories", "memories", tuple(lines), lines.__getitem__, budget)

    def _day_block(self, turn: Turn, budget: int) -> _Block:
        lines = tuple(f"- {clean(line)}" for line in turn.gathered.happened)
        return self._fit("history", "days", lines, str, budget)

    def _fit(
        self,
        kind: str,
        what: str,
        items: Sequence[Any],
        line_of: Callable[[Any], str],
        budget: int,
        first: Sequence[str] = (),
    ) -> _Block:
        """As many lines as fit, best first."""
        lines, kept, weight = list(first), [], self._count(fence(kind, "\n".join(first)))
        for item in items:
            line = line_of(item)
            cost = self._count(line) + 1
            if weight + cost > budget:
                break
            lines.append(line)
            kept.append(item if isinstance(item, str) else item.entity_id)
            weight += cost
        left = len(items) - len(kept)
        rest = [self._count(line_of(item)) + 1 for item in items[len(kept) : len(kept) + _SAMPLE]]
        full = weight + (sum(rest) * left // len(rest) if rest else 0)
        dropped = (f"{left} {what}",) if left else ()
        if not lines or weight > budget:
            return _Block(full=full if items else 0, dropped=dropped, optimization=what if left else "")
        text = fence(kind, "\n".join(lines))
        return _Block(text, full, self._count(text), tuple(kept), dropped, what if left else "")

    def _rounds(self, turn: Turn, room: int) -> list[dict[str, Any]]:
        """This turn's calls and results; shorter results where they would not fit."""
        messages: list[dict[str, Any]] = []
        for longest in _RESULT_LENGTHS:
            messages = [as_openai(message) for message in round_messages(turn.rounds, longest)]
            if self._weigh(messages) <= room:
                break
        return messages

    def _history(self, turn: Turn, room: int) -> tuple[list[dict[str, Any]], Sequence[PastTurn]]:
        """The turns that are told in short, as messages, and the latest, which are shown: as many as may be and fit,
        whole blocks of the oldest being dropped, the last one by turns."""
        if not self.budget.turns:
            return [], ()
        block = min(_BLOCK, self.budget.turns)
        known = _newest(turn.gathered.history, self.budget.turns + IN_SHORT, block)
        history = _newest(known, self.budget.turns, block)
        weights = [self._weigh(history_messages([past])) for past in history]
        start = self._start(weights, room, block)
        if start or len(history) < len(known):  # what is told in short takes room, too
            start = self._start(weights, room - min(self.budget.earlier, room // 3), block)
        older = known[: len(known) - len(history) + start]
        left = room - sum(weights[start:]) - _SPEAKERS_TOKENS
        text, told = in_short(older, self._count, min(self.budget.earlier, left))
        if older and not turn.rounds:
            before = sum(weights) + self._weigh(history_messages(known[: len(known) - len(history)]))
            after = sum(weights[start:]) + self._count(text)
            short = (f"{len(told)} of them told in short",) if told else ()
            self._emit_optimized(turn, before, after, "history", (f"{len(older)} oldest turns", *short))
        said = (("user", text), ("assistant", HEARD)) if text else ()
        return [{"role": role, "content": content} for role, content in said], history[start:]

    @staticmethod
    def _start(weights: Sequence[int], room: int, block: int) -> int:
        length = len(weights)
        starts = [n for n in range(length) if n % block == 0 or n // block == (length - 1) // block]
        return next((n for n in starts if sum(weights[n:]) <= room), length)

    def _report(self, turn: Turn, entities: _Block, memories: _Block, days: _Block) -> None:
        retrieval = turn.gathered.retrieval
        self._emitter.emit(
            turn.stamp(
                ContextInjected(
                    mode=self.mode(),
                    entities_included=entities.kept,
                    memories_included=memories.kept,
                    token_count=entities.tokens + memories.tokens + days.tokens,
                    vector_db_query=scrubbed(retrieval.query, turn.secrets()),
                )
            )
        )
        blocks = (entities, memories, days)
        kinds = [block.optimization for block in blocks if block.optimization]
        if kinds:
            self._emit_optimized(
                turn,
                sum(block.full for block in blocks),
                sum(block.tokens for block in blocks),
                "+".join(kinds),
                entities.dropped + memories.dropped + days.dropped,
            )

    def _emit_optimized(self, turn: Turn, before: int, after: int, kind: str, dropped: tuple[str, ...]) -> None:
        self._emitter.emit(
            turn.stamp(
                ContextOptimized(
                    original_tokens=before,
                    optimized_tokens=after,
                    compression_level=round(min(1.0, after / before), 3) if before else 1.0,
                    optimization_type=kind,
                    dropped=dropped,
                )
            )
        )

    def _closing(self, turn: Turn) -> str:
        now = self._home.now()
        area = self._home.areas.get(turn.area_id) if turn.area_id else None
        stamp = f"{now:%A %Y-%m-%d %H:%M} ({self._home.config.time_zone.key})"
        return closing(stamp, turn.language, clean(area.name, 80) if area else None)

    def _line(self, entity: Entity) -> str:
        return entity_line(entity, self._home)

    def _weigh(self, messages: Iterable[dict[str, Any]]) -> int:
        total = 0
        for message in messages:
            calls = "".join(c["function"]["name"] + c["function"]["arguments"] for c in message.get("tool_calls", ()))
            total += self._count(message["content"]) + (self._count(calls) if calls else 0) + _MESSAGE_TOKENS
        return total


def _newest(history: Sequence[PastTurn], most: int, block: int) -> Sequence[PastTurn]:
    """At most ``most`` turns. What is left out before them is a whole number of blocks since the conversation began."""
    if not history or not most:
        return ()
    too_many = max(0, history[-1].number - most)
    left_out = -(-too_many // block) * block
    return [past for past in history if past.number > left_out]
