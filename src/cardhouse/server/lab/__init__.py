"""The lab behind the page: studies, their limits, and their results as data."""
