"""The recap of a Dogs session: each conflict's stakes, winners and fallout (DV-15, DV-18)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cardhouse.engine import CharacterOutcome, Figure, Highlight, Recap
from cardhouse.engine.game.recap import spelled

if TYPE_CHECKING:
    from cardhouse.engine import Event, ReplayStep
    from cardhouse.games.dogs.people.sheet import Character

STAKES = 6
"""The number of conflicts in the recap: those with the most fallout."""


class Conflict:
    """A conflict in the recap: its stakes, winners and fallout."""

    def __init__(self, stakes: str) -> None:
        self.stakes = stakes
        self.names: Any = []
        self.price = 0
        self.arena = ""


class Town:
    """The conflicts of a session, collected entry by entry."""

    def __init__(self) -> None:
        self.conflicts: list[Conflict] = []
        self.counts: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.highest: dict[str, Any] = {"value": 0}
        self.moments: list[Highlight] = []

    def see(self, passage: ReplayStep) -> None:
        """Take in the next entry."""
        for event in passage.events:
            if (seen := getattr(self, f"_{event.key}", None)) is not None:
                seen(event)

    def recap(self, characters: list[Character]) -> Recap:
        """Return the recap, with the fates of these characters."""
        counts = {"conflicts": len(self.conflicts), **{key: self.counts[key] for key in ("blows", "given", "guns")}}
        figures = [Figure(key, n) for key, n in counts.items() if n]
        dearest = sorted(self._settled(), key=lambda one: -one.price)[:STAKES]
        moments = [*self.moments, *map(_highlight_of, dearest), *self._most()]
        return Recap(figures, moments, self._headline(), [self._fate(who) for who in characters])

    def _headline(self) -> Highlight | None:
        if died := sum(one.key == "died" for one in self.moments):
            return Highlight("some_died", spelled(died))
        return Highlight("settled", spelled(len(settled))) if (settled := self._settled()) else None

    def _settled(self) -> list[Conflict]:
        return [one for one in self.conflicts if one.names]

    def _fate(self, who: Character) -> CharacterOutcome:
        if who.condition == "dead":
            return CharacterOutcome(who.name, state="dead", key="is_dead")
        if who.condition != "well":
            return CharacterOutcome(who.name, state="down", key=f"is_{who.condition}")
        if n := self.taken[who.name]:
            return CharacterOutcome(who.name, key="took", about={"n": n})
        return CharacterOutcome(who.name, key="unhurt")

    def _most(self) -> list[Highlight]:
        raised = [Highlight("raised_most", self.highest, "DV-16")] if self.highest["value"] else []
        taken = [Highlight("took_most", {"name": name, "n": n}, "DV-18") for name, n in self.taken.most_common(1)]
        return [*raised, *taken]

    def _opens(self, event: Event) -> None:
        self.conflicts.append(Conflict(event.about.get("stakes", "")))

    def _wins(self, event: Event) -> None:
        if self.conflicts:
            self.conflicts[-1].names = event.about["names"]

    def _raises(self, event: Event) -> None:
        if event.about["value"] > self.highest["value"]:
            self.highest = {key: event.about[key] for key in ("name", "value", "card") if key in event.about}

    def _raises_sideways(self, event: Event) -> None:
        self._raises(event)

    def _takes_blow(self, event: Event) -> None:
        self.counts["blows"] += 1
        self.taken[event.about["name"]] += event.about["n"]
        if self.conflicts:
            self.conflicts[-1].price += event.about["n"]

    def _gives(self, event: Event) -> None:
        self.counts["given"] += 1

    def _escalates(self, event: Event) -> None:
        if event.about["arena"] == "guns":
            self.counts["guns"] += 1

    def _dies(self, event: Event) -> None:
        self.moments.append(Highlight("died", {"name": event.about["name"]}, event.rule))

    def _not_healed(self, event: Event) -> None:
        self._dies(event)


def _highlight_of(conflict: Conflict) -> Highlight:
    about = {"stakes": conflict.stakes, "names": conflict.names, "n": conflict.price}
    return Highlight("price" if conflict.price else "stakes", about, "DV-18" if conflict.price else "DV-23")
