"""The phrases for what is asked for another time: what is ordered is done at once, or not at all."""

NOT_LATER = "no_timer"
"""The phrase for what would have to wait."""
NOT_AHEAD = "not_ahead"
"""The phrase for how a thing will be."""
