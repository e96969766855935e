"""What a call resolves to."""
