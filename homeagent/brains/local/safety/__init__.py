"""Questions about safety, answered whole: every lock, contact and detector of the kind that was asked about."""
