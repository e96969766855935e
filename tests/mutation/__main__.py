"""`python -m tests.mutation [PATTERN …] [tests/… …]`: tries the mutants that mutmut makes.

PATTERN: those whose names match; of "PATTERN%3" every third. tests/…: by these tests alone, else by those of
pyproject.toml.
They are tried here and not by mutmut: a fork of a process that has run the tests once needs milliseconds for what takes
mutmut seconds. Survivors are printed with what they change; all results go to ``mutants/results.jsonl``.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import cast

import pytest
from _pytest.runner import runtestprotocol
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, setup_source_paths

from tests.mutation.changes import Mutant, mutants_of

MOST_SECONDS = float(os.environ.get("MUTATE_SECONDS", "40"))
"""Tests are run on one mutant until so much time is used."""
_KNOWN = Path("reach.json")
"""What is known of the tests from before: how long they take, and which functions they reach."""
_FEW = 3
"""A function that so few tests reach is kept in a cache: any test of its module may depend on it."""
_GUARDS = ("homeagent.policy", "homeagent.brains.consent", "homeagent.remembering.held_names", "memory.")


class Trying:
    """Runs all tests once, noting which reach which function; then those on each mutant, in a fork of its own."""

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        self._mutants = mutants
        self._items: dict[str, pytest.Item] = {}
        self._took: dict[str, float] = {}
        self._reach: defaultdict[str, set[str]] = defaultdict(set)
        self._killers: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        set_mutant_under_test("stats")
        known = json.loads(_KNOWN.read_text()) if _KNOWN.exists() else {"took": {}, "reach": {}}
        warmed: set[str] = set()
        for item in session.items:
            test, took = _test_of(item.nodeid), known["took"].get(item.nodeid)
            if took is not None and test in warmed:
                self._items[item.nodeid], self._took[item.nodeid] = item, took
                continue
            warmed.add(test)
            _cool(readings_only=True)
            began = time.monotonic()
            if not _passes(item):
                print(f"fails without any change, left out: {item.nodeid}", file=sys.__stderr__)
                continue
            self._items[item.nodeid] = item
            self._took[item.nodeid] = time.monotonic() - began
            for function in state()._stats:
                self._reach[function].add(item.nodeid)
            state()._stats.clear()
        for function, tests in known["reach"].items():
            self._reach[function] |= set(tests)
        reach = {function: sorted(tests) for function, tests in self._reach.items()}
        _KNOWN.write_text(json.dumps({"took": {**known["took"], **self._took}, "reach": reach}))
        print(f"{len(self._items)} tests, {sum(self._took.values()):.0f} s", file=sys.__stderr__, flush=True)
        set_mutant_under_test("")
        with Path("results.jsonl").open("a", encoding="utf-8") as out:
            for mutant in self._mutants:
                result = self._try(mutant)
                out.write(json.dumps(result) + "\n")
                out.flush()
                if result["outcome"] not in ("killed", "stuck"):
                    print(f"{result['outcome']} {mutant.name}\n{mutant.change}", file=sys.__stderr__, flush=True)
        return True

    def _try(self, mutant: Mutant) -> Mapping[str, object]:
        tests = self._ordered(mutant)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            self._run(mutant, tests, write)
        os.close(write)
        deadline = time.monotonic() + MOST_SECONDS * 1.5 + 10
        code: int | None = None
        while code is None and time.monotonic() < deadline:
            pid, status = os.waitpid(child, os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) if pid else None
            time.sleep(0.004)
        if code is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        with os.fdopen(read) as pipe:
            ran, _, killer = pipe.read().partition(" ")
        outcome = "stuck" if code is None else "killed" if code else "survived" if tests else "untested"
        if killer:
            self._killers[mutant.function][killer] += 1
        return {
            "name": mutant.name,
            "file": mutant.file,
            "outcome": outcome,
            "by": killer,
            "ran": int(ran or 0),
            "of": len(tests),
            "change": mutant.change,
        }

    def _ordered(self, mutant: Mutant) -> list[str]:
        """Tests that found other changes of this function first, then one case of each test, the quick ones first."""
        tests = self._reach[mutant.function] & self._items.keys()
        if len(tests) <= _FEW:
            module = mutant.function.rpartition(".")[0] + "."
            tests = tests.union(*(found for name, found in self._reach.items() if name.startswith(module)))
            tests &= self._items.keys()
        killers = self._killers[mutant.function]
        cases: Counter[str] = Counter()
        turn: dict[str, int] = {}
        for test in sorted(tests, key=self._took.__getitem__):
            turn[test] = cases[_test_of(test)]
            cases[_test_of(test)] += 1
        return sorted(tests, key=lambda test: (-killers[test], turn[test], self._took[test]))

    def _run(self, mutant: Mutant, tests: Iterable[str], write: int) -> None:
        code, ran, killer = 0, 0, ""
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            _cool(readings_only=len(self._reach[mutant.function]) > _FEW)
            set_mutant_under_test(mutant.name)
            end = time.monotonic() + MOST_SECONDS
            for test in tests:
                ran += 1
                if not _passes(self._items[test]):
                    code, killer = 1, test
                    break
                if time.monotonic() > end:
                    break
        except BaseException:  # noqa: BLE001 - whatever a change breaks is found out
            code = 2
        finally:
            os.write(write, f"{ran} {killer}".encode())
            os._exit(code)


class _Next:
    """Stands for the next test: what belongs to the whole session stays set up, and nothing else."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session

    def listchain(self) -> list[pytest.Session]:
        return [self.session]


