"""Decks of different sizes dealt in step: each is dealt fairly, and together they vary less than apart."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from cardhouse.games.dogpile.deck_file import deck_of
from cardhouse.games.dogpile.lab.dealt import Dealt
from cardhouse.games.dogpile.lab.in_step import align_decks, no_places
from cardhouse.games.dogpile.lab.questions import Ceiling, Hard, Silence
from cardhouse.games.dogpile.lab.tables import dealt
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.questions.settings import cells, changes, settings_of
from tests.games.dogpile.playing import deck_file, small_deck
from tests.thorough import many


def some_cards(data: dict[str, Any]) -> Any:
    deck = deck_of(data)
    return deck, tuple(deck.cards)


def chances(
    places: np.ndarray[Any, Any], dealt: tuple[int, ...] = (), left: int = 3
) -> dict[tuple[int, ...], Fraction]:
    """The chance of each deal of so many cards, by going through the places of each."""
    if not left:
        return {dealt: Fraction(1)}
    counts = Counter(card for card in places.tolist() if card not in dealt)
    found: dict[tuple[int, ...], Fraction] = {}
    for card, count in counts.items():
        for deal, chance in chances(places, (*dealt, card), left - 1).items():
            found[deal] = chance * Fraction(count, sum(counts.values()))
    return found


@pytest.mark.parametrize("seed", range(many(20, 4)))
def test_every_deal_of_each_deck_is_as_likely_as_any_other(seed):
    rng = Random(seed)
    plain = {f"{suit}{number}": {"number": number, "suit": suit} for suit in "ab" for number in range(1, 5)}
    decks = [deck_file({card: plain[card] for card in rng.sample(sorted(plain), size)}) for size in (4, 7)]
    decks[1]["cards"]["j"] = {"wild": True}
    both = align_decks(*map(some_cards, decks))
    assert len(both[0]) == len(both[1])
    for deck, places in zip(decks, both, strict=True):
        cards = len(deck["cards"])
        each = Fraction(1, cards * (cards - 1) * (cards - 2))
        assert chances(places) == dict.fromkeys(permutations(range(cards), 3), each)


def test_so_it_is_when_they_are_dealt():
    """60 deals of three of five cards, as often as chance has it: chi-squared below what it exceeds once in 10,000."""
    small, large = (deck_file({f"c{n}": {"number": n, "suit": "a"} for n in range(size)}) for size in (5, 8))
    places, _ = align_decks(some_cards(small), some_cards(large))
    deals = dealt(5, places, 2, 1, 9, 0, 60_000)
    counts = Counter(map(tuple, deals.tolist()))
    assert len(counts) == 60
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 105


def variances(one: Dealt, other: Dealt, trials: int = 6000) -> float:
    """The variance of the difference in dogs, as a share of that of two that have nothing to do with each other."""
    here, there = (each.rows(2, 0, trials)[:, 0].astype(float) for each in one.paired_with(other))
    return float((here - there).var() / (here.var() + there.var()))


TWO: Any = Dealt.named_file("deck", "two-decks")


@pytest.mark.parametrize(
    ("change", "most"), [({"jokers": 0}, 0.3), ({"deck": TWO}, 0.4), ({"deck": Dealt.named_file("deck", "dogs")}, 0.8)]
)
def test_what_decks_have_in_common_cancels_out(change, most):
    assert variances(Silence(), Silence(**change)) < most


def test_the_same_cards_are_dealt_to_both():
    one, other = Silence().paired_with(Silence(deck=TWO, jokers=2))
    assert isinstance(one, Dealt)
    assert isinstance(other, Dealt)
    names = [np.array([card.removesuffix("b") for card in each.cards])[each.dealt(0, 0, 500)] for each in (one, other)]
    assert (names[0] == names[1]).mean() > 0.7
    one, other = Silence(jokers=1).paired_with(Silence(jokers=2))
    assert isinstance(one, Dealt)
    assert isinstance(other, Dealt)
    assert (one.dealt(0, 0, 500) == other.dealt(0, 0, 500)).mean() > 0.9


@pytest.mark.parametrize("seed", range(3))
def test_both_are_played_by_the_rules(seed):
    rng = Random(seed)
    question = rng.choice([Silence, Hard, Ceiling])
    for each in question(players=2, hand_size=2, deck=small_deck(rng)).paired_with(question(players=2, hand_size=2)):
        for trial in range(5):
            check_trial(each, seed, trial)


def test_decks_of_one_size_are_dealt_as_ever():
    assert Silence(players=2, hand_size=3).chance(3, 4) == [7, 53, 4, 39, 36, 17, 37]
    assert Silence(players=2, hand_size=2, jokers=0).chance(7, 11) == [26, 7, 17, 4, 0]
    assert not len(Silence().places)
    assert not len(no_places())
    one, other = Silence(), Silence(hand_size=6, passing="skips")
    assert one.paired_with(other) == (one, other)


def test_nobody_is_asked_for_it_and_nobody_told():
    assert "in_step_with" not in settings_of(Silence)
    (cell,) = cells(Silence, {}, {"jokers": "0"})
    assert isinstance(cell.question, Silence)
    assert isinstance(cell.versus, Silence)
    assert len(cell.question.in_step_with["cards"]) == 52
    assert len(cell.versus.in_step_with["cards"]) == 54
    assert changes(cell.question, cell.versus) == {"jokers": "0"}
