"""What is to happen later: timers, alarms, reminders and delayed, repeated or awaited actions."""
