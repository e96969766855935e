"""A memory-augmented agent for Home Assistant."""

__version__ = "0.1.0"
