"""What games that keep a roster of characters have in common: whose each is, and how it leaves."""

from __future__ import annotations

from cardhouse.engine import GM, Action


class HandOver(Action, frozen=True):
    """Another seat chooses for a character from now on."""

    name: str
    controller: str


class RemoveCharacter(Action, frozen=True):
    """A character is dead or fled, and leaves the table."""

    name: str


def choosers(controller: str) -> tuple[str, ...]:
    """Who may choose for a character: the seat that plays it, and the game master in its place."""
    return (GM,) if controller == GM else (controller, GM)
