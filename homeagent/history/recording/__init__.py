"""Keeps days of the home in the index, and finds them there."""
