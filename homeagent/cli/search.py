"""Commands about what can be found: the index, searching in it, and reading the home anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.options import Options, options
from homeagent.cli.place import call, with_client

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.command()(search)
    app.command()(reindex)
    app.command()(index)
    app.command()(reload)


def search(
    context: typer.Context,
    text: str,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 100.")] = 10,
) -> None:
    """Show which entities a text means, with score and why."""
    chosen = options(context)

    async def work(client: ApiClient) -> Any:
        fields = {"text": text, "limit": limit, "language": chosen.language, "device_id": chosen.device}
        return await client.post("/api/search", fields)

    answer = with_client(chosen, work)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [(f["score"], f["entity_id"], f["name"], f["area"], f["state"], f["reasons"]) for f in answer["found"]]
    show.table(("score", "entity", "name", "area", "state", "why"), rows, empty="Nothing like that was found.")
    how = "words and vectors" if answer["embedded"] else "words and structure"
    show.note(f"{answer['total']} found with {how} in {answer['duration_ms']:.1f} ms")
    if answer["degraded"]:
        show.note(f"without vectors: {answer['degraded']}")


def reindex(
    context: typer.Context,
    force: Annotated[bool, typer.Option("--force", help="Embed everything anew, changed or not.")] = False,
) -> None:
    """Bring the index up to date with the home."""
    chosen = options(context)

    async def work(client: ApiClient) -> dict[str, Any]:
        return await _with_progress(client, chosen, "reindex_entities", force=force)

    report = with_client(chosen, work)
    if chosen.json:
        show.as_json(report)
    else:
        counts = ", ".join(f"{report[part]} {part}" for part in ("added", "updated", "unchanged", "removed"))
        show.line(f"{counts} in {report['seconds']:.1f} s")


async def _with_progress(client: ApiClient, chosen: Options, service: str, **fields: object) -> dict[str, object]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    report: dict[str, Any] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=chosen.json) as bar:
        task = bar.add_task("Indexing", total=None)
        async for part in client.stream(service, **fields):
            if part.event == "progress":
                doing = part.data.get("phase", "Indexing")
                bar.update(task, description=doing, completed=part.data["done"], total=part.data["total"])
            elif part.event == "result":
                report = part.data
    return report


def index(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="ENTITY_ID|history", help="An entity, or the word history.")],
    days: Annotated[int, typer.Option(help="With history: how many days back, today included.")] = 14,
) -> None:
    """Index one entity anew, or sum up what is missing of the last days of the home's history."""
    chosen = options(context)
    if what == "history":
        _index_history(chosen, days)
        return
    answer = call(chosen, "index_entity", entity_id=what)
    show.as_json(answer) if chosen.json else show.fields(answer)


def _index_history(chosen: Options, days: int) -> None:
    async def work(client: ApiClient) -> dict[str, Any]:
        return await _with_progress(client, chosen, "index_history", days=days)

    report = with_client(chosen, work)
    if chosen.json:
        show.as_json(report)
    else:
        show.line(
            f"{report['days']} days filled in, {report['summaries']} summaries, {report['embedded']} embedded, "
            f"{report['removed']} replaced or dropped in {report['seconds']:.1f} s"
        )


def reload(context: typer.Context) -> None:
    """Read entities, areas and exposure anew from Home Assistant."""
    chosen = options(context)
    answer = call(chosen, "reload_context")
    show.as_json(answer) if chosen.json else show.fields(answer)
