"""Data that knows no game: questions and offers, fields, options, errors, transcripts, names."""
