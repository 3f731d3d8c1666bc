"""The table: who may answer, undo, seats, the end, the log."""

from __future__ import annotations

import pytest

from cardhouse.engine import (
    GM,
    PHYSICAL,
    BadTranscript,
    CardhouseError,
    FairDealer,
    NeedsHistory,
    Refused,
    SeededDealer,
    Table,
)
from cardhouse.testing import shown

CAST = [("Ada", "HK", "ada"), ("Ben", "H9", "ben"), ("Cy", "S2", GM)]


@pytest.fixture
def table() -> Table:
    return cast()


def cast(**header) -> Table:
    table = Table.new("initiative", ["gm", "ada", "ben"], dealer=SeededDealer(5), **header)
    for name, card, seat in CAST:
        table.answer(GM, {"do": "add_character", "name": name, "card": card, "controller": seat})
    return table


def start(table: Table, *cards: str) -> None:
    table.answer(GM, {"do": "start_round"}, chance=drawn(*cards))


def drawn(*cards: str) -> list[dict[str, str]]:
    return [{"draw": "initiative", "card": card} for card in cards]


def refused(table: Table, by: str, answer, **more) -> Refused:
    before = [shown(table, seat) for seat in table.seats]
    with pytest.raises(Refused) as error:
        table.answer(by, answer, **more)
    assert [shown(table, seat) for seat in table.seats] == before
    return error.value


# What is refused.


def test_a_refusal_names_what_is_offered_instead(table):
    start(table, "HK")
    error = refused(table, "ada", {"do": "done", "name": "Ada"})
    assert error.message == '"done" is not open to ada now. Offered now: act (Ada), wait (Ada).'
    assert error.offers == table.offers("ada", anytime=True)
    assert error.code == "not_offered"
    assert (
        refused(table, "ben", {"do": "act", "name": "Ada"}).message == '"act" is not open to ben now. Waiting for ada.'
    )


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"do": "fly"}, 'There is no "fly" in this game'),
        ({"do": 5}, 'There is no "5" in this game'),
        ({"do": "act"}, "missing required field `name`"),
        ({"do": "act", "name": 5}, "Expected `str`, got `int` - at `$.name`"),
        ({"do": "act", "name": "Ada", "card": "HK"}, "unknown field `card`"),
        ({"do": "act", "name": "Ben"}, "name can't be Ben here; it may be Ada"),
        ({"draw": "initiative", "card": "H9"}, "No card or roll is expected from ada now"),
        ({"roll": "1d6", "dice": [3]}, "No card or roll is expected from ada now"),
        ({"undo": 0}, 'An undo is {"undo": 1}'),
        ({"seat": "eve"}, "Only the game master can add a seat."),
        ({"end": True}, "Only the game master can end the table."),
        ({}, 'An answer has one of "do", "draw", "roll", "put_right", "undo", "redo", "seat", "device" or "end".'),
        (
            {"say": 1},
            'An answer has one of "do", "draw", "roll", "put_right", "undo", "redo", "seat", "device" or "end".',
        ),
    ],
)
def test_a_wrong_answer_is_refused_with_a_reason(table, answer, says):
    start(table, "HK")
    assert says in refused(table, "ada", answer).message


def test_a_seat_that_isnt_there(table):
    error = refused(table, "eve", {"do": "start_round"})
    assert (error.code, error.message) == (
        "no_such_seat",
        'There is no seat "eve" at this table; there are gm, ada, ben.',
    )


def test_an_answer_to_a_question_that_has_been_answered_is_stale(table):
    start(table, "HK")
    seen = table.number
    table.answer(GM, {"do": "act", "name": "Ada"}, at=seen)
    assert refused(table, "ada", {"do": "done", "name": "Ada"}, at=seen).code == "stale"
    table.answer(GM, {"do": "add_character", "name": "Dan", "card": "D5"}, at=seen)  # what may be done at any time
    table.answer("ada", {"do": "done", "name": "Ada"}, at=seen + 1, chance=drawn("H9"))


