"""The answer in words, made from what the tools returned."""
