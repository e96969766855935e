"""What a sentence asks for: its words, or the grammar's intents, as a request."""
