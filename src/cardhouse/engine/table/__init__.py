"""One table: its log and history, its snapshots, and the view of each seat."""
