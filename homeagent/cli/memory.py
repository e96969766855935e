"""Commands about what is remembered."""

from __future__ import annotations

from typing import Annotated

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import call

memory = typer.Typer(help="What is remembered.", no_args_is_help=True, rich_markup_mode=None)

_Type = Annotated[str, typer.Option("--type", help="fact, preference, context or event.")]
_Importance = Annotated[float, typer.Option("--importance", help="0 to 1.")]


def add_commands(app: typer.Typer) -> None:
    app.add_typer(memory, name="memory")


@memory.command()
def add(context: typer.Context, content: str, type: _Type = "fact", importance: _Importance = 0.5) -> None:
    """Remember something."""
    chosen = options(context)
    answer = call(chosen, "add_memory", content=content, type=type, importance=importance, user_id=chosen.user)
    show.as_json(answer) if chosen.json else show.line(f"Remembered as {answer['memory_id']}.")


@memory.command()
def search(
    context: typer.Context,
    query: str,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 100.")] = 10,
    min_importance: Annotated[float, typer.Option(help="0 to 1.")] = 0.0,
) -> None:
    """Find memories by meaning."""
    chosen = options(context)
    answer = call(
        chosen, "search_memories", query=query, limit=limit, min_importance=min_importance, user_id=chosen.user
    )
    if chosen.json:
        show.as_json(answer)
        return
    rows = [(m["relevance_score"], m["type"], m["importance"], m["content"], m["id"]) for m in answer["memories"]]
    show.table(("relevance", "type", "importance", "memory", "id"), rows, empty="Nothing like that is remembered.")


@memory.command("list")
def list_(
    context: typer.Context,
    type: Annotated[str | None, typer.Option("--type", help="Only this type.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 1000.")] = 100,
) -> None:
    """Show what is remembered."""
    chosen = options(context)
    answer = call(chosen, "list_memories", memory_type=type, limit=limit, user_id=chosen.user)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [(m["type"], m["importance"], m["content"], m["id"]) for m in answer["memories"]]
    show.table(("type", "importance", "memory", "id"), rows, empty="Nothing is remembered.")


@memory.command()
def delete(context: typer.Context, memory_id: str) -> None:
    """Forget one memory."""
    chosen = options(context)
    answer = call(chosen, "delete_memory", memory_id=memory_id)
    show.as_json(answer) if chosen.json else show.line("Forgotten.")


@memory.command()
def clear(context: typer.Context, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Forget everything."""
    chosen = options(context)
    if not yes:
        from homeagent.cli.asking import ask_yes

        ask_yes("Forget everything that is remembered?", otherwise="Nothing was forgotten. Add --yes to confirm.")
    answer = call(chosen, "clear_memories", confirm=True)
    show.as_json(answer) if chosen.json else show.line(f"{answer['deleted']} memories were forgotten.")
