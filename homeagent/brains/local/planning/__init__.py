"""What is to be done about a request: tool calls, or something to say instead."""
