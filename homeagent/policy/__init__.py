"""What the agent may do without asking, and why: effects, verdicts, the audit log."""
