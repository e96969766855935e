"""Bytecode is kept: without, each run compiles all of us and all tests anew, and each process that they start does."""

from __future__ import annotations

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
