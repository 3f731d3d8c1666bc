"""The verdict on a fight between sides: the last side that can act has won."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cardhouse.engine.game.recap import GameVerdict, Highlight

State = Literal["able", "down", "dead", "out"]
"""Able to act; alive, but unable to act; dead; or gone from the fight, alive or not."""


class Fighter(NamedTuple):
    """A fighter, its side and its player's seat."""

    name: str
    side: str
    seat: str
    state: State


def winning_side(fighters: Sequence[Fighter]) -> str | None:
    """Return the only side that can still act, or the only one alive if nobody can act.

    None without such a side, or if there is only one.
    """
    left = {one.side for one in fighters if one.state == "able"}
    left = left or {one.side for one in fighters if one.state == "down"}
    return left.pop() if len(left) == 1 and len({one.side for one in fighters}) > 1 else None


def losers_of(fighters: Sequence[Fighter]) -> list[Fighter]:
    """Return the fighters of all other sides; everyone if all are dead, and nobody if the fight is undecided."""
    if (winner := winning_side(fighters)) is not None:
        return [one for one in fighters if one.side != winner]
    return [] if any(one.state in ("able", "down") for one in fighters) else list(fighters)


def verdict_of_sides(
    fighters: Sequence[Fighter], turning_point: Highlight | None = None, headline: Highlight | None = None
) -> tuple[Highlight, GameVerdict]:
    """Return the headline, by default `wins_side`, and the verdict.

    A seat that plays for the winners and for others has neither won nor lost.
    """
    winner, lost = winning_side(fighters), losers_of(fighters)
    if not lost:
        standing = sum(one.state == "able" for one in fighters)
        return Highlight("undecided"), GameVerdict(
            reason=Highlight("still_stand", {"n": standing, "of": len(fighters)})
        )
    losers = {one.seat for one in lost}
    winners = {one.seat for one in fighters if one.side == winner}
    if winner is None:
        headline = Highlight("nobody_won")
    verdict = GameVerdict(sorted(winners - losers), sorted(losers - winners), _out(lost), turning_point)
    return headline or Highlight("wins_side", {"side": winner}), verdict


def _out(lost: Sequence[Fighter]) -> Highlight:
    """Return the reason: one or two fighters by name, more by a name and a number; dead if all are."""
    word = "dead" if all(one.state == "dead" for one in lost) else "out"
    match lost:
        case [only]:
            return Highlight(word, {"name": only.name})
        case [one, other]:
            return Highlight(f"both_{word}", {"name": one.name, "other": other.name})
    return Highlight(f"many_{word}", {"name": lost[0].name, "n": len(lost) - 1})
