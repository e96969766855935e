"""How the home works: its automations, scripts and scenes in words, and why something happened."""

SOURCES = ("automation", "script", "scene")
"""The domains that are read."""
