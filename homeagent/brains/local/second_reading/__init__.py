"""Reads a sentence by its meaning, where its words were not understood."""
