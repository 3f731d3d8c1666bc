"""Tables of Dogpile: invalid ones, players, names of seats, and the alarm."""

from __future__ import annotations

from typing import Any

import pytest

from cardhouse.engine import CLOCK, GM, SCREEN, CardhouseError, Refused, SeededDealer, Table
from cardhouse.testing import shown
from tests.games.dogpile.playing import PEOPLE, deck_file, game_of

FIVE = deck_file({f"c{number}": {"number": number, "suit": "s"} for number in range(1, 6)})


def new(*people: str, **options: Any) -> Table:
    return Table.new("dogpile", [GM, *people], options, SeededDealer(7))


@pytest.mark.parametrize(
    ("people", "options", "says"),
    [
        (6, {"hand_size": 9}, "6 hands of 9 and a Pack Leader are 55 cards; this deck has 54."),
        (6, {"hand_size": 9, "jokers": 0}, "6 hands of 9 and a Pack Leader are 55 cards; this deck has 52."),
        (5, {"hand_size": 9, "gm_plays": True}, "6 hands of 9 and a Pack Leader are 55 cards; this deck has 54."),
        (2, {"deck": FIVE, "hand_size": 3}, "2 hands of 3 and a Pack Leader are 7 cards; this deck has 5."),
        (1, {"deck": FIVE, "hand_size": 5}, "One hand of 5 and a Pack Leader are 6 cards; this deck has 5."),
        (0, {"deck": FIVE, "hand_size": 5}, "One hand of 5 and a Pack Leader are 6 cards; this deck has 5."),
        (9, {"hand_size": 1}, "Dogpile is for 8 players at most; here are 9."),
        (
            8,
            {"hand_size": 1, "gm_plays": True},
            "Dogpile is for 8 players at most; here are 9, the game master among them.",
        ),
        (2, {"jokers": 3}, "options: jokers must be one of 0, 1, 2, not 3;"),
        (2, {"hand_size": 0}, "options: hand_size must be a whole number from 1 to 10, not 0;"),
        (2, {"hand_size": 11}, "options: hand_size must be a whole number from 1 to 10, not 11;"),
        (2, {"minutes": 0}, "options: minutes must be a whole number from 1 to 180, not 0;"),
        (2, {"rounds": 0}, "options: rounds must be a whole number from 1 to 100, not 0;"),
        (2, {"lone_leader": "flies"}, 'options: lone_leader must be one of joins, strays, not "flies";'),
    ],
)
def test_a_table_that_cant_be_played_is_refused_when_it_is_made_dg2(people, options, says):
    with pytest.raises(CardhouseError) as error:
        new(*"abcdefghi"[:people], **options)
    assert error.value.message.startswith(says), error.value.message


@pytest.mark.parametrize(
    ("people", "options"),
    [
        (5, {"hand_size": 10}),
        (2, {"deck": FIVE, "hand_size": 2}),
        (8, {"hand_size": 6}),
        (7, {"gm_plays": True}),
        (1, {"hand_size": 10}),
        (0, {"hand_size": 10}),
    ],
)
def test_as_large_as_can_be_dg2(people, options):
    table = new(*PEOPLE[:people], **options)
    table.answer(GM, {"do": "begin"})
    assert table.asks()["key"] == "turn"


@pytest.mark.parametrize("called", ["onlooker", "open", "all", "everybody", "None", "player_one", "draft"])
def test_a_seat_may_be_called_anything_and_nobody_sees_more_by_it_dg6(called):
    """No word that the rules use by themselves is a name that a seat could have."""
    one, other = (Table.new("dogpile", [GM, "ada", called], {"hand_size": 1}, SeededDealer(7)) for _ in "12")
    for table, cards in ((one, ("C7", "D8", "S2")), (other, ("H3", "D9", "S2"))):
        table.answer(GM, {"do": "begin"}, chance=[{"draw": "draft", "card": card} for card in cards])
    for seat in (GM, SCREEN):
        assert shown(one, seat) == shown(other, seat)
    same = Table.read(one.transcript().splitlines()[:1])
    same.answer(GM, {"do": "begin"}, chance=[{"draw": "draft", "card": card} for card in ("H3", "D8", "S2")])
    assert shown(one, called) == shown(same, called)
    assert shown(one, "ada") != shown(same, "ada")


def test_the_alarm_is_when_the_timer_rings_dg18():
    table = new("ada", minutes=2)
    game = game_of(table)
    assert game.alarm() is None
    table.answer(GM, {"do": "begin"}, time=5_000)
    assert game.alarm() == game.ends_at == 5_120
    table.answer("ada", {"do": "pass"}, time=5_060)
    assert game.alarm() == 5_120, "people look at the reveal, the clock runs on"
    table.answer(GM, {"undo": 2})
    assert game_of(table).alarm() is None
    table.answer(GM, {"do": "begin"}, time=6_000)
    assert game_of(table).alarm() == 6_120
    table.answer(CLOCK, {"do": "ring"}, time=6_121)
    assert (game_of(table).alarm(), game_of(table).ends_at) == (None, 6_120)
    table.answer(GM, {"undo": 1})
    assert game_of(table).alarm() == 6_120, "a ring that is taken back is to come again"


