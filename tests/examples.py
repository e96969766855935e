"""How much is tried: all cases and examples; with ``--quick`` one case of each test and a tenth of the examples.

Which case it is changes from test to test, so that all languages and kinds are among them, and never from run to run.
"""

from __future__ import annotations

import re
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

ALL = 100
"""Examples of the usual profile."""
settings.register_profile("quick", max_examples=ALL // 10)
_WHOLE = re.compile(r"^pytestmark = .*pytest\.mark\.slow\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="one case of each test that is not dear, and a tenth of the examples"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("quick"):
        settings.load_profile("quick")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What the marks leave out as a whole is not imported."""
    marks = config.getoption("markexpr")
    if not config.getoption("quick"):
        return None
    if collection_path.is_dir():
        return (collection_path.name == "e2e" and "not e2e" in marks) or None
    slow = "not slow" in marks and collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return (slow and _WHOLE.search(collection_path.read_text("utf-8")) is not None) or None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of what the marks have left."""
    if not config.getoption("quick"):
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("dear"):
            continue
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = {id(group[crc32(test.encode()) % len(group)]) for test, group in cases.items()}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = [item for item in items if id(item) in chosen]


def share(examples: int) -> int:
    """So many of these examples as the profile has of its own."""
    return max(1, examples * settings.default.max_examples // ALL)
