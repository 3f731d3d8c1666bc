"""The aftermath of conflicts, and its odds."""
