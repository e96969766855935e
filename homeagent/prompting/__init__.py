"""What a language model is told, and how what comes from outside is fenced."""
