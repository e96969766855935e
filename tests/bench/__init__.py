"""Benchmarks: how fast and how large it is. `make bench` runs them; no test asserts on their figures."""
