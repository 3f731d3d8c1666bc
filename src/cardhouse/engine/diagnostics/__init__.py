"""Everything an author is told: unsound declarations, wrong questions, errors and rules that never end."""