def test_no_alarm_without_a_clock_or_with_rounds_dg18():
    table = new("ada")
    table.answer(GM, {"do": "begin"})
    assert game_of(table).alarm() is None
    table = new("ada", rounds=1)
    table.answer(GM, {"do": "begin"}, time=5_000)
    assert game_of(table).alarm() is None
    assert not any("time" in line for line in table.entries[0].lines), "a time that nothing depends on is not written"


def test_a_stopped_timer_leaves_a_number_of_rounds_and_the_end_says_so_dg18():
    table = new("ada")
    table.answer(GM, {"do": "begin"}, time=5_000)
    table.answer(GM, {"put_right": "untimed", "to": 2})
    assert game_of(table).alarm() is None
    for answer in ("pass", "next_round", "pass"):
        entry = table.answer("ada", {"do": answer})
    assert table.asks()["key"] == "over"
    assert [event.key for event in entry.events][-2:] == ["untimed", "final"]


def test_stopping_the_timer_ends_no_game_at_once_dg6():
    """It would show all hands, and could be undone."""
    table = new("ada", "ben")
    table.answer(GM, {"do": "begin"}, time=5_000)
    table.answer("ada", {"do": "pass"})
    assert table.asks()["key"] == "judged"
    with pytest.raises(Refused):
        table.answer(GM, {"put_right": "untimed", "to": 1})
    table.answer(GM, {"put_right": "untimed", "to": 2})
    assert table.asks()["key"] == "judged"


def test_no_alarm_once_the_game_is_over_dg17():
    table = new("ada", deck=FIVE, hand_size=4)
    table.answer(
        GM, {"do": "begin"}, time=5_000, chance=[{"draw": "draft", "card": f"c{number}"} for number in (1, 2, 4, 5, 3)]
    )
    assert game_of(table).alarm() == 5_900
    cards = [{"card": f"c{number}", "x": number - 3, "y": 0} for number in (1, 2, 4, 5)]
    table.answer("ada", {"do": "lay", "cards": cards})
    assert (table.asks()["key"], table.view(GM)["dogpile"]) == ("over", 5)
    assert (game_of(table).alarm(), game_of(table).rung) == (None, False)


def test_a_table_opened_from_a_copy_keeps_its_timer_dg18():
    table = new("ada", hand_size=1)
    table.answer(GM, {"do": "begin"}, time=5_000)
    for _ in range(12):
        table.answer("ada", {"do": "pass"})
        table.answer("ada", {"do": "next_round"})
    assert table.last_snapshot.number > 0
    opened = Table(table.header, SeededDealer(1), table.last_snapshot)
    assert game_of(opened).alarm() == 5_900


def test_only_the_seats_that_are_named_are_dealt_in():
    table = Table.new("dogpile", [GM, "ada", "ben", "cy"], {"hand_size": 2}, SeededDealer(0))
    table.answer(GM, {"do": "begin", "players": ["cy", "ada"], "first": "cy"}, time=1_000)
    view = table.view("ada")
    assert (view["players"], view["player_one"]) == (["ada", "cy"], "cy")
    assert {seat: game_of(table).hands.get(seat, []) for seat in ("ben", GM)} == {"ben": [], GM: []}
    again = Table.read(table.transcript().splitlines())
    assert again.view("ada") == view


def test_who_takes_a_seat_late_is_dealt_in_when_hands_are_next_filled():
    table = Table.new("dogpile", [GM, "ada", "ben"], {"hand_size": 2}, SeededDealer(0))
    table.answer(GM, {"do": "begin", "players": ["ada"]}, time=1_000)
    with pytest.raises(Refused):
        table.answer("ada", {"do": "deal_in", "seat": "ben"})
    table.answer("ben", {"do": "deal_in", "seat": "ben"})
    with pytest.raises(Refused):
        table.answer("ben", {"do": "deal_in", "seat": "ben"})
    assert table.view("ben")["hands"]["ben"] == []
    table.answer("ada", {"do": "pass"})
    assert len(table.view("ben")["hands"]["ben"]) == 2


def test_a_transcript_that_names_no_players_deals_in_every_seat():
    table = Table.new("dogpile", [GM, "ada", "ben"], {"hand_size": 2}, SeededDealer(0))
    table.answer("ada", {"do": "begin"}, time=1_000)
    assert table.view(GM)["players"] == ["ada", "ben"]
    assert not [offer for offer in table.offers("ben", anytime=True) if offer.get("do") == "deal_in"]


@pytest.mark.parametrize("players", [[], ["nobody"], ["ada", "ada"], "ada"])
def test_players_that_cant_be_are_refused(players):
    table = Table.new("dogpile", [GM, "ada"], {}, SeededDealer(0))
    with pytest.raises(Refused):
        table.answer(GM, {"do": "begin", "players": players})
