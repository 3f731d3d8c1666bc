"""A hand packed into one number behaves like a list of its cards, up to all cards of two decks."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhouse.cards import STANDARD
from cardhouse.games.dogs.lab.kernels import packed
from cardhouse.games.dogs.state import WORTH
from cardhouse.lab.kernels.compiled import compiled

OF_TWO_DECKS = Counter(WORTH[card] for card in STANDARD * 2)
VALUES = sorted(OF_TWO_DECKS)
HIGHEST = max(VALUES)
HANDS = st.tuples(*(st.integers(0, OF_TWO_DECKS[value]) for value in VALUES))


@compiled
def told(hand, value):
    return (
        packed.cards_in(hand),
        packed.highest_in(hand),
        packed.number_of(hand, value),
        packed.has_from(hand, value),
        packed.lowest_in(hand, value),
        packed.below(hand, value),
        packed.without(hand, value),
    )


def hand_of(cards):
    return np.int64(sum(1 << packed.WIDTH * card for card in cards))


@pytest.mark.parametrize("counts", [tuple(OF_TWO_DECKS[value] for value in VALUES), tuple(0 for _ in VALUES)])
def test_all_cards_and_none(counts):
    check(counts)


@given(HANDS)
def test_a_hand_is_its_cards(counts):
    check(counts)


def check(counts):
    cards = [value for value, many in zip(VALUES, counts, strict=True) for _ in range(many)]
    hand = hand_of(cards)
    for value in VALUES:
        many, highest, number, has, lowest, below, without = told(hand, np.int64(value))
        enough = [card for card in cards if card >= value]
        assert (many, highest, number) == (len(cards), max(cards, default=-1), cards.count(value))
        assert (has, lowest if has else None) == (bool(enough), min(enough, default=None))
        assert lowest > HIGHEST or has
        assert below == hand_of(card for card in cards if card < value)
        if number:
            cards.remove(value)
            assert without == hand_of(cards)
            cards.append(value)
