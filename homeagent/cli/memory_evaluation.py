"""The command that measures the memory: dialogues of several days, or conversations with questions about them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homeagent.cli import show
from homeagent.cli.options import options
from homeagent.cli.place import run_async
from homeagent.errors import InvalidInput

if TYPE_CHECKING:
    from homeagent.config.settings import Settings

_SHARES = (
    "stored_what_must",
    "junk_stored",
    "replaced",
    "forgotten",
    "recalled",
    "current_recalled",
    "unrelated_injected_none",
    "others_untouched",
)


def evaluate_memory(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders of dialogues or files (YAML), or conversations with questions (JSON)."),
    ] = None,
    locomo: Annotated[
        Path | None, typer.Option("--locomo", help="A folder of LoCoMo's conversations (JSON), as they are published.")
    ] = None,
    words: Annotated[bool, typer.Option("--words", help="Without the embedder: what words alone find.")] = False,
    failures: Annotated[bool, typer.Option("--failures", help="List what went wrong, with the reason.")] = False,
) -> None:
    """Measure what the memory keeps of what people say, and what it finds again."""
    chosen = options(context)
    from homeagent.config.loading import load

    settings = load(chosen.config, missing_ok=True)
    paths = [*(paths or ()), *_in_folder(locomo)]
    if not paths:
        raise InvalidInput("There is nothing to measure.", hint="Name a folder of dialogues, or --locomo FOLDER.")
    conversations = [path for path in paths if path.suffix == ".json"]
    if conversations and len(conversations) < len(paths):
        raise InvalidInput("Dialogues and conversations are measured one kind at a time.")
    if conversations:
        result = run_async(_conversations(conversations, settings, words))
        show.as_json(result) if chosen.json else _show_evidence(result)
        return
    result = run_async(_dialogues(paths, settings, words, quiet=chosen.json))
    show.as_json(result) if chosen.json else _show(result, failures)


def _in_folder(locomo: Path | None) -> list[Path]:
    """The conversations of a folder, or that file itself."""
    if locomo is None or not locomo.is_dir():
        return [] if locomo is None else [locomo]
    if not (found := sorted(locomo.glob("*.json"))):
        raise InvalidInput(f"There are no conversations in {locomo}.", hint="LoCoMo's are files that end in .json.")
    return found


async def _dialogues(paths: list[Path], settings: Settings, words: bool, *, quiet: bool) -> dict[str, object]:
    from homeagent.evaluation.memory.dialogues import load
    from homeagent.evaluation.memory.memory_run import run_dialogues

    dialogues = load(paths)
    with show.progress(quiet) as bar:
        task = bar.add_task("Playing", total=len(dialogues))
        return await run_dialogues(
            dialogues, settings, by_meaning=not words, progress=lambda number: bar.update(task, completed=number)
        )


async def _conversations(paths: list[Path], settings: Settings, words: bool) -> dict[str, object]:
    from homeagent.evaluation.memory.evidence import load, measure
    from homeagent.evaluation.memory.memory_run import embedding

    conversations = load(paths)
    async with embedding(settings, by_meaning=not words) as (_, embedder):
        return await measure(conversations, embedder)


def _show(result: dict[str, Any], failures: bool) -> None:
    for part in ("by_mode", "by_language", "by_kind"):
        rows = [(name, *(_percent(group[figure]) for figure in _SHARES)) for name, group in result[part].items()]
        show.table((part[3:], *(figure.replace("_", " ") for figure in _SHARES)), rows, empty="Nothing was tried.")
        show.line()
    show.line(f"{result['dialogues']} dialogues, {result['embedder'] or 'words alone'}:")
    for figure in _SHARES:
        show.line(f"{figure.replace('_', ' ')}: {_percent(result[figure])} of {result['counts'][figure]}")
    show.line(f"cross user leaks: {result['cross_user_leaks']}")
    for failure in result["failures"] if failures else ():
        show.line(f"\n{failure['dialogue']} {failure['figure']}: {failure['what']}\n  {failure['why']}")


def _show_evidence(result: dict[str, Any]) -> None:
    columns = [str(k) for k in result["at"]]
    rows = [(name, *(_percent(found[k]) for k in columns)) for name, found in result["recall"].items()]
    show.table(("evidence found by", *(f"first {k}" for k in columns)), rows, empty="There are no questions.")
    show.line(
        f"{result['conversations']} conversations, {result['turns']} turns, {result['questions']} questions, "
        f"{result['embedder'] or 'words alone'}"
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
