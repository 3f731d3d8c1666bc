"""Checks after the game: whether a log was dealt as it says, and whether a client's copy agrees."""
