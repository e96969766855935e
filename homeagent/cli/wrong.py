"""Commands about sentences that went wrong: said to be wrong, kept as tests, told what would be right."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import call
from homeagent.cli.talk import WAITS_FOR_YES, tell_waiting
from homeagent.errors import InvalidInput

wrong = typer.Typer(help="Say that the last sentence went wrong; the tests made of such.", rich_markup_mode=None)

_Which = Annotated[int, typer.Argument(help="Its number, as the list shows it.", min=1)]


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(wrong, name="wrong")


@wrong.callback(invoke_without_command=True)
def _wrong(
    context: typer.Context,
    conversation: Annotated[str | None, typer.Option(help="Where it was said; absent: in the latest one.")] = None,
) -> None:
    """Take back what the last sentence did, and keep it as a test. Exits 3 where taking back waits for a yes."""
    if context.invoked_subcommand is not None:
        return
    chosen = options(context)
    said = {"user_id": chosen.user, "device_id": chosen.device, "language": chosen.language}
    answer = call(chosen, "mark_wrong", conversation_id=conversation, **said)
    if chosen.json:
        show.as_json(answer)
    else:
        show.line(answer["response"])
    if answer["pending"]:
        if not chosen.json:
            tell_waiting(answer["pending"])
        raise typer.Exit(WAITS_FOR_YES)


@wrong.command("list")
def list_(context: typer.Context) -> None:
    """Show the tests, newest first. `homeagent eval --mine` runs them."""
    chosen = options(context)
    answer = call(chosen, "list_own_tests", user_id=chosen.user)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [
        (one["id"], show.clock_time(one["at"]), one["text"], one["answer"], _in_words(one["right"]))
        for one in answer["tests"]
    ]
    show.table(("number", "when", "sentence", "answer", "right would be"), rows, empty="No sentence went wrong yet.")


@wrong.command("show")
def show_(context: typer.Context, number: _Which) -> None:
    """Show one: what was said, called and answered, and the things that it may have meant."""
    chosen = options(context)
    test = call(chosen, "get_own_test", id=number, user_id=chosen.user)
    if chosen.json:
        show.as_json(test)
        return
    for before in test["led_up"]:
        show.line(f"> {before}")
    show.line(f"> {test['text']}")
    show.line(test["answer"])
    for made in test["calls"]:
        show.note(f"called {made['name']} {made['parameters']}")
    things = [(one["id"], one["name"], one["state"]) for one in test["home"]["entities"]]
    show.table(("thing", "name", "state before"), things, empty="")
    show.line(f"right would be: {_in_words(test['right'])}")


@wrong.command()
def right(
    context: typer.Context,
    number: _Which,
    state: Annotated[list[str] | None, typer.Option(help="light.hall=on: a state behind it; may be repeated.")] = None,
    says: Annotated[str, typer.Option(help="A text that the answer holds.")] = "",
) -> None:
    """Say what would have been right. Without an option it is right as soon as it is otherwise than it was."""
    chosen = options(context)
    states = dict(_pair(one) for one in state or ())
    test = call(chosen, "say_right", id=number, states=states, says=says, user_id=chosen.user)
    show.as_json(test) if chosen.json else show.line(f"right would be: {_in_words(test['right'])}")


@wrong.command()
def delete(context: typer.Context, number: _Which) -> None:
    """Forget one."""
    chosen = options(context)
    answer = call(chosen, "delete_own_test", id=number, user_id=chosen.user)
    show.as_json(answer) if chosen.json else show.line(f"Forgotten: {answer['deleted']}")


def _pair(given: str) -> tuple[str, str]:
    entity_id, equals, state = given.partition("=")
    if not equals or "." not in entity_id:
        raise InvalidInput(f"{given!r} is no state of a thing.", hint="Write it as light.hall=on.")
    return entity_id.strip(), state.strip()


def _in_words(right: dict[str, Any]) -> str:
    parts = [f"{entity_id} {state}" for entity_id, state in right["states"].items()]
    parts += [f"“{right['says']}”"] if right["says"] else []
    return ", ".join(parts) or "anything else"
