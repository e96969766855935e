"""Memories: what is kept, found, listed and forgotten. The one door to everything that is remembered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine

from indexer.documents import Store
from indexer.normalise import unaccented
from memory.checks import checked_id, checked_limit, checked_query, checked_share
from memory.edits import Changes, Restored, checked_changes
from memory.extract import Candidate, Outcome, OutcomeKind, TurnFacts
from memory.identity import NICKNAME
from memory.known_names import Names
from memory.meant import Meant
from memory.memory_search import Finder
from memory.memory_vectors import Embed, MemoryVectors
from memory.model import Memory, Recalled, SubjectKind, checked_type
from memory.ranking import RankWeights
from memory.recall import FLOOR, floor_for
from memory.records import Kept, LogLine, Only, Records, Use
from memory.secret_reader import SecretReader
from memory.secrets import whole_of
from memory.statements import Statement, statement
from memory.taking import Taken, Taker

if TYPE_CHECKING:
    from memory.purposes import Purpose
    from memory.upkeep import Tended

MAX_SEARCH = 100
MAX_LIST = 1000
MAX_LOG = 10_000
_log = logging.getLogger(__name__)
_LOG_KEPT = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class MemoriesStatus:
    """``problem`` says why memories are found by words alone (None: also by meaning, or soon)."""

    memories: int
    pending_vectors: int
    by_meaning: bool
    problem: str | None


class Memories:
    """Remembers statements in the database of ``engine``; finds them by words at once, by meaning as vectors follow.

    ``embed`` gives the vectors of texts, ``vectors`` keeps them, ``fingerprint`` names the embedder. ``floor`` is the
    relevance (0 to 1) under which `search` gives nothing; a question finds a little below it. ``weights``: how what is
    found is ordered. ``now`` is the clock.
    Between `start` and `stop` vectors are derived in the background; without it, words alone find.
    """

    def __init__(
        self,
        engine: Engine,
        embed: Embed,
        vectors: Store,
        *,
        fingerprint: Callable[[], str | None] = lambda: None,
        floor: float = FLOOR,
        weights: RankWeights = RankWeights(),  # noqa: B008 - it cannot be changed
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.now = now
        self._engine = engine
        self.records = Records(engine, now)
        self._taker = Taker(engine, now)
        self._vectors = MemoryVectors(embed, vectors, fingerprint, self.records.installation)
        self._finder = Finder(self.records, self._vectors, now, weights)
        self.meant = Meant(self.records, self._finder)
        self._changes = Changes(engine, now)
        self.secrets = SecretReader(embed, fingerprint)
        self._names = Names(self.records, now)
        self._floor = floor
        self._users: set[str] | None = None
        """Who has memories of their own; None: not read yet."""
        self._one_at_a_time = asyncio.Lock()
        """What is compared with all that is known must not change while it is written."""

    async def start(self) -> None:
        """Start deriving vectors in the background; returns at once."""
        self._vectors.start(lambda: list(self.records.current()))

    async def stop(self) -> None:
        """Stop deriving vectors. The database stays open."""
        await self._vectors.stop()

    async def status(self) -> MemoriesStatus:
        """How many memories there are, and how it stands with their vectors."""
        count = await asyncio.to_thread(self._finder.count)
        return MemoriesStatus(count, self._vectors.pending, self._vectors.ready, self._vectors.problem)

    async def settled(self) -> None:
        """Wait until every memory has its vector. For imports and tests; it only ends when the embedder works."""
        await self._vectors.settled()

    async def add(self, content: str, **fields: Any) -> Memory:
        """Remember a statement, for the household or (``user_id``) for that user alone.

        ``fields`` are those of `memory.model.statement`. When this returns, the database has it. The same statement
        again refreshes the memory that is there: newer, and at least as important. A new value of the same thing takes
        the old one's place. Raises InvalidMemory, also for what tells a code.
        """
        wanted = statement(content, **fields)
        await self.secrets.check(wanted, wanted.language)
        taken = await self._keep(wanted)
        assert taken.memory is not None
        return taken.memory

    async def take(self, candidates: Sequence[Candidate], facts: TurnFacts) -> list[Outcome]:
        """Judge what a turn may leave behind, and keep what is worth it; one outcome for each candidate, in order.

        Each is one transaction: killed in between, those before are kept whole, and the others are not there.
        """
        from memory.doubtful import superfluous  # the words of all languages: only where somebody speaks

        others = await asyncio.to_thread(superfluous, candidates)
        outcomes: dict[int, Outcome] = {}
        for place in sorted(range(len(candidates)), key=lambda place: len(others[place]) > 0):
            kept = (why for other, why in others[place].items() if other in outcomes and outcomes[other].memory)
            reason = next(kept, None)
            outcomes[place] = (
                Outcome(OutcomeKind.REFUSED, candidates[place], reason=reason)
                if reason
                else await self._take(candidates[place], facts)
            )
        return [outcomes[place] for place in range(len(candidates))]

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        min_importance: float = 0.0,
        user_id: str | None = None,
        min_relevance: float | None = None,
        subjects: Sequence[str] = (),
        count: bool = False,
        turn_id: str | None = None,
        language: str | None = None,
        only: Only | None = None,
        meant: Purpose | None = None,
        unanswered: bool = False,
    ) -> list[Recalled]:
        """What is remembered that bears on ``query``, the best score first; none where nothing does.

        The household's memories and, with ``user_id``, that user's. ``limit`` 1 to 100; ``min_importance`` and
        ``min_relevance`` (None: the floor) 0 to 1. ``subjects``: ids of entities, areas and users that the turn is
        about, whose memories belong to it. ``count``: somebody is shown them, which counts as a use, in that turn.
        ``language``: what the query is in, where that is known. ``only``: no others than these. ``meant``, where known,
        and ``unanswered`` (the home has no answer to it) choose the floor. Raises InvalidMemory.
        """
        found = await self._finder.search(
            checked_query(query),
            limit=checked_limit(limit, MAX_SEARCH),
            least=checked_share("min_importance", min_importance),
            user_id=checked_id("user_id", user_id),
            floor=floor_for(query, self._floor, meant, unanswered=unanswered)
            if min_relevance is None
            else checked_share("min_relevance", min_relevance),
            subjects=subjects,
            language=language,
            only=only,
        )
        if count and found:
            await self.used([one.memory.id for one in found], turn_id)
        return found

    async def used(self, ids: Sequence[str], turn_id: str | None = None) -> None:
        """Note that somebody was shown these, in that turn. Where it cannot be noted, nothing is raised."""
        try:
            await asyncio.to_thread(self.records.used, ids, turn_id)
        except Exception as error:  # noqa: BLE001 - whatever a database can raise: what was found is worth more
            _log.warning("that memories were used could not be noted: %s", error)

    async def uses(self, memory_id: str, limit: int = 20) -> Sequence[Use]:
        """When a memory was shown to somebody and in which turn, newest first; those of the last year."""
        return await asyncio.to_thread(self.records.uses, memory_id, limit)

    async def chosen(self, only: Only, user_id: str | None = None) -> Sequence[Memory]:
        """The current memories that ``only`` describes and this user may see, newest first."""
        return await asyncio.to_thread(self.records.those, only, user_id)

    async def of_user(self, of: str, user_id: str | None, only: Only | None = None) -> Sequence[Memory]:
        """What is known of a user, as far as ``user_id`` may see it, newest first: what is theirs alone, and what is
        about them."""
        return await asyncio.to_thread(self.records.those, only or Only(), user_id, of)

    async def list(
        self,
        *,
        memory_type: str | None = None,
        limit: int = 100,
        user_id: str | None = None,
        history: bool = False,
        before: tuple[datetime, str] | None = None,
    ) -> list[Memory]:
        """The current memories (with ``history`` the others too), newest first: the household's and, with ``user_id``,
        that user's. ``limit`` 1 to 1000; ``before``: see `Records.newest`. Raises InvalidMemory.
        """
        wanted = None if memory_type is None else checked_type(memory_type)
        checked_limit(limit, MAX_LIST)
        user = checked_id("user_id", user_id)
        return await asyncio.to_thread(
            lambda: self.records.newest(memory_type=wanted, limit=limit, user_id=user, history=history, before=before)
        )

    async def correct(self, memory: Memory, content: str, facts: TurnFacts) -> Outcome:
        """Put ``content`` in the place of one memory, and of no other."""
        from memory.candidate_check import correction_of  # the words of all languages: only where somebody speaks

        candidate, wanted = await asyncio.to_thread(correction_of, memory, content, facts)
        if wanted is None or await self.secrets.is_in(wanted, wanted.language):
            return Outcome(OutcomeKind.REFUSED, candidate, reason="secret" if wanted else "invalid content")
        return _outcome(candidate, await self._keep(wanted, (memory.id,), alone=True))

    async def known_as(self, user_id: str | None) -> str | None:
        """The spelling under which somebody has memories: people take "anna" and "Anna" for one. Who has none stays as
        they are called here, and so does who has some under exactly this id."""
        if user_id is None:
            return None
        if self._users is None:
            self._users = set(await asyncio.to_thread(self.records.users))
        if user_id in self._users:
            return user_id
        alike = (one for one in sorted(self._users) if unaccented(one).strip() == unaccented(user_id).strip())
        return next(alike, user_id)

    async def profile(self, user_id: str | None = None) -> Sequence[Memory]:
        """What is known of that user: the current keyed memories, theirs and the household's.

        Neither nicknames of things, which are nobody's, nor what the household knows of other people.
        """
        found = await asyncio.to_thread(self.records.keyed, checked_id("user_id", user_id))
        return [m for m in found if not (m.key or "").startswith(NICKNAME) and _is_of(user_id, m)]

    async def nicknames(self, user_id: str | None = None) -> Sequence[Memory]:
        """The current memories that say what somebody calls a thing: the household's and that user's, newest first.

        They are kept at hand, since every sentence is looked through for them.
        """
        user = checked_id("user_id", user_id)
        while (found := self._names.at_hand(user)) is None:
            await asyncio.to_thread(self._names.read)
        return found

    async def get(self, memory_id: str) -> Memory:
        """One memory, current or not. Raises MemoryNotFound."""
        return await asyncio.to_thread(self.records.get, memory_id)

    async def beginning(self, start: str, user_id: str | None) -> Sequence[str]:
        """Some ids that begin with ``start``, of what this user may see; that very id first."""
        return await asyncio.to_thread(self.records.beginning, start, user_id)

    async def history(self, memory_id: str, user_id: str | None = None) -> Sequence[Memory]:
        """What a memory took the place of, newest first."""
        return await asyncio.to_thread(self.records.history, memory_id, user_id)

    async def log(
        self, *, limit: int = 100, user_id: str | None = None, memory_id: str | None = None
    ) -> Sequence[LogLine]:
        """What happened to memories, newest first. ``limit`` 1 to 10,000."""
        checked_limit(limit, MAX_LOG)
        return await asyncio.to_thread(lambda: self.records.log(limit=limit, user_id=user_id, memory_id=memory_id))

    async def edit(self, memory_id: str, changes: Mapping[str, object], why: str = "edit") -> Memory:
        """Change ``content``, ``type``, ``importance``, ``value``, ``valid_to`` or ``sensitivity`` of one memory.

        Raises MemoryNotFound, InvalidMemory.
        """
        async with self._one_at_a_time:
            before = await asyncio.to_thread(self.records.get, memory_id)
            checked = checked_changes(before, changes)
            after = replace(before, **checked)
            if (after.content, after.value) != (before.content, before.value):
                await self.secrets.check(after, after.language)
            memory = await asyncio.to_thread(self._changes.edit, before, checked, why)
            await self._refind([memory], [before])
            await asyncio.to_thread(self._names.put, memory)
        return memory

    async def delete(self, *memory_ids: str, why: str = "delete") -> Memory:
        """Forget memories, their vectors too, all or none of them; what the first was. Raises MemoryNotFound."""
        async with self._one_at_a_time:
            gone = await asyncio.to_thread(self.records.delete, memory_ids, why)
            await self._forget([_kept(memory) for memory in gone])
        return gone[0]

    async def clear(self, user_id: str | None = None) -> int:
        """Forget everything of everybody, or (``user_id``) that user's own; how many memories that were."""
        async with self._one_at_a_time:
            gone = await asyncio.to_thread(lambda: self.records.clear(user_id, everybody=user_id is None))
            await self._forget(gone)
        return len(gone)

    async def export(self, user_id: str | None = None, *, everybody: bool = False) -> Sequence[Memory]:
        """All memories with their history, oldest first: of everybody, or the household's and that user's."""
        return await asyncio.to_thread(self._changes.export, user_id, everybody)

    async def restore(self, memories: Sequence[Memory]) -> Restored:
        """Take over exported memories exactly as they were, but for those that hold a code.

        Those whose id is there already stay as they are.
        """
        told = await self.secrets.tell([(whole_of(memory), memory.language) for memory in memories])
        refused = tuple(memory.id for memory, secret in zip(memories, told, strict=True) if secret)
        kept = [memory for memory in memories if memory.id not in set(refused)]
        async with self._one_at_a_time:
            added = await asyncio.to_thread(self._changes.restore, kept)
            await asyncio.to_thread(self._finder.reload)
            await asyncio.to_thread(self._names.reload)
            self._users = None
            for memory in added:
                if memory.is_current(self.now()):
                    self._vectors.put(_kept(memory))
        return Restored(len(added), len(memories) - len(added) - len(refused), refused)

    async def tend(self, most: int) -> Tended:
        """The regular upkeep; ``most``: current memories that are kept at most."""
        from memory.upkeep import Upkeep

        async with self._one_at_a_time:
            upkeep = Upkeep(self._engine, self.now, self._finder.near)
            done = await asyncio.to_thread(upkeep.run, most, self._vectors.measured)
            await self._forget(done.gone)
            await asyncio.to_thread(self._names.reload)  # what is merged takes over names
        await asyncio.to_thread(self.records.forget_log, _LOG_KEPT)
        await asyncio.to_thread(self.records.forget_uses, _LOG_KEPT)
        return done

    async def _take(self, candidate: Candidate, facts: TurnFacts) -> Outcome:
        from memory.candidate_check import judged  # the words of all languages: only where somebody speaks

        wanted, refusal = await asyncio.to_thread(judged, candidate, facts)
        language = wanted.language if wanted is not None else candidate.language or facts.language
        if await self.secrets.is_in(candidate, language):  # whatever else is wrong: nobody is asked to say it again
            return Outcome(OutcomeKind.REFUSED, candidate, reason="secret")
        if wanted is None:
            return Outcome(OutcomeKind.REFUSED, candidate, reason=refusal)
        taken = await self._keep(wanted, candidate.replaces, facts.said)
        if taken.memory is None:
            return Outcome(OutcomeKind.REFUSED, candidate, reason=taken.refusal)
        return _outcome(candidate, taken)

    async def _keep(
        self, wanted: Statement, replaces: Sequence[str] = (), said: str | None = None, *, alone: bool = False
    ) -> Taken:
        """What became of it beside what is near to it; ``alone``: it takes the place of what it replaces only."""
        subjects = [s.id for s in wanted.subjects]
        async with self._one_at_a_time:
            near = await asyncio.to_thread(
                lambda: () if alone else self._finder.near(wanted.content, wanted.user_id, subjects, wanted.language)
            )
            taken = await asyncio.to_thread(lambda: self._taker.take(wanted, near, replaces, said))
            if taken.memory is not None:
                await self._refind([taken.memory] if taken.new else [], taken.gone)
                await asyncio.to_thread(self._names.put, taken.memory)
        if wanted.user_id is not None and self._users is not None:
            self._users.add(wanted.user_id)
        return taken

    async def _refind(self, found: Sequence[Memory], gone: Sequence[Memory]) -> None:
        await self._forget([_kept(memory) for memory in gone])
        for memory in found:
            await asyncio.to_thread(self._finder.put, memory)
            self._vectors.put(_kept(memory))

    async def _forget(self, gone: Sequence[Kept]) -> None:
        if gone:
            self._vectors.remove(gone)
            await asyncio.to_thread(self._names.remove, [memory.id for memory in gone])
            await asyncio.to_thread(self._finder.remove, gone)


def _outcome(candidate: Candidate, taken: Taken) -> Outcome:
    if not taken.new and not taken.replaced:
        return Outcome(OutcomeKind.REFRESHED, candidate, taken.memory)
    how = next(iter(taken.replaced.values()), None)
    kind = OutcomeKind.SUPERSEDED if taken.replaced else OutcomeKind.STORED
    return Outcome(kind, candidate, taken.memory, tuple(taken.replaced), how.value if how else None)


def _kept(memory: Memory) -> Kept:
    return Kept(memory.id, memory.content, memory.user_id)


def _is_of(user_id: str | None, memory: Memory) -> bool:
    users = {subject.id for subject in memory.subjects if subject.kind == SubjectKind.USER}
    return not users or user_id in users
