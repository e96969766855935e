"""The settings: declared, read, checked, written."""
