"""Commands about what is remembered."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import call
from homeagent.private_folder import replace_private
from homeagent.values.short_ids import short

memory = typer.Typer(help="What is remembered.", no_args_is_help=True, rich_markup_mode=None)

_Type = Annotated[str, typer.Option("--type", help="fact, preference, context or event.")]
_TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]
_Format = Literal["json", "markdown"]
_Importance = Annotated[float, typer.Option("--importance", help="0 to 1.")]


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(memory, name="memory")


@memory.command()
def add(context: typer.Context, content: str, type: _Type = "fact", importance: _Importance = 0.5) -> None:
    """Remember something: for the household, or with --user for that user alone."""
    chosen = options(context)
    answer = call(
        chosen,
        "add_memory",
        content=content,
        type=type,
        importance=importance,
        user_id=chosen.user,
        language=chosen.language,
    )
    show.as_json(answer) if chosen.json else show.line(f"Remembered as {short(answer['memory_id'])}.")


@memory.command()
def search(
    context: typer.Context,
    query: str,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 100.")] = 10,
    min_importance: Annotated[float, typer.Option(help="0 to 1.")] = 0.0,
    since: Annotated[datetime | None, typer.Option(help="Only what was told then or later.", formats=_TIMES)] = None,
    until: Annotated[datetime | None, typer.Option(help="Only what was told before.", formats=_TIMES)] = None,
    about: Annotated[
        list[str] | None, typer.Option(help="Only what is about this entity, area or user; may be repeated.")
    ] = None,
) -> None:
    """Find memories by words and meaning."""
    chosen = options(context)
    answer = call(
        chosen,
        "search_memories",
        query=query,
        limit=limit,
        min_importance=min_importance,
        **_given(since=since and since.astimezone().isoformat(), until=until and until.astimezone().isoformat()),
        **_given(about=about),
        user_id=chosen.user,
        language=chosen.language,
    )
    if chosen.json:
        show.as_json(answer)
        return
    rows = [
        (m["relevance_score"], m["type"], m["importance"], m["content"], short(m["id"])) for m in answer["memories"]
    ]
    show.table(("relevance", "type", "importance", "memory", "id"), rows, empty="Nothing like that is remembered.")


@memory.command("list")
def list_(
    context: typer.Context,
    type: Annotated[str | None, typer.Option("--type", help="Only this type.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 1000.")] = 100,
    history: Annotated[bool, typer.Option("--history", help="Also what is no longer so.")] = False,
) -> None:
    """Show what is remembered."""
    chosen = options(context)
    answer = call(chosen, "list_memories", memory_type=type, limit=limit, user_id=chosen.user, history=history)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [(m["type"], m["importance"], _until(m) + m["content"], short(m["id"])) for m in answer["memories"]]
    show.table(("type", "importance", "memory", "id"), rows, empty="Nothing is remembered.")


@memory.command("show")
def show_(context: typer.Context, memory_id: str) -> None:
    """Show one memory: what it says, who told it when in which words, what it replaced, what it was used for."""
    chosen = options(context)
    answer = call(chosen, "get_memory", memory_id=memory_id, user_id=chosen.user)
    if chosen.json:
        show.as_json(answer)
        return
    for name, value in _facts(answer):
        show.line(f"{name:<12} {value}")
    for old in answer["history"]:
        show.line(f"{'before':<12} {old['content']} (until {old['valid_to'][:16]})")
    for use in answer["uses"]:
        show.line(f"{'used for':<12} {use['said'] or 'a sentence that is not shown'} ({use['at'][:16]})")
    for line in reversed(answer["log"]):
        show.line(f"{line['at'][:16]:<17} {line['what']}: {line['why']}")


@memory.command()
def edit(
    context: typer.Context,
    memory_id: str,
    content: Annotated[str | None, typer.Option("--content", help="What it says from now on.")] = None,
    type: Annotated[str | None, typer.Option("--type", help="fact, preference, context or event.")] = None,
    importance: Annotated[float | None, typer.Option("--importance", help="0 to 1.")] = None,
) -> None:
    """Change one memory."""
    chosen = options(context)
    given = {"content": content, "type": type, "importance": importance}
    changes = {name: value for name, value in given.items() if value is not None}
    answer = call(chosen, "edit_memory", memory_id=memory_id, user_id=chosen.user, **changes)
    show.as_json(answer) if chosen.json else show.line(f"Changed: {answer['memory']['content']}")


@memory.command()
def delete(context: typer.Context, memory_id: str) -> None:
    """Forget one memory."""
    chosen = options(context)
    answer = call(chosen, "delete_memory", memory_id=memory_id, user_id=chosen.user)
    show.as_json(answer) if chosen.json else show.line("Forgotten.")


@memory.command()
def clear(context: typer.Context, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Forget everything; with --user only what is that user's own."""
    chosen = options(context)
    if not yes:
        from homeagent.cli.show import ask_yes

        whose = f"everything of {chosen.user}" if chosen.user else "everything that is remembered"
        ask_yes(f"Forget {whose}?", otherwise="Nothing was forgotten. Add --yes to confirm.")
    answer = call(chosen, "clear_memories", confirm=True, user_id=chosen.user)
    show.as_json(answer) if chosen.json else show.line(f"{answer['deleted']} memories were forgotten.")


