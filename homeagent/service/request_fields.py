"""What each service takes. Unknown fields are refused: a misspelt one would otherwise silently do nothing."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PrivateAttr

from homeagent.access import OWNER, Identity, Scope
from homeagent.rights import Rights
from homeagent.turns.gathering import short_enough
from memory.model import MemoryType


def _something(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if "\0" in text:
        raise ValueError("must not hold NUL characters")
    return text


Text = Annotated[str, Field(min_length=1), AfterValidator(_something), AfterValidator(short_enough)]
Id = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_something)]
ShortId = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_something)]
EntityId = Annotated[str, Field(min_length=3, max_length=255)]
_MOST_ENTITIES = 20_000
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Language = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")]


class Fields(BaseModel):
    """``caller``: whose token the request came with."""

    model_config = ConfigDict(extra="forbid")
    _caller: Identity = PrivateAttr(default=OWNER)

    @property
    def caller(self) -> Identity:
        """Whose token the request came with; the owner's where the service is called in this process."""
        return self._caller

    def sent_by(self, caller: Identity) -> Self:
        """These fields with who sent them; ``user_id`` is whom that caller may speak for, and only who may speak for
        others asks for what is ``everybody``'s. Raises NotYourUser, MissingScope."""
        whose = {"user_id": caller.speaks_as(self.user_id)} if hasattr(self, "user_id") else {}
        if getattr(self, "everybody", False):
            caller.need(Scope.SPEAK_FOR_OTHERS)
        sent = self.model_copy(update=whose)
        sent._caller = caller
        return sent


class OfSomebody(Fields):
    """What is done for somebody. ``may_see``, ``may_control``: ids of entities, where whoever it is for may see or
    control a part of the home only; absent: all that the agent may."""

    may_see: Annotated[list[EntityId], Field(max_length=_MOST_ENTITIES)] | None = None
    may_control: Annotated[list[EntityId], Field(max_length=_MOST_ENTITIES)] | None = None

    @property
    def rights(self) -> Rights:
        """What whoever it is for may see and control."""
        return Rights.of(self.may_see, self.may_control)


class Process(OfSomebody):
    """A sentence and who says it. ``stream``: answer piece by piece; ``trace``: tell what was found and called."""

    text: Text
    conversation_id: ShortId | None = None
    user_id: Id | None = None
    device_id: Id | None = None
    language: Language | None = None
    trace: bool = False
    stream: bool = False


class Confirm(OfSomebody):
    """A yes (``approve``) or a no to an action that waits."""

    confirmation_id: ShortId
    """The id, or the number that people call it by."""
    approve: bool
    user_id: Id | None = None
    device_id: Id | None = None
    language: Language | None = None


class ListPending(Fields):
    """``everybody``: also what waits for other users, for callers that may speak for others."""

    user_id: Id | None = None
    device_id: Id | None = None
    everybody: bool = False
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    language: Language | None = None


class ExplainPolicy(Fields):
    """``text``: a sentence, or the parameters of `ha_control` as JSON."""

    text: Text
    user_id: Id | None = None
    device_id: Id | None = None
    language: Language | None = None


class ListAudit(Fields):
    """``limit``: most entries; ``entity_id``: only those about this entity."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 50
    entity_id: Id | None = None


class ClearHistory(Fields):
    """``conversation_id``: only that conversation; absent: all of them."""

    conversation_id: ShortId | None = None


class ListConversations(Fields):
    """``everybody``: also those of other users, for callers that may speak for others."""

    user_id: Id | None = None
    everybody: bool = False
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class GetConversation(Fields):
    """``conversation_id``: the id, or its beginning where no other one begins so."""

    conversation_id: ShortId
    user_id: Id | None = None
    everybody: bool = False


class DeleteConversation(GetConversation):
    """As for `get_conversation`."""


class MarkWrong(Fields):
    """Whose last sentence went wrong: in ``conversation_id`` (or its beginning), else in the latest conversation."""

    conversation_id: ShortId | None = None
    user_id: Id | None = None
    device_id: Id | None = None
    language: Language | None = None


class ListOwnTests(Fields):
    """``homes``: each with the home that it is tried in."""

    homes: bool = False
    user_id: Id | None = None


class OwnTestId(Fields):
    """Which test."""

    id: Annotated[int, Field(ge=1, le=2**63 - 1)]  # as many as a row can be numbered
    user_id: Id | None = None


class SayRight(OwnTestId):
    """``states``: entity id to the state that it is in behind it; ``says``: a text that the answer holds."""

    states: Annotated[dict[Id, Id], Field(max_length=50)] = {}
    says: Annotated[str, Field(max_length=500)] = ""


class ReloadContext(Fields):
    """No fields."""


class ExecuteTool(OfSomebody):
    """A tool's name and its parameters, as a model would give them."""

    tool_name: Id
    parameters: dict[str, Any]
    conversation_id: ShortId | None = None
    user_id: Id | None = None
    device_id: Id | None = None


