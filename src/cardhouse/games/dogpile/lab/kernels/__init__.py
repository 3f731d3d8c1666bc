"""Dogpile as machine code."""
