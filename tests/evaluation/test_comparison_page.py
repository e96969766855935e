"""The page of a comparison: all of it is there, nothing is fetched, and names cannot break out."""

from __future__ import annotations

import re
from typing import Any

from homeagent.evaluation.comparing import HEAD, overall, page

BAR = r'class="(?:right|wrong|missed)" x="[\d.]+" y="\d+" width="([\d.]+)"'


def run(name: str, right: float, wrong: float, cost: float | None) -> dict[str, Any]:
    group = {"success": right, "wrong_actions": wrong, "total": 40}
    return {
        "name": name,
        "total": 40,
        "success": right,
        "wrong_actions": wrong,
        "refusals": 3,
        "tokens_each": 812.5,
        "cost_each": cost,
        "latency_ms": {"median": 420.0, "p95": 900.0},
        "by_size": {"up to 50 entities": group},
        "by_category": {"light": group, "<b>": group},
        "by_language": {"en": group},
        "problems": ["one & two"],
    }


COMPARED = {"runs": [run("a · own", 0.75, 0.05, 0.0001), run("<script>alert(1)</script> · assist", 0.5, 0.0, None)]}


def test_every_figure_is_in_the_table() -> None:
    shown = page(COMPARED, "Models")
    for cell in (*HEAD, "75.0%", "5.0%", "812.5", "420", "900", "0.1", "not known"):
        assert f">{cell}<" in shown
    assert len(overall(COMPARED["runs"][0])) == len(HEAD)


def test_the_bars_are_as_long_as_the_shares() -> None:
    widths = [float(width) for width in re.findall(BAR, page(COMPARED, "x"))]
    assert [round(width / 420, 2) for width in widths] == [0.75, 0.05, 0.2, 0.5, 0.0, 0.5]


def test_it_needs_nothing_beside_it_and_names_stay_names() -> None:
    shown = page(COMPARED, "<i>")
    assert "http" not in shown
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert "<b>" not in shown
    assert "one &amp; two" in shown
