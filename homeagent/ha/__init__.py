"""Home Assistant: the wire (REST, WebSocket) and the live model of the home that is kept from it."""
