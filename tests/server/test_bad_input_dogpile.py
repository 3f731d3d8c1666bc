"""Bad input at a table of Dogpile: a clear error, and nothing changed."""

import json
from typing import Any

import pytest

from tests.server.talking import Frame, Person, Server, TableMade, new_id

HANDS = {"p1": ["H8", "H9", "S8", "RJ"], "p2": ["S9", "C2", "C3", "C4"]}
HEADER: Frame = {"cardhouse": 1, "game": "dogpile", "seats": ["gm", *HANDS]}
OPTIONS = {"rounds": 1, "hand_size": 4}


def dealt(server: Server, *more: Frame, **options: Any) -> TableMade:
    """A table where p1, with these cards in hand, is to lay to a seven of hearts, and what is said then."""
    lines = [
        {**HEADER, "options": {**OPTIONS, **options}},
        {"by": "gm", "do": "begin"},
        *({"draw": "draft", "card": card} for hand in HANDS.values() for card in hand),
        {"draw": "draft", "card": "H7"},
        *more,
    ]
    status, made = server.post("/api/tables/import", "\n".join(map(json.dumps, lines)).encode())
    assert status == 201, made
    return TableMade(server, made["table"], made["links"])


def placed(*cards: tuple[Any, Any, Any]) -> list[Frame]:
    return [{"card": card, "x": x, "y": y} for card, x, y in cards]


def laying(*cards: tuple[Any, Any, Any]) -> Frame:
    return {"do": "lay", "cards": placed(*cards)}


def check_refused(table: TableMade, seat: str, answer: Any, code: str, says: str) -> None:
    """It is refused in these words, and everybody has before them what they had."""
    people = {one: table.sit(one) for one in ("gm", "p1", "p2", "screen")}
    before = [(person.n, person.doc, person.offers) for person in people.values()]
    own = new_id()
    error = people[seat].ask(answer, id=own)
    assert (error["t"], error["code"], error["id"]) == ("error", code, own), error
    assert says in error["message"], error
    assert error["message"].endswith((".", "…"))
    assert "Traceback" not in error["message"]
    for person in people.values():
        person.sync()
    assert before == [(person.n, person.doc, person.offers) for person in people.values()]
    for card in HANDS["p1" if seat == "p2" else "p2"] if seat != "screen" else ():
        assert f'"{card}"' not in json.dumps(error.get("offers", [])), "the hand of another is told"
    for person in people.values():
        person.close()


@pytest.fixture(scope="module")
def to_lay(server: Server) -> TableMade:
    """A table where p1 is to lay, at which nothing may happen."""
    return dealt(server)


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (placed(("H8", 1, 0), ("H9", 1, 0)), "(1, 0): there is a card"),
        (placed(("H8", 0, 0)), "(0, 0): there is a card"),
        (placed(("H8", 1, 0), ("H8", 2, 0)), "can't hold H8 twice"),
        (placed(("S9", 1, 0)), "not in this hand"),
        (placed(("H7", 1, 0)), "not in this hand"),
        (placed(("BJ", 1, 0)), "not in this hand"),
        (placed(("", 1, 0)), "not in this hand"),
        (placed(("H8\x00", 1, 0)), "not in this hand"),
        (placed(("🐕" * 200, 1, 0)), "not in this hand"),
        (placed(("H8", 55, 0)), "grid goes from -54 to 54"),
        (placed(("H8", 0, -55)), "grid goes from -54 to 54"),
        (placed(("H8", 2**62, 0)), "Expected `int` <= 9007199254740991"),
        (placed(("H8", 10**400, 0)), "Expected `int` <= 9007199254740991"),
        (placed(("H8", 1.5, 0)), "Expected `int`"),
        (placed(("H8", True, 0)), "Expected `int`"),
        (placed(("H8", "1", 0)), "Expected `int`"),
        (placed(("H8", None, 0)), "Expected `int`"),
        (placed((8, 1, 0)), "Expected `str`"),
        (placed((["H8"], 1, 0)), "Expected `str`"),
        ([{"card": "H8", "x": 1}], "`y`"),
        ([{"card": "H8", "x": 1, "y": 0, "z": 0}], "`z`"),
        ([["H8", 1, 0]], "Expected `object`"),
        (["H8"], "Expected `object`"),
        ([None], "Expected `object`"),
        ([[[[[[]]]]]], "Expected `object`"),
        ({"card": "H8", "x": 1, "y": 0}, "Expected `array`"),
        ("H8", "Expected `array`"),
        (7, "Expected `array`"),
        (None, "Expected `array`"),
        (placed(*[("H8", 1, 0)] * 400), "can't hold H8 twice"),
        (placed(*[("XX", 1, 0)] * 400), "not in this hand"),
    ],
)
def test_what_cannot_be_laid(to_lay: TableMade, cards: Any, says: str) -> None:
    check_refused(to_lay, "p1", {"do": "lay", "cards": cards}, "not_offered", says)


