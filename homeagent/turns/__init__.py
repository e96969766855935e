"""What happens in a turn beside the brain's decisions: gathering, running calls, wording, reporting."""