def _test_of(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def _passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, nextitem=cast(pytest.Item, _Next(item.session)), log=False)
    return not any(report.failed for report in reports)


def _cool(*, readings_only: bool) -> None:
    """Empty the caches of what guards, so that a changed function is run. What files hold is read again if needed."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith(_GUARDS):
            for value in tuple(vars(module).values()):
                if hasattr(value, "cache_clear") and not (readings_only and value.cache_info().maxsize is None):
                    value.cache_clear()


def _prepare() -> None:
    """Write the copy with all mutants to ``mutants``, data files included."""
    set_mutant_under_test("mutant_generation")
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    listed = subprocess.run(["git", "ls-files", "homeagent", "memory", "indexer"], capture_output=True, check=True)
    for path in map(Path, listed.stdout.decode().splitlines()):
        if path.is_dir():
            shutil.copytree(path, "mutants" / path, dirs_exist_ok=True)
        elif path.suffix != ".py":
            ("mutants" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, "mutants" / path)
    create_mutants(1)
    setup_source_paths()


def _matching(mutants: Sequence[Mutant], wanted: str) -> Sequence[Mutant]:
    """Those of a pattern; of "PATTERN%3" every third."""
    pattern, _, every = wanted.partition("%")
    return [mutant for mutant in mutants if fnmatchcase(mutant.name, pattern)][:: int(every or 1)]


def main(patterns: Sequence[str]) -> None:
    _prepare()
    tests = [one for one in patterns if one.startswith("tests/")] or config().pytest_add_cli_args_test_selection
    patterns = [one for one in patterns if not one.startswith("tests/")]
    arguments = config().pytest_add_cli_args
    os.chdir("mutants")
    every = [
        mutant for files in config().only_mutate for file in sorted(Path().glob(files)) for mutant in mutants_of(file)
    ]
    found = [mutant for wanted in patterns or ("*",) for mutant in _matching(every, wanted)]
    tried = [mutant for mutant in found if not mutant.worded]
    print(f"{len(found)} mutants, {len(found) - len(tried)} of them only in words", file=sys.stderr, flush=True)
    pytest.main(["-q", "--tb=line", "--rootdir=.", *arguments, *tests], plugins=[Trying(tried)])


if __name__ == "__main__":
    main(sys.argv[1:])
