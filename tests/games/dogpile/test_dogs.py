"""The built-in deck of dogs: unique cards, about as hard to lay as the standard deck (DG-20)."""

from collections import Counter
from itertools import combinations

import pytest

from cardhouse.games.dogpile.deck import DeckCard, Direction, DogDeck
from cardhouse.games.dogpile.deck_file import bundled_decks, deck_of, read_deck, standard_deck


@pytest.fixture(scope="module")
def dogs() -> DogDeck:
    return deck_of(read_deck(bundled_decks()["dogs"], "dogs.toml"))


def plain(deck: DogDeck) -> list[DeckCard]:
    return [card for card in deck.cards.values() if not card.wild]


def fit(one: DeckCard, other: DeckCard, direction: Direction) -> bool:
    """Whether two plain cards may touch, by the rules themselves."""
    holds = (rule.holds(one.values[rule.attribute], other.values[rule.attribute]) for rule in direction.rules)
    return all(holds) if direction.all else any(holds)


def fitting(deck: DogDeck, direction: Direction) -> dict[str, float]:
    """For each plain card, the share of the other plain cards that it may touch in a direction."""
    found: Counter[str] = Counter()
    cards = plain(deck)
    for one, other in combinations(cards, 2):
        if fit(one, other, direction):
            found.update((one.id, other.id))
    return {card.id: found[card.id] / (len(cards) - 1) for card in cards}


def mean(shares: dict[str, float]) -> float:
    return sum(shares.values()) / len(shares)


def test_120_dogs_no_two_alike(dogs: DogDeck):
    cards = dogs.cards.values()
    assert len(cards) == 120
    assert len({card.name for card in cards}) == 120
    assert len({card.text for card in cards}) == 120
    assert all(0 < len(card.text) < 70 for card in cards)
    kinds = {tuple(card.values[attribute] for attribute in dogs.matters) for card in plain(dogs)}
    assert len(kinds) == len(plain(dogs)) == 115


def test_two_wild_in_everything_and_one_in_each_thing_that_matters(dogs: DogDeck):
    assert dogs.matters == ("size", "breed", "mood")
    free = {
        card.id: [attribute for attribute in dogs.matters if attribute not in card.values]
        for card in dogs.cards.values()
        if card.wild and card.id not in dogs.jokers
    }
    assert len(dogs.jokers) == 2
    assert sorted(free.values()) == [["breed"], ["mood"], ["size"]]


def test_its_values_are_spread_evenly(dogs: DogDeck):
    counts = {name: Counter(card.values[name] for card in plain(dogs)) for name in (*dogs.matters, "coat")}
    assert {name: len(found) for name, found in counts.items()} == {"size": 12, "breed": 12, "mood": 6, "coat": 6}
    assert set(counts["size"]) == set(range(1, 13))
    for found in counts.values():
        assert max(found.values()) <= 1.5 * min(found.values())


def test_it_is_about_as_hard_as_the_standard_deck(dogs: DogDeck):
    standard = standard_deck()
    assert mean(fitting(standard, standard.beside)) == pytest.approx(192 / 1326)
    assert mean(fitting(standard, standard.above)) == pytest.approx(312 / 1326)
    assert mean(fitting(dogs, dogs.beside)) == pytest.approx(0.154, abs=0.01)
    assert mean(fitting(dogs, dogs.above)) == pytest.approx(0.229, abs=0.01)


def test_no_dog_is_hopeless_or_trivial(dogs: DogDeck):
    beside, above = fitting(dogs, dogs.beside), fitting(dogs, dogs.above)
    assert min(beside.values()) > 0.09
    assert max(beside.values()) < 0.22
    assert min(above.values()) > 0.19
    assert max(above.values()) < 0.27
