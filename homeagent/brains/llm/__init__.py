"""The brain that asks a language model, and the way there: any provider, guarded against how each fails."""
