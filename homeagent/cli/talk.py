"""Commands that talk: one sentence, a whole chat, and what waits for a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.conversations import taken_up
from homeagent.cli.options import Options, options
from homeagent.cli.place import call, with_client
from homeagent.cli.show import has_terminal, text_of, yes

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient

WAITS_FOR_YES = 3
"""Exit code: something waits for a confirmation, and nobody is here to be asked."""

_Trace = Annotated[bool, typer.Option("--trace", help="Show what was retrieved and called.")]


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.command()(ask)
    app.command()(chat)
    app.command()(confirm)
    app.command()(pending)


def ask(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="The sentence, or - to read it from standard input.")],
    trace: _Trace = False,
) -> None:
    """Say one sentence. Exits 3 where something waits for a yes and there is no terminal to ask on, 1 where it was not
    understood or nothing of it was done."""
    chosen, sentence = options(context), text_of(text)

    async def work(client: ApiClient) -> tuple[list[dict[str, Any]], bool]:
        with show.Spinner("thinking"):
            speaker = {**chosen.speaker, "conversation_id": (await taken_up(client, chosen)).id}
            answer = await client.call("process", text=sentence, trace=trace or None, **speaker)
        _show_answer(chosen, answer, trace)
        if chosen.json or not has_terminal():
            return list(answer["pending"]), _failed(answer)
        waiting = answer["pending"]
        # One question stands at the end of the answer already; several are put one by one.
        answers = [answer, *[await _ask_for(client, chosen, one, asked=len(waiting) == 1) for one in waiting]]
        return [], any(map(_failed, answers))

    waiting, failed = with_client(chosen, work)
    if waiting:
        if not chosen.json:
            tell_waiting(waiting)
        raise typer.Exit(WAITS_FOR_YES)
    if failed:
        raise typer.Exit(1)


def chat(context: typer.Context, trace: _Trace = False) -> None:
    """Talk back and forth; the answers appear as they are made. An empty line, "exit" or Ctrl-D ends it."""
    from homeagent.cli.chat import Chat

    Chat(options(context), trace=trace).run()


def confirm(
    context: typer.Context,
    confirmation_id: Annotated[str, typer.Argument(help="Its number, as `homeagent pending` shows it, or its id.")],
    reject: Annotated[bool, typer.Option("--reject", help="Say no instead.")] = False,
) -> None:
    """Say yes to what waits for it, or no. Exits 1 where it could not be done."""
    chosen = options(context)
    answer = call(chosen, "confirm", **_decision(chosen, confirmation_id, approve=not reject))
    _show_answer(chosen, answer, trace=False)
    if _failed(answer):
        raise typer.Exit(1)


def pending(
    context: typer.Context,
    everybody: Annotated[bool, typer.Option("--everybody", help="What waits for anybody, on any device.")] = False,
) -> None:
    """Show what waits for a yes of yours (--user, --device)."""
    chosen = options(context)
    fields = {"user_id": chosen.user, "device_id": chosen.device, "language": chosen.language}
    answer = call(chosen, "list_pending", everybody=everybody, **fields)
    if chosen.json:
        show.as_json(answer)
        return
    rows = [
        (
            str(one["number"] or one["id"]),
            one["question"],
            one["user_id"],
            one["device_id"],
            show.clock_time(one["expires_at"]),
        )
        for one in answer["pending"]
    ]
    show.table(("number", "question", "asked of", "on", "until"), rows, empty="Nothing waits for a yes.")


def _show_answer(chosen: Options, answer: dict[str, Any], trace: bool) -> None:
    if chosen.json:
        show.as_json(answer)
        return
    if trace:
        from homeagent.cli.trace import show_trace

        show_trace(answer.get("trace") or {})
    show.line(answer["response"])


async def _ask_for(client: ApiClient, chosen: Options, waiting: dict[str, Any], *, asked: bool) -> dict[str, Any]:
    """What came of it, shown already. ``asked``: the person has read the question."""
    approve = yes("" if asked else waiting["question"])
    answer: dict[str, Any] = await client.call("confirm", **_decision(chosen, waiting["id"], approve=approve))
    show.line(answer["response"])
    return answer


def _decision(chosen: Options, confirmation_id: str, *, approve: bool) -> dict[str, Any]:
    return {
        "confirmation_id": confirmation_id,
        "approve": approve,
        "user_id": chosen.user,
        "device_id": chosen.device,
        "language": chosen.language,
    }


def _failed(answer: dict[str, object]) -> bool:
    return not answer["handled"]


def tell_waiting(waiting: list[dict[str, object]]) -> None:
    """``waiting``: with ``question`` and ``number`` as services tell it, or as a tool's result does."""
    for one in waiting:
        show.line(f"pending: {_name(one)}  {one.get('question') or one['description']}")
    show.note(f"Say yes with `homeagent confirm {_name(waiting[0])}`, no with --reject.")


def _name(waiting: dict[str, object]) -> str:
    return str(waiting.get("number") or waiting["id"])
