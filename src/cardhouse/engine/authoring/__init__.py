"""Forms for the files that people write for a game."""
