"""What random play has reached of a game, and what it never did."""

from __future__ import annotations

from collections.abc import Iterator

from cardhouse.engine import Ask, Entry, Game, Table, catalogue_of
from cardhouse.engine.game.catalogue import words_of_every_table
from cardhouse.engine.table.visibility import prompt_of


def excused(**names: str) -> frozenset[str]:
    """Return names for `Conformance.unreached`: `excused(event="tie over", rule="H-4")`."""
    return frozenset(f"{kind} {name}" for kind, listed in names.items() for name in listed.split())


class Reached:
    """The actions, events, rules and questions reached at some tables of a game, and the number of compared pairs."""

    def __init__(self, kind: type[Game]) -> None:
        self.kind = kind
        self.actions: set[str] = set()
        self.events: set[str] = set()
        self.rules: set[str] = set()
        self.questions: set[str] = set()
        self.offers: set[str] = set()
        self.offered: set[str] = set()
        self.answers = 0
        self.pairs = 0

    def look(self, table: Table) -> None:
        """Record the current question and offers."""
        asks = table.asks()
        self._asked: str = asks["key"]
        self.questions.add(prompt_of(asks)[0])
        self.rules.add(asks.get("rule", ""))
        for offer in table.question.offers if isinstance(table.question, Ask) else ():
            if offer.by and offer.is_open:
                self.offered.add(f"{asks['key']}/{offer.do.word()}")

    def answered(self, entry: Entry) -> None:
        """Record an answer to the question that was recorded last."""
        self.answers += 1
        if entry.kind == "do":
            word = entry.lines[0]["do"]
            self.actions.add(word)
            if not entry.meanwhile:
                self.offers.add(f"{self._asked}/{word}")
        self.events.update(event.key for event in entry.events)
        self.rules.update(event.rule for event in entry.events)

    def missing(self) -> Iterator[str]:
        """Yield what was never reached, each as `event wins`, `offer take/take`."""
        catalogue, every_table = catalogue_of(self.kind), words_of_every_table()
        lacking = {
            "action": {action.word() for action in self.kind.actions} - self.actions,
            "event": set(catalogue.words.events) - self.events - every_table.events.keys(),
            "rule": {name for name, rule in catalogue.rules.items() if not rule.no_code} - self.rules,
            "question": set(catalogue.words.asks) - self.questions - every_table.asks.keys(),
            "offer": self.offered - self.offers,
        }
        for kind, names in lacking.items():
            yield from (f"{kind} {name}" for name in sorted(names))

    def report(self) -> str:
        """Return a short report: how much was reached, and what never."""
        missing = list(self.missing())
        found = (
            f"{self.kind.name}: {self.answers} answers reached {len(self.actions)} actions, {len(self.events)} events, "
            f"{len(self.rules - {''})} rules, {len(self.questions)} questions and {len(self.offers)} offers; "
            f"{self.pairs} pairs of tables were compared."
        )
        return "\n".join([found, *(f"  never reached: {one}" for one in missing)])
