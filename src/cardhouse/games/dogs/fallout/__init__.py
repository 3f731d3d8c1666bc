"""What follows from a conflict, and the odds of it."""
