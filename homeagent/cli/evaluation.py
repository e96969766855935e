"""The command that measures: a data set against a fresh demo home or a real one, or one's own home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homeagent.cli import evaluation_tables, show
from homeagent.cli.memory_evaluation import evaluate_memory
from homeagent.cli.options import DefaultCommand, options
from homeagent.cli.place import call, run_async
from homeagent.errors import InvalidInput

if TYPE_CHECKING:
    from homeagent.config.settings import Settings
    from homeagent.evaluation.cases import DataSet
    from homeagent.evaluation.runner import How

_HOME_ASSISTANT = "home_assistant"
_BRAINS = ("local", "llm", "auto", _HOME_ASSISTANT)
_POLICIES = ("none", "default")
_FORMS = ("own", "hass", "services", "assist")
_HELP = "Measure. `homeagent eval FOLDER` is `homeagent eval sentences FOLDER`."


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    rooms = typer.Typer(cls=DefaultCommand, rich_markup_mode=None, help=_HELP)
    rooms.command(DefaultCommand.NAME)(evaluate)
    rooms.command("memory")(evaluate_memory)
    app.add_typer(rooms, name="eval")


def evaluate(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Folders with a home beside its tasks, or task files.")
    ] = None,
    brain: Annotated[
        str, typer.Option(help="local, llm, auto, or home_assistant: its own agent (with --ha).")
    ] = "local",
    models: Annotated[
        list[str] | None,
        typer.Option("--model", help="Language model, in place of the one that is set; several are compared."),
    ] = None,
    forms: Annotated[
        list[str] | None,
        typer.Option("--format", help="Form of the model's tools: own, hass, services, assist; several are compared."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="HTML file for the comparison of --model (local: without one) and --format.")
    ] = None,
    policy: Annotated[
        str, typer.Option(help="none: everything is allowed; default: as delivered, asked for a yes.")
    ] = "none",
    rename: Annotated[int | None, typer.Option(help="Other names throughout; each number gives others.")] = None,
    grow: Annotated[
        int | None, typer.Option(min=1, help="Grow the homes to so many entities, and measure what is found.")
    ] = None,
    ha: Annotated[str | None, typer.Option(help="Address of a real Home Assistant that has the set's home.")] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="File with the token for --ha; else the token that is set.")
    ] = None,
    own: Annotated[bool, typer.Option("--self", help="Your own home: what is hard to find in it, and why.")] = False,
    mine: Annotated[
        bool, typer.Option("--mine", help="The sentences that went wrong: `homeagent wrong list`.")
    ] = False,
    failures: Annotated[bool, typer.Option("--failures", help="List what went wrong, with its trace.")] = False,
) -> None:
    """Measure how well sentences are understood, by what they change in a home."""
    chosen = options(context)
    _one_of("brain", brain, _BRAINS)
    _one_of("policy", policy, _POLICIES)
    for form in forms or ():
        _one_of("format", form, _FORMS)
    from homeagent.config.loading import load

    settings = _with(load(chosen.config, missing_ok=True), brain, models or (), forms or ())
    if brain == "llm" and not settings.llm.configured:
        raise InvalidInput("--brain llm needs a language model.", hint="Give --model, or set `llm.model`.")
    if own:
        from homeagent.evaluation.own.check import check

        evaluation_tables.show_own(
            run_async(check(_at(settings, ha, token_file), demo=chosen.demo)), as_json=chosen.json
        )
        return
    if mine:
        told = _try_mine(
            call(chosen, "list_own_tests", homes=True, user_id=chosen.user)["tests"], settings, chosen.json
        )
        evaluation_tables.show_mine(told, as_json=chosen.json)
        if any(not one["passed"] for one in told["tests"]):
            raise typer.Exit(1)
        return
    if (history := _history(paths or [])) is not None:
        asked = run_async(_ask(history, settings, failures, chosen.json))
        show.as_json(asked) if chosen.json else evaluation_tables.show_history(asked)
        return
    dataset = _dataset(paths or [], rename, grow)
    if report is not None or len(models or ()) > 1 or len(forms or ()) > 1:
        if report is not None:
            _check_writable(report)
        how = _how(brain, policy, ha, token_file, settings)
        compared = run_async(_compare(dataset, settings, models or (), forms or (), brain, how, failures, chosen.json))
        _tell(compared, report, ", ".join(path.name for path in paths or ()), as_json=chosen.json)
        return
    result = run_async(_run(dataset, settings, _how(brain, policy, ha, token_file, settings), failures, chosen.json))
    if rename is not None:
        result["renamed"] = rename
    show.as_json(result) if chosen.json else evaluation_tables.show(result)


def _try_mine(tests: list[dict[str, Any]], settings: Settings, quiet: bool) -> dict[str, Any]:
    from homeagent.evaluation.own.mine import try_mine
    from homeagent.values.jsonable import jsonable

    with show.progress(quiet) as bar:
        task = bar.add_task("Trying", total=len(tests))
        tried = run_async(try_mine(tests, settings, progress=lambda more: bar.advance(task, more)))
    return {"tests": [jsonable(one) for one in tried], "passed": sum(one.passed for one in tried)}


def _history(paths: list[Path]) -> Path | None:
    """The folder of questions about recorded days, where that is what is given."""
    from homeagent.evaluation.history.questions import is_history

    return paths[0] if len(paths) == 1 and is_history(paths[0]) else None


async def _ask(folder: Path, settings: Settings, failures: bool, quiet: bool) -> dict[str, object]:
    from homeagent.evaluation.history.history_run import run, summary
    from homeagent.evaluation.history.questions import load

    homes = load(folder)
    with show.progress(quiet) as bar:
        task = bar.add_task("Asking", total=sum(len(home.questions) for home in homes))
        answered = await run(homes, settings, progress=lambda more: bar.advance(task, more))
    return summary(answered, failures=failures)


def _dataset(paths: list[Path], rename: int | None, grow: int | None) -> DataSet:
    from homeagent.evaluation.dataset import load
    from homeagent.evaluation.grow import grown
    from homeagent.evaluation.renaming.rename import renamed

    if not paths:
        raise InvalidInput(
            "Which data set?", hint="Give its folder, --self for your own home, or --mine for what went wrong in it."
        )
    dataset = load(paths)
    if rename is not None:
        dataset = renamed(dataset, rename)
    return grown(dataset, grow) if grow is not None else dataset


def _how(brain: str, policy: str, ha: str | None, token_file: Path | None, settings: Settings) -> How:
    from homeagent.evaluation.runner import How

    if brain == _HOME_ASSISTANT and ha is None:
        raise InvalidInput("Home Assistant's own agent needs a real one.", hint="Give its address with --ha.")
    return How(
        real_policy=policy == "default",
        home_assistant=brain == _HOME_ASSISTANT,
        url=ha,
        token=_token(token_file, settings) if ha else None,
    )


def _at(settings: Settings, ha: str | None, token_file: Path | None) -> Settings:
    """The settings with another home in place of the one that is set."""
    if ha is None:
        return settings
    from homeagent.config.settings import HomeAssistantSettings

    given = {**settings.home_assistant.model_dump(), "url": ha, "token": _token(token_file, settings)}
    return settings.model_copy(update={"home_assistant": HomeAssistantSettings.model_validate(given)})


def _token(file: Path | None, settings: Settings) -> str:
    if file is not None:
        try:
            return file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"The token cannot be read from {file}: {error}.") from None
    if settings.home_assistant.token is None:
        raise InvalidInput(
            "--ha needs a token.", hint="Give --token-file, or set HOMEAGENT_HOME_ASSISTANT__TOKEN in the environment."
        )
    return settings.home_assistant.token.get_secret_value()


async def _run(dataset: DataSet, settings: Settings, how: How, failures: bool, quiet: bool) -> dict[str, object]:
    from homeagent.evaluation.report import summary
    from homeagent.evaluation.runner import run

    with show.progress(quiet) as bar:
        task = bar.add_task("Trying", total=dataset.total)
        done = await run(dataset, settings, how, progress=lambda more: bar.advance(task, more))
    return summary(done, failures=failures)


async def _compare(
    dataset: DataSet,
    settings: Settings,
    models: Sequence[str],
    forms: Sequence[str],
    brain: str,
    how: How,
    failures: bool,
    quiet: bool,
) -> dict[str, Any]:
    from homeagent.config.settings import BrainMode, Form
    from homeagent.evaluation.comparing import Contender, compare, contenders
    from homeagent.evaluation.runner import Progress as Told

    named = models or ((settings.llm.model,) if settings.llm.model else ())
    if not named or brain == _HOME_ASSISTANT:
        raise InvalidInput(
            "A comparison needs models.", hint="Give --model, several times; local is the brain without."
        )
    tried = contenders(named, [Form(form) for form in forms] or [settings.agent.toolset])
    mode = BrainMode.AUTO if brain == "auto" else BrainMode.LLM
    with show.progress(quiet) as bar:

        def told(one: Contender) -> Told:
            task = bar.add_task(one.name, total=dataset.total)
            return lambda more: bar.advance(task, more)

        return await compare(dataset, settings, tried, mode, how, failures=failures, progress=told)


def _tell(compared: dict[str, Any], file: Path | None, sets: str, *, as_json: bool) -> None:
    from homeagent.evaluation.comparing import HEAD, overall, page

    if as_json:
        show.as_json(compared)
    else:
        evaluation_tables.show_comparison(HEAD, [overall(run) for run in compared["runs"]], compared)
    if file is not None:
        with _writing(file):
            file.write_text(page(compared, f"Models compared on {sets}"), encoding="utf-8")


def _check_writable(file: Path) -> None:
    """Raises InvalidInput where the report could not be written: before hours go by until it is. Changes no file."""
    with _writing(file):
        there = file.exists()
        file.open("a").close()
        if not there:
            file.unlink()


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"The report cannot be written to {file}: {error}.") from None


def _with(settings: Settings, brain: str, models: Sequence[str], forms: Sequence[str]) -> Settings:
    from homeagent.config.settings import BrainMode, Form

    llm = settings.llm.model_copy(update={"model": models[0], "profile": None}) if models else settings.llm
    mode = BrainMode.LOCAL if brain == _HOME_ASSISTANT else BrainMode(brain)
    toolset = Form(forms[0]) if forms else settings.agent.toolset
    agent = settings.agent.model_copy(update={"brain": mode, "toolset": toolset})
    return settings.model_copy(update={"llm": llm, "agent": agent})


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidInput(f"--{name} is one of {', '.join(known)}, not {value!r}.")
