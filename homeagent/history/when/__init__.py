"""Times gone by, as people say them in six languages: "last night", "since yesterday noon", "between 2 and 4"."""
