"""Hackjack in the lab: best play for a character that is down, and how close rules of thumb come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import msgspec

from cardhouse.cards import JOKERS, STANDARD
from cardhouse.engine import GM, Action, Entry, Table
from cardhouse.games.hackjack.lab.damage import MOST_HITS, C7Policy, DamageDice
from cardhouse.games.hackjack.lab.deadly import MOST_OTHERS, Deadly, events_by_hit, hits_survived
from cardhouse.games.hackjack.lab.gap_to_best import HIGHEST
from cardhouse.games.hackjack.lab.policies import Prevent
from cardhouse.games.hackjack.lab.wound_question import WoundQuestion, settings_from
from cardhouse.lab.questions.answer import Bar, Picture, Tale, advised, knows, two_digits
from cardhouse.lab.questions.proof import play, table_of_paper
from cardhouse.lab.questions.question import Finding, Measure, Situation, mean
from cardhouse.lab.questions.settings import situation
from cardhouse.lab.words.labels import capital

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

EVEN = MOST_HITS + 1
"""The offset of a difference in hits, which encodes 0."""
SURVIVED = [measure.key for measure in Deadly().measures()].index("survived")


class PreventPolicy(NamedTuple):
    """A way to play: its key and text, and its policies for preventing blood loss and choosing between two wounds."""

    key: str
    text: str
    prevent: str
    c7: C7Policy = "first"


class Best(WoundQuestion, frozen=True, kw_only=True):
    """The quality of each way to play, compared with the best."""

    game: ClassVar[str] = "hackjack"
    name: ClassVar[str] = "best"
    title: ClassVar[str] = "When should you prevent blood loss?"
    about: ClassVar[str] = (
        "Plays a character who goes down with the first hit and is hit again every round. They decide only "
        "when to prevent blood loss (HJ-10) and which of two wounds to take (HJ-22). Compares ways to play on"
        " the same cards: the best found with all cards counted, the best by death-score and pool alone, and "
        "rules of thumb."
    )
    asked: ClassVar[str] = "Each hit does {damage} damage. Your own rule for preventing blood loss: {prevent}."
    trial: ClassVar[str] = "fight"
    usual_trials: ClassVar[int] = 200_000
    advises: ClassVar[bool] = True

    prevent: Annotated[Prevent, msgspec.Meta(description="your own rule for preventing blood loss, to compare")] = (
        "at 15"
    )
    damage: DamageDice = "2"
    others: Annotated[
        int,
        msgspec.Meta(
            ge=0, le=MOST_OTHERS, description=("other characters who draw from the same deck and play the same way")
        ),
    ] = 0

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> list[Situation]:
        return [situation(cls, "", settings_from(options))]

    def ways(self) -> Sequence[PreventPolicy]:
        """Return the ways to play that are compared, the best first."""
        saved_by_ten = self.limit - HIGHEST
        return [
            PreventPolicy("best", "counting cards, with the better of two wounds", "best", "best"),
            PreventPolicy("first_wound", "counting cards, with the first of two wounds", "best"),
            PreventPolicy("by_heart", "by score and pool alone", "by heart"),
            PreventPolicy("unless", f"preventing, unless both make {saved_by_ten}", f"unless {saved_by_ten}"),
            PreventPolicy("always", "always preventing", "always"),
            PreventPolicy("from_12", "preventing from 12 on", "at 12"),
            PreventPolicy("never", "never preventing", "never"),
            PreventPolicy("own", f"prevent {self.prevent}", self.prevent),
        ]

    def fight(self, way: PreventPolicy) -> Deadly:
        """Return the fight of a character that plays this way."""
        return Deadly(
            **{**self.shared(), "prevent": way.prevent},
            hp=1,
            hits=MOST_HITS,
            damage=self.damage,
            c7=way.c7,
            others=self.others,
        )

    def measures(self) -> Sequence[Measure]:
        best, *others = self.ways()
        return [
            Measure(best.key, EVEN + 1, f"hits survived: {best.text}; one more: it never went down"),
            *(Measure(way.key, EVEN + 1, f"hits survived: {way.text}") for way in others),
            *(Measure(f"less_{way.key}", 2 * EVEN + 1, f"fewer hits: {way.text}") for way in others),
            Measure("counting", 2 * EVEN + 1, "more hits with the cards counted"),
        ]

    def findings(self) -> Sequence[Finding]:
        best, *others = self.ways()
        zero = {"zero": EVEN}
        return [
            mean(best.key, f"hits survived at best: {best.text}", best.key),
            *(mean(f"less_{way.key}", f"fewer than that: {way.text}", f"less_{way.key}", **zero) for way in others),
            mean("counting", "hits gained by counting cards", "counting", **zero),
            *(mean(way.key, f"hits survived: {way.text}", way.key) for way in others),
        ]

    def tale(self, values: Values) -> Tale | None:
        ways = self.ways()
        best, *rest = ways
        if not knows(values, best.key, *(key for way in rest for key in (way.key, f"less_{way.key}"))):
            return None
        advice = {
            "always": "Always prevent blood loss.",
            "never": "Never prevent blood loss.",
            "from_12": "Prevent blood loss once score and pool make 12.",
            "unless": f"Prevent blood loss unless score and pool make exactly {self.limit - HIGHEST}.",
            "own": f"Your own rule is the best of those that need no counting: {self.prevent}.",
        }
        chosen = max(advice, key=lambda key: values[key])
        bars = [
            Bar(capital(way.text), values[way.key], f"{values[way.key]:.2f}", way.key == chosen, way.key)
            for way in sorted(ways, key=lambda way: -values[way.key])
        ]
        adds = two_digits(values["best"] - values[chosen])
        costs = two_digits(values[chosen] - values["never"])
        line = (
            f"A character who is down then survives {two_digits(values[chosen])} more hits on average. Never "
            f"preventing costs {costs} of them; counting every card adds {adds}."
        )
        less = {key: values.ends(f"less_{key}") for key in advice}
        others = {
            key: values.gap_between(f"less_{chosen}", f"less_{key}")
            for key in advice
            if values[key] != values[chosen] and less[key][0] < less[chosen][1]
        }
        sentence = advised(advice, chosen, others, values.trials, self.trial)
        return Tale(sentence, line, Picture("Hits survived", "On the same cards, on average.", bars=bars))

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        ways = [way.key for way in self.ways()]
        for column, way in enumerate(self.ways()):
            fight = self.fight(way)
            rows = np.zeros((len(out), len(fight.measures())), np.int16)
            fight.run(seed, first, rows, log)
            out[:, column] = rows[:, SURVIVED]
        counted, by_heart = (out[:, ways.index(key)] for key in ("first_wound", "by_heart"))
        for column in range(1, len(ways)):
            out[:, len(ways) + column - 1] = out[:, 0] - out[:, column] + EVEN
        out[:, 2 * len(ways) - 1] = counted - by_heart + EVEN

    def played(self, seed: int, trial: int) -> Table:
        first = self.fight(self.ways()[0])
        table = table_of_paper(self.game, (GM,), msgspec.to_builtins(first.options()), "wounds")
        chance = iter(self.chance(seed, trial))
        story = self.story(table, chance)
        return play(table, chance, (*STANDARD, *JOKERS), lambda table: next(story, None))

    def story(self, table: Table, chance: Iterator[int]) -> Iterator[tuple[str, Mapping[str, Any] | Action]]:
        """Yield every action of a trial: one fight, undone to its beginning before the next way plays."""
        for way in self.ways():
            if answers := sum(entry.counts for entry in table.entries):
                yield GM, {"undo": answers}
            yield from self.fight(way).story(table, chance)

    def row_of(self, table: Table) -> Sequence[int]:
        fights: list[list[Entry]] = [[]]
        for entry in table.entries:
            if entry.undoes:
                fights.append([])
            else:
                fights[-1].append(entry)
        survived = dict(zip(self.ways(), (hits_survived(events_by_hit(fight)) for fight in fights), strict=True))
        by_key = {way.key: hits for way, hits in survived.items()}
        best, *others = survived.values()
        return [
            *survived.values(),
            *(best - hits + EVEN for hits in others),
            by_key["first_wound"] - by_key["by_heart"] + EVEN,
        ]
