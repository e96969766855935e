"""A small Home-Assistant-compatible server over a home inventory: for the first run and for fast tests."""
