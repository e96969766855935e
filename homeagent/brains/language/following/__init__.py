"""Words of each language that lean on what was said before: one file a language."""