def test_a_paper_card_that_cant_be_there_is_refused_with_where_it_is():
    table = cast(decks={"initiative": PHYSICAL})
    table.answer(GM, {"do": "start_round"})
    table.answer("ben", {"draw": "initiative", "card": "HK"})
    table.answer("ada", {"do": "act", "name": "Ada"})
    table.answer("ada", {"do": "done", "name": "Ada"})
    says = {
        "HK": "HK can't be the next card: it is in the discard",
        "H3": "H3 can't be the next card: it is nobody's",
        "H1": "H1 can't be the next card: it is no card",
    }
    for card, message in says.items():
        assert message in refused(table, "ada", {"draw": "initiative", "card": card}).message
    assert "Expected: " in refused(table, "ada", {"draw": "wounds", "card": "H9"}).message
    assert "Expected: " in refused(table, "ada", {"draw": "initiative", "card": "H9", "at": 3}).message


def test_dice_on_the_table(toy):
    table = Table.new(toy, decks={"dice": PHYSICAL})
    table.answer(GM, {"do": "guess", "number": 4})
    assert table.asks()["with"] == {"dice": "2d3"}
    for dice in ([3], [1, 4], [0, 1], [1, True], "12", None, [1, 2, 3]):
        assert refused(table, GM, {"roll": "2d3", "dice": dice}).message.startswith("A roll of 2d3 is a list of 2")
    entry = table.answer(GM, {"roll": "2d3", "dice": [1, 3]})
    assert entry.lines[0] == {"by": "gm", "roll": "2d3", "dice": [1, 3]}
    assert entry.events[0].about == {"sum": 4, "guess": 4}


# Taking back.


def test_a_player_can_undo_their_last_answer_until_it_reveals_something(table):
    start(table, "HK")
    table.answer("ada", {"do": "act", "name": "Ada"})
    assert [table.may_take_back(seat) for seat in table.seats] == [False, True, False]
    assert refused(table, "ben", {"undo": 1}).code == "nothing_to_undo"
    entry = table.answer("ada", {"undo": 1})
    assert (entry.undoes, table.entries[-2].undone, table.asks()["key"]) == ([5], True, "first")
    assert not table.may_take_back("ada")


def test_not_once_a_card_has_been_turned(table):
    start(table, "HK")
    table.answer("ada", {"do": "wait", "name": "Ada"}, chance=drawn("H9"))
    assert not table.may_take_back("ada")
    refused(table, "ada", {"undo": 1})


def test_not_where_the_card_turned_was_known_either():
    """The ace at the bottom has no line, and yet everybody has seen what comes of the answer."""
    table = Table.new("initiative", ["gm", "ada"], dealer=SeededDealer(0))
    table.answer(GM, {"do": "add_character", "name": "Ace", "card": "HA", "controller": "ada"})
    start(table, "RJ", "BJ", "HA")
    assert table.asks()["key"] == "between", "the only ace was burned"
    start(table, "BJ", "RJ", "HA")
    entry = table.answer("ada", {"do": "done", "name": "Ace"})
    assert (len(entry.lines), entry.learned, table.may_take_back("ada")) == (1, True, False)


def test_no_undo_once_another_player_has_answered(table):
    start(table, "HK")
    table.answer("ada", {"do": "act", "name": "Ada"})
    table.answer(GM, {"do": "add_character", "name": "Dan", "card": "D5"})
    refused(table, "ada", {"undo": 1})
    table.answer(GM, {"undo": 1})
    assert table.may_take_back("ada"), "what stands last is Ada's again"


def test_not_more_than_one(table):
    start(table, "HK")
    table.answer("ada", {"do": "act", "name": "Ada"})
    refused(table, "ada", {"undo": 2})


def test_the_game_master_may_undo_further_and_all_see_it(table):
    start(table, "HK")
    table.answer("ada", {"do": "wait", "name": "Ada"}, chance=drawn("H9"))
    entry = table.answer(GM, {"undo": 2})
    assert entry.undoes == [4, 5]
    assert table.story(entry, "ben") == {
        "n": 6,
        "by": "gm",
        "events": [{"rule": "table", "key": "undone", "by": "gm", "count": 2}],
        "undo": [4, 5],
    }
    assert [table.story(entry, "ben").get("undone") for entry in table.entries] == [None, None, None, True, True, None]
    assert table.asks()["key"] == "between"


