"""Whole games of Dogpile in the lab, which can be replayed."""

from __future__ import annotations

from random import Random

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.bots import BASELINE, BOTS
from cardhouse.games.dogpile.lab.whole_games import PLAYERS, Setting, play_game
from cardhouse.games.dogpile.state import MOST_PLAYERS
from tests.games.dogpile.playing import small_deck

PAIR = Setting(("reader", "sure"), {"hand_size": 3}, 3)


def test_a_seed_is_a_game():
    assert play_game(PAIR, 5) == play_game(PAIR, 5)
    assert len({play_game(PAIR, seed) for seed in range(6)}) > 3


@pytest.mark.parametrize("name", PLAYERS)
def test_every_bot_plays_whole_games(name):
    for players in (1, MOST_PLAYERS):
        played = play_game(Setting((name,) * players, {"hand_size": 2}, 4), 3)
        assert 1 <= played.rounds <= 4
        assert played.lost == played.rounds - len(played.packs)
        assert played.dogs == sum(played.packs)


def test_those_at_a_table_may_be_different_and_the_deck_ones_own():
    deck = small_deck(Random(4))
    played = play_game(Setting(("sure", "random"), {"deck": deck, "hand_size": 2, "touching": True}, 5), 0)
    assert 0 <= played.dogs <= len(deck["cards"])


def test_all_bots_of_the_table_can_be_studied():
    assert {*BOTS, *BASELINE} == {*PLAYERS}


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        (Setting(()), "1 to 8 play Dogpile, not 0"),
        (Setting(("sure",) * 9), "1 to 8 play Dogpile, not 9"),
        (Setting(("sure", "bald")), 'no bot "bald" for dogpile; there are sure, bold, reader, best, random'),
        (Setting(("sure",) * 8, {"hand_size": 8}), "8 hands of 8 and a Pack Leader are 65 cards"),
        (Setting(("sure",), {"jokers": 3}), "jokers"),
    ],
)
def test_invalid_studies_are_refused_before_any_trial(setting, wrong):
    with pytest.raises(CardhouseError, match=wrong):
        setting.check()
