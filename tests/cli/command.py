"""Runs the `homeagent` command as a person's shell does: a real process, in a home folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

HOMEAGENT = str(Path(sys.executable).with_name("homeagent"))


def environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HOMEAGENT_")}
    return clean | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder), **more}


def run(folder: Path, *arguments: str | bytes, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[str]:
    """The command without a terminal, to its end. Fails on any traceback."""
    done = subprocess.run(
        [HOMEAGENT, *arguments], input=stdin, capture_output=True, env=environment(folder, more), timeout=90
    )
    stdout, stderr = done.stdout.decode(), done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in stderr, stderr
    return subprocess.CompletedProcess(done.args, done.returncode, stdout, stderr)


class Service:
    """A service that runs as a process of its own: `homeagent serve` or `homeagent demo`."""

    def __init__(self, folder: Path, *arguments: str, **more: str) -> None:
        self.folder = folder
        self.more = more
        self.log = folder / "service.log"
        self.process = subprocess.Popen(
            [HOMEAGENT, *arguments],
            env=environment(folder, more),
            stdout=self.log.open("ab"),
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )

    def wait_for(self, file: Path, seconds: float = 60) -> None:
        """Wait until the service says in ``file`` that it can be found."""
        deadline = time.monotonic() + seconds
        while not file.exists():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def run(self, *arguments: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
        """Another command in the same home folder, as from a second shell."""
        return run(self.folder, *arguments, stdin=stdin, **self.more)

    def end(self, number: int = signal.SIGTERM, seconds: float = 20) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(seconds)
