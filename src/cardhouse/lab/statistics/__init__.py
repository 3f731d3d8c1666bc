"""From counts to estimates and their intervals."""
