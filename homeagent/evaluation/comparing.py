"""Several models and forms of the tools on one data set, side by side; and the page that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from homeagent.config.settings import BrainMode, Form
from homeagent.evaluation.cases import DataSet
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import How, Progress, run

if TYPE_CHECKING:
    from homeagent.config.loading import Settings

LOCAL = "local"
"""In place of a model's name: the brain that needs none."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A model as litellm names it, or `LOCAL`, and the form in which it is offered the home's tools."""

    model: str
    form: Form = Form.OWN

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return LOCAL if self.model == LOCAL else f"{self.model} · {self.form}"

    def settings(self, settings: Settings, mode: BrainMode) -> Settings:
        """The settings with this model, asked for every sentence, or (``mode`` auto) where the local brain is not
        sure."""
        if self.model == LOCAL:
            mode, llm = BrainMode.LOCAL, settings.llm
        else:
            llm = settings.llm.model_copy(update={"model": self.model, "profile": None})
        agent = settings.agent.model_copy(update={"brain": mode, "toolset": self.form})
        return settings.model_copy(update={"llm": llm, "agent": agent})


def contenders(models: Sequence[str], forms: Sequence[Form]) -> list[Contender]:
    """Each model in each form; the local brain, which has no form, once."""
    pairs = [Contender(model, form) for model in models for form in forms if model != LOCAL]
    return [*([Contender(LOCAL)] if LOCAL in models else []), *dict.fromkeys(pairs)]


async def compare(
    dataset: DataSet,
    settings: Settings,
    tried: Sequence[Contender],
    mode: BrainMode,
    how: How,
    *,
    failures: bool = False,
    progress: Callable[[Contender], Progress] | None = None,
) -> dict[str, Any]:
    """Every contender on the whole set, one after the other: ``runs``, each a `summary` with ``model``, ``format``,
    ``name``, and a sentence's mean ``tokens_each`` and ``cost_each``. Raises what `run` raises.
    """
    runs = []
    for one in tried:
        tell = progress(one) if progress else None
        done = summary(await run(dataset, one.settings(settings, mode), how, progress=tell), failures=failures)
        runs.append({"name": one.name, "model": one.model, "format": str(one.form), **_each(done), **done})
    return {"runs": runs}


def _each(done: Mapping[str, Any]) -> dict[str, Any]:
    total = max(1, done["total"])
    cost = done["cost"]
    return {
        "tokens_each": round(done["tokens"] / total, 1),
        "cost_each": None if cost is None else round(cost / total, 8),
    }


_STYLE = """
:root { color-scheme: light dark; --right: #2e7d32; --wrong: #c62828; --line: #8886; --missed: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.right { fill: var(--right); } .wrong { fill: var(--wrong); } .missed { fill: var(--missed); }
.scroll { overflow-x: auto; }
""".strip()
_BAR, _GAP, _LABEL, _WIDE = 16, 6, 260, 420
"""Pixels: a bar's height, what is between bars, the room of a label, the length of a bar of 100 %."""


def page(compared: Mapping[str, Any], title: str) -> str:
    """The page for what `comparing.compare` gave. Names come from settings and data sets, and are escaped."""
    runs: Sequence[Mapping[str, Any]] = compared["runs"]
    parts = [
        f"<h1>{escape(title)}</h1>",
        _table(HEAD, [overall(run) for run in runs]),
        "<h2>By size of the home</h2>",
        _chart(runs),
        "<h2>By intent: share that went right</h2>",
        _shares(runs, "by_category"),
        "<h2>By language: share that went right</h2>",
        _shares(runs, "by_language"),
        *_problems(runs),
    ]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


HEAD = (
    *("model · format", "sentences", "right", "wrong action", "refused", "tokens each", "median ms", "p95 ms"),
    "US $ per 1,000",
)


def overall(run: Mapping[str, Any]) -> tuple[str, ...]:
    """One line of the table, as it is told."""
    cost = "not known" if run["cost_each"] is None else f"{run['cost_each'] * 1000:.3g}"
    times = run["latency_ms"]
    return (
        *(run["name"], str(run["total"]), _percent(run["success"]), _percent(run["wrong_actions"])),
        *(str(run["refusals"]), f"{run['tokens_each']:g}", f"{times['median']:g}", f"{times['p95']:g}", cost),
    )


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table>\n<tr>{top}</tr>\n{lines}\n</table></div>'


def _shares(runs: Sequence[Mapping[str, Any]], part: str) -> str:
    """A row for each group, a column for each run."""
    groups = dict.fromkeys(group for run in runs for group in run[part])
    rows = []
    for group in groups:
        cells = [run[part].get(group) for run in runs]
        total = next(str(cell["total"]) for cell in cells if cell)
        rows.append([group, total, *(_percent(cell["success"]) if cell else "–" for cell in cells)])
    return _table(["", "sentences", *(run["name"] for run in runs)], rows)


def _chart(runs: Sequence[Mapping[str, Any]]) -> str:
    """A bar for each run in each size of home: right, wrong action, missed."""
    sizes = dict.fromkeys(size for run in runs for size in run["by_size"])
    drawn: list[str] = []
    y = 0
    for size in sizes:
        y += _BAR + _GAP
        drawn.append(f'<text x="0" y="{y - _GAP}" font-weight="bold">{escape(size)}</text>')
        for one in runs:
            if (figures := one["by_size"].get(size)) is not None:
                drawn.append(_bar(one["name"], figures, y))
                y += _BAR + _GAP
        y += _GAP
    width = _LABEL + _WIDE + 120
    legend = "green: right; red: wrong action; grey: missed"
    return (
        f'<div class="scroll"><svg width="{width}" height="{y}" role="img" aria-label="{legend}">\n'
        + "\n".join(drawn)
        + f"\n</svg></div>\n<p>{legend}</p>"
    )


def _bar(name: str, figures: Mapping[str, Any], y: int) -> str:
    right, wrong = figures["success"] * _WIDE, figures["wrong_actions"] * _WIDE
    missed = max(0.0, _WIDE - right - wrong)
    told = f"{_percent(figures['success'])} of {figures['total']}"
    return (
        f'<text x="0" y="{y + _BAR - 4}">{escape(name)}</text>'
        f'<rect class="right" x="{_LABEL}" y="{y}" width="{right:.1f}" height="{_BAR}"/>'
        f'<rect class="wrong" x="{_LABEL + right:.1f}" y="{y}" width="{wrong:.1f}" height="{_BAR}"/>'
        f'<rect class="missed" x="{_LABEL + right + wrong:.1f}" y="{y}" width="{missed:.1f}" height="{_BAR}"/>'
        f'<text x="{_LABEL + _WIDE + 8}" y="{y + _BAR - 4}">{escape(told)}</text>'
    )


def _problems(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    told = dict.fromkeys(problem for run in runs for problem in run["problems"])
    if not told:
        return []
    return ["<h2>Problems</h2>", "<ul>" + "".join(f"<li>{escape(problem)}</li>" for problem in told) + "</ul>"]
