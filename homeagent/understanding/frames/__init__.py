"""Builders: each makes candidates of one kind from a clause, and decides nothing."""
