"""A conflict with dice by the package's rulings, as a reference to check the kernel against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.lab.dice.policies import (
    BLOW,
    POLICIES,
    TO_RAISE,
    Bring,
    Escalate,
    Give,
    Improvise,
    Play,
    Situation,
)
from cardhouse.games.dogs.lab.dice.pools import STAT_DIE, Dice
from cardhouse.games.dogs.lab.dice.sides import FALLOUT_DICE, Setting, Side
from cardhouse.games.dogs.people.sheet import Stat
from cardhouse.games.dogs.state import ARENAS, PILES, Pile, Severity

NAMES = ("One", "The other")
UP_TO: dict[Severity, int] = {"short_term": 7, "long_term": 11, "injured": 15, "mortally_wounded": 19, "dying": 20}
"""DICE-9: the highest total of the two best fallout dice, by severity."""

RollDie = Callable[[int], int]
"""Roll a die with this number of sides."""


class Participant(msgspec.Struct):
    """A side during the conflict: its dice, what it has done so far, and in the end its fallout."""

    name: str
    side: Side
    arenas: list[Pile]
    hand: list[int] = []
    stats_rolled: list[Stat] = []
    brought: list[int] = []
    improvised: int = 0
    escalated_now: bool = False
    improvised_now: bool = False
    blows: dict[Pile, int] = {}
    used: int = 0
    rolled: int = 0
    suffers: Severity | None = None
    learns: bool = False
    needs_healing: bool = False


class DiceConflict:
    """A conflict of two with dice; `events` lists the events."""

    def __init__(self, setting: Setting, trial: int, roll_die: RollDie) -> None:
        self.setting = setting
        self.starter = setting.starts(trial)
        self.roll_die = roll_die
        self.two = [Participant(name, side, [setting.arena]) for name, side in zip(NAMES, setting.sides, strict=True)]
        self.raises = 0
        self.winner = -1
        self.events: list[dict[str, Any]] = []

    def transcript(self) -> str:
        """Return the events as lines of JSON."""
        return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in self.events)

    def record(self, rule: str, action: str, who: Participant, **about: Any) -> None:
        """Add an event."""
        self.events.append({"rule": rule, "who": who.name, "does": action, **about})

    # The course of a conflict.

    def play(self) -> None:
        """Play the conflict and its fallout."""
        self.fight()
        for one in self.two:
            self.resolve_fallout(one)

    def fight(self) -> None:
        """Roll both openings, then alternate Raises and answers until one gives (DICE-3, DICE-8)."""
        for one in self.two:
            self.roll_arena(one)
        turn = self.starter
        while True:
            value = self.raise_or_give(self.two[turn], self.two[1 - turn])
            if value is None:
                break
            turn = 1 - turn
            if not self.see_or_give(self.two[turn], self.two[1 - turn], value):
                break
        self.winner = 1 - turn
        self.record("DICE-8", "gives", self.two[turn])

    # Rolling (DICE-3, DICE-7).

    def roll_arena(self, one: Participant) -> None:
        """Roll the Stats of the arena entered last, each once per conflict."""
        for stat in ARENAS[one.arenas[-1]]:
            if stat not in one.stats_rolled:
                one.stats_rolled.append(stat)
                self.roll(one, (STAT_DIE,) * one.side.stats.of(stat), stat)

    def roll(self, one: Participant, dice: Dice, reason: str) -> None:
        """Roll dice into a hand, in the open."""
        shown = [self.roll_die(sides) for sides in dice]
        one.hand += shown
        one.rolled += len(shown)
        self.record("DICE-7", "rolls", one, what=reason, dice=shown)

    # Raising and Seeing.

    def raise_or_give(self, one: Participant, other: Participant) -> int | None:
        """Raise with two dice (DICE-4); return their total, or None if the side gives."""
        dice = self.choose_dice(one, other, None)
        if dice is None:
            return None
        assert len(dice) == TO_RAISE
        self.raises += 1
        self.put_away(one, dice)
        self.record("DICE-4", "raises", one, dice=dice, arena=one.arenas[-1])
        return sum(dice)

    def see_or_give(self, one: Participant, other: Participant, value: int) -> bool:
        """See or give; return False after giving.

        One die reverses, two Block, three or more Take the Blow (DICE-5).
        """
        dice = self.choose_dice(one, other, value)
        if dice is None:
            return False
        assert sum(dice) >= value
        if len(dice) == 1:
            self.record("DICE-6", "reverses", one, dice=dice)
            return True
        self.put_away(one, dice)
        if len(dice) < BLOW:
            self.record("DICE-5", "blocks", one, dice=dice)
            return True
        pile = other.arenas[-1]
        one.blows[pile] = one.blows.get(pile, 0) + len(dice)
        self.record("DICE-5", "takes the blow", one, dice=dice, pile=pile)
        return True

    def choose_dice(self, one: Participant, other: Participant, value: int | None) -> tuple[int, ...] | None:
        """Follow the policy through preparations to the dice it plays; return None if it gives (DICE-7)."""
        one.escalated_now = one.improvised_now = False
        while True:
            action = POLICIES[one.side.policy](self.situation(one, other, value))
            if isinstance(action, Play):
                return action.dice
            if isinstance(action, Give):
                return None
            if isinstance(action, Bring):
                one.brought.append(action.thing)
                self.roll(one, one.side.things[action.thing], f"thing {action.thing + 1}")
            elif isinstance(action, Escalate):
                one.escalated_now = True
                one.arenas.append(next(pile for pile in PILES if pile == action.arena))
                self.record("DICE-7", "escalates", one, arena=action.arena)
                self.roll_arena(one)
            else:
                assert isinstance(action, Improvise)
                one.improvised_now = True
                one.improvised += 1
                self.roll(one, self.setting.desperate, "something desperate")

    def situation(self, one: Participant, other: Participant, value: int | None) -> Situation:
        """Return what the policy may know."""
        things = {at: dice for at, dice in enumerate(one.side.things) if at not in one.brought}
        arenas = {} if one.escalated_now else self.arenas(one)
        return Situation(
            hand=tuple(sorted(one.hand, reverse=True)),
            other=tuple(sorted(other.hand, reverse=True)),
            value=value,
            arena=other.arenas[-1],
            things=things,
            arenas=arenas,
            improvises=not one.improvised_now and one.improvised < self.setting.improvised,
        )

    def arenas(self, one: Participant) -> dict[str, int]:
        """Return the arenas not yet entered, with the number of dice each would roll, if any."""
        found = {
            pile: sum(one.side.stats.of(stat) for stat in ARENAS[pile] if stat not in one.stats_rolled)
            for pile in PILES
            if pile not in one.arenas
        }
        return {pile: number for pile, number in found.items() if number}

    def put_away(self, one: Participant, dice: tuple[int, ...]) -> None:
        """Remove played dice (DICE-6)."""
        one.used += len(dice)
        for die in dice:
            one.hand.remove(die)

    # Fallout (DICE-9 to DICE-11).

    def resolve_fallout(self, one: Participant) -> None:
        """Roll all fallout dice, the mildest arena's first, and apply the result."""
        dice = [self.roll_die(FALLOUT_DICE[pile]) for pile in PILES for _ in range(one.blows.get(pile, 0))]
        if not dice:
            return
        total = sum(sorted(dice)[-2:])
        one.suffers = next(severity for severity in SEVERITIES if total <= UP_TO[severity])
        one.learns = 1 in dice and one.suffers != "dying"
        self.record("DICE-9", "suffers", one, dice=dice, severity=one.suffers, learns=one.learns)
        if one.suffers == "injured":
            body = [self.roll_die(STAT_DIE) for _ in range(one.side.stats.body)]
            one.needs_healing = sum(sorted(body)[-2:]) < total
            self.record("DICE-11", "rolls for Body", one, dice=body, needs_healing=one.needs_healing)
        elif one.suffers == "mortally_wounded":
            one.needs_healing = True
