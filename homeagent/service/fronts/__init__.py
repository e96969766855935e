"""The agent as a model: other programs' chat protocols, spoken by the service."""
