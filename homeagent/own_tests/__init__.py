"""The owner's own tests: sentences that went wrong, with the home that they were said in, and what would be right."""
