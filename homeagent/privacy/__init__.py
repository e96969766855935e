"""Keeps secrets and codes out of what is shown, logged, sent and kept."""
