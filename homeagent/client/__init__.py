"""How other processes find the service and speak with it."""
