"""Plain values as people write them: colours, spans of time, names."""
