"""What a sentence means after the ones before it: whom "it" and "both" reach back to, "and the kitchen?", "again"."""