@memory.command("export")
def export_(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="File to write; absent: standard output.")] = None,
    everybody: Annotated[bool, typer.Option("--everybody", help="The private memories of all users too.")] = False,
    format: Annotated[_Format, typer.Option("--format", help="json: one a line; markdown: a list to read.")] = "json",
) -> None:
    """Write all memories with their history; `import` takes them as they were."""
    chosen = options(context)
    answer = call(chosen, "export_memories", user_id=chosen.user, everybody=everybody, format=format)
    if (text := answer["markdown"]) is not None:
        if file is None:
            show.line(text.removesuffix("\n"))
            return
        _write(file, text)
        count = {"exported": text.count("\n- ")}
        show.as_json(count) if chosen.json else show.line(f"{count['exported']} memories were written to {file}.")
        return
    if file is None:
        show.json_lines(answer["memories"])
        return
    _write(file, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in answer["memories"]))
    count = {"exported": len(answer["memories"])}
    show.as_json(count) if chosen.json else show.line(f"{count['exported']} memories were written to {file}.")


@memory.command("import")
def import_(context: typer.Context, file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Take over exported memories from JSON or Markdown (.md), and what was written into the Markdown. What is refused
    is told, and does not stop the rest."""
    chosen = options(context)
    if file.suffix in (".md", ".markdown"):
        numbers = None
        answer = call(chosen, "import_memories", markdown=_text(file))
    else:
        lines = _read(file)
        numbers = [number for number, _ in lines]
        answer = call(chosen, "import_memories", memories=[one for _, one in lines])
    if chosen.json:
        show.as_json(answer)
    else:
        changed = f" {answer['changed']} say something else now," if answer["changed"] else ""
        show.line(f"{answer['imported']} memories were taken over;{changed} {answer['known']} were there already.")
        for one in answer["refused"]:
            line = one["number"] if numbers is None else numbers[one["number"] - 1]
            show.line(f"line {line} was refused: {one['why']}")
    if answer["refused"]:
        raise typer.Exit(1)


@memory.command()
def log(
    context: typer.Context,
    memory_id: Annotated[str | None, typer.Argument(help="Only of this memory.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many lines, 1 to 10000.")] = 100,
) -> None:
    """Show what happened to memories, newest first."""
    chosen = options(context)
    answer = call(chosen, "memory_log", limit=limit, memory_id=memory_id, user_id=chosen.user)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [(line["at"][:19], line["what"], line["why"], line["memory_id"]) for line in answer["log"]]
    show.table(("when", "what", "why", "memory"), rows, empty="Nothing has happened yet.")


def _given(**fields: Any) -> dict[str, Any]:
    """Those that are there."""
    return {name: value for name, value in fields.items() if value}


def _until(shown: dict[str, Any]) -> str:
    return f"[until {shown['valid_to'][:10]}] " if shown.get("valid_to") else ""


def _facts(answer: dict[str, Any]) -> list[tuple[str, str]]:
    shown, told = answer["memory"], answer["told"]
    about = ", ".join(subject["text"] or subject["id"] for subject in shown["subjects"])
    found = [
        ("memory", shown["content"]),
        ("id", shown["id"]),
        ("whose", shown["user_id"] or "the household"),
        ("type", shown["type"]),
        ("key", f"{shown['key']} = {shown['value']}" if shown.get("key") else ""),
        ("about", about),
        ("importance", f"{shown['importance']:.2f}"),
        ("confidence", f"{shown['confidence']:.2f} ({'inferred' if shown['inferred'] else 'told'})"),
        (
            "told",
            f"{told['at'][:16]} by {told['name'] or told['user_id'] or 'somebody'} ({told['channel'] or 'unknown'})",
        ),
        ("in words", told["said"] or ""),
        ("turn", told["turn_id"] or ""),
        ("since", shown["valid_from"][:16]),
        ("until", (shown["valid_to"] or "")[:16]),
        ("replaced by", (answer["replaced_by"] or {}).get("content") or shown["superseded_by"] or ""),
        ("used", f"{shown['uses']} times" if shown["uses"] else "never"),
    ]
    return [(name, value) for name, value in found if value]


def _write(file: Path, lines: str) -> None:
    try:
        if file.exists() and not file.is_file():  # a pipe, a device
            file.write_text(lines, encoding="utf-8")
        else:
            replace_private(file, lines)
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be written: {error.strerror}.") from None


def _read(file: Path) -> list[tuple[int, dict[str, Any]]]:
    """Each memory with the number of its line."""
    lines = _text(file).splitlines()
    return [(number, _parsed(line, f"{file}, line {number}")) for number, line in enumerate(lines, 1) if line.strip()]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (ValueError, OSError) as error:
        raise typer.BadParameter(f"{file}: {error}") from error


def _parsed(line: str, where: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise typer.BadParameter(f"{where}: {error}") from error
    if not isinstance(value, dict):
        raise typer.BadParameter(f"{where}: it is not an object.")
    return value
