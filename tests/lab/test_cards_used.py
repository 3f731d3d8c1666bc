"""The number of cards used: counted from a log, for any game."""

from __future__ import annotations

import pytest

from cardhouse.engine import GM, Ask, SeededDealer, Table
from cardhouse.games.dogpile.lab.questions import Game
from cardhouse.games.hackjack.state import AddCharacter, ChooseWound, Damage
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.lab.questions.cards_used import CardsUsed, drawn, lines_of, told


def test_cards_of_a_table_are_those_of_its_log():
    table = Table.new("hackjack", (GM,), {"limit": 1000}, dealer=SeededDealer(5))
    table.answer(GM, AddCharacter("it", 1, 1))
    for _ in range(60):
        table.answer(GM, Damage("it", 2))
        while isinstance(table.question, Ask) and table.question.key == "choose":
            table.answer(GM, ChooseWound("it", table.question.about["cards"][0]))
    lines = list(lines_of(table.entries))
    assert drawn(lines, "wounds") == 52  # nobody gives cards back, and so the deck runs out for good
    assert drawn(lines, "initiative") == 0
    assert told(table.entries, "shuffled") == 0
    assert CardsUsed("wounds", "the deck", 50).row(table.entries) == [50, 0]
    assert told(table.entries, "goes_down", "no_such") == 1


def test_a_game_of_dogpile_takes_more_than_its_deck():
    """Hands of 10 for 4 leave 14 cards to draw from, and strays come back."""
    question = Game(hand_size=10, rounds=8, bot="random")
    table = question.played(3, 0)
    cards, shuffles = question.row_of(table)[-2:]
    lines = list(lines_of(table.entries))
    assert cards == drawn(lines, "draft") > 54
    assert shuffles == told(table.entries, "shuffled") >= 1


@pytest.mark.soak
def test_cards_turned_over_in_a_round_are_those_the_jokers_and_turns_make():
    question = Order(mine=3, theirs=3)
    rows = question.rows(1, 0, 5_000)
    columns = {measure.key: rows[:, place] for place, measure in enumerate(question.measures())}
    went_back = (columns["red"] == 2) | (columns["red"] == 3)
    assert (columns["cards"] == 2 + columns["turns"] + went_back + (columns["lost"] > 0)).all()
