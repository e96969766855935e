"""What a sentence is for, by its meaning: where words and structure leave it open."""
