"""Proof that a kernel follows the rules: the game, given the chance of a trial, must end in the same row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import GM, Action, CardhouseError, Draw, Over, Roll, Table
from cardhouse.engine.table.runner import PHYSICAL
from cardhouse.lab.questions.question import Question

Say = Callable[[Table], tuple[str, Mapping[str, Any] | Action] | None]
"""Returns the next answer and its seat; None when the trial is over."""


class Fresh:
    """Fresh chance for a trial that no kernel has played, from its own generator."""

    def __init__(self, seed: int, trial: int) -> None:
        self._rng = Random(f"{seed} {trial}")
        self._table: Table | None = None
        self._cards: Sequence[Card] | Mapping[str, Sequence[Card]] = ()

    def begin(self, table: Table, cards: Sequence[Card] | Mapping[str, Sequence[Card]]) -> None:
        """Use this table, and these cards, from now on."""
        self._table, self._cards = table, cards

    def __iter__(self) -> Fresh:
        return self

    def __next__(self) -> int:
        """Return the index of a drawn card, or the next die of a roll."""
        asked = self._table.question if self._table is not None else None
        if isinstance(asked, Draw):
            of_deck = self._cards[asked.deck] if isinstance(self._cards, Mapping) else self._cards
            return of_deck.index(self._rng.choice(asked.cards))
        assert isinstance(asked, Roll), "dice that are no part of the rules are taken with face_of"
        return self.face(asked.count_and_sides()[1])

    def face(self, sides: int) -> int:
        """Roll a die of this many sides."""
        return self._rng.randint(1, sides)


def face_of(chance: Iterator[int] | Fresh, sides: int) -> int:
    """Return the next die that isn't part of the rules: that of the trial if a kernel played it, otherwise a fresh one.

    0 if the trial has no more.
    """
    return chance.face(sides) if isinstance(chance, Fresh) else next(chance, 0)


class Divergence(CardhouseError):
    """The rules differ from the kernel."""


def table_of_paper(game: str, seats: Sequence[str], options: Mapping[str, Any], *decks: str) -> Table:
    """Return a table whose cards and dice are named one by one, as the kernel drew them."""
    return Table.new(game, seats, options, decks=dict.fromkeys((*decks, "dice"), PHYSICAL))


def play(table: Table, chance: Iterable[int], cards: Sequence[Card] | Mapping[str, Sequence[Card]], say: Say) -> Table:
    """Play until `say` returns None, with this chance, given as in a kernel's log.

    A draw is the index of a card in `cards`, or in those of its deck if there are several; a roll is the faces of its
    dice. Raises Divergence if the rules ask for other chance than the kernel did. If `chance` is an iterator, `say` may
    take from it what isn't chance of the rules, such as the dice of a weapon.
    """
    given = iter(chance)
    if isinstance(given, Fresh):
        given.begin(table, cards)
    while not isinstance(table.question, Over):
        asked = table.question
        if isinstance(asked, Draw):
            who = table.game.who_draws(asked.deck)
            of_deck = cards[asked.deck] if isinstance(cards, Mapping) else cards
            card = of_deck[_next(given, table)]
            table.answer(GM if GM in who else who[0], {"draw": asked.deck, "card": card})
        elif isinstance(asked, Roll):
            count, _ = asked.count_and_sides()
            table.answer(GM, {"roll": asked.dice, "dice": [_next(given, table) for _ in range(count)]})
        elif (answer := say(table)) is not None:
            table.answer(*answer)
        else:
            break
    if not isinstance(given, Fresh) and (left := list(given)):
        raise Divergence(f"The kernel drew or rolled {len(left)} more than the rules asked for.")
    return table


def _next(given: Iterator[int], table: Table) -> int:
    try:
        return next(given)
    except StopIteration:
        raise Divergence(f"The rules ask for more than the kernel drew: {table.question}.") from None


def check_trial(question: Question, seed: int, trial: int) -> str:
    """Replay a trial by the rules; return its transcript.

    Raises Divergence if anything differs.
    """
    (row,) = question.rows(seed, trial, 1).tolist()
    table = question.played(seed, trial)
    by_rules = list(question.row_of(table))
    for measure, one, other in zip(question.measures(), row, by_rules, strict=True):
        most = measure.size - 1  # which includes greater values
        if min(one, most) != min(other, most):
            settings = msgspec.json.encode(question).decode()
            raise Divergence(
                f"Trial {trial} of seed {seed} of {question.game} {question.name} with {settings}: {measure.key} is "
                f"{one} by the kernel, {other} by the rules."
            )
    return table.transcript()
