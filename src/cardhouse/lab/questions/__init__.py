"""What one can ask of each game: its questions, with their settings, measures and findings."""
