"""The words of a language: what they stand for (``<code>.yaml``), how a sentence is read, Home Assistant's grammar."""
