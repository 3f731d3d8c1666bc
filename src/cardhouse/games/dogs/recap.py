"""The recap of a Dogs session: each conflict's stakes, winners and fallout (DV-15, DV-18)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cardhouse.engine import GM, CardsPaid, CharacterOutcome, Figure, GameVerdict, Highlight, Recap

if TYPE_CHECKING:
    from cardhouse.engine import Event, ReplayStep
    from cardhouse.games.dogs.people.sheet import Character

STAKES = 6
"""The number of conflicts among the highlights: those with the most fallout, apart from the last."""


class Conflict:
    """A conflict in the recap: its stakes, participants, winners and fallout, the last Raise and who gave last.

    In a healing conflict the stakes are the patient's name (DV-30). `split` are each one's experience and fallout.
    """

    def __init__(self, stakes: str, participants: list[str], *, heals: bool) -> None:
        self.stakes = stakes
        self.participants = participants
        self.heals = heals
        self.split: dict[str, tuple[list[str], list[str]]] = {}
        self.severity: dict[str, str] = {}
        self.names: Any = []
        self.price = 0
        self.raised: dict[str, Any] | None = None
        self.gave: Highlight | None = None


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
        dearest = sorted(self._settled()[:-1], key=lambda one: -one.price)[:STAKES]
        moments = [*self.moments, *map(_highlight_of, dearest), *self._most()]
        people = [self._fate(who) for who in characters]
        if not (settled := self._settled()):
            return Recap(figures, moments, None, people)
        last = settled[-1]
        names = {"name": last.names[0], "n": len(last.names) - 1}
        headline = _healing(last) if last.heals else Highlight("won_with" if names["n"] else "won_alone", names)
        return Recap(figures, moments, headline, people, _verdict_of(last, characters))

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
        about = event.about
        self.conflicts.append(Conflict(about.get("stakes", ""), about["names"], heals=about.get("what") == "healing"))

    def _opens_healing(self, event: Event) -> None:
        self._opens(event)

    def _wins(self, event: Event) -> None:
        if self.conflicts:
            self.conflicts[-1].names = event.about["names"]

    def _healing_succeeds(self, event: Event) -> None:
        self._wins(event)

    def _healing_fails(self, event: Event) -> None:
        self._wins(event)

    def _split(self, event: Event) -> None:
        if self.conflicts:
            experience, fallout = self.conflicts[-1].split.setdefault(event.about["name"], ([], []))
            experience += event.about["experience"]
            fallout += event.about["fallout"]

    def _severity(self, event: Event) -> None:
        if self.conflicts:
            self.conflicts[-1].severity[event.about["name"]] = event.about["severity"]

    def _raises(self, event: Event) -> None:
        if self.conflicts:
            self.conflicts[-1].raised = {"by": event.about["name"], **event.about}
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
        self._gave(event)

    def _must_give_see(self, event: Event) -> None:
        self._gave(event)

    def _must_give_raise(self, event: Event) -> None:
        if self.conflicts:
            self.conflicts[-1].gave = Highlight("turn_spent", {"name": event.about["name"]}, event.rule)

    def _gave(self, event: Event) -> None:
        """Record who gave, and to which Raise."""
        if self.conflicts and (raised := self.conflicts[-1].raised) is not None:
            about = {"name": event.about["name"], **{key: raised[key] for key in ("by", "value", "card")}}
            self.conflicts[-1].gave = Highlight("turn_gave", about, event.rule)
        elif self.conflicts:
            self.conflicts[-1].gave = Highlight("turn_gave_at_once", {"name": event.about["name"]}, event.rule)

    def _escalates(self, event: Event) -> None:
        if event.about["arena"] == "guns":
            self.counts["guns"] += 1

    def _dies(self, event: Event) -> None:
        self.moments.append(Highlight("died", {"name": event.about["name"]}, event.rule))

    def _not_healed(self, event: Event) -> None:
        self._dies(event)


def _verdict_of(conflict: Conflict, characters: list[Character]) -> GameVerdict:
    """Return the verdict of a conflict (DV-23): what was at stake, who gave last, and the price in Fallout."""
    seats = {who.name: who.controller for who in characters}
    winners = {seats.get(name, GM) for name in conflict.names}
    losers = {seats.get(name, GM) for name in conflict.participants if name not in conflict.names}
    about = {"stakes": conflict.stakes, "n": conflict.price}
    key = "cost" if conflict.price else "no_cost"
    reason = Highlight(f"{key}_healing" if conflict.heals else key, about, "DV-30" if conflict.heals else "DV-23")
    won, lost = sorted(winners - losers), sorted(losers - winners)
    return GameVerdict(won, lost, reason, conflict.gave, paid=_paid(conflict))


def _paid(conflict: Conflict) -> list[CardsPaid]:
    """Return the cards of each one's Fallout and Experience piles (DV-26), those who took most first."""
    found: list[CardsPaid] = []
    for name, (experience, fallout) in sorted(conflict.split.items(), key=lambda one: -len(one[1][1])):
        if name in conflict.severity:
            about = {"name": name, "severity": conflict.severity[name]}
            found.append(CardsPaid("paid_fallout", fallout, about, "DV-28"))
        if experience:
            found.append(CardsPaid("paid_experience", experience, {"name": name}, "DV-26"))
    return found


def _healing(conflict: Conflict) -> Highlight:
    """Return the highlight of a healing conflict (DV-30), of which the healer is the first participant."""
    healer = conflict.participants[0]
    key = "healed" if healer in conflict.names else "unhealed"
    return Highlight(key, {"name": healer, "patient": conflict.stakes, "n": conflict.price}, "DV-30")


def _highlight_of(conflict: Conflict) -> Highlight:
    if conflict.heals:
        return _healing(conflict)
    about = {"stakes": conflict.stakes, "names": conflict.names, "n": conflict.price}
    return Highlight("price" if conflict.price else "stakes", about, "DV-18" if conflict.price else "DV-23")
