"""Asks for a yes where people are: on phones and in chats, beside the conversation that it came up in."""
