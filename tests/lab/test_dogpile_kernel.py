"""The question *What can silence build?*: the kernel plays like the bot, and its exact numbers are right."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.bots import shapes
from cardhouse.games.dogpile.bots.shapes import Shapes
from cardhouse.games.dogpile.deck_file import deck_of
from cardhouse.games.dogpile.lab.dealt import Dealt
from cardhouse.games.dogpile.lab.kernels.cautious_bot import laid_bit, laid_card, largest
from cardhouse.games.dogpile.lab.kernels.contacts import CARD
from cardhouse.games.dogpile.lab.questions import FINE, FINEST, Ceiling, Game, Hard, Silence
from cardhouse.games.dogpile.lab.single_rounds import hands_of
from cardhouse.games.dogpile.lab.tables import board_for, desk_of, dogs_for, sizes_by_suits
from cardhouse.games.dogpile.largest import largest_pack
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.running.study import Study, ask
from cardhouse.lab.statistics.estimate import estimate
from cardhouse.lab.statistics.histogram import played
from tests.games.dogpile.playing import deck_file, small_deck
from tests.thorough import many

FIVE_SIGMA = 0.9999994
DOGS: Any = Dealt.named_file("deck", "dogs")


def wild_deck(wild: int) -> dict[str, Any]:
    """Twelve plain cards, and so many that are wild in their suit or number; two of them are jokers."""
    cards: dict[str, dict[str, Any]] = {
        f"{suit}{number}": {"number": number, "suit": suit} for suit in "ab" for number in range(1, 7)
    }
    some: list[dict[str, Any]] = [{}, {}, {"number": 3}, {"suit": "a"}, {"number": 5}, {"suit": "b"}]
    return deck_file({**cards, **{f"w{number}": {"wild": True, **some[number]} for number in range(wild)}})


@pytest.mark.parametrize("seed", range(many(24, 10)))
def test_the_kernel_plays_by_the_rules(seed):
    rng = Random(seed)
    deck = rng.choice([{}, {}, DOGS, small_deck(rng), wild_deck(5)])
    hand = rng.randint(1, 5 if len(deck.get("cards", DOGS["cards"])) > 30 else 4)
    most = (len(deck["cards"]) - 3 if deck else 51) // hand
    settings: dict[str, Any] = {
        "players": rng.randint(1, min(8, most)),
        "hand_size": hand,
        "jokers": rng.randint(0, 2),
        "deck": deck,
        "passing": rng.choice(["ends_laying", "skips"]),
    }
    asked = Silence(**settings, lone_leader=rng.choice(["strays", "joins"])), Hard(**settings)
    assert all(question.compiled for question in asked)
    for trial in range(10):
        for question in asked:
            check_trial(question, seed, trial)


@pytest.mark.parametrize(("players", "hand", "jokers"), [(1, 7, 2), (2, 6, 2), (8, 5, 2), (8, 6, 0)])
@pytest.mark.soak
def test_larger_hands_and_tables(players, hand, jokers):
    for trial in range(many(12, 5)):
        check_trial(Silence(players=players, hand_size=hand, jokers=jokers), 4, trial)


def laid(question: Dealt, leader: int, hand: tuple[int, ...]) -> list[tuple[str, int, int]]:
    """What the kernel lays alone: cards and cells."""
    dogs, board = dogs_for(question.dogs, question.cards), board_for(question.hand_size)
    desk = desk_of(dogs, question.hand_size)
    desk.cards[CARD : CARD + len(hand) + 1] = [*hand, leader]
    many = largest(dogs, board, board.closed, 0, desk)
    rim = question.hand_size + 1
    cells = [divmod(board.cell[laid_bit(place, board, desk)], board.step) for place in range(many)]
    return [(question.cards[laid_card(place, desk)], x - rim, y - rim) for place, (x, y) in enumerate(cells)]


@pytest.mark.parametrize("seed", range(many(8, 4)))
def test_it_lays_the_very_cards_on_the_very_cells(seed):
    """Wild cards in rings, too, of which two by two fit and all together don't."""
    rng = Random(seed)
    question = Silence(players=1, hand_size=rng.randint(2, 5), deck=wild_deck(5))
    assert_lays_the_same(question, rng, 25)


