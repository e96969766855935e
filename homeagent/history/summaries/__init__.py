"""Days of things and areas, in words and figures."""
