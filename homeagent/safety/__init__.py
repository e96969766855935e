"""What guards the home and what endangers it: by what things are and are called."""
