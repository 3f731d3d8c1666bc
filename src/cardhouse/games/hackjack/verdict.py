"""The verdict on a fight: who won, and the blow that decided it (HJ-1, HJ-6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from cardhouse.engine import GM, GameVerdict, Highlight
from cardhouse.engine.game.recap import spelled
from cardhouse.engine.game.sides import Fighter, State, losers_of, verdict_of_sides, winning_side
from cardhouse.games.hackjack.view import idle

if TYPE_CHECKING:
    from cardhouse.engine import ReplayStep
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

PARTY, FOES = "party", "foes"
WOUNDS = ("draws", "draws_another", "wounded")


class Blows:
    """The last blow against each fighter, and who could act no more after it, collected entry by entry."""

    def __init__(self) -> None:
        self.fallen: list[Highlight] = []
        self._last: dict[str, dict[str, Any]] = {}
        self._rules: dict[str, str] = {}
        self._standing: set[str] = set()

    def see(self, passage: ReplayStep, fight: Hackjack, round_: int) -> None:
        """Take in one entry. `fight` and `round_` are those before it."""
        self._settle(fight)
        line = passage.lines[0]
        if line.get("do") == "damage":
            self._strike(line["target"], round_, line["amount"])
        for event in passage.events:
            about = event.about
            if event.key == "strikes":
                self._strike(about["target"], round_, about["amount"], by=about["name"])
            elif event.key in WOUNDS and (name := about["name"]) in self._last:
                self._last[name] |= {key: about[key] for key in ("card", "wound") if key in about}
                self._rules[name] = event.rule

    def turning_point(self, fight: Hackjack, losers: Collection[str]) -> Highlight | None:
        """Return the blow that took the last of the losers out; None if nobody struck them."""
        self._settle(fight)
        return next((one for one in reversed(self.fallen) if one.about["name"] in losers), None)

    def _strike(self, name: str, round_: int, amount: int, **by: str) -> None:
        self._last[name] = {"name": name, "round": round_, "amount": amount, **by}
        self._rules[name] = "HJ-1"

    def _settle(self, fight: Hackjack) -> None:
        standing = {who.name for who in fight.characters if idle(fight, who) is None}
        for name in sorted(self._standing - standing):
            if (about := self._last.get(name)) is not None:
                key = "_".join(("turn", *(part for part in ("by", "wound") if part in about)))
                self.fallen.append(Highlight(key, dict(about), self._rules[name]))
        self._standing = standing


def fighters_of(fight: Hackjack, side_of: Callable[[str], str | None] | None = None) -> list[Fighter]:
    """Return the fighters; by default the players' characters are on one side, the game master's on the other."""

    def side(name: str, seat: str) -> str:
        return (FOES if seat == GM else PARTY) if side_of is None else side_of(name) or name

    return [
        Fighter(who.name, side(who.name, who.controller), who.controller, _state(fight, who))
        for who in fight.characters
    ]


def _state(fight: Hackjack, who: Character) -> State:
    return "dead" if not who.alive else "down" if idle(fight, who) else "able"


def verdict_of_fight(fight: Hackjack, blows: Blows) -> tuple[Highlight | None, GameVerdict | None]:
    """Return the headline and the verdict; among players only, the number of survivors and no verdict."""
    fighters = fighters_of(fight)
    if len({one.side for one in fighters}) < 2:
        return _survivors(fighters), None
    turning_point = blows.turning_point(fight, {one.name for one in losers_of(fighters)})
    return verdict_of_sides(fighters, turning_point, _won(fighters))


def _won(fighters: Sequence[Fighter]) -> Highlight | None:
    """Return the headline for the winning side: a single fighter by name."""
    winner = winning_side(fighters)
    names = [one.name for one in fighters if one.side == winner]
    return Highlight("wins_side", {"side": names[0]}) if len(names) == 1 else Highlight(f"wins_{winner}")


def _survivors(fighters: Sequence[Fighter]) -> Highlight | None:
    lives = sum(one.state != "dead" for one in fighters)
    if not fighters:
        return None
    return Highlight("all_alive" if lives == len(fighters) else "alive", spelled(lives))