class ListTools(Fields):
    """Nothing more is asked."""


class GenerateData(OfSomebody):
    """An instruction; ``structure``: the JSON schema of the object that is wanted; absent: text."""

    instructions: Text
    structure: dict[str, Any] | None = None
    user_id: Id | None = None
    language: Language | None = None


class ReindexEntities(Fields):
    """``force``: embed every description again, even one whose text is as before."""

    force: bool = False
    stream: bool = False


class IndexEntity(Fields):
    """The entity whose description is made anew."""

    entity_id: Id


class IndexHistory(Fields):
    """``days``: how many days back."""

    days: int = Field(default=14, ge=1, le=3650)
    stream: bool = False


class ListMemories(Fields):
    """``memory_type``: only memories of this type; ``history``: replaced ones too."""

    memory_type: MemoryType | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    history: bool = False
    user_id: Id | None = None


class SearchMemories(Fields):
    """``query``: what the memories are to be about; ``min_importance``: 0 to 1. ``since`` (included) and ``until``
    (not): only what was told between these; ``about``: only what is about any of these entities, areas or users."""

    query: Text
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    min_importance: Share = 0.0
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    about: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    user_id: Id | None = None
    language: Language | None = None


class AddMemory(Fields):
    """``content``: the statement; ``importance``: 0 to 1; ``user_id``: whose it is, absent: the household's."""

    content: Text
    type: MemoryType = MemoryType.FACT
    importance: Share = 0.5
    user_id: Id | None = None
    language: Language | None = None


class GetMemory(Fields):
    """The memory's id."""

    memory_id: Id
    user_id: Id | None = None


class EditMemory(Fields):
    """What is to change; fields left out stay as they are."""

    memory_id: Id
    content: Text | None = None
    type: MemoryType | None = None
    importance: Share | None = None
    user_id: Id | None = None


class DeleteMemory(GetMemory):
    """As for `get_memory`."""


class ClearMemories(Fields):
    """``confirm`` must be true: nothing brings them back."""

    confirm: Literal[True]
    user_id: Id | None = None


class ExportMemories(Fields):
    """``everybody``: also what is private to other users, for callers that may speak for others. ``format``: as data,
    or as a Markdown file."""

    user_id: Id | None = None
    everybody: bool = False
    format: Literal["json", "markdown"] = "json"


class ImportMemories(Fields):
    """``memories`` or ``markdown``: as `export_memories` returns them."""

    memories: Annotated[list[dict[str, Any]], Field(max_length=100_000)] = []
    markdown: str | None = None


class MemoryLog(Fields):
    """``memory_id``: only what happened to this memory."""

    limit: Annotated[int, Field(ge=1, le=10_000)] = 100
    memory_id: Id | None = None
    user_id: Id | None = None


class SearchEntities(Fields):
    """``text``: as a sentence would say it; ``device_id``: the device whose room counts as here."""

    text: Text
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    language: Language | None = None
    device_id: Id | None = None


class StartPairing(Fields):
    """No fields."""


class Pair(Fields):
    """``code``: as it is shown, in any case, with or without its hyphen; ``name``: what the token is to be called."""

    code: Annotated[str, Field(min_length=1, max_length=20)]
    name: Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_something)] = "Home Assistant"


class AddToken(Fields):
    """``scopes``: what it may do; ``user_id``: whom it speaks for, absent: the household."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$")]
    scopes: Annotated[list[Scope], Field(min_length=1)]
    user_id: Id | None = None


class ListTokens(Fields):
    """No fields."""


class RevokeToken(Fields):
    """The token's name."""

    name: Id