def test_what_must_touch(server: Server) -> None:
    table = dealt(server, touching=True)
    for cards in ([("H8", 1, 1)], [("H8", 1, 0), ("H9", 2, 1)], [("H9", 2, 0), ("H8", 1, 0)]):
        check_refused(table, "p1", laying(*cards), "not_offered", "must touch a card that is already there")


@pytest.mark.parametrize(
    ("seat", "answer", "code", "says"),
    [
        ("p2", laying(("S9", 1, 0)), "not_offered", '"lay" is not open to p2 now'),
        ("p2", laying(("H8", 1, 0)), "not_offered", '"lay" is not open to p2 now'),
        ("p2", {"do": "pass"}, "not_offered", '"pass" is not open to p2 now'),
        ("gm", laying(("H8", 1, 0)), "not_offered", "Waiting for p1"),
        ("gm", {"do": "pass"}, "not_offered", "Waiting for p1"),
        ("screen", {"do": "pass"}, "not_yours", "for spectators"),
        ("p1", {"do": "lay"}, "not_offered", "`cards`"),
        ("p1", {**laying(("H8", 1, 0)), "by": "p2"}, "not_offered", "`by`"),
        ("p1", {**laying(("H8", 1, 0)), "time": 5}, "not_offered", "`time`"),
        ("p1", {"do": "pass", "cards": []}, "not_offered", "`cards`"),
        ("p1", {"do": "next_round"}, "not_offered", '"next_round" is not open to p1 now'),
        ("gm", {"do": "next_round"}, "not_offered", '"next_round" is not open to gm now'),
        ("gm", {"do": "begin", "first": "p1"}, "not_offered", '"begin" is not open to gm now'),
        ("gm", {"do": "begin", "first": 7}, "not_offered", "Expected `str | null`"),
        ("gm", {"do": "ring"}, "not_offered", '"ring" is not open to gm now'),
        ("p1", {"do": "ring"}, "not_offered", '"ring" is not open to p1 now'),
        ("p2", {"do": "ring"}, "not_offered", '"ring" is not open to p2 now'),
        ("screen", {"do": "ring"}, "not_yours", "for spectators"),
        ("gm", {"do": "ring", "by": "clock"}, "not_offered", "`by`"),
        ("p1", {"time": 1_600_000_000}, "malformed", "An answer has one of"),
        ("p1", {"draw": "draft", "card": "C5"}, "not_offered", "No card or roll is expected from p1 now"),
        ("p2", {"undo": 1}, "nothing_to_undo", "You can only undo your own last move"),
        ("p1", {"undo": 1}, "nothing_to_undo", "You can only undo your own last move"),
        ("gm", {"undo": 9}, "nothing_to_undo", "only 1 move"),
        ("p1", {"seat": "p3"}, "not_yours", "Only the game master"),
    ],
)
def test_what_is_not_open(to_lay: TableMade, seat: str, answer: Frame, code: str, says: str) -> None:
    check_refused(to_lay, seat, answer, code, says)


def test_a_timer_is_rung_by_nobody_at_the_table(server: Server) -> None:
    """Where the clock may ring, the others may not all the same."""
    table = dealt(server, rounds=None, minutes=15)
    for seat in ("gm", "p1", "p2"):
        check_refused(table, seat, {"do": "ring"}, "not_offered", f'"ring" is not open to {seat} now')


@pytest.mark.parametrize("seat", ["gm", "p1", "p2"])
@pytest.mark.parametrize("answer", [laying(("S9", 1, 0)), {"do": "pass"}, {"do": "next_round"}, {"do": "ring"}])
def test_when_all_is_over_nothing_is_open(over: TableMade, seat: str, answer: Frame) -> None:
    person = over.sit(seat)
    error = person.ask(answer)
    assert (error["code"], "Nothing is asked" in error["message"]) == ("not_offered", True), error
    assert person.doc["view"]["phase"] == "over"
    person.close()


@pytest.fixture(scope="module")
def over(server: Server) -> TableMade:
    """A table where the timer rang between two rounds."""
    said = ({"by": "p1", "do": "pass"}, {"by": "clock", "do": "ring"})
    return dealt(server, *said, rounds=None, minutes=1)


