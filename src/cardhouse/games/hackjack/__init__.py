"""Hackjack: a blackjack of death and dismemberment for role-playing games."""

from cardhouse.games.hackjack.rules import Hackjack

__all__ = ["Hackjack"]