def test_undoing_all_and_more(table):
    table.answer(GM, {"undo": 2})
    error = refused(table, GM, {"undo": 2})
    assert (error.code, error.message) == ("nothing_to_undo", "There is only 1 move to undo.")
    table.answer(GM, {"undo": 1})
    assert refused(table, GM, {"undo": 1}).message == "There is nothing to undo."
    assert table.asks()["key"] == "nobody"


def test_an_undo_looks_at_what_has_happened_since(table):
    start(table, "HK")
    assert refused(table, GM, {"undo": 1}, at=table.number - 1).code == "stale"
    table.answer(GM, {"undo": 1}, at=table.number)


def test_a_repeated_draw_draws_another_card():
    seen = set()
    for seed in range(20):
        table = cast()
        table.dealer = table._runner.dealer = SeededDealer(seed)
        table.answer(GM, {"do": "start_round"})
        first = list(table.entries[-1].lines[1:])
        table.answer(GM, {"undo": 1})
        table.answer(GM, {"do": "start_round"})
        seen.add(first == table.entries[-1].lines[1:])
    assert seen == {True, False}


# Seats and the end.


def test_a_seat_that_is_added_stays_when_answers_are_undone(table):
    table.answer(GM, {"do": "add_character", "name": "Dan", "card": "D5"})
    table.answer(GM, {"seat": "eve"})
    table.answer(GM, {"do": "add_character", "name": "Eve", "card": "D6", "controller": "eve"})
    table.answer(GM, {"undo": 3})
    assert table.seats == ["gm", "ada", "ben", "eve"]
    assert table.entries[-1].undoes == [3, 4, 6]
    for name in ("eve", "", "screen", " x", "x" * 41):
        refused(table, GM, {"seat": name})


def test_a_field_called_like_another_kind_of_line(toy):
    """`{"do": "take", "seat": …}` is an action and adds no seat, also when it is played again."""
    table = Table.new(toy, ["gm", "ada"])
    table.answer(GM, {"do": "take", "seat": "ada"})
    table.answer(GM, {"do": "say", "text": "hello"})
    table.answer(GM, {"undo": 1})
    assert table.seats == ["gm", "ada"]


def test_after_the_end_nothing_is_done():
    table = cast()
    dealer = FairDealer()
    table = Table.new("initiative", dealer=dealer)
    entry = table.answer(GM, {"end": True})
    assert entry.lines == [{"by": "gm", "end": True, "seed": dealer.seed.hex()}]
    assert table.asks() == {"key": "ended", "kind": "over", "seats": [], "with": {}}
    assert table.offers(GM, anytime=True) == []
    for answer in ({"undo": 1}, {"do": "start_round"}, {"end": True}, {"seat": "eve"}):
        assert refused(table, GM, answer).code == "ended"


# The log.


def test_a_draw_that_is_left_out_is_dealt():
    text = cast().transcript() + '{"by": "gm", "do": "start_round"}\n'
    tables = [Table.read(text.splitlines(), SeededDealer(seed)) for seed in (1, 1, 2, 3, 4)]
    drawn = [table.entries[-1].lines[1:] for table in tables]
    assert drawn[0] == drawn[1]
    assert any(lines != drawn[0] for lines in drawn)


def test_some_draws_may_be_left_out():
    text = cast().transcript() + '{"by": "gm", "do": "start_round"}\n{"draw": "initiative", "card": "RJ"}\n'
    table = Table.read(text.splitlines())
    assert table.entries[-1].lines[1]["card"] == "RJ"
    assert table.entries[-1].lines[-1]["card"] != "RJ"


