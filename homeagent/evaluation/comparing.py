"""Several models and forms of the tools on one data set, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from homeagent.config.settings import BrainMode, Toolset
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
    form: Toolset = Toolset.OWN

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


def contenders(models: Sequence[str], forms: Sequence[Toolset]) -> list[Contender]:
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