def test_lists_beyond_all_measure(to_lay: TableMade) -> None:
    gm, p1 = to_lay.sit("gm"), to_lay.sit("p1")
    for cards in (
        json.dumps(placed(*[("H8", 1, 0)] * 800)),
        json.dumps(placed(*[("H8", n, 0) for n in range(800)])),
        "[" * 8_000 + "]" * 8_000,
        '[{"card":"H8","x":' + "9" * 15_000 + ',"y":0}]',
        '[{"card":"H8","x":NaN,"y":0}]',
        '[{"card":"H8","x":1e999,"y":0}]',
        '[{"card":"H8","x":1,"y":0},]',
    ):
        p1.socket.send(f'{{"t":"answer","id":"{new_id()}","at":1,"answer":{{"do":"lay","cards":{cards}}}}}')
        error = p1.hear("error")
        assert error["code"] in ("too_large", "malformed", "not_offered"), error
        assert len(error["message"]) < 600
    gm.sync()
    p1.sync()
    assert (gm.n, p1.n) == (1, 1)
    assert len(p1.doc["view"]["hands"]["p1"]) == 4


# How many play, and what they are called.


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"seats": 9}, "Dogpile is for 8 players at most; here are 9."),
        ({"seats": 19}, "Dogpile is for 8 players at most; here are 19."),
        (
            {"seats": 8, "options": {"gm_plays": True}},
            "Dogpile is for 8 players at most; here are 9, the game master among them.",
        ),
        ({"seats": 20}, "seats"),
        ({"seats": [f"p{n}" for n in range(20)]}, "seats"),
        ({"seats": 8, "options": {"hand_size": 10}}, "8 hands of 10 and a Pack Leader are 81 cards; this deck has 54."),
        ({"seats": ["clock"]}, "A seat's name"),
        ({"seats": ["p1"], "options": {"minutes": 0}}, "minutes"),
        ({"seats": ["p1"], "options": {"minutes": 2.5}}, "minutes"),
        ({"seats": ["p1"], "options": {"jokers": 3}}, "jokers"),
    ],
)
def test_tables_that_cannot_be(server: Server, wanted: Frame, says: str) -> None:
    status, told = server.post("/api/tables", {"game": "dogpile", **wanted})
    assert (status, told["code"], says in told["message"]) == (400, "malformed", True), told


def test_eight_play_and_a_ninth_watches(server: Server) -> None:
    table = server.make_table(game="dogpile", seats=8, options={"rounds": 1})
    gm = table.sit("gm")
    assert gm.ask({"seat": "p9"})["t"] == "change"
    token = gm.hear("link")["token"]
    p9 = Person(server, table.id, token)
    gm.do("begin", first="p8")
    p9.catch_up(2)
    assert p9.doc["view"]["players"] == [f"p{n}" for n in range(1, 9)]
    assert p9.doc["view"]["hands"] == {f"p{n}": 5 for n in range(1, 9)}
    refused = p9.ask({"do": "pass"})
    assert (refused["code"], "Waiting for p8" in refused["message"]) == ("not_offered", True)
    assert gm.ask({"do": "begin", "first": "p9"})["code"] == "not_offered"
    p8 = table.sit("p8")
    assert p8.do("pass")["n"] == 3
    gm.catch_up(3)
    assert gm.doc["view"]["phase"] == "over"


def test_names_of_every_script(server: Server) -> None:
    seats = ["🐕‍🦺", "שלום", "ゴン太", 'a"b\\c', "p‮1"]
    table = server.make_table(game="dogpile", seats=seats, options={"rounds": 1, "hand_size": 1})
    dog, shalom = table.sit("🐕‍🦺"), table.sit("שלום")
    dog.say(t="name", name="بِلال 🐩")
    while {"seat": "🐕‍🦺", "name": "بِلال 🐩", "here": True} not in shalom.hear("seats")["seats"]:
        pass
    table.sit("gm").do("begin", first="שלום")
    for person in (dog, shalom):
        person.catch_up(1)
    (card,) = shalom.doc["view"]["hands"]["שלום"]
    shalom.do("lay", cards=placed((card, -1, 0)))
    dog.catch_up(2)
    assert dog.doc["view"]["laid"] == [{"seat": "שלום", "x": -1, "y": 0, "card": None}]
    assert dog.doc["view"]["to_lay"] == ['a"b\\c', "p1", "🐕‍🦺"], "the mark of direction is no part of a name"
    refused = dog.ask({"do": "pass"})
    assert "Waiting for ゴン太" in refused["message"]
