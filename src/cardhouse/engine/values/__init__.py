"""Data that knows no game: questions, offers, fields, options, errors, transcripts and names."""
