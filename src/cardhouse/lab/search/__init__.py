"""Searching for changes: sensitivity, tuning, and targets to meet."""
