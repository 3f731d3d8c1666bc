"""Hackjack as machine code."""