@pytest.mark.parametrize("hand", [6, 7])
@pytest.mark.soak
def test_it_does_so_where_a_hand_reaches_more_cells_than_a_word_has_bits(hand, monkeypatch):
    """The bot is given the time to look at everything, as the kernel does."""
    monkeypatch.setattr(shapes, "WAYS", 10**9)
    assert_lays_the_same(Silence(players=1, hand_size=hand), Random(hand), 40)


def assert_lays_the_same(question: Dealt, rng: Random, deals: int) -> None:
    """The kernel and the bot, alone with the Pack Leader."""
    for _ in range(deals):
        leader, *hand = rng.sample(range(len(question.cards)), question.hand_size + 1)
        hand.sort()
        held = [question.cards[card] for card in hand]
        shape = Shapes(question.cards[leader], held, question.dogs, []).largest()
        assert laid(question, leader, tuple(hand)) == [(one.card, one.x, one.y) for one in shape]


@pytest.mark.parametrize("hand", [1, 2])
def test_exact_numbers_equal_the_sum_over_all_deals(hand):
    question = Silence(players=1, hand_size=hand, deck=wild_deck(0))
    every = range(len(question.cards))
    sizes = [
        len(laid(question, leader, some))
        for leader in every
        for some in combinations((card for card in every if card != leader), hand)
    ]
    exact = question.exact()
    assert exact["laid_1"] == pytest.approx(np.mean(sizes), abs=1e-12)
    assert exact["lost"] == pytest.approx(np.mean([size == 0 for size in sizes]), abs=1e-12)
    assert exact["joined"] == pytest.approx(np.mean([size + 1 for size in sizes if size]), abs=1e-12)


@pytest.mark.parametrize("hand", [1, 2])
def test_exact_numbers_are_in_the_played_intervals(hand):
    question = Silence(players=1, hand_size=hand, jokers=0)
    exact, counts = question.exact(), played(question, None, 2, 0, 50_000).counts
    columns = [measure.key for measure in question.measures()]
    assert len(exact) == 6
    for finding in question.findings():
        if finding.key in exact:
            found = estimate(finding, counts[columns.index(finding.measure)], FIVE_SIGMA)
            assert found.low is not None
            assert found.high is not None
            assert found.low - 1e-9 <= exact[finding.key] <= found.high + 1e-9, finding.key


@pytest.mark.parametrize(
    "settings",
    [{"hand_size": 8}, {"deck": wild_deck(6), "hand_size": 2}, {"bot": "bold"}, {"bot": "reader"}, {"bot": "random"}],
)
def test_the_rules_play_what_the_kernel_can_not(settings):
    question = Silence(players=2, **settings)
    assert not question.compiled
    check_trial(question, 1, 2)


def test_all_bots_are_dealt_the_same():
    ones = [Silence(bot=bot, players=3) for bot in ("sure", "reader", "random")]
    assert len({tuple(one.chance(3, 4)) for one in ones}) == 1
    assert ones[0].chance(3, 4) == Hard(players=3).chance(3, 4) == Ceiling(players=3).chance(3, 4)


def test_alone_with_nobody_to_read_all_are_alike():
    assert np.array_equal(Silence(players=1).rows(5, 0, 12), Silence(players=1, bot="bold").rows(5, 0, 12))


def test_a_leader_to_whom_nobody_comes_joins_where_it_may():
    strays, joins = (Silence(lone_leader=what).rows(0, 0, 3000) for what in ("strays", "joins"))
    alone = strays[:, 1] == 1
    assert alone.any()
    assert (strays[alone, 0] == 0).all()
    assert (strays[alone, 2] == 1).all()
    assert (joins[alone, 0] == 1).all()
    assert not joins[:, 2].any()
    assert np.array_equal(strays[~alone], joins[~alone])


# The ceiling.


