"""Hackjack: a blackjack of death and dismemberment for role-playing games."""
