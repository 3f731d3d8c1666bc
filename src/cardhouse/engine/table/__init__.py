"""One table: its log and history, snapshots, and who sees which part of it."""
