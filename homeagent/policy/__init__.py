"""What the agent may do without asking, and why."""

from homeagent.policy.model import Call, Consequence, Decision, Effect, Rule, Verdict
from homeagent.policy.policy import Policy

__all__ = ["Call", "Consequence", "Decision", "Effect", "Policy", "Rule", "Verdict"]
