"""What is kept, as plain resources: lists a page at a time, one of them, and what can be deleted."""
