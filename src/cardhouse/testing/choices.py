"""Tests that secret choices stay secret: a second table in lockstep, at which a seat chose something else.

This works without any description by the game's author: a secret choice (`Game.ask_simultaneously`) is only for its
seat until all choices are revealed, and a choice that was replaced before that is never for others.
"""

from __future__ import annotations

from itertools import product
from random import Random

from cardhouse.engine import SCREEN, BadGame, CardhouseError, Entry, SeededDealer, Table, write_line
from cardhouse.engine.values.transcript import body_of
from cardhouse.testing.differing import compare_refusals, first_difference, seen
from cardhouse.testing.playing import accepted, answer_like, answer_to, quickly, shown, wrong_answer

_FAR_BACK = 4
"""The number of last answers that are replaced by other choices."""
_OTHERS = 3
"""Other choices tried in place of each."""
_TRIES = 8
"""Answers drawn from the offers to find one that differs."""


class Otherwise:
    """A second table that differs only in a secret choice of one seat.

    `choices` are the numbers of that choice and of its seat's later ones, without undone ones; the last one counts.
    """

    def __init__(self, table: Table, chosen: Entry) -> None:
        self.table, self.chosen, self.chooser = table, chosen, chooser_in(chosen)
        self._made = [chosen.number]
        self._undone: set[int] = set()

    @property
    def choices(self) -> list[int]:
        return [number for number in self._made if number not in self._undone]

    def follow(self, entry: Entry) -> bool:
        """Repeat an entry of the first table; return whether the difference still has to stay secret.

        Raises BadGame if the answer is refused here.
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
            answer = body_of(entry.lines[0])
            raise BadGame(
                f"{entry.by} can tell what {self.chooser} chose in secret: {answer} is refused at a table where "
                f"{self.chooser} chose something else. {error.message}"
            ) from error
        return True

    def compare(self, one: Table) -> None:
        """Raises BadGame, with path and values, if any other seat is shown something else at this table."""
        what_if = quickly(one.kind)
        for seat in self.unaware():
            if shown(one, seat, **what_if) != shown(self.table, seat, **what_if):
                apart = first_difference(seen(one, seat, **what_if), seen(self.table, seat, **what_if))
                raise BadGame(f"{seat} can tell what {self.chooser} chose in secret, before it is revealed: {apart}.")

    def compare_refusals(self, one: Table, rng: Random) -> None:
        """Raises BadGame if a wrong answer is refused in different words at this table."""
        wrong = wrong_answer(one, rng, [seat for seat in self.unaware() if seat != SCREEN])
        if wrong is not None:
            compare_refusals(one, self.table, *wrong)

    def unaware(self) -> list[str]:
        """Return the seats that may not know the difference."""
        aware = {self.chooser, self.chosen.by}
        return [seat for seat in (*self.table.seats, SCREEN) if seat not in aware]


def otherwise(one: Table, chosen: Entry, rng: Random) -> Otherwise | None:
    """Return a table with another answer in place of a secret choice, its last entry; None if there is none."""
    lines = [line for entry in one.entries[: chosen.number - 1] for line in entry.lines]
    other = Table.read([write_line(one.header), *map(write_line, lines)], SeededDealer(0))
    offers = [offer for offer in other.offers(chosen.by) if "do" in offer]
    # A different action might not be a secret choice, so there would be nothing to compare.
    offers = [offer for offer in offers if offer["do"] == body_of(chosen.lines[0]).get("do")] or offers
    for _ in range(_TRIES):
        answer = answer_to(other, rng.choice(offers), rng)
        if answer != body_of(chosen.lines[0]):
            accepted_answer = accepted(other, chosen.by, answer)
            return (
                Otherwise(other, chosen)
                if accepted_answer.is_hidden and chooser_in(accepted_answer) == chooser_in(chosen)
                else None
            )
    return None


def chooser_in(entry: Entry) -> str:
    """Return whose choice an entry is, according to its public events; the seat that answered if it is none."""
    choosers = (str(event.about["seat"]) for event in entry.events if event.key in ("has_chosen", "chose_anew"))
    return next(choosers, entry.by)


def leak_of_choices(table: Table) -> None:
    """Raises BadGame if a seat can tell what one of the last answers chose secretly."""
    latest = table.entries[-_FAR_BACK:]
    for place, attempt in product(range(len(latest)), range(_OTHERS)):
        chosen = latest[place]
        if chosen.is_hidden:
            # Seeded by the answer, not by its number, which changes when a transcript is shortened.
            rng = Random(f"{write_line(body_of(chosen.lines[0]))} {attempt}")
            other = otherwise(table, chosen, rng)
            if other is not None and all(map(other.follow, latest[place + 1 :])):
                other.compare(table)
