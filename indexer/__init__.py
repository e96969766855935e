"""What can be found: descriptions, words and vectors of a home's entities. Never holds live state."""
