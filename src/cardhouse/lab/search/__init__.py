"""What to change: sensitivity, tuning, and the targets that a search has to meet."""
