"""Commands about what was said: conversations listed, shown and forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from homeagent.cli import show
from homeagent.cli.options import Options, options
from homeagent.cli.place import call
from homeagent.cli.show import ask_yes
from homeagent.errors import HomeAgentError, NotFound
from homeagent.values.short_ids import short

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient

conversations = typer.Typer(help="What was said.", no_args_is_help=True, rich_markup_mode=None)
_history = typer.Typer(help="What was said.", no_args_is_help=True, rich_markup_mode=None, hidden=True)

_Id = Annotated[str, typer.Argument(help="Its id, or the beginning of it.")]
_Everybody = Annotated[bool, typer.Option("--everybody", help="Those of everybody; else the household's and --user's.")]
_Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(conversations, name="conversations")
    app.add_typer(_history, name="history")


@conversations.command("list")
def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 1000.")] = 20,
    everybody: _Everybody = False,
) -> None:
    """Show the latest conversations, newest first. `chat --conversation ID` goes on with one."""
    chosen = options(context)
    answer = call(chosen, "list_conversations", limit=limit, everybody=everybody, user_id=chosen.user)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [
        (short(one["id"]), show.clock_time(one["updated_at"]), one["user_id"], one["turns"], one["said"])
        for one in answer["conversations"]
    ]
    show.table(("id", "last", "with", "sentences", "began with"), rows, empty="Nothing was said yet.")


@conversations.command("show")
def show_(context: typer.Context, conversation_id: _Id, everybody: _Everybody = False) -> None:
    """Show what was said in one conversation."""
    chosen = options(context)
    asked = {"conversation_id": conversation_id, "everybody": everybody, "user_id": chosen.user}
    answer = call(chosen, "get_conversation", **asked)
    if chosen.json:
        show.as_json(answer)
        return
    for turn in answer["turns"]:
        show.line(f"{show.clock_time(turn['at'])}  > {turn['text']}")
        show.line(turn["answer"])


@conversations.command()
def delete(context: typer.Context, conversation_id: _Id, everybody: _Everybody = False) -> None:
    """Forget one conversation, with what waits in it for a yes."""
    chosen = options(context)
    asked = {"conversation_id": conversation_id, "everybody": everybody, "user_id": chosen.user}
    answer = call(chosen, "delete_conversation", **asked)
    show.as_json(answer) if chosen.json else show.line(f"{short(answer['deleted'])} is forgotten.")


@conversations.command()
@_history.command()
def clear(context: typer.Context, yes: _Yes = False) -> None:
    """Forget everything that was said, of everybody; with --conversation only that one."""
    chosen = options(context)
    if not yes:
        which = "this conversation" if chosen.conversation else "all conversations"
        ask_yes(f"Forget {which}?", otherwise="Nothing was forgotten. Add --yes to confirm.")
    answer = call(chosen, "clear_history", conversation_id=chosen.conversation)
    show.as_json(answer) if chosen.json else show.line(f"{answer['cleared']} cleared.")


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A conversation to go on with; ``id`` None: a new one. ``said``: its sentences, oldest first, without codes."""

    id: str | None
    said: tuple[str, ...] = ()


async def taken_up(client: ApiClient, chosen: Options) -> TakenUp:
    """The conversation that --conversation means: the one whose id begins so, else a new one of that name."""
    if chosen.conversation is None:
        return TakenUp(None)
    try:
        found = await client.call("get_conversation", conversation_id=chosen.conversation, user_id=chosen.user)
    except HomeAgentError as error:
        if error.code != NotFound.code:
            raise
        return TakenUp(chosen.conversation)
    return TakenUp(found["conversation_id"], tuple(turn["text"] for turn in found["turns"]))


async def latest(client: ApiClient, chosen: Options) -> tuple[str, ...]:
    """How the latest conversations began, oldest first, without codes."""
    found = await client.call("list_conversations", user_id=chosen.user)
    return tuple(one["said"] for one in reversed(found["conversations"]))
