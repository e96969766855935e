"""Commands about the language packs, for whoever writes one. No home is needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from homeagent.cli import show
from homeagent.cli.options import options

if TYPE_CHECKING:
    from homeagent.evaluation.packs.checking import PackReport

T = TypeVar("T")
_SHOWN = 20
"""Lines of a list that are shown unless all are asked for."""

language = typer.Typer(help="The languages that are understood.", no_args_is_help=True, rich_markup_mode=None)


def add_commands(app: typer.Typer) -> None:
    """Hang the commands of this module into the command line."""
    app.add_typer(language, name="language")


@language.callback()
def _group() -> None:
    """Without it a group of one command would be that command."""


@language.command()
def check(
    context: typer.Context,
    code: Annotated[str | None, typer.Argument(help="The language, such as it; all where none is given.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A pack that is not installed yet.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Do not cut long lists.")] = False,
) -> None:
    """Tell what a language pack lacks: concepts without words, examples that fail, words that nothing explains.

    Exits 1 where a concept is missing or an example fails, 2 where there is no such pack or it is no valid one.
    """
    from homeagent.errors import InvalidInput
    from homeagent.evaluation.packs.checking import check as check_pack
    from homeagent.evaluation.packs.checking import files_for

    if file is not None and code is not None:
        raise InvalidInput("A code and --file do not go together: the file says its language.")
    if file is not None and not file.is_file():
        raise InvalidInput(f"There is no file {file}.")
    reports = [check_pack(one) for one in ((file,) if file is not None else files_for(code))]
    if options(context).json:
        show.as_json([_as_data(report) for report in reports])
    else:
        for report in reports:
            _show(report, None if all_ else _SHOWN)
    if not all(report.whole for report in reports):
        raise typer.Exit(1)


def _show(report: PackReport, most: int | None) -> None:
    show.line(f"{report.language} ({report.file})")
    show.line()
    sizes = [(s.section, s.phrases, f"{s.most} ({s.richest})") for s in report.sizes]
    show.table(("section", "phrases", "most in a pack"), sizes, empty="The pack holds no phrases.")
    show.line()
    missing = [(section, ", ".join(names)) for section, names in report.missing.items()]
    show.table(("section", "concepts without words"), missing, empty="Every concept has words.")
    show.line()
    failing = [(e.sentence, e.wanted, e.found) for e in report.failing]
    held = f"{len(report.examples) - len(failing)} of {len(report.examples)} examples are understood."
    show.line(held if report.examples else "There are no examples.")
    if failing:
        show.table(("example", "means", "is taken for"), _cut(failing, most), empty="")
        _show_left(failing, most)
    show.line()
    unknown = [(w.word, w.sentences, w.example) for w in report.mined.unknown]
    show.line(f"{report.mined.read} of Home Assistant's own sentences were read.")
    table = ("word that nothing explains", "sentences", "such as")
    show.table(table, _cut(unknown, most), empty="Each of their words is explained.")
    _show_left(unknown, most)
    show.line()


def _cut(rows: Sequence[T], most: int | None) -> Sequence[T]:
    return rows if most is None else rows[:most]


def _show_left(rows: Sequence[object], most: int | None) -> None:
    if most is not None and len(rows) > most:
        show.line(f"… and {len(rows) - most} more; --all shows them.")


def _as_data(report: PackReport) -> dict[str, object]:
    from homeagent.values.jsonable import jsonable

    return {
        "language": report.language,
        "file": str(report.file),
        "whole": report.whole,
        "missing": jsonable(report.missing),
        "sections": [{"section": s.section, "phrases": s.phrases, "most": s.most} for s in report.sizes],
        "examples": len(report.examples),
        "failing": [{"sentence": e.sentence, "wanted": e.wanted, "found": e.found} for e in report.failing],
        "sentences_read": report.mined.read,
        "unknown": [{"word": w.word, "sentences": w.sentences, "example": w.example} for w in report.mined.unknown],
    }
