"""Whether anybody can tell what was chosen in secret: a second table, in lockstep, at which somebody chose otherwise.

That needs no word of the game's author: what is chosen in secret (`Game.ask_in_secret`) is for nobody to see but who
chose it, until all choices are revealed; and what somebody chose before thinking again is never for others to see.
"""

from __future__ import annotations

from itertools import product
from random import Random

from cardhouse.engine import SCREEN, BadGame, CardhouseError, Entry, SeededDealer, Table, write_line
from cardhouse.engine.values.transcript import body_of
from cardhouse.testing.differing import compare_refusals, seen, told_apart
from cardhouse.testing.playing import accepted, answer_like, answer_to, quickly, shown, wrong_answer

_FAR_BACK = 4
"""So many of the last answers may have been chosen otherwise at another table."""
_OTHERS = 3
"""So many other choices are looked at in place of each."""
_TRIES = 8
"""So often an answer is made from what is offered until it is another than the one that was given."""


class Otherwise:
    """A second table, which is like the one but for what one seat chose in secret.

    `choices` are the numbers of that choice and those of its seat since that stand; the last one counts.
    """

    def __init__(self, table: Table, chosen: Entry) -> None:
        self.table, self.chosen, self.chooser = table, chosen, chooser_in(chosen)
        self._made = [chosen.number]
        self._undone: set[int] = set()

    @property
    def choices(self) -> list[int]:
        return [number for number in self._made if number not in self._undone]

    def follow(self, entry: Entry) -> bool:
        """Say what was said at the one table; whether there is still nothing that may be told of the difference.

        Raises BadGame if that is refused here.
        """
        chose = entry.secret and chooser_in(entry) == self.chooser
        self._made += [entry.number] * chose
        self._undone = self._undone.union(entry.undoes).difference(entry.redoes)
        if entry.revealed and self.choices[-1:] == [self.chosen.number]:
            return False
        try:
            answer_like(self.table, entry)
        except CardhouseError as error:
            if entry.by not in self.unaware():
                return False
            said = body_of(entry.lines[0])
            raise BadGame(
                f"{entry.by} can tell what {self.chooser} chose in secret: {said} is refused at a table where that was "
                f"something else. {error.message}"
            ) from error
        return True

    def compare(self, one: Table) -> None:
        """Raises BadGame, with path and values, if anybody but its seat is shown anything else at the other table."""
        what_if = quickly(one.kind)
        for seat in self.unaware():
            if shown(one, seat, **what_if) != shown(self.table, seat, **what_if):
                apart = told_apart(seen(one, seat, **what_if), seen(self.table, seat, **what_if))
                raise BadGame(f"{seat} can tell what {self.chooser} chose in secret, before it is revealed: {apart}.")

    def compare_refusals(self, one: Table, rng: Random) -> None:
        """Raises BadGame if something wrong is refused in other words at the other table."""
        wrong = wrong_answer(one, rng, [seat for seat in self.unaware() if seat != SCREEN])
        if wrong is not None:
            compare_refusals(one, self.table, *wrong)

    def unaware(self) -> list[str]:
        """Who may not know the difference."""
        aware = {self.chooser, self.chosen.by}
        return [seat for seat in (*self.table.seats, SCREEN) if seat not in aware]


def otherwise(one: Table, chosen: Entry, rng: Random) -> Otherwise | None:
    """A table at which something else was said in place of a choice in secret, its last entry; None if nothing can."""
    lines = [line for entry in one.entries[: chosen.number - 1] for line in entry.lines]
    other = Table.read([write_line(one.header), *map(write_line, lines)], SeededDealer(0))
    offers = [offer for offer in other.offers(chosen.by) if "do" in offer]
    # By another word it might be no choice, and then there is nothing to compare.
    offers = [offer for offer in offers if offer["do"] == body_of(chosen.lines[0]).get("do")] or offers
    for _ in range(_TRIES):
        answer = answer_to(other, rng.choice(offers), rng)
        if answer != body_of(chosen.lines[0]):
            said = accepted(other, chosen.by, answer)
            return Otherwise(other, chosen) if said.is_hidden and chooser_in(said) == chooser_in(chosen) else None
    return None


def chooser_in(entry: Entry) -> str:
    """Whose choice an entry is, as all are told; the seat that gave it where it is none."""
    told = (str(event.about["seat"]) for event in entry.events if event.key in ("has_chosen", "chose_anew"))
    return next(told, entry.by)


def leak_of_choices(table: Table) -> None:
    """Raises BadGame if somebody can tell what one of the last answers chose in secret."""
    latest = table.entries[-_FAR_BACK:]
    for place, attempt in product(range(len(latest)), range(_OTHERS)):
        chosen = latest[place]
        if chosen.is_hidden:
            # By what was said, not by its number, which changes when a transcript is made short.
            rng = Random(f"{write_line(body_of(chosen.lines[0]))} {attempt}")
            other = otherwise(table, chosen, rng)
            if other is not None and all(map(other.follow, latest[place + 1 :])):
                other.compare(table)
