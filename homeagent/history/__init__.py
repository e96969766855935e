"""What recorded states add up to."""
