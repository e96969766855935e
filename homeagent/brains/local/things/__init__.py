"""Whom a request is about: from the words of a sentence to the things of this home."""
