"""The clock: who answers for it, its times, cards in uncertain places, and new seats."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cardhouse.engine import (
    CLOCK,
    GM,
    PHYSICAL,
    SCREEN,
    Ask,
    BadGame,
    BadTranscript,
    CardhouseError,
    FairDealer,
    Game,
    Offer,
    Refused,
    SeededDealer,
    Table,
    Whole,
    find_game,
)
from cardhouse.engine.integrity.verify import verify
from cardhouse.testing import Conformance, shown
from tests.installed import look_anew

WIND = {"do": "wind"}
RING = {"do": "ring"}


@pytest.fixture
def egg(toy: str) -> str:
    """The name of a game with a clock, installed for one test."""
    look_anew()
    return "egg"


@pytest.fixture
def table(egg: str) -> Table:
    """Wound twice: at 100 and at 200."""
    table = new()
    table.answer(GM, WIND, time=100)
    table.answer("ada", WIND, time=200)
    return table


def new(**header: Any) -> Table:
    return Table.new("egg", [GM, "ada"], dealer=SeededDealer(2), **header)


def refused(table: Table, by: str, answer: dict[str, Any], **more: Any) -> str:
    """What is said to an answer that is refused and changes nothing."""
    before = [shown(table, seat) for seat in (*table.seats, SCREEN)], table.transcript()
    with pytest.raises(Refused) as error:
        table.answer(by, answer, **more)
    assert ([shown(table, seat) for seat in (*table.seats, SCREEN)], table.transcript()) == before
    return error.value.message


# Who answers for the clock.


def test_the_clocks_seat_is_empty(egg):
    with pytest.raises(CardhouseError, match="A seat's name can't be clock: that is taken"):
        Table.new(egg, [GM, CLOCK])
    with pytest.raises(BadTranscript, match="Line 1: A seat's name can't be clock"):
        Table.read(['{"cardhouse": 1, "game": "egg", "seats": ["gm", "clock"]}'])
    table = new()
    assert "can't be clock: that is taken" in refused(table, GM, {"seat": CLOCK})
    assert CLOCK not in table.seats


def test_it_says_what_is_offered_to_it_and_nothing_else(table):
    assert refused(table, CLOCK, WIND) == '"wind" is not open to clock now. Offered now: ring.'
    for seat in (GM, "ada"):
        assert refused(table, seat, RING) == f'"ring" is not open to {seat} now. Offered now: wind.'
        assert not [offer for offer in table.offers(seat, anytime=True) if offer["do"] == "ring"]
    for answer in (
        {"undo": 1},
        {"undo": 2},
        {"end": True},
        {"seat": "eve"},
        {},
        {"say": 1},
        {"draw": "box", "card": "CA"},
    ):
        assert refused(table, CLOCK, answer)
    entry = table.answer(CLOCK, RING)
    assert (entry.by, entry.lines) == (CLOCK, [{"by": CLOCK, "do": "ring"}])
    assert table.story(entry, "ada") == {
        "n": 3,
        "by": CLOCK,
        "events": [{"rule": "E-2", "key": "rings", "times": 1}],
    }


def test_the_clocks_answer_must_be_offered(egg):
    assert refused(new(), CLOCK, RING) == '"ring" is not open to clock now. Waiting for gm.'


def test_it_takes_nothing_back_and_the_game_master_may(table):
    table.answer(CLOCK, RING)
    assert table.who_may_take_back() is None
    assert "You can only undo your own last move" in refused(table, CLOCK, {"undo": 1})
    assert "You can only undo your own last move" in refused(table, "ada", {"undo": 1})
    table.answer(GM, {"undo": 1})
    assert table.view(GM)["rung"] == []
    table.answer(CLOCK, RING)
    assert len(table.view(GM)["rung"]) == 1


def test_it_speaks_while_a_paper_card_is_asked(egg):
    table = new(decks={"box": PHYSICAL})
    table.answer(GM, WIND)
    table.answer(GM, {"draw": "box", "card": "CA"}, time=100)
    assert table.asks()["key"] == "draw"
    table.answer(CLOCK, RING, time=160)
    assert table.asks()["key"] == "draw"
    table.answer("ada", {"draw": "box", "card": "C2"}, time=170)
    assert table.view(GM) == {"wound": [100, 170], "rung": [160], "drawn": ["CA", "C2"]}
    assert [line for entry in table.entries for line in entry.lines if "time" in line] == [
        {"time": 100},
        {"time": 160},
        {"time": 170},
    ]
    again = Table.read(table.transcript().splitlines())
    assert shown(again, GM) == shown(table, GM)


def test_a_clock_is_named_by_no_line_of_another_seat(table):
    lines = [*table.transcript().splitlines(), '{"by": "clock", "undo": 1}']
    with pytest.raises(BadTranscript, match=r"^Line 12: You can only undo your own last move"):
        Table.read(lines)


# What time it was.


def test_the_time_is_written_where_it_is_asked_for(table):
    draw, later = table.entries[0].lines[1], table.entries[0].lines[3]
    assert table.entries[0].lines == [{"by": GM, "do": "wind"}, draw, {"time": 100}, later, {"time": 100}]
    assert "draw" in draw
    assert "draw" in later
    assert table.view(GM)["wound"] == [100, 100, 200, 200]
    entry = table.answer(CLOCK, RING, time=261)
    assert entry.lines == [{"by": CLOCK, "do": "ring"}, {"time": 261}]


def test_without_a_clock_there_is_no_time(egg):
    table = new()
    entry = table.answer(GM, WIND)
    assert [list(line) for line in entry.lines] == [["by", "do"], ["draw", "card"], ["draw", "card"]]
    assert table.view(GM)["wound"] == [None, None]
    assert table.game.alarm() is None
    again = Table.read(table.transcript().splitlines())
    assert again.transcript() == table.transcript()


def test_read_again_it_is_as_late_as_it_was(table):
    table.answer(CLOCK, RING, time=261)
    again = Table.read(table.transcript().splitlines(), SeededDealer(99))
    assert again.transcript() == table.transcript()
    assert shown(again, "ada") == shown(table, "ada")
    assert again.game.alarm() == table.game.alarm() == 260


def test_a_replay_uses_the_times_in_the_log(egg):
    table = new()
    table.answer(GM, WIND, chance=[{"draw": "box", "card": "CA"}, {"time": 5}, {"draw": "box", "card": "C2"}], time=999)
    assert table.view(GM)["wound"] == [5, 999], "as far as it says anything"


def test_an_undo_changes_no_time_before_it(table):
    table.answer(GM, {"undo": 1})
    assert table.view(GM)["wound"] == [100, 100]
    table.answer("ada", WIND, time=300)
    assert table.view(GM)["wound"] == [100, 100, 300, 300]
    assert table.game.alarm() == 360
    table.answer(GM, {"undo": 2})
    assert (table.view(GM)["wound"], table.game.alarm()) == ([], None)


def test_an_answer_that_fails_changes_no_time(table):
    view = table.view(GM)
    with pytest.raises(CardhouseError, match="Nothing asks for"):
        table.answer(GM, WIND, chance=[{"time": 400}, {"time": 500}, {"time": 600}], time=700)
    assert table.view(GM) == view
    table.answer(GM, WIND, time=800)
    assert table.view(GM)["wound"] == [100, 100, 200, 200, 800, 800]


def test_a_copy_at_rest_knows_the_time(egg):
    table = new()
    for number in range(1, 10):
        table.answer(GM, WIND, time=100 * number)
        table.answer(CLOCK, RING, time=100 * number + 60)
    assert table.last_snapshot.number == 16
    opened = Table(table.header, SeededDealer(0), table.last_snapshot)
    assert opened.view(GM)["wound"] == [100 * number for number in range(1, 9) for _ in "12"]
    assert opened.game.alarm() == 860
    table.answer(GM, {"undo": 1})
    assert table.view(GM)["rung"][-1] == 860


@pytest.mark.parametrize("time", ["5", -1, 1.5, True, None, 1 << 40, [5], {"at": 5}])
def test_invalid_times_are_refused(table, time):
    lines = table.transcript().splitlines()
    assert lines[3] == '{"time":100}'
    lines[3] = json.dumps({"time": time})
    with pytest.raises(BadTranscript) as error:
        Table.read(lines)
    assert error.value.message == 'Line 4: A time is {"time": whole Unix seconds}.'


@pytest.mark.parametrize(
    ("place", "line", "number"),
    [
        (3, '{"time": 100, "zone": "UTC"}', 4),
        (6, '{"time": 100}', 7),  # after the answer's last
        (11, '{"time": 100}', 12),
    ],
)
def test_a_time_that_is_not_asked_for(table, place, line, number):
    lines = table.transcript().splitlines()
    lines.insert(place, line)
    with pytest.raises(BadTranscript, match=f"^Line {number}: (Nothing asks for|A time is)"):
        Table.read(lines)


def test_a_time_alone_is_no_answer(egg):
    with pytest.raises(BadTranscript, match=r'^Line 2: .*"by" is missing'):
        Table.read(['{"cardhouse": 1, "game": "egg", "seats": ["gm"]}', '{"time": 5}'])
    assert "An answer has one of" in refused(new(), GM, {"time": 5})


def test_no_line_of_time_for_what_asks_for_none(toy):
    table = Table.new(toy, [GM, "ada"])
    entry = table.answer(GM, {"do": "say", "text": "hello"}, time=100)
    assert len(entry.lines) == 1


# The fair deal.


def fair(egg: str) -> list[dict[str, Any]]:
    """The lines of a table that was dealt fairly, its times among them."""
    table = Table.new(egg, [GM], dealer=FairDealer(bytes(range(32))))
    for number in range(3):
        table.answer(GM, WIND, id=f"id {number}", time=100 * number)
        table.answer(CLOCK, RING, id=f"ring {number}", time=100 * number + 60)
    table.answer(GM, {"undo": 1})
    table.answer(GM, {"end": True})
    return [json.loads(line) for line in table.transcript().splitlines()]


def checked(lines: list[dict[str, Any]]) -> Any:
    return verify(json.dumps(line) for line in lines)


def test_a_fair_table_with_a_clock(egg):
    lines = fair(egg)
    assert sum("time" in line for line in lines) == 9
    verified = checked(lines)
    assert (verified.cards, verified.dice, verified.named) == (6, 0, 0)


def test_an_unfair_card_between_two_times_is_found(egg):
    lines = fair(egg)
    place = next(place for place, line in enumerate(lines) if "draw" in line and "time" in lines[place - 1])
    right = lines[place]["card"]
    lines[place]["card"] = next(card for card in ("CA", "C2") if card != right)
    with pytest.raises(BadTranscript) as error:
        checked(lines)
    assert error.value.line == place + 1
    assert f'the seed gives {{"draw":"box","card":"{right}"}}' in error.value.message


def test_a_time_that_is_moved_or_missing_is_found(egg):
    lines = fair(egg)
    place = next(place for place, line in enumerate(lines) if "time" in line)
    for changed in (lines[:place] + lines[place + 1 :], [*lines[:place], lines[place], *lines[place:]]):
        with pytest.raises(BadTranscript):
            checked(changed)


def test_a_ring_needs_no_id(egg):
    lines = [{key: value for key, value in line.items() if key != "id" or line["do"] != "ring"} for line in fair(egg)]
    assert checked(lines).cards == 6


# Cards that may be where they aren't, as far as anybody knows.


def test_all_cards_that_may_be_are_offered_and_only_those_that_are_can_be_named(egg):
    table = new(decks={"box": PHYSICAL})
    table.answer(GM, WIND)
    offer = {"draw": "box", "fields": {"card": {"enum": ["CA", "C2", "C3", "C4", "C5", "C6"], "format": "card"}}}
    assert table.offers("ada") == [offer]
    assert "C6 can't be the next card: it is not in this deck." in refused(table, "ada", {"draw": "box", "card": "C6"})
    with pytest.raises(Refused) as error:
        table.answer("ada", {"draw": "box", "card": "C6"})
    assert error.value.offers == [offer]
    table.answer("ada", {"draw": "box", "card": "C5"})
    assert table.view(GM)["drawn"] == ["C5"]


def test_none_is_dealt_that_only_may_be(egg):
    table = new()
    for _ in range(10):
        table.answer(GM, WIND)
    drawn = table.view(GM)["drawn"]
    assert len(drawn) == 20
    assert set(drawn) <= {"CA", "C2", "C3", "C4", "C5"}


def test_otherwise_those_that_are_may_be(toy):
    table = Table.new(toy, [GM, "ada"], decks={"pile": PHYSICAL})
    table.answer(GM, {"do": "guess", "number": 4})
    table.answer("ada", {"draw": "pile", "card": "C3"})
    (offer,) = table.offers("ada")
    assert offer["fields"]["card"]["enum"] == ["CA", "C2", "C4", "C5"]


class EggSuite(Conformance):
    game = "egg"
    games = 6
    answers = 30

    def start(self, rng: Random) -> Table:
        """Its cards dealt: of paper ones more are offered than there are."""
        return Table.new("egg", self.seats, dealer=SeededDealer(rng.getrandbits(32)))


@pytest.mark.parametrize("test", [name for name in dir(Conformance) if name.startswith("test_")])
def test_a_game_with_a_clock_passes(egg, test):
    getattr(EggSuite(), test)()


# Somebody new at the table.


def test_a_new_seat_may_answer_the_open_question(egg):
    table = new()
    assert table.offers("eve") == []
    seen = table.number
    table.answer(GM, {"seat": "eve"})
    assert table.asks()["seats"] == [GM, "ada", "eve"]
    assert table.offers("eve") == [{"do": "wind", "fields": {}}]
    copies = [Table.read(table.transcript().splitlines()), new()]
    copies[1].answer(GM, WIND)
    copies[1].answer(GM, {"seat": "eve"})
    copies[1].answer(GM, {"undo": 1})
    assert [copy.asks() for copy in copies] == [table.asks()] * 2
    table.answer("ada", WIND, at=seen)  # it is still the question that she saw
    table.answer("eve", WIND)
    assert table.entries[-1].by == "eve"


def test_a_repeated_question_logs_nothing_twice(egg):
    one, other = new(), new()
    for table in (one, other):
        table.answer(GM, WIND, id="x", time=5)
    one.answer(GM, {"seat": "eve"})
    assert (one.game.by, one.view(GM)) == (GM, other.view(GM))
    assert one.entries[-1].lines == [{"by": GM, "seat": "eve"}]
    assert [event.key for event in one.entries[-1].events] == ["seat_added"]
    assert one.answer(GM, WIND, id="y").lines == other.answer(GM, WIND, id="y").lines


def test_a_new_seat_while_a_card_is_asked_changes_nothing_but_who_may_name_it(egg):
    table = new(decks={"box": PHYSICAL})
    table.answer(GM, WIND)
    table.answer(GM, {"seat": "eve"})
    assert table.asks() == {"key": "draw", "kind": "draw", "seats": [GM, "ada", "eve"], "with": {"deck": "box"}}
    table.answer("eve", {"draw": "box", "card": "CA"})


def test_rules_must_not_draw_when_a_seat_is_added(toy, monkeypatch):
    """No line of the log would have what is drawn."""

    def play(game: Game) -> Any:
        offer = Offer((GM,), find_game(toy).actions[0], {"number": Whole(2, 6)})
        yield from game.ask(lambda: Ask("guess", "T-1", (offer,)) if len(game.seats) == 1 else None)
        yield from game.roll("2d3")

    monkeypatch.setattr(find_game(toy), "play", play)
    table = Table.new(toy, [GM], dealer=SeededDealer(0))
    with pytest.raises(BadGame, match="draws or rolls when a seat is added"):
        table.answer(GM, {"seat": "ada"})
