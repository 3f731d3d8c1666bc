"""Dogs Play Cards, Too in the lab: duels that can be fought again, whoever counts them."""

from __future__ import annotations

from math import isclose

import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.bots import POLICIES
from cardhouse.lab.dogs import AT_ONCE, Duel, Fought, bare, deals_of, fight, summed_up, winner

DUEL = Duel(("bold", "plain"), 6)


def test_a_seed_is_a_deal_and_the_same_for_both():
    assert fight(DUEL, 3) == fight(DUEL, 3)
    crossed = Duel(("plain", "bold"), 6)
    for seed in range(20):
        one, other = fight(DUEL, seed), fight(crossed, seed)
        assert (one.won + other.won, one.starter_won) == (2, other.starter_won)


def test_the_same_policy_wins_one_game_of_each_deal():
    assert {fight(Duel((name, name), 5), seed).won for name in POLICIES for seed in range(10)} == {1}


def test_the_better_hand_wins_whoever_starts():
    strong, weak = ["SK", "HK", "DK"], ["CA", "C2", "C3"]
    for policy in POLICIES.values():
        assert winner((strong, weak), (policy, policy), 0) == 0
        assert winner((weak, strong), (policy, policy), 0) == 1


def test_nobody_has_anything_besides_the_hand():
    simulation = bare([["SK", "HQ"], ["C2", "C3"]])
    assert sorted(simulation.deck.loose) == sorted({*STANDARD} - {"SK", "HQ", "C2", "C3"})
    assert not any(simulation.has_more(one) for one in simulation.contested.participants)


def test_the_deals_are_the_same_whatever_the_number_of_processes():
    deals = AT_ONCE + 3
    assert list(deals_of(DUEL, deals, 2, workers=1)) == list(deals_of(DUEL, deals, 2, workers=2))


def test_the_numbers_are_those_of_the_deals():
    found = summed_up(DUEL, [Fought(2, 1), Fought(1, 2), Fought(1, 0), Fought(0, 1)])
    assert (found.policies, found.cards, found.deals) == (("bold", "plain"), 6, 4)
    assert isclose(found.wins.mean, 0.5)
    assert isclose(found.starter_wins.mean, 0.5)


@pytest.mark.parametrize(
    ("duel", "deals", "wrong"),
    [
        (Duel(("bold", "bald"), 5), 1, 'no policy "bald" for dogs; there are plain, bold'),
        (Duel(("bold", "plain"), 0), 1, "1 to 20 cards, not 0"),
        (Duel(("bold", "plain"), 21), 1, "1 to 20 cards, not 21"),
        (DUEL, 0, "1 to 1000000 deals, not 0"),
    ],
)
def test_what_can_not_be_played_is_refused_before_anything_is(duel, deals, wrong):
    with pytest.raises(CardhouseError, match=wrong):
        next(deals_of(duel, deals, 0))
