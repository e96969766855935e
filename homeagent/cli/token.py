"""Commands about tokens: who may use the service, and for what."""

from __future__ import annotations

from shlex import quote
from typing import Annotated

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import call, find_place

token = typer.Typer(help="Who may use the service.", no_args_is_help=True, rich_markup_mode=None)

_Scopes = Annotated[
    list[str], typer.Option("--scope", help="ask, confirm, read, admin or speak_for_others; may be given again.")
]


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(token, name="token")
    app.command()(pair)


def pair(context: typer.Context) -> None:
    """Show a code with which Home Assistant, or another program, gets a token of its own."""
    from homeagent.client.running import find

    chosen = options(context)
    place = find_place(chosen)
    if find(place.settings.data_dir) is None:
        raise place.none_runs(", so nothing can pair with it")
    answer = call(chosen, "start_pairing")
    if chosen.json:
        show.as_json(answer)
        return
    show.line(answer["code"])
    show.note(f"Give it to the other program within {answer['seconds'] / 60:.0f} minutes; it counts once.")


@token.command()
def add(context: typer.Context, name: str, scope: _Scopes) -> None:
    """Make a token: for the household, or with --user for that user alone. It is shown this once."""
    chosen = options(context)
    answer = call(chosen, "add_token", name=name, scopes=scope, user_id=chosen.user)
    if chosen.json:
        show.as_json(answer)
        return
    show.line(answer["token"])
    show.note("It is not kept and cannot be shown again.")


@token.command("list")
def list_(context: typer.Context) -> None:
    """Show which tokens there are, besides the owner's."""
    chosen = options(context)
    answer = call(chosen, "list_tokens")
    if chosen.json:
        show.as_json(answer)
        return
    rows = [(t["name"], t["scopes"], t["user_id"] or "the household", t["created_at"][:16]) for t in answer["tokens"]]
    show.table(("name", "scopes", "for", "since"), rows, empty="There is none but the owner's.")


@token.command()
def revoke(context: typer.Context, name: str) -> None:
    """Make a token worthless."""
    chosen = options(context)
    answer = call(chosen, "revoke_token", name=name)
    show.as_json(answer) if chosen.json else show.line(f"{answer['revoked']} opens nothing any more.")


@token.command("show")
def show_(context: typer.Context) -> None:
    """Print the running service's address and the owner's token, as a shell takes them: eval "$(… token show)"."""
    from homeagent.client.running import find

    chosen = options(context)
    place = find_place(chosen)
    service = find(place.settings.data_dir)
    if service is None:
        raise place.none_runs()
    if chosen.json:
        show.as_json({"url": service.url, "token": service.token})
        return
    show.line(f"URL={quote(service.url)}")
    show.line(f"TOKEN={quote(service.token)}")
