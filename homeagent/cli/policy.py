"""Commands about what the agent may do, and what it did."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import call

policy = typer.Typer(help="What may be done without asking.", no_args_is_help=True, rich_markup_mode=None)


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(policy, name="policy")
    app.command()(audit)


@policy.command()
def explain(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="A sentence, or the parameters of ha_control as JSON.")],
) -> None:
    """Show what a sentence or a call would reach, with which effects, and what is decided. Nothing is done."""
    chosen = options(context)
    answer = call(
        chosen,
        "explain_policy",
        text=text,
        user_id=chosen.user,
        device_id=chosen.device,
        language=chosen.language,
    )
    if chosen.json:
        show.as_json(answer)
        return
    rows = [
        (v["entity_id"], v["name"], v["decision"], ", ".join(map(_effect, v["effects"])), v["reason"])
        for v in answer["verdicts"]
    ]
    show.table(("entity", "name", "decision", "effects", "why"), rows, empty="Nothing would be done.")


def audit(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="At most so many, 1 to 1000.")] = 20,
    entity: Annotated[str | None, typer.Option("--entity", help="Only actions on this entity.")] = None,
) -> None:
    """Show what was asked for, by whom, what was decided, and what came of it; the newest first."""
    chosen = options(context)
    answer = call(chosen, "list_audit", limit=limit, entity_id=entity)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [row for entry in answer["entries"] for row in as_rows(entry)]
    show.table(
        ("when", "who", "said", "did", "entity", "decision", "outcome", "before", "after"), rows, empty="Nothing yet."
    )


def _effect(effect: dict[str, object]) -> str:
    through = f" through {effect['through']}" if effect["through"] else ""
    return f"{effect['effect']} {effect['name']}{through}"


def as_rows(entry: dict[str, Any]) -> list[tuple[Any, ...]]:
    """An entry of the audit log as the table shows it, a row for each target."""
    who = entry["user_id"] or entry["device_id"]
    if not entry["targets"]:  # an answer that was not taken: where it came from, and why
        told = ", ".join(f"{name} {value}" for name, value in entry["parameters"].items())
        return [(entry["at"], who, entry["text"] or told, entry["action"], "", "", "", "", "")]
    by = f" by {entry['answered_on']}" if entry["answered_on"] else ""
    yes = f" (yes{by})" if entry["approved"] else ""
    return [
        (
            entry["at"],
            who,
            entry["text"],
            entry["action"],
            target["entity_id"],
            f"{target.get('decision', '')}{yes}",
            target["outcome"],
            target["before"],
            target["after"],
        )
        for target in entry["targets"]
    ]
