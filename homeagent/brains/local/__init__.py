"""The brain that needs no model."""
