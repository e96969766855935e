"""Whether what a language model answers is so: statement by statement, against this turn's calls and the live home."""
