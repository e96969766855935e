"""A memory-augmented agent for Home Assistant."""

import sys

__version__ = "0.1.0"

# httpx imports its own command line where it can, and with it rich and click: more than half of its import time, for
# nothing that is used here. It does without where that import fails.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
