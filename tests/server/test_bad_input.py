"""Bad input: a clear error, nothing changed, and a socket that stays open."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from cardhouse.cards import STANDARD
from tests.server.talking import FAST, SECONDS, Frame, Person, Server, TableMade, new_id, open_socket, running

ID = "AAAAAAAAAAAAAAAAAAAAAA"


@pytest.fixture
def table(house: Server) -> TableMade:
    return house.make_table(seats=["p1", "p2"])


@pytest.fixture
def gm(table: TableMade) -> Iterator[Person]:
    """The game master, at whose table nothing may have happened at the end."""
    person = table.sit("gm")
    yield person
    person.sync()
    assert person.n == 0
    assert len(table.transcript()) == 1


def told(person: Person, text: str | bytes) -> Frame:
    """The error that this text gets."""
    person.socket.send(text)
    error = person.hear("error", "pong")
    assert error["t"] == "error", error
    assert error["message"].endswith((".", "…"))
    assert "Traceback" not in error["message"]
    return error


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"sit"',
        "17",
        "{}",
        '{"t":null}',
        '{"T":"ping"}',
        '{"t":"ping","x":1}',
        '{"t":"ping"} {"t":"ping"}',
        '{"t":"sit"}',
        '{"t":"sit","table":1,"token":"x"}',
        '{"t":"sit","table":"x","token":"x","since":-1}',
        '{"t":"sit","table":"x","token":"x","since":1e400}',
        '{"t":"answer"}',
        f'{{"t":"answer","id":"{ID}","answer":{{"do":"start_round"}}}}',
        f'{{"t":"answer","id":"{ID}","at":"0","answer":{{"do":"start_round"}}}}',
        f'{{"t":"answer","id":"{ID}","at":0}}',
        '{"t":"answer","id":"short","at":0,"answer":{"do":"start_round"}}',
        f'{{"t":"answer","id":"{ID[1:]} ","at":0,"answer":{{"do":"start_round"}}}}',
        f'{{"t":"answer","id":"{ID[1:]}\\n","at":0,"answer":{{"do":"start_round"}}}}',
        f'{{"t":"answer","id":"{ID}","at":0,"by":"gm","answer":{{"do":"start_round"}}}}',
        '{"t":"odds","on":"yes"}',
        '{"t":"story"}',
        '{"t":"story","before":99999999999999999999999999}',
        '{"t":"set","odds":"everybody"}',
        '{"t":"name","name":7}',
        '{"t":"name","name":"\\ud800"}',
        '{"t":"reissue"}',
        "[" * 16_000,
        '{"t":"answer","answer":' + "[" * 16_000,
        "\x00",
        "⁂",
    ],
)
def test_malformed(gm: Person, text: str) -> None:
    assert told(gm, text)["code"] == "malformed"


def test_binary_frames(gm: Person) -> None:
    error = told(gm, b'{"t":"ping"}')
    assert error["code"] == "malformed"
    assert "text" in error["message"]


@pytest.mark.parametrize("kind", ["Sit", "table", "", "__class__", 7, ["sit"], {}])
def test_unknown_frames(gm: Person, kind: Any) -> None:
    error = told(gm, json.dumps({"t": kind, "id": ID}))
    assert error["code"] == "unknown_frame"
    assert error["id"] == ID
    assert "sit" in error["message"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (None, "malformed"),
        (7, "malformed"),
        ("start_round", "malformed"),
        ([], "malformed"),
        ({}, "malformed"),
        ({"say": "hello"}, "malformed"),
        ({"do": "fly"}, "not_offered"),
        ({"do": None}, "not_offered"),
        ({"do": ["start_round"]}, "not_offered"),
        ({"do": "start_round"}, "not_offered"),
        ({"do": "start_round", "now": True}, "not_offered"),
        ({"do": "add_character"}, "not_offered"),
        ({"do": "add_character", "name": "Ada"}, "not_offered"),
        ({"do": "add_character", "name": 7, "card": "HA"}, "not_offered"),
        ({"do": "add_character", "name": "", "card": "HA"}, "not_offered"),
        ({"do": "add_character", "name": "x" * 41, "card": "HA"}, "not_offered"),
        ({"do": "add_character", "name": "two\nlines", "card": "HA"}, "not_offered"),
        ({"do": "add_character", "name": "nothing\x00", "card": "HA"}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": "H1"}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": "RJ"}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": ["HA"]}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": "HA", "controller": "p9"}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": "HA", "hidden": 1}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": "HA", "by": "gm"}, "not_offered"),
        ({"do": "add_character", "name": "Ada", "card": "HA", "id": ID}, "not_offered"),
        ({"do": "remove_character", "name": "Ada"}, "not_offered"),
        ({"do": "step", "step": "draw"}, "not_offered"),
        ({"draw": "initiative", "card": "HA"}, "not_offered"),
        ({"draw": "initiative"}, "not_offered"),
        ({"roll": "1d6", "dice": [3]}, "not_offered"),
        ({"undo": 1}, "nothing_to_undo"),
        ({"undo": 0}, "malformed"),
        ({"undo": -1}, "malformed"),
        ({"undo": True}, "malformed"),
        ({"undo": 1.0}, "malformed"),
        ({"undo": 10**30}, "nothing_to_undo"),
        ({"undo": 1, "by": "p1"}, "malformed"),
        ({"seat": "p1"}, "not_offered"),
        ({"seat": ""}, "not_offered"),
        ({"seat": "screen"}, "not_offered"),
        ({"seat": "a\x00b"}, "not_offered"),
        ({"seat": "a\nb"}, "not_offered"),
        ({"seat": 7}, "malformed"),
        ({"seat": "p3", "token": "mine"}, "malformed"),
        ({"end": False}, "malformed"),
        ({"end": 1}, "malformed"),
        ({"end": True, "seed": "00"}, "malformed"),
    ],
)
def test_wrong_answers(gm: Person, answer: Any, code: str) -> None:
    same = new_id()
    error = gm.ask(answer, id=same)
    assert (error["t"], error["code"], error["id"]) == ("error", code, same), error
    if code == "not_offered":
        assert error.get("offers") or "seat" in error["message"].lower(), error


def test_a_refusal_names_what_was_offered_instead(gm: Person) -> None:
    error = gm.ask({"do": "fly"})
    assert "fly" in error["message"]
    assert "add_character" in error["message"]
    assert {offer["do"] for offer in error["offers"]} == {"add_character"}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"t": "set", "odds": "all"}, "not_yours"),
        ({"t": "reissue", "seat": "gm"}, "not_yours"),
        ({"t": "answer", "answer": {"end": True}}, "not_yours"),
        ({"t": "answer", "answer": {"seat": "p3"}}, "not_yours"),
        ({"t": "answer", "answer": {"do": "add_character", "name": "Ada", "card": "HA"}}, "not_offered"),
        ({"t": "answer", "answer": {"undo": 1}}, "nothing_to_undo"),
        ({"t": "face", "name": "Mo", "face": 1}, "not_yours"),
        ({"t": "face", "name": "", "face": 1}, "not_yours"),
        ({"t": "face", "name": "Ada", "face": 12}, "malformed"),
        ({"t": "name", "name": " "}, "malformed"),
        ({"t": "name", "name": "x" * 41}, "malformed"),
        ({"t": "name", "name": "a\tb"}, "malformed"),
    ],
)
def test_what_a_player_may_not(table: TableMade, gm: Person, frame: Frame, code: str) -> None:
    p1 = table.sit("p1")
    more = {"id": new_id(), "at": 0} if frame["t"] == "answer" else {}
    assert told(p1, json.dumps({**frame, **more}))["code"] == code


def test_the_screen_only_looks_on(table: TableMade, gm: Person) -> None:
    screen = table.sit("screen")
    assert screen.ask({"do": "add_character", "name": "Ada", "card": "HA"})["code"] == "not_yours"
    assert told(screen, '{"t":"name","name":"Ada"}')["code"] == "not_yours"
    assert told(screen, '{"t":"face","name":"Ada","face":1}')["code"] == "not_yours"


def test_reissue_for_no_seat(gm: Person) -> None:
    assert told(gm, '{"t":"reissue","seat":"p9"}')["code"] == "no_such_seat"


def test_nothing_before_sitting_down(house: Server, table: TableMade) -> None:
    socket = open_socket(house)
    for frame in (
        {"t": "answer", "id": ID, "at": 0, "answer": {"do": "start_round"}},
        {"t": "offers"},
        {"t": "odds", "on": True},
        {"t": "story", "before": 1},
        {"t": "name", "name": "Ada"},
        {"t": "set", "odds": "all"},
        {"t": "reissue", "seat": "p1"},
        {"t": "bot", "seat": "p1", "bot": None},
    ):
        socket.send(json.dumps(frame))
        error = json.loads(socket.recv(SECONDS))
        assert error["code"] == "sit_first", frame
    socket.send('{"t":"ping"}')
    assert json.loads(socket.recv(SECONDS))["t"] == "pong"


def test_wrong_links(house: Server, table: TableMade) -> None:
    other = house.make_table()
    socket = open_socket(house)
    for id_, token, code in (
        (table.id, other.links["gm"], "old_link"),
        (table.id, "", "old_link"),
        (table.id, "⁂", "old_link"),
        (table.id, table.links["gm"][:-1], "old_link"),
        ("nowhere", table.links["gm"], "no_such_seat"),
        ("x'; DROP TABLE tables; --", table.links["gm"], "no_such_seat"),
        ("a\x00b", table.links["gm"], "no_such_seat"),
    ):
        socket.send(json.dumps({"t": "sit", "table": id_, "token": token}))
        error = json.loads(socket.recv(SECONDS))
        assert error["code"] == code, error
    socket.send(json.dumps({"t": "sit", "table": table.id, "token": table.links["p2"]}))
    assert json.loads(socket.recv(SECONDS))["you"] == "p2"


def test_a_client_that_guesses_links_is_sent_away(house: Server, table: TableMade) -> None:
    socket = open_socket(house)
    for _ in range(20):
        socket.send(json.dumps({"t": "sit", "table": table.id, "token": new_id()}))
        assert json.loads(socket.recv(SECONDS))["code"] == "old_link"
    with pytest.raises(ConnectionClosed):
        socket.recv(SECONDS)


def test_frames_too_large(gm: Person) -> None:
    for letter, count in (("x", 17_000), ("x", 30_000), ("€", 6_000)):
        error = told(gm, json.dumps({"t": "name", "name": letter * count}, ensure_ascii=False))
        assert error["code"] == "too_large"
        assert "16384" in error["message"]


def test_a_frame_beyond_all_measure_ends_the_connection(house: Server, table: TableMade) -> None:
    p1 = table.sit("p1")
    with suppress(ConnectionClosed):
        p1.socket.send("x" * 3_000_000)
    assert not p1.is_open
    assert table.sit("p1").seat == "p1"


def test_too_many_frames(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--rate", "5", "--burst", "10", log=tmp_path / "log") as server:
        table = server.make_table()
        gm, p1 = table.sit("gm"), table.sit("p1")
        same = new_id()
        for _ in range(30):
            gm.say(t="answer", id=same, at=0, answer={"do": "fly"})
        codes = [gm.hear("error") for _ in range(30)]
        assert {error["code"] for error in codes} == {"not_offered", "too_many"}
        assert {error["id"] for error in codes} == {same}
        p1.say(t="ping")  # the others notice nothing
        assert p1.hear("pong")
        while gm.ask({"do": "add_character", "name": "Ada", "card": "HA"})["t"] != "change":
            pass  # in the long run it is let in again


def test_too_many_tables(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--rate", "0.001", "--burst", "3", log=tmp_path / "log") as server:
        told = [server.post("/api/tables", {"game": "initiative"}) for _ in range(5)]
        assert [status for status, _ in told[:3]] == [201, 201, 201]
        assert [(status, refused["code"]) for status, refused in told[3:]] == [(429, "too_many")] * 2


def test_who_does_not_listen_holds_up_nobody(house: Server) -> None:
    table = house.make_table()
    gm = table.sit("gm")
    deaf = open_socket(house, compression=None, max_queue=1)
    deaf.send(json.dumps({"t": "sit", "table": table.id, "token": table.links["p1"]}))
    deaf.recv(SECONDS)
    gm.hear("seats")
    for card in STANDARD[:40]:
        gm.do("add_character", name=card, card=card)
    for _ in range(4_000):  # some 20 MB are answered, more than lies on the way
        deaf.send('{"t":"story","before":41}')
    gm.say(t="offers")
    assert gm.hear("offers")
    while next(seat["here"] for seat in gm.hear("seats")["seats"] if seat["seat"] == "p1"):
        pass
    with suppress(ConnectionClosed):
        while True:
            deaf.recv(SECONDS)  # what it was sent before it was sent away
    assert deaf.protocol.close_code == 1013


def test_who_never_sits_down_is_sent_away(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--patience", "2", log=tmp_path / "log") as server:
        table = server.make_table()
        gm, socket = table.sit("gm"), open_socket(server)
        assert json.loads(socket.recv(SECONDS))["code"] == "sit_first"
        with pytest.raises(ConnectionClosed):
            socket.recv(SECONDS)
        assert gm.is_open


@pytest.mark.parametrize("version", [2, 99])
def test_a_table_of_newer_rules_opens_read_only(tmp_path: Path, version: int) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table(seats=["p1"])
        table.sit("gm").do("add_character", name="Ada", card="HA")
        server.stop()
        with sqlite3.connect(tmp_path / "cards.db") as connection:
            (header,) = connection.execute("SELECT header FROM tables").fetchone()
            header = json.dumps({**json.loads(header), "version": version})
            connection.execute("UPDATE tables SET header = ?", (header,))
        connection.close()
        server.start()
        check_read_only(table, f"version {version}")


def check_read_only(table: TableMade, why: str) -> None:
    gm, p1 = table.sit("gm"), table.sit("p1")
    for person in (gm, p1):
        assert why in person.table["table"]["read_only"]
        assert person.doc["view"] is None
        assert person.doc["asks"]["kind"] == "over"
        assert "Ada" not in "".join(person.texts)
        assert person.ask({"do": "start_round"})["code"] == "read_only"
        assert person.ask({"undo": 1})["code"] == "read_only"
        person.say(t="offers")
        assert person.hear("offers")["offers"] == []
        person.say(t="story", before=5)
        assert person.hear("story")["entries"] == []
        person.say(t="odds", on=True)
        person.say(t="name", name="Mo")
        person.sync()
    assert table.transcript()[1]["name"] == "Ada"
    status, _ = table.server.get(f"/api/tables/{table.id}/transcript", table.links["p1"])
    assert status == 403
