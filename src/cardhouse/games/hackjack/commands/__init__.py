"""Hackjack on the command line: its wounds as a file, and what is printed for it."""
