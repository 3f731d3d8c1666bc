"""The lab behind the page: runs, their limits, and their answers as data."""
