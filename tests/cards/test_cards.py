from __future__ import annotations

from random import Random

import pytest

from cardhouse.cards import (
    BLACK_JOKER,
    JOKERS,
    RED_JOKER,
    STANDARD,
    Deck,
    in_order,
    is_joker,
    number_of,
    rank_of,
    suit_of,
)


def test_a_standard_deck_has_52_cards_in_canonical_order():
    assert len(set(STANDARD)) == 52
    assert STANDARD[:3] == ("CA", "C2", "C3")
    assert STANDARD[12:14] == ("CK", "DA")
    assert STANDARD[-1] == "SK"


def test_what_a_card_is():
    assert (suit_of("S10"), rank_of("S10"), number_of("S10")) == ("S", "10", 10)
    assert [number_of(card) for card in ("CA", "DJ", "HQ", "SK")] == [1, 11, 12, 13]
    assert is_joker(RED_JOKER)
    assert not is_joker("DJ")
    with pytest.raises(KeyError):
        number_of(BLACK_JOKER)


def test_canonical_order_is_that_of_the_fair_deal():
    """Clubs, diamonds, hearts, spades; ace to king; the red joker, the black joker; then cards of other decks."""
    assert in_order(["BJ", "zebra", "RJ", "SK", "S10b", "H2", "HA", "D9", "C10", "C9"]) == (
        ["C9", "C10", "D9", "HA", "H2", "SK", "RJ", "BJ", "S10b", "zebra"]
    )


def test_what_is_known_of_a_deck():
    deck = Deck(top=["C2"], loose=["C3", "C4"], bottom=["C5", "C6"])
    assert len(deck) == 5
    assert "C6" in deck
    assert "C7" not in deck
    assert (deck.known_next(), deck.could_be_next()) == ("C2", ["C2"])
    deck.take("C2")
    assert (deck.known_next(), deck.could_be_next()) == (None, ["C3", "C4"])
    deck.take("C3")
    deck.take("C4")
    assert (deck.known_next(), deck.could_be_next()) == ("C5", ["C5"])
    deck.take("C6")
    assert deck.cards() == ["C5"]
    with pytest.raises(ValueError, match="C6 is not in the deck"):
        deck.take("C6")
    deck.take("C5")
    assert (deck.known_next(), deck.could_be_next(), len(deck)) == (None, [], 0)


def test_a_shuffle_forgets_every_order():
    deck = Deck(top=["SK"], loose=["C3"], bottom=["HA"])
    deck.shuffle()
    assert deck == Deck.of(["SK", "C3", "HA"])
    assert deck.loose == ["C3", "HA", "SK"]


@pytest.mark.parametrize("seed", range(50))
def test_a_deck_says_what_somebody_who_watched_a_real_one_would_know(seed):
    """Beside it lies a pile in a real order: what is drawn there was possible, and is the one known, if any."""
    rng = Random(seed)
    pile = rng.sample(STANDARD + JOKERS, 20)
    aside = [card for card in STANDARD + JOKERS if card not in pile]
    deck = Deck.of(pile)
    for _ in range(200):
        assert len(deck) == len(pile)
        assert sorted(deck.cards()) == sorted(pile)
        what = rng.randrange(6)
        if what == 0:
            rng.shuffle(pile)
            deck.shuffle()
        elif what == 1 and aside:
            card = aside.pop()
            pile.append(card)
            deck.put_on_bottom(card)
        elif what == 2 and aside:
            card = aside.pop()
            pile.insert(0, card)
            deck.put_on_top(card)
        elif what == 3 and aside:
            card = aside.pop()
            pile.insert(rng.randint(len(deck.top), len(pile) - len(deck.bottom)), card)
            deck.add(card)
        elif pile:
            card = pile.pop(0)
            assert card in deck.could_be_next()
            assert deck.known_next() in (None, card)
            deck.take(card)
            aside.insert(0, card)
