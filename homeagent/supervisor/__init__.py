"""The agent as an app of Home Assistant OS: what its Supervisor gives and wants, and backups that are whole."""
