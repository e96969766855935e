"""Heavy libraries without what they do not need. Slow: imports one of them, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from indexer.light_imports import import_chromadb
chromadb = import_chromadb()
assert "grpc" not in sys.modules, "spared"
assert import_chromadb() is chromadb
assert "opentelemetry.exporter" not in sys.modules, "no stand-in is left behind"
import chromadb.telemetry.opentelemetry as told
exporter = told.OTLPSpanExporter(endpoint="http://127.0.0.1:1", insecure=True)
assert type(exporter).__module__.startswith("opentelemetry.exporter"), "the real one, where it is asked for"
"""

FALLBACK = """
import sys
from indexer import light_imports
light_imports._EXPORTER = {"opentelemetry.exporter.otlp.proto.grpc.trace_exporter": ("SomethingElse",)}
chromadb = light_imports.import_chromadb()
assert chromadb.PersistentClient and "grpc" in sys.modules, "imported as it comes"
"""


@pytest.mark.slow
@pytest.mark.parametrize("script", [SCRIPT, FALLBACK])
def test_what_is_spared_comes_when_it_is_needed(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
