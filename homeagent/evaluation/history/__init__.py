"""Questions about recorded days: a home's fourteen days made by seed, and how exactly they are told of."""
