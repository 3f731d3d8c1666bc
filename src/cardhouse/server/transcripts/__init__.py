"""Transcripts, written and read, and what is made of a log: replays, recaps and lessons."""
