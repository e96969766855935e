"""Named tokens, kept as hashes. A token is 256 random bits, so that a plain SHA-256 of it cannot be turned back."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from homeagent.access import Identity, Scope
from homeagent.errors import InvalidInput, NotFound
from homeagent.tables import TokenRow

_READ_EVERY = 10.0
"""Seconds after which another process's changes are seen. Wrong tokens must not each cost a look into the database."""


@dataclass(frozen=True, slots=True)
class NamedToken:
    """A token as it is listed; what it reads as is known to its holder alone."""

    name: str
    scopes: tuple[Scope, ...]
    user_id: str | None
    created_at: datetime


class Tokens:
    """The named tokens of the database. Every method may raise `DatabaseError`."""

    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._clock = clock
        self._known: tuple[tuple[bytes, Identity], ...] = ()
        self._read_at: float | None = None

    async def identify(self, token: bytes) -> Identity | None:
        """Whose token this is. All are compared, in constant time each."""
        if self._read_at is None or self._clock() - self._read_at >= _READ_EVERY:
            await self._read()
        given = digest(token)
        found = [identity for known, identity in self._known if hmac.compare_digest(given, known)]
        return found[0] if found else None

    async def add(self, name: str, scopes: Iterable[Scope], user_id: str | None) -> str:
        """A new token, which is shown this once. Raises InvalidInput where the name is taken."""
        token = secrets.token_urlsafe(32)
        row = TokenRow(
            name=name,
            hash=digest(token.encode()).hex(),
            scopes=sorted(set(scopes)),
            user_id=user_id,
            created_at=datetime.now(UTC),
        )
        await asyncio.to_thread(self._insert, row)
        await self._read()
        return token

    async def named(self) -> list[NamedToken]:
        """All of them, by name."""
        return [_listed(row) for row in await asyncio.to_thread(self._rows)]

    async def revoke(self, name: str) -> None:
        """From now on it opens nothing. Raises NotFound."""
        await asyncio.to_thread(self._delete, name)
        await self._read()

    async def _read(self) -> None:
        rows = await asyncio.to_thread(self._rows)
        self._known = tuple((bytes.fromhex(row.hash), _identity(row)) for row in rows)
        self._read_at = self._clock()

    def _rows(self) -> list[TokenRow]:
        with Session(self._reading) as session:
            return list(session.scalars(select(TokenRow).order_by(TokenRow.name)))

    def _insert(self, row: TokenRow) -> None:
        with Session(self._engine) as session, session.begin():
            if session.get(TokenRow, row.name) is not None:
                raise InvalidInput(f"There is a token {row.name} already.", hint="Choose another name, or revoke it.")
            session.add(row)

    def _delete(self, name: str) -> None:
        with Session(self._engine) as session, session.begin():
            gone = session.scalars(delete(TokenRow).where(TokenRow.name == name).returning(TokenRow.name)).all()
        if not gone:
            raise NotFound(f"There is no token {name}.", hint="`homeagent token list` shows what there is.")


class TokenDigest(bytes):
    """The digest of a token, where the token itself is not known: it is told apart by its type, which nothing that
    comes over the network has."""


def digest(token: bytes) -> bytes:
    """SHA-256 of a token, 32 bytes; a `TokenDigest` is its own."""
    return bytes(token) if isinstance(token, TokenDigest) else hashlib.sha256(token).digest()


def _identity(row: TokenRow) -> Identity:
    return Identity(row.name, frozenset(_scopes(row)), row.user_id)


def _listed(row: TokenRow) -> NamedToken:
    return NamedToken(row.name, _scopes(row), row.user_id, row.created_at)


def _scopes(row: TokenRow) -> tuple[Scope, ...]:
    """What a newer program may have granted besides is not known here, and not given."""
    return tuple(scope for scope in Scope if scope.value in row.scopes)
