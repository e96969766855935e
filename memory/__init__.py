"""What is remembered: statements about the home and its people, kept once and current."""
