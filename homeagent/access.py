"""Who may do what: the scopes of a token, and whom a request comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from homeagent.errors import MissingScope, NotYourUser


class Scope(StrEnum):
    """What a token may do. None contains another."""

    ASK = "ask"
    """Say sentences, use tools and tell what to remember: whatever needs no yes."""
    CONFIRM = "confirm"
    """Say yes to what waits for it."""
    READ = "read"
    """Search, look at memories, watch events."""
    ADMIN = "admin"
    """Look after the service: reindex, clear, import and export, tokens, the doctor."""
    SPEAK_FOR_OTHERS = "speak_for_others"
    """Say on whose behalf a request comes: for satellites and bridges that know who speaks."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose token a request came with. ``user_id`` None: the household's."""

    name: str
    scopes: frozenset[Scope]
    user_id: str | None = None

    def may(self, scope: Scope) -> bool:
        """Whether the token has this scope; none of them contains another."""
        return scope in self.scopes

    def need(self, *scopes: Scope) -> None:
        """Raises MissingScope where the token lacks one of them."""
        missing = [scope for scope in scopes if scope not in self.scopes]
        if missing:
            raise MissingScope(
                f"The token {self.name} lacks the scope {', '.join(missing)}.",
                hint="Make one that has it: `homeagent token add NAME --scope …`.",
            )

    def speaks_as(self, claimed: str | None) -> str | None:
        """The user that a request counts as: the token's own, or a claimed one where the token may speak for others.

        Raises NotYourUser for any other claim.
        """
        if claimed is None or claimed == self.user_id:
            return self.user_id
        if self.may(Scope.SPEAK_FOR_OTHERS):
            return claimed
        whose = f"{self.user_id!r}" if self.user_id else "the household"
        raise NotYourUser(
            f"The token {self.name} speaks for {whose}, not for the user that the request names.",
            hint="Leave `user_id` out, or use a token with the scope speak_for_others.",
        )


OWNER = Identity("owner", frozenset(Scope))
"""Whoever has the token of the data folder, or the one that is set: the machine is theirs."""

NOBODY = Identity("nobody", frozenset())
"""Whoever sends no token, where none is needed."""
