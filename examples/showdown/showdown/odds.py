"""The odds of a better card by a redraw (SD-5), and of going first by cutting in (SD-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from showdown.state import height

if TYPE_CHECKING:
    from showdown.rules import Showdown
    from showdown.state import Character


class MomentOdds(TypedDict, total=False):
    """A character's odds: of a `better` card by a redraw, and of going `first`."""

    better: float
    first: float


def odds_of(game: Showdown) -> dict[str, MomentOdds]:
    """The odds of every character with a choice now, by name."""
    if game.phase == "cards":
        cards = game.deck.cards() or game.discard
        able = [who for who in game.seen if who.cards and who.tokens and cards]
        return {who.name: {"better": sum(height(c) > height(who.cards[0]) for c in cards) / len(cards)} for who in able}
    if not game.stack:
        return {}
    against = game.named(game.stack[-1])
    return {who.name: {"first": first(who, against)} for who in game.may_cut_in(against)}


def first(who: Character, against: Character) -> float:
    """Return the chance of going first: a joker always does, others with the higher roll."""
    return 1.0 if who.has_joker else higher(sides(who.nerve), sides(against.nerve))


def sides(nerve: str) -> int:
    """Return the number of sides of a die such as `d8`."""
    return int(nerve.removeprefix("d"))


def higher(mine: int, theirs: int) -> float:
    """Return the chance that a die rolls higher than another, given their sides."""
    return sum(min(face - 1, theirs) for face in range(1, mine + 1)) / (mine * theirs)
