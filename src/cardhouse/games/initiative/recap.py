"""The recap of card initiative: which side is left, who came first, and what the jokers took (IN-8, IN-9, IN-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardhouse.engine import GM, CharacterOutcome, Figure, GameVerdict, Highlight, Recap
from cardhouse.engine.game.recap import spelled
from cardhouse.engine.game.sides import Fighter, losers_of, verdict_of_sides

if TYPE_CHECKING:
    from cardhouse.engine import Event, ReplayStep
    from cardhouse.games.initiative.rules import Initiative

WORTH_TELLING = 2
"""The least number of times for a highlight."""


class Rounds:
    """The rounds of a session, collected entry by entry."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first: Counter[str] = Counter()
        self.waited: Counter[str] = Counter()
        self.burned: Counter[str] = Counter()
        self.acted: Counter[str] = Counter()
        self.moments: list[Highlight] = []
        self.seats: dict[str, str] = {}
        self.removed: list[Highlight] = []
        self._fresh = False
        self._hit: dict[str, str] = {}

    def see(self, passage: ReplayStep, order: Initiative) -> None:
        """Take in the next entry. `order` is the state before it."""
        self.seats.update({who.name: who.controller for who in order.characters})
        self._hit = {}
        for event in passage.events:
            if (seen := getattr(self, f"_{event.key}", None)) is not None:
                seen(event)

    def recap(self, order: Initiative) -> Recap:
        """Return the recap; `order` is the final state."""
        kinds = ("rounds", "red_jokers", "black_jokers")
        figures = [Figure(kind, self.counts[kind]) for kind in kinds if self.counts[kind]]
        most = [("first", self.first, "IN-3"), ("waited", self.waited, "IN-10"), ("burned", self.burned, "IN-9")]
        most_often = [_most(key, of, rule) for key, of, rule in most]
        moments = [*self.moments, *(one for one in most_often if one is not None)]
        acted = [(who.name, self.acted[who.name]) for who in order.characters]
        here = [CharacterOutcome(name, key="acted" if n else "idle", about={"n": n} if n else {}) for name, n in acted]
        gone = [
            CharacterOutcome(who.name, state="down", key="is_out", about={"round": who.round}) for who in order.gone
        ]
        headline, verdict = self._verdict(order)
        return Recap(figures, moments, headline, [*here, *gone], verdict)

    def _verdict(self, order: Initiative) -> tuple[Highlight | None, GameVerdict | None]:
        """Return the headline and the verdict; while several sides are left, the number of rounds and no verdict."""
        fighters = fighters_of(order, self.seats)
        losers = {one.name for one in losers_of(fighters)}
        if not losers:
            rounds = self.counts["rounds"]
            return Highlight("fought", spelled(rounds)) if rounds else None, None
        last = next((one for one in reversed(self.removed) if one.about["name"] in losers), None)
        return verdict_of_sides(fighters, last)

    def _hits(self, event: Event) -> None:
        self._hit[event.about["target"]] = event.about["name"]

    def _leaves(self, event: Event) -> None:
        by = self._hit.get(event.about["name"])
        about = {**event.about, "round": self.counts["rounds"], **({"by": by} if by else {})}
        self.removed.append(Highlight("turn_by" if by else "turn", about, event.rule))

    def _round_begins(self, event: Event) -> None:
        self.counts["rounds"] += 1
        self._fresh = True

    def _drawn(self, event: Event) -> None:
        if self._fresh:
            self.first[event.about["name"]] += 1
        self._fresh = False

    def _acts(self, event: Event) -> None:
        self.acted[event.about["name"]] += 1

    def _red_joker(self, event: Event) -> None:
        self.counts["red_jokers"] += 1

    def _red_joker_takes(self, event: Event) -> None:
        self._red_joker(event)
        self.moments.append(Highlight("in_vain", event.about, event.rule))

    def _black_joker(self, event: Event) -> None:
        self.counts["black_jokers"] += 1

    def _burns(self, event: Event) -> None:
        self.burned[event.about["name"]] += event.about["actions"]

    def _waits(self, event: Event) -> None:
        self.waited[event.about["name"]] += 1

    def _revealed(self, event: Event) -> None:
        self.moments.append(Highlight("ambush", event.about, event.rule))


def fighters_of(order: Initiative, seats: Mapping[str, str]) -> list[Fighter]:
    """Return all characters, those who were removed too; one without a side is on its own (IN-2, IN-17)."""
    here = [Fighter(who.name, who.side or who.name, who.controller, "able") for who in order.characters]
    gone = [Fighter(who.name, who.side or who.name, seats.get(who.name, GM), "out") for who in order.gone]
    return [*here, *gone]


def _most(key: str, of: Counter[str], rule: str) -> Highlight | None:
    """Return the highlight for the character with the highest count, if it is unique and more than one."""
    best = of.most_common(2)
    if not best or best[0][1] < WORTH_TELLING or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    return Highlight(f"{key}_most", {"name": best[0][0], "times": best[0][1]}, rule)
