"""Conflicts: hands, Raises and Sees, and their preparations."""
