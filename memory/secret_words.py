"""What words do where a code or a password is told: the ``secrets`` of memory.yaml."""

from __future__ import annotations

from enum import StrEnum


class SecretPart(StrEnum):
    """What a word or phrase may be in a sentence that tells a secret."""

    CREDENTIAL = "credential"
    """A secret by its name: "password", "pin", "door code"."""
    WEAK = "weak"
    """One only with a number: "combination"."""
    LOCK = "lock"
    """What is locked by a number: "bike lock", "safe"."""
    GUARDED = "guarded"
    """What may be: with a word for opening it."""
    OPENS = "opens"
    MONEY = "money"
    READS = "reads"
    """What says what a secret is: "is", "reads"."""
    AS = "as"
    ASIDE = "aside"
    """What may be said of a secret without telling it: "is in the drawer", "is new"."""
    COUNTED = "counted"
    """What a number counts that stands before it."""
    WHEN = "when"
    """What stands before a year, an hour, the number of a house."""
    PLAIN = "plain"
    """No secret, although a part of it might be one."""
