"""A person's own home: which of its entities are hard to find by what people say, why, and what helps."""
