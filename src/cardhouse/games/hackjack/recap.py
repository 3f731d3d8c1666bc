"""The recap of a fight: the deaths and their causes, the luck of the cards, and the survivors (HJ-6)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cardhouse.engine import CharacterOutcome, Figure, Highlight, Recap
from cardhouse.games.hackjack.odds import odds_of
from cardhouse.games.hackjack.verdict import Blows, verdict_of_fight

if TYPE_CHECKING:
    from cardhouse.engine import Event, ReplayStep
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

CLOSE = 0.25
"""The chance to kill from which surviving a hit is a highlight."""
TALES = 3


class Fights:
    """The facts of a session's fights, collected entry by entry."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.deaths: list[Highlight] = []
        self.lucky: list[Highlight] = []
        self.close: list[tuple[float, str, int]] = []
        self.hits: Counter[str] = Counter()
        self.fallen: set[str] = set()
        self.blows = Blows()
        self.expected = 0.0
        self.risks = 0
        self._last: dict[str, dict[str, Any]] = {}
        self._risk: tuple[float, str, int] | None = None

    def see(self, passage: ReplayStep, fight: Hackjack, round_: int) -> None:
        """Take in one entry. `fight` and `round_` are those before it."""
        self.blows.see(passage, fight, round_)
        if fight.hitting is None:
            self._settle()
            self._risk = _risk(passage, fight)
        if passage.lines[0].get("do") == "damage":
            self.counts["damage"] += passage.lines[0]["amount"]
            self.hits[passage.lines[0]["target"]] += 1
        for event in passage.events:
            if (seen := getattr(self, f"_{event.key}", None)) is not None:
                seen(event)

    def told(self, fight: Hackjack) -> Recap:
        """Return the recap. `fight` is the state at the end."""
        self._settle()
        kinds = ("died", "fell", "drawn", "damage")
        figures = [Figure(kind, self.counts[kind]) for kind in kinds if self.counts[kind]]
        about = {"expected": round(self.expected, 1), "died": self.counts["risked"]}
        luck = [Highlight("luck", about, "HJ-6")] if self.risks else []
        closest = sorted(self.close, reverse=True)[:TALES]
        tales = [Highlight("close", {"name": name, "percent": round(100 * risk)}, "HJ-6") for risk, name, _ in closest]
        moments = [*self.lucky[:1], *self.deaths, *self.lucky[1:], *tales, *luck]
        headline, verdict = verdict_of_fight(fight, self.blows)
        return Recap(figures, moments, headline, [self._fate(who, fight) for who in fight.characters], verdict)

    def _fate(self, who: Character, fight: Hackjack) -> CharacterOutcome:
        if not who.alive:
            return CharacterOutcome(who.name, state="dead", key="is_dead")
        if who.down:
            about = {"score": who.death_score, "limit": fight.options.limit}
            return CharacterOutcome(who.name, state="down", key="is_down", about=about)
        if who.name in self.fallen:
            return CharacterOutcome(who.name, key="up_again")
        return (
            CharacterOutcome(who.name, key="was_hit", about={"n": n})
            if (n := self.hits[who.name])
            else CharacterOutcome(who.name, key="unhurt")
        )

    def _settle(self) -> None:
        """Record that the character at risk survived."""
        if self._risk is not None and self._risk[0] >= CLOSE:
            self.close.append(self._risk)
        if self._risk is not None:
            self.risks, self.expected = self.risks + 1, self.expected + self._risk[0]
        self._risk = None

    def _goes_down(self, event: Event) -> None:
        self.counts["fell"] += 1
        self.fallen.add(event.about["name"])

    def _strikes(self, event: Event) -> None:
        self.hits[event.about["target"]] += 1

    def _draws(self, event: Event) -> None:
        self.counts["drawn"] += 1
        self._last[event.about["name"]] = {"card": event.about["card"]}

    def _draws_another(self, event: Event) -> None:
        self._draws(event)

    def _wounded(self, event: Event) -> None:
        self._last[event.about["name"]] = {"card": event.about["card"], "wound": event.about["wound"]}

    def _too_much(self, event: Event) -> None:
        self._last.setdefault(event.about["name"], {}).update(score=event.about["score"], limit=event.about["limit"])

    def _killed_outright(self, event: Event) -> None:
        self._last[event.about["name"]] = {"amount": event.about["amount"]}

    def _exactly(self, event: Event) -> None:
        last = {name: value for name, value in self._last.get(event.about["name"], {}).items() if name != "amount"}
        self.lucky.append(Highlight("exactly", {**last, **event.about}, event.rule))

    def _lucky_break(self, event: Event) -> None:
        self.lucky.append(Highlight("lucky_break", event.about, event.rule))

    def _dies(self, event: Event) -> None:
        name = event.about["name"]
        last = self._last.get(name, {})
        key = "fell_to" if "wound" in last else "fell_to_card" if "card" in last else "fell_at_once"
        key = key if last.keys() - {"score", "limit"} else "bled"
        self.deaths.append(Highlight(key, {"name": name, **last}, event.rule))
        self.counts["died"] += 1
        if self._risk is not None and self._risk[1] == name:
            self.counts["risked"] += 1
            self.risks, self.expected = self.risks + 1, self.expected + self._risk[0]
            self._risk = None


def _risk(passage: ReplayStep, fight: Hackjack) -> tuple[float, str, int] | None:
    """Return the chance, by public knowledge, that a hit kills a character already down, its name and the entry."""
    line = passage.lines[0]
    if line.get("do") != "damage":
        return None
    who = fight.named(line["target"])
    odds = odds_of(fight, line["amount"], sees_next=False).get(who.name)
    if odds is None:
        return None
    return odds["preventing" if who.preventing else "not_preventing"]["dies"], who.name, passage.number
