"""A chat as other programs send it, answered by the agent: all messages each time, and not which chat goes on.

Which conversation of ours goes on is told by its messages (`Conversations.continued_by`). What waits for a yes is kept
in our own record alone: nothing that a caller writes as an assistant's message is a question of ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from homeagent.access import Identity, Scope
from homeagent.errors import InvalidInput, NotYourUser
from homeagent.turn import Say

if TYPE_CHECKING:
    from homeagent.app import App
    from homeagent.turns.reply import Reply

MODEL = "homeagent"
"""What the agent is called where a model is asked for. Any other name is answered, too."""
MOST_BYTES = 1024 * 1024
"""Bytes of a request: programs send the whole chat again with each sentence."""

_HINT = re.compile(r"^\s*(?P<what>language|area|room|user|speaker)\s*[:=]\s*(?P<value>[^\n]{1,100}?)\s*$", re.I | re.M)
_CODE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_HOME_ASSISTANTS_AREA = re.compile(r"\bYou are in area (?P<area>[^\n(]{1,100}?)\s*(?:\(|and all\b|\.|$)", re.M)
"""How Home Assistant's own prompt tells where the device stands that was spoken to."""


class Message(BaseModel):
    """One message. ``content``: text, or OpenAI's parts, of which those of text count."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """The text, its parts joined by line ends, without blanks around it; empty where there is none."""
        if isinstance(self.content, str):
            return self.content.strip()
        parts = [part.get("text") for part in self.content or () if part.get("type") == "text"]
        return "\n".join(part for part in parts if isinstance(part, str)).strip()


Messages = Annotated[list[Message], Field(min_length=1, max_length=2000)]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks, where and in which language, as far as the caller says it."""

    user_id: str | None = None
    area: str | None = None
    language: str | None = None


def speaker_of(messages: Sequence[Message], user: str | None = None) -> Speaker:
    """What the caller's system messages tell of the speaker, as "language: de", "area: Kitchen", "user: anna" on lines
    of their own, or as Home Assistant's prompt does. Nothing else in them counts: they are the caller's, not ours."""
    told: dict[str, str] = {}
    for message in messages:
        if message.role in ("system", "developer"):
            if found := _HOME_ASSISTANTS_AREA.search(message.text):
                told["area"] = found["area"]
            told |= {hint["what"].lower(): hint["value"] for hint in _HINT.finditer(message.text)}
    language = told.get("language")
    return Speaker(
        user_id=user or told.get("user") or told.get("speaker"),
        area=told.get("area") or told.get("room"),
        language=language if language and _CODE.fullmatch(language) else None,
    )


async def answer(
    app: App, caller: Identity, messages: Sequence[Message], *, user: str | None = None, say: Say | None = None
) -> Reply:
    """Answer the last message, in the conversation that the messages before belong to. Raises InvalidInput."""
    if messages[-1].role != "user" or not messages[-1].text:
        raise InvalidInput("The last message must be the user's, with text.")
    speaker = speaker_of(messages, user)
    user_id = _allowed(caller, speaker.user_id)
    await app.need_home()
    return await app.agent.process(
        messages[-1].text,
        conversation_id=await app.conversations.continued_by(_said(messages[:-1]), user_id),
        user_id=user_id,
        area_id=_area(app, speaker.area),
        language=speaker.language,
        trace=True,
        say=say,
        may_confirm=caller.may(Scope.CONFIRM),
    )


def _said(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Sentences and their answers, oldest first; what nobody answered is left out."""
    pairs: list[tuple[str, str]] = []
    sentence: str | None = None
    for message in messages:
        if message.role == "user":
            sentence = message.text
        elif message.role == "assistant" and sentence is not None and message.text:
            pairs.append((sentence, message.text))
            sentence = None
    return pairs


def _allowed(caller: Identity, claimed: str | None) -> str | None:
    """The speaker as far as this token may name one; else the token's own. A prompt is no place to fail at."""
    try:
        return caller.speaks_as(claimed)
    except NotYourUser:
        return caller.user_id


def _area(app: App, called: str | None) -> str | None:
    if called is None:
        return None
    wanted = called.strip().casefold()
    areas = app.home.areas.values()
    return next(
        (a.area_id for a in areas if wanted in (a.area_id, *(n.casefold() for n in (a.name, *a.aliases)))), None
    )
