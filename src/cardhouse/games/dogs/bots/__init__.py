"""Bots, their policies, and odds by simulation."""