@pytest.mark.parametrize(
    ("lines", "number", "says"),
    [
        (['{"draw": "initiative", "card": "RJ"}'], 2, '"by" is missing'),
        (['{"by": "gm", "do": "start_round"}'], 2, "not open to gm"),
        (["", '{"by": "gm", "fly": 1}'], 3, "An answer has one of"),
        (['{"by": "gm"'], 2, "not a JSON object"),
        (["[1]"], 2, "not a JSON object"),
        (['{"by": "eve", "do": "start_round"}'], 2, "no seat"),
        (['{"by": 5, "do": "start_round"}'], 2, "no seat"),
        (
            ['{"by": "gm", "do": "add_character", "name": "A", "card": "H2"}', '{"draw": "initiative", "card": "RJ"}'],
            3,
            "Nothing asks for",
        ),
        (
            [
                '{"by": "gm", "do": "add_character", "name": "A", "card": "H2"}',
                '{"by": "gm", "do": "start_round"}',
                '{"draw": "initiative", "card": "RJ"}',
                '{"draw": "initiative", "card": "RJ"}',
            ],
            5,
            "RJ can't be the next card: it is in the discard",
        ),
    ],
)
def test_a_line_that_cant_be_applied_stops_the_reading_with_its_number(lines, number, says):
    with pytest.raises(BadTranscript) as error:
        Table.read(['{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}', *lines])
    assert error.value.line == number
    assert says in error.value.message
    assert error.value.message.startswith(f"Line {number}: ")


@pytest.mark.parametrize(
    ("header", "code", "says"),
    [
        ('{"cardhouse": 2, "game": "initiative", "seats": ["gm"]}', "newer", "format 2"),
        ('{"cardhouse": 1, "game": "initiative", "version": 99, "seats": ["gm"]}', "newer", "version 99"),
        ('{"cardhouse": true, "game": "initiative", "seats": ["gm"]}', "malformed", "isn't a transcript"),
        ('{"game": "initiative"}', "malformed", "isn't a transcript"),
        ('{"cardhouse": 1, "game": "initiative"}', "malformed", "seats"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["ada"]}', "malformed", "gm"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["gm", "gm"]}', "malformed", "same name"),
        ('{"cardhouse": 1, "game": "chess", "seats": ["gm"]}', "malformed", "no game called chess"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "options": {"x": 1}}', "malformed", "join_now"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "decks": {"x": "physical"}}', "malformed", "decks"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "decks": {"initiative": "x"}}', "malformed", "decks"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "by_hand": ["x"]}', "malformed", "draw"),
        ('{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "color": "red"}', "malformed", "color"),
    ],
)
def test_a_first_line_that_doesnt_fit(header, code, says):
    with pytest.raises(CardhouseError) as error:
        Table.read([header])
    assert error.value.code == code
    assert says in error.value.message


def test_a_table_opened_from_a_copy_needs_its_history_to_undo_further(table):
    for number in range(20):
        table.answer(GM, {"do": "add_character", "name": f"{number}", "tier": "elite" if number < 3 else "leader"}) if (
            number < 12
        ) else table.answer(GM, {"do": "remove_character", "name": f"{number - 12}"})
    snapshot = table.last_snapshot
    assert snapshot.number > 0
    opened = Table(table.header, SeededDealer(), snapshot)
    assert opened.number == snapshot.number
    with pytest.raises(NeedsHistory):
        opened.answer(GM, {"undo": 1})
    with pytest.raises(NeedsHistory):
        opened.transcript()
    opened.answer(GM, {"do": "add_character", "name": "new", "card": "S9"})
    opened.answer(GM, {"undo": 1})


def test_an_answer_as_text(table):
    action = table.read_action(b'{"do": "start_round"}')
    assert type(action).__name__ == "StartRound"
    assert table.read_action(b'{"undo": 1}') == {"undo": 1}
    assert table.read_action(b'{"do": "fly"}') == {"do": "fly"}
    for text in (b"", b"{", b"[]", b"\xff\xfe", b"5", b"[" * 100_000):
        with pytest.raises(Refused, match="not a JSON object"):
            table.read_action(text)
