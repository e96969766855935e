"""All that is of one language: one pack a language, and the closed sets of things that its words can stand for."""
