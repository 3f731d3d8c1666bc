"""The make-up of a deck: how many numbers and suits it has, and how many cards have two of them."""

from __future__ import annotations

from math import comb, log
from random import Random
from typing import NamedTuple

import numpy as np

from cardhouse.games.dogpile.lab.design.wanted import Span, Wanted
from cardhouse.games.dogpile.lab.kernels.arranging import Masks

TRIES = 300
"""The number of random make-ups per start, of which the most promising is used."""
NONE = Span(0, 0)
USUAL_PAIRS, USUAL_STACK = 0.18, 0.25
"""The initial chances where the order leaves them open."""


class MakeUp(NamedTuple):
    """The number of numbers and suits, and of plain cards with two of them."""

    numbers: int
    suits: int
    two_numbers: int
    two_suits: int

    @property
    def many(self) -> tuple[int, int]:
        """The number of numbers and of suits."""
        return self.numbers, self.suits

    def kinds(self) -> int:
        """Return how many different plain cards are possible with these numbers and suits."""
        numbers = self.numbers + (comb(self.numbers, 2) if self.two_numbers else 0)
        return numbers * (self.suits + (comb(self.suits, 2) if self.two_suits else 0))


def make_up_for(wanted: Wanted, rng: Random) -> MakeUp:
    """Return a make-up with which the order looks possible. Chances that the order leaves open are ignored."""
    found = [_random_make_up(wanted, rng) for _ in range(TRIES)]
    return min(found, key=lambda made: _difficulty(made, wanted))


def cards_of(made: MakeUp, wanted: Wanted, rng: Random) -> tuple[Masks, Masks]:
    """Return the numbers and suits of an initial deck: random plain cards, then the wild ones."""
    numbers, suits = (np.zeros(wanted.cards, np.int64) for _ in range(2))
    _fill(numbers, made.numbers, wanted.plain, made.two_numbers, rng)
    _fill(suits, made.suits, wanted.plain, made.two_suits, rng)
    every_number, every_suit = (1 << made.numbers) - 1, (1 << made.suits) - 1
    for place, card in enumerate(range(wanted.plain, wanted.cards)):
        half = place - wanted.jokers
        numbers[card] = every_number if half < 0 or half % 2 == 0 else 1 << made.numbers // 2
        suits[card] = every_suit if half < 0 or half % 2 else 1 << half % made.suits
    return numbers, suits


def _fill(masks: Masks, many: int, plain: int, two: int, rng: Random) -> None:
    """Give each plain card one or two values, evenly."""
    for place, card in enumerate(rng.sample(range(plain), plain)):
        first = place % many
        second = rng.choice([value for value in range(many) if value != first]) if place < two else first
        masks[card] = 1 << first | 1 << second


def _random_make_up(wanted: Wanted, rng: Random) -> MakeUp:
    """Return a make-up whose chances are about as ordered if values are spread evenly."""
    two_numbers, two_suits = (rng.choice([span.least, rng.uniform(*span)]) for span in _double_shares(wanted))
    left = [_without_wild(chance, wanted) for chance in (wanted.pairs or USUAL_PAIRS, wanted.stack or USUAL_STACK)]
    numbers = 2 / _single_value_chance(left[0], two_numbers) * rng.uniform(0.9, 1.2)
    suits = 1 / _single_value_chance(left[1], two_suits) * rng.uniform(0.85, 1.3)
    many_suits = _in_span(suits, Span(wanted.suits.least, wanted.most_suits))
    return MakeUp(
        _in_span(numbers, Span(wanted.numbers.least, wanted.most_numbers(many_suits))),
        many_suits,
        round(two_numbers * wanted.plain),
        round(two_suits * wanted.plain),
    )


def _double_shares(wanted: Wanted) -> tuple[Span, Span]:
    """Return the shares of cards that may have two numbers, and two suits. A team's decks have neither."""
    return (NONE, NONE) if wanted.of_team else (wanted.two_numbers, wanted.two_suits)


def _without_wild(chance: float, wanted: Wanted) -> float:
    """Return the chance that two plain cards touch if two of all cards do with this chance."""
    rest = wanted.cards - wanted.jokers
    return max(0.01, 1 - (1 - chance) * wanted.cards * (wanted.cards - 1) / (rest * (rest - 1)))


def _single_value_chance(chance: float, two: float) -> float:
    """Return the chance that single values fit, if cards touch with this chance and the share `two` has two values."""
    return 1 - float((1 - chance) ** (1 / (1 + two) ** 2))


def _in_span(number: float, span: Span) -> int:
    return int(min(max(round(number), span.least), span.most))


def _difficulty(made: MakeUp, wanted: Wanted) -> float:
    """Return how hard the order is for a make-up, by its chances if spread evenly and its number of distinct cards."""
    strain = 0.0
    for chance, many, two in (
        (wanted.pairs, made.numbers / 2, made.two_numbers),
        (wanted.stack, made.suits, made.two_suits),
    ):
        if chance is not None:
            left = _without_wild(chance, wanted)
            even = 1 - (1 - 1 / many) ** ((1 + two / wanted.plain) ** 2)
            # Uneven values only ever increase a chance.
            strain += max(0.0, abs(log(even / left)) - 0.1) * (4 if even > left else 1)
    single = (1 - made.two_numbers / wanted.plain) * (1 - made.two_suits / wanted.plain) * wanted.plain
    crowded = max(wanted.plain / made.kinds(), single / (made.numbers * made.suits)) / wanted.alike
    return strain + 10 * max(0.0, crowded - 0.9)
