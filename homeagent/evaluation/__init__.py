"""Measuring: sentences in, the home's state out. `homeagent eval` runs a data set against a home and reports."""
