"""Mutation runs: the code that guards the home is changed a little, again and again; a test must fail each time."""