@pytest.mark.soak
@pytest.mark.parametrize(
    "settings", [{}, {"players": 2, "bot": "reader"}, {"deck": DOGS, "players": 2, "hand_size": 2}]
)
def test_the_ceiling_is_the_largest_pack_of_all_hands(settings):
    question = Ceiling(**settings)
    rows = question.rows(2, 0, 6)
    for trial, (could, dogs, left, everything, _) in enumerate(rows.tolist()):
        *held, leader = (question.cards[card] for card in question.chance(2, trial))
        size = largest_pack(leader, held, question.dogs).size
        assert could == (size if size > 1 else 0) >= dogs
        assert left == could - dogs
        assert everything == (could == question.most)
        check_trial(question, 2, trial)
    builds = Silence(**settings).rows(2, 0, 6)
    assert np.array_equal(rows[:, 1], builds[:, 0])


@pytest.mark.parametrize("seed", range(many(6, 3)))
def test_what_suits_tell_of_the_largest_pack_is_so(seed):
    """With few cards suits often hang together in a star, or not at all."""
    rng = Random(seed)
    told = 0
    for deck in ({}, wild_deck(2), wild_deck(0)):
        players, hand = rng.choice([(1, 4), (2, 3), (1, 7), (2, 2), (2, 5)])
        question = Ceiling(players=players, hand_size=hand, jokers=rng.randint(0, 2), deck=deck)
        assert question.compiled
        dealt = question.dealt(seed, 0, 40)
        sizes = sizes_by_suits(question.dogs, question.cards, dealt).tolist()
        told += sum(1 for size in sizes if size)
        for size, drawn in zip(sizes, dealt, strict=True):
            largest = largest_pack(*hands_of(drawn, question.cards), question.dogs)
            assert size in (0, largest.size)
            assert largest.proven
    assert told > 60


def test_other_decks_are_left_to_the_search():
    for deck in (DOGS, wild_deck(3)):
        assert not Ceiling(players=2, deck=deck).compiled


# The cards.


@pytest.mark.soak
def test_cards_that_are_laid_least_come_first():
    study = Study(cells=(Cell(Hard(players=2, hand_size=3)),), trials=4000)
    (answer,) = ask(study, workers=1).answers
    laid = [one.estimate.value or 0.0 for one in answer.found if one.finding.ranked == "laid"]
    assert len(laid) == 54
    assert laid == sorted(laid)
    assert {one.finding.key for one in answer.found[-2:]} == {"could_RJ", "could_BJ"}


def test_what_becomes_of_cards_adds_up():
    question = Hard(players=3, deck=DOGS)
    rows = question.rows(1, 0, 2000)
    held, laid_in_all, cards = rows[:, 0], rows[:, 1], rows[:, 2:]
    assert np.array_equal(held, (cards > 0).sum(axis=1))
    assert np.array_equal(laid_in_all, (cards == 3).sum(axis=1))
    assert np.array_equal(laid_in_all + 1, Silence(players=3, deck=DOGS).rows(1, 0, 2000)[:, 1])


# Whole games.


def test_a_game_is_the_same_game_again():
    question = Game(players=2, hand_size=3, rounds=4, bot="reader")
    check_trial(question, 3, 1)
    rows = question.rows(3, 0, 6)
    assert len(np.unique(rows, axis=0)) > 2
    dogs, lost, _, rounds, score, *_ = rows.T
    assert np.allclose(dogs * rounds / FINE, score, atol=0.1)
    assert np.allclose(lost * rounds / FINEST, np.round(lost * rounds / FINEST), atol=0.01)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        (Silence(players=8, hand_size=8), "8 hands of 8 and a Pack Leader are 65 cards; this deck has 54"),
        (Game(players=8, hand_size=8), "8 hands of 8 and a Pack Leader are 65 cards"),
        (Hard(players=2, hand_size=9, deck=wild_deck(2)), "2 hands of 9 and a Pack Leader are 19 cards"),
    ],
)
def test_impossible_deals_are_refused(question, wrong):
    with pytest.raises(CardhouseError, match=wrong):
        question.check()


def test_decks_that_come_along_are_named():
    assert Dealt.named_file("deck", "standard") == {}
    assert deck_of(DOGS).name == "120 dogs"
    assert Dealt.named_file("deck", "mine.toml") is None
