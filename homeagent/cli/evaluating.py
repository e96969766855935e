"""The command that measures: a data set against a fresh demo home."""

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
    from homeagent.evaluation.dataset import DataSet

_BRAINS = ("local", "llm", "auto")
_POLICIES = ("none", "default")


def add_commands(app: typer.Typer) -> None:
    app.command("eval")(evaluate)


def evaluate(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(help="Folders with a home beside its tasks, or task files.")],
    brain: Annotated[str, typer.Option(help="local, llm or auto.")] = "local",
    model: Annotated[str | None, typer.Option(help="Language model, in place of the one that is set.")] = None,
    policy: Annotated[
        str, typer.Option(help="none: everything is allowed; default: as delivered, asked for a yes.")
    ] = ("none"),
    failures: Annotated[bool, typer.Option("--failures", help="List what went wrong, with its trace.")] = False,
) -> None:
    """Measure how well sentences are understood, by what they change in a home."""
    chosen = options(context)
    _one_of("brain", brain, _BRAINS)
    _one_of("policy", policy, _POLICIES)
    from homeagent.config.loading import load
    from homeagent.evaluation.dataset import load as load_dataset

    dataset = load_dataset(paths)
    settings = _with(load(chosen.config, missing_ok=True), brain, model)
    result = run_async(_run(dataset, settings, policy == "default", failures, quiet=chosen.json))
    show.as_json(result) if chosen.json else _show(result)


async def _run(
    dataset: DataSet, settings: Settings, real_policy: bool, failures: bool, *, quiet: bool
) -> dict[str, Any]:
    from rich.console import Console
    from rich.progress import Progress

    from homeagent.evaluation.report import summary
    from homeagent.evaluation.runner import run

    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("Trying", total=len(dataset.cases))
        done = await run(
            dataset,
            settings,
            real_policy=real_policy,
            progress=lambda number, _total: bar.update(task, completed=number),
        )
    return summary(done, failures=failures)


def _with(settings: Settings, brain: str, model: str | None) -> Settings:
    from homeagent.config.settings import BrainMode

    llm = settings.llm.model_copy(update={"model": model}) if model else settings.llm
    agent = settings.agent.model_copy(update={"brain": BrainMode(brain)})
    return settings.model_copy(update={"llm": llm, "agent": agent})


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidInput(f"--{name} is one of {', '.join(known)}, not {value!r}.")


def _show(result: dict[str, Any]) -> None:
    for part in ("by_language", "by_category"):
        rows = [
            (name, g["total"], f"{g['success']:.1%}", f"{g['wrong_actions']:.1%}") for name, g in result[part].items()
        ]
        show.table((part[3:], "sentences", "right", "wrong action"), rows, empty="Nothing was tried.")
        show.line()
    show.line(
        f"{result['total']} sentences: {result['success']:.1%} right, {result['wrong_actions']:.1%} wrong actions, "
        f"{result['refusals']} refused; policy: {result['policy']}"
    )
    found, times = result["retrieval"], result["latency_ms"]
    show.line(f"all targets found in {found['all_targets']:.1%}, {found['shown_mean']} entities shown on average")
    show.line(
        f"{times['median']} ms in the median, {times['p95']} ms at the 95th percentile; {result['tokens']} tokens"
    )
    for problem in result["problems"]:
        show.note(problem)
    for failure in result.get("failures", ()):
        show.line(f"\n{failure['case']} {failure['verdict']}: {failure['sentence']}")
        show.line(f"  {failure['response']}\n  {failure['why']}")
