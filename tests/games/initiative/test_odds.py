"""The live odds are exact: they equal all possible courses of the round."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, PHYSICAL, Ask, Draw, SeededDealer, Table
from cardhouse.engine.table.enumerate import walk
from tests.games.initiative.playing import at_once, fight, game_of, some_cards, step
from tests.thorough import many

TURNED = {"drawn", "red_joker", "red_joker_takes", "black_joker", "burns", "burns_joker"}
WAYS = 600
"""Moments that more ways lead on from are passed over: the walk is the slow side."""


def by_walking(table: Table) -> dict[str, dict[str, float | None]]:
    """The odds of everybody who is still to come, from every way the round can go on."""
    now = {c.name: c for c in game_of(table).characters}
    card_of = {name: c.card for name, c in now.items()}
    next_card: dict[str, Fraction] = dict.fromkeys(now, Fraction(0))
    acts: dict[str, Fraction] = dict.fromkeys(now, Fraction(0))
    turns: dict[str, Fraction] = dict.fromkeys(now, Fraction(0))
    total = Fraction(0)
    for way in walk(table, at_once):
        total += way.chance
        turned = next((event.about["card"] for event in way.events if event.key in TURNED), None)
        order = [event.about["name"] for event in way.events if event.key == "acts"]
        for name in now:
            next_card[name] += way.chance * (card_of[name] == turned)
            if name in order:
                acts[name] += way.chance
                turns[name] += way.chance * order.index(name)
    assert total == 1
    return {
        name: {
            "next": float(next_card[name]),
            "acts": float(acts[name]),
            "turns_before": float(turns[name] / acts[name]) if acts[name] else None,
        }
        for name in now
    }


def check(table: Table) -> None:
    told, walked = without_choices(table.game.odds(GM)), by_walking(table)
    for name, odds in walked.items():
        if name in told:
            assert told[name] == pytest.approx(odds, abs=1e-12), name
        else:  # who is left out has nothing to come
            assert odds == {"next": 0, "acts": 0, "turns_before": None}, name


def without_choices(told: Any) -> Any:
    """What is told of everybody, but for what comes of a choice that is open (test_choices.py)."""
    return {name: {what: odds[what] for what in odds if what != "choices"} for name, odds in told.items()}


def ways(table: Table) -> int:
    """No more than so many ways lead on from here."""
    deck = game_of(table).deck
    count = 1
    for left in range(2, len(deck.loose) + 1):
        count *= left
    if "RJ" in deck.loose:  # what goes back at the red joker is shuffled too
        count *= 1 + len(deck.bottom) * len(deck.loose)
    return count


@pytest.mark.parametrize("seed", range(many(45, 18)))
def test_odds_are_those_of_every_way_the_round_can_go_on(seed):
    rng = Random(seed)
    table = fight(rng, some_cards(rng, rng.randint(2, 7)))
    checked = 0
    for _ in range(30):
        step(table, rng)
        if ways(table) <= WAYS and table.asks()["key"] != "between" and rng.random() < 0.3:
            check(table)
            checked += 1
    assert checked


@pytest.mark.parametrize("seed", range(many(30, 12)))
def test_odds_with_a_paper_deck_whose_next_card_is_about_to_be_named(seed):
    rng = Random(1000 + seed)
    how = {"decks": {"initiative": PHYSICAL}} if seed % 2 else {"by_hand": ["draw"]}
    table = fight(rng, some_cards(rng, rng.randint(2, 5)), **how)
    for _ in range(40):
        step(table, rng)
        wanted = game_of(table).burning or rng.random() < 0.2
        if wanted and ways(table) <= WAYS and table.asks()["key"] != "between":
            check(table)


def test_the_card_under_the_black_joker_can_be_the_only_one_left():
    table = fight(Random(0), ["C7"], decks={"initiative": PHYSICAL})
    table.answer(GM, {"do": "start_round"})
    for card in ("RJ", "BJ"):
        table.answer(GM, {"draw": "initiative", "card": card})
    assert isinstance(table.question, Draw)
    assert table.game.odds(GM) == {"C7": {"next": 1, "acts": 0, "turns_before": None}}


@pytest.mark.parametrize("cards", [["RJ", "SA", "DK"], ["BJ", "S9", "RJ", "SA", "DK"], ["RJ", "BJ", "S2", "SA", "DK"]])
def test_a_spent_ace_in_the_deck_another_at_the_bottom_and_a_king_waiting(cards):
    """Which of the aces becomes the waiting card, and so acts last, is a matter of what is drawn."""
    table = fight(Random(0), ["HA", "SA", "DK", "S9", "S2"])
    table.answer(GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": "HA"}])
    table.answer(GM, {"do": "act", "name": "HA"})
    *before, ace, king = [{"draw": "initiative", "card": card} for card in cards]
    table.answer(GM, {"do": "done", "name": "HA"}, chance=[*before, ace])
    table.answer(GM, {"do": "act", "name": "SA"})
    table.answer(GM, {"do": "done", "name": "SA"}, chance=[king])
    other = next(card for card in game_of(table).deck.loose if card in ("S9", "S2"))
    table.answer(GM, {"do": "wait", "name": "DK"}, chance=[{"draw": "initiative", "card": other}])
    assert "HA" in game_of(table).deck.loose
    assert game_of(table).deck.bottom == ["SA"]
    check(table)
    table.answer(GM, {"do": "wait", "name": "DK"})
    check(table)


@pytest.mark.soak
def test_odds_of_a_large_table_agree_with_rounds_played_out():
    rng = Random(7)
    cards = [*rng.sample([card for card in STANDARD if card[1:] != "A"], 17), "CA", "DA", "HA"]
    table = fight(rng, cards)
    while game_of(table).waiting is None or len(game_of(table).deck) < 14:
        step(table, rng)
    told = table.game.odds(GM)
    turns: dict[str, list[int]] = {name: [] for name in told}
    rounds = 4000
    for seed in range(rounds):
        order = turns_of_a_round(table, seed)
        for name in told:
            if name in order:
                turns[name].append(order.index(name))
    for name, odds in told.items():
        acts, before = odds["acts"], odds["turns_before"]
        assert len(turns[name]) / rounds == pytest.approx(acts, abs=5 * (acts * (1 - acts) / rounds) ** 0.5 + 1e-12), (
            name
        )
        error = stdev(turns[name]) / len(turns[name]) ** 0.5
        assert fmean(turns[name]) == pytest.approx(before, abs=5 * error), name


def turns_of_a_round(table: Table, seed: int) -> list[str]:
    """Who acts, in order, if this round is played to its end with this seed."""
    running = table.running_copy(SeededDealer(seed))
    while isinstance(running.question, Ask) and (answer := at_once(running.game, running.question)) is not None:
        running.send(answer, deque(), "")
    return [event.about["name"] for event in running.game.out if event.key == "acts"]


def test_there_are_no_odds_between_rounds():
    table = fight(Random(0), ["HA", "C7"])
    assert table.game.odds(GM) == table.game.odds("table") == {}


def test_players_odds_while_somebody_hides_are_a_matter_of_counting():
    table = fight(Random(0), ["HK", "C7"])
    table.answer(GM, {"do": "add_character", "name": "Eve", "card": "SA", "hidden": True})
    table.answer(GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": "HK"}])
    assert table.game.odds("table") == {"C7": {"next": 0.25}, "HK": {"next": 0}}
    assert table.game.odds(GM)["Eve"]["next"] == 0.25
    table.answer(GM, {"do": "show", "name": "Eve"})
    assert table.game.odds("table") == table.game.odds(GM)


def test_an_ace_in_its_first_turn_is_next_only_if_nothing_lies_above_it():
    table = fight(Random(0), ["HA", "C7"])
    table.answer(
        GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": card} for card in ("RJ", "BJ", "C7", "HA")]
    )
    assert table.asks()["with"] == {"name": "HA", "card": "HA"}
    assert table.asks()["key"] == "turn"
    assert table.game.odds(GM) == {"HA": {"next": 1, "acts": 1, "turns_before": 0}}
