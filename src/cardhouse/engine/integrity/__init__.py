"""Checks after the game: whether a log was dealt fairly, and whether a client's copy agrees."""
