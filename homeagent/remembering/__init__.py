"""What of a turn is remembered: noted with the turn, looked through in the background, answered where asked for."""
