"""Figures of a measurement, for people."""

from __future__ import annotations

from typing import Any

from homeagent.cli import show as cli


def show(result: dict[str, Any]) -> None:
    """A run over a data set, as `evaluation.report.summary` gives it."""
    if result["total"]:
        _show_tasks(result)
    found = result["retrieval"]
    cli.line(
        f"all targets shown for {found['all_targets']:.1%} of {found['total']} sentences; "
        f"{found['shown_mean']} entities ({found['tokens_mean']} tokens) shown on average, "
        f"more than ten for {found['over_limit']:.1%}"
    )
    cli.line(f"found in {found['ms']['median']} ms in the median, {found['ms']['p95']} ms at the 95th percentile")
    for problem in result["problems"]:
        cli.note(problem)
    for failure in result.get("failures", ()):
        cli.line(f"\n{failure['case']} {failure['verdict']}: {failure['sentence']}")
        cli.line(f"  {failure['response']}\n  {failure['why']}")
        for step in (failure["trace"] or {}).get("steps", ()):
            cli.line(f"  {step['calls']}")


def _show_tasks(result: dict[str, Any]) -> None:
    for part in ("by_language", "by_category"):
        rows = [
            (name, g["total"], f"{g['success']:.1%}", f"{g['wrong_actions']:.1%}") for name, g in result[part].items()
        ]
        cli.table((part[3:], "sentences", "right", "wrong action"), rows, empty="Nothing was tried.")
        cli.line()
    cli.line(
        f"{result['total']} sentences: {result['success']:.1%} right, {result['wrong_actions']:.1%} wrong actions, "
        f"{result['refusals']} refused; policy: {result['policy']}"
    )
    times = result["latency_ms"]
    cost = "price not known" if result["cost"] is None else f"{result['cost']:g} US dollars"
    cli.line(
        f"{times['median']} ms in the median, {times['p95']} ms at the 95th percentile; "
        f"{result['tokens']} tokens, {cost}"
    )


def show_comparison(head: tuple[str, ...], rows: list[tuple[str, ...]], compared: dict[str, Any]) -> None:
    """Several models and forms, as `evaluation.comparing.compare` gives them, a row each."""
    cli.table(head, rows, empty="Nothing was tried.")
    for problem in dict.fromkeys(problem for run in compared["runs"] for problem in run["problems"]):
        cli.note(problem)


def show_history(result: dict[str, Any]) -> None:
    """Questions about recorded days, as `evaluation.history.history_run.summary` gives them."""
    for part in ("by_language", "by_kind"):
        rows = [(name, g["total"], f"{g['exact']:.1%}", g["invented"]) for name, g in result[part].items()]
        cli.table((part[3:], "questions", "exact", "invented"), rows, empty="Nothing was asked.")
        cli.line()
    cli.line(
        f"{result['total']} questions: {result['exact']:.1%} exact, {result['invented']} with an invented figure; "
        f"{result['latency_ms']} ms in the median"
    )
    for failure in result.get("failures", ()):
        cli.line(f"\n{failure['id']}: {failure['question']}\n  {failure['said']}\n  wanted {failure['wanted']}")
        if failure["invented"]:
            cli.line(f"  invented: {', '.join(failure['invented'])}")
        for step in failure["trace"].get("steps", ()):
            cli.line(f"  {step['calls']}")


def show_own(result: dict[str, Any], *, as_json: bool) -> None:
    """What is hard to find in one's own home, as `evaluation.own.check` gives it."""
    if as_json:
        cli.as_json(result)
        return
    rows = [(e["entity_id"], e["name"], "; ".join(e["why"]), "; ".join(e["advice"])) for e in result["hard"]]
    cli.table(("entity", "name", "why", "what helps"), rows, empty="Everything can be found by its name.")
    cli.line()
    cli.line(
        f"{result['total']} sentences for {result['entities']} entities: {result['found']:.1%} found, "
        f"{result['understood']:.1%} understood without a language model. Nothing was called."
    )


def show_mine(result: dict[str, Any], *, as_json: bool) -> None:
    """Which of the owner's own tests pass, as `evaluation.own.mine` gives it."""
    if as_json:
        cli.as_json(result)
        return
    signs = {True: "pass", False: "fail"}
    rows = [(t["number"], signs[t["passed"]], t["text"], t["response"], t["why"]) for t in result["tests"]]
    cli.table(("number", "", "sentence", "answer now", "why"), rows, empty="No sentence went wrong yet.")
    if rows:
        cli.line(f"{result['passed']} of {len(rows)} pass.")
