"""The table's join link: its holder takes an open seat and gets that seat's own link."""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select

from cardhouse.server.core.join_codes import slow_hash_of
from cardhouse.server.persistence import schema
from cardhouse.server.persistence.database import connect
from cardhouse.server.table.invites import played_from, round_of
from tests.server.talking import SECONDS, Frame, Person, Server, TableMade, new_id, open_socket

Two = tuple[Server, Server]


def look(table: TableMade, token: str | None = None, *, server: Server | None = None) -> tuple[int, Any]:
    """What is told at the door, by its own secret or another one."""
    where = server or table.server
    return where.get(f"/api/tables/{table.id}/seats", table.links["door"] if token is None else token)


def take(
    table: TableMade, seat: Any, name: Any = "Ada", *, token: str | None = None, server: Server | None = None
) -> tuple[int, Any]:
    """Take a seat."""
    where, secret = server or table.server, table.links["door"] if token is None else token
    path = f"/api/tables/{table.id}/seats"
    return where.post(path, {"seat": seat, "name": name}, Authorization=f"Bearer {secret}")


def free(table: TableMade) -> list[str]:
    status, told = look(table)
    assert status == 200, told
    return [one["seat"] for one in told["seats"] if one["free"]]


def all_at_once(doing: Sequence[Any]) -> list[Any]:
    """What comes of each, when all begin at one moment."""
    ready = Barrier(len(doing))

    def do(one: Any) -> Any:
        ready.wait(SECONDS)
        return one()

    with ThreadPoolExecutor(len(doing)) as threads:
        return [one.result() for one in [threads.submit(do, one) for one in doing]]


def new_link(gm: Person) -> Frame:
    gm.say(t="reissue", seat="door")
    link = gm.hear("link")
    assert link["seat"] == "door"
    return link


def new_door(gm: Person) -> str:
    return str(new_link(gm)["token"])


def hears_seat(person: Person, seat: Frame) -> None:
    while seat not in person.hear("seats")["seats"]:
        pass


# Taking a seat.


def test_the_join_link_shows_the_players_seats(house: Server) -> None:
    table = house.make_table(name="Red Gulch", seats=["p1", "p2"])
    seats = [{"seat": "p1", "name": "", "free": True}, {"seat": "p2", "name": "", "free": True}]
    expected = {"game": "initiative", "name": "Red Gulch", "seats": seats, "mark": table.mark}
    assert look(table) == (200, expected)


def test_the_join_link_shows_players_and_characters_but_nothing_hidden(house: Server) -> None:
    table = house.make_table(seats=["p1", "p2"], decks={"initiative": "physical"})
    gm, ada = table.sit("gm"), table.sit("p1")
    gm.say(t="name", name="Cat")
    ada.say(t="name", name="Ada")
    for card, name, seat in (("SK", "Wen", "p1"), ("SQ", "Shadow", "p1"), ("SJ", "Fox", "p2"), ("HK", "Mule", "gm")):
        hidden = name in ("Shadow", "Fox")
        gm.do("add_character", name=name, card=card, controller=seat, hidden=hidden)
    gm.do("start_round")
    gm.ask({"draw": "initiative", "card": "HK"})
    ada.sync()
    seats = [
        {"seat": "p1", "name": "Ada", "free": False, "here": True, "characters": ["Wen"]},
        {"seat": "p2", "name": "", "free": True},
    ]
    told = {
        "game": "initiative",
        "name": "",
        "seats": seats,
        "gm": "Cat",
        "gm_here": True,
        "round": 1,
        "mark": table.mark,
    }
    assert look(table) == (200, told)


@pytest.mark.parametrize("characters", [None, 3, "Ada", {"Ada": 1}, ["Ada"], [{"controller": "p1"}], [{"name": 1}]])
def test_a_strangers_view_may_have_anything_for_characters(characters: object) -> None:
    assert played_from("p1", {"characters": characters}) == []


@pytest.mark.parametrize(("number", "shown"), [(3, 3), (None, 0), ("3", 0), (True, 0), ([3], 0)])
def test_a_round_is_a_number(number: object, shown: int) -> None:
    assert round_of({"round": number}) == shown


def test_a_typed_code_leads_to_its_table(house: Server) -> None:
    """However it is typed; a new one takes its place, and what is no code of a door opens nothing."""
    table = house.make_table(seats=["p1"])
    code = table.links["door"]
    assert len(code) == 8

    def opens(code: str) -> tuple[int, Any]:
        return house.post("/api/doors", {"code": code})

    assert opens(code) == opens(f" {code[:4].upper()} {code[4:]}") == (200, {"table": table.id})
    new = new_door(table.sit("gm"))
    assert opens(new) == (200, {"table": table.id})
    for wrong in (code, table.links["p1"], "", "k7mq 3xvt"):
        status, problem = opens(wrong)
        assert (status, problem["code"]) == (house.post("/api/doors", {"code": "22222222"})[0], "old_link")
    assert opens("x" * 41)[0] == 400


def test_a_name_at_the_door_is_stored_without_what_nobody_sees(house: Server) -> None:
    table = house.make_table()
    gm = table.sit("gm")
    assert take(table, "p2", "\u202eJose\u0301\u200b")[0] == 201
    hears_seat(gm, {"seat": "p2", "name": "Jos\u00e9", "here": False})
    status, said = take(table, "p1", "\u3164")
    assert (status, said["message"]) == (400, "A name must be a text with no blanks before or after it.")


def test_a_seat_is_taken_with_a_name_that_everyone_sees(house: Server) -> None:
    table = house.make_table()
    gm, screen = table.sit("gm"), table.sit("screen")
    status, taken = take(table, "p2", "Ada 👒")
    assert (status, set(taken), taken["seat"]) == (201, {"seat", "token"}, "p2")
    for person in (gm, screen):
        hears_seat(person, {"seat": "p2", "name": "Ada 👒", "here": False})
    assert free(table) == ["p1", "p3"]
    ada = Person(house, table.id, taken["token"])
    assert ada.seat == "p2"
    gm.do("add_character", name="Nan", card="HA", controller="p2")
    ada.catch_up(1)
    assert ada.ask({"undo": 1})["code"] == "nothing_to_undo"
    assert table.transcript()[0]["names"] == {"p2": "Ada 👒"}


def test_one_of_many_gets_a_seat(house: Server) -> None:
    table = house.make_table(seats=["p1", "p2"])
    told = all_at_once([lambda name=f"Ada {n}": (name, *take(table, "p1", name)) for n in range(8)])
    got = [(name, taken["token"]) for name, status, taken in told if status == 201]
    assert len(got) == 1
    for _, status, refused in told:
        assert status == 201 or (status, refused["code"]) == (409, "taken")
        assert status == 201 or refused["message"].endswith("these are left: p2.")
    [(name, token)] = got
    assert Person(house, table.id, token).table["seats"][1] == {"seat": "p1", "name": name, "here": True}


def test_an_occupied_seat_is_not_open(house: Server) -> None:
    table = house.make_table(game="dogpile", seats=["p1", "p2", "p3", "p4", "p5"], bots={"p3": "sure"})
    ada, _nameless = table.sit("p1"), table.sit("p2")
    ada.say(t="name", name="Ada")
    ada.sync()
    ada.close()
    assert take(table, "p4", "Ben")[0] == 201
    assert free(table) == ["p3", "p5"]
    seats = look(table)[1]["seats"]
    assert seats[0] == {"seat": "p1", "name": "Ada", "free": False}
    for seat in ("p1", "p2", "p4"):
        status, refused = take(table, seat, "Cat")
        assert (status, refused["code"]) == (409, "taken"), seat
        assert "these are left: p3, p5" in refused["message"]
    for seat in ("p3", "p5"):
        assert take(table, seat, "Cat")[0] == 201
    assert "none is left" in take(table, "p5", "Dan")[1]["message"]
    names = [seat["name"] for seat in table.sit("gm").table["seats"]]
    assert names == ["", "Ada", "", "Cat", "Ben", "Cat", ""]


def test_a_player_takes_over_a_bots_seat(house: Server) -> None:
    table = house.make_table(game="dogpile", seats=["p1", "p2"], bots={"p1": "sure", "p2": "sure"})
    gm = table.sit("gm")
    assert look(table)[1]["seats"][0] == {"seat": "p1", "name": "", "free": True, "bot": "sure"}
    assert take(table, "p1", "Ada")[0] == 201
    hears_seat(gm, {"seat": "p1", "name": "Ada", "here": False})
    gm.say(t="bot", seat="p1", bot="sure")
    hears_seat(gm, {"seat": "p1", "name": "Ada", "here": False, "bot": "sure"})
    assert free(table) == ["p2"], "somebody's own seat stays theirs while a bot plays it"


def test_a_seat_that_is_added_can_be_taken(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm = table.sit("gm")
    assert gm.ask({"seat": "p2"})["t"] == "change"
    gm.hear("link")
    assert free(table) == ["p1", "p2"]
    assert Person(house, table.id, take(table, "p2")[1]["token"]).seat == "p2"


@pytest.mark.parametrize("seat", ["gm", "screen", "door", "", "p9", "x" * 100])
def test_only_a_players_seat_can_be_taken(house: Server, seat: str) -> None:
    status, refused = take(house.make_table(), seat)
    assert (status, refused["code"]) == (404, "no_such_seat")
    assert "p1, p2, p3" in refused["message"]


@pytest.mark.parametrize("name", ["", " ", " Ada", "x" * 41, "two\nlines", "a\x00b"])
def test_a_name_is_one_that_can_be_shown(house: Server, name: str) -> None:
    table = house.make_table()
    status, refused = take(table, "p1", name)
    assert status == 400
    assert refused["message"].startswith("A name ")
    assert free(table) == ["p1", "p2", "p3"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"seat":"p1"}', b'{"seat":1,"name":"A"}'])
def test_what_asks_for_no_seat(house: Server, body: bytes) -> None:
    table = house.make_table()
    secret = f"Bearer {table.links['door']}"
    status, refused = house.post(f"/api/tables/{table.id}/seats", body, Authorization=secret)
    assert (status, refused["code"]) == (400, "malformed")


def test_the_seats_own_link_stays_valid_and_a_new_one_ends_both(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm = table.sit("gm")
    token = take(table, "p1")[1]["token"]
    own, claimed = table.sit("p1"), Person(house, table.id, token)
    for person in (own, claimed):
        assert person.seat == "p1"
        person.sync()
    gm.say(t="reissue", seat="p1")
    new = gm.hear("link")["token"]
    for person, secret in ((own, table.links["p1"]), (claimed, token)):
        assert person.hear("error")["code"] == "old_link"
        assert house.get(f"/api/tables/{table.id}/transcript", secret)[1]["code"] == "old_link"
    assert Person(house, table.id, new).seat == "p1"
    assert free(table) == [], "the seat has its name still"


def test_a_seat_that_was_taken_is_there_after_the_server_was_killed(house: Server) -> None:
    table = house.make_table(seats=["p1", "p2"])
    token = take(table, "p1")[1]["token"]
    house.kill()
    house.start()
    assert Person(house, table.id, token).seat == "p1"
    assert free(table) == ["p2"]


# Who may not.


def test_no_other_secret_opens_the_door(house: Server) -> None:
    table, other = house.make_table(name="Red Gulch"), house.make_table()
    links = table.links
    for token in ("", "wrong", links["gm"], links["p1"], links["screen"], other.links["door"], table.mark):
        for status, refused in (look(table, token), take(table, "p1", token=token)):
            assert (status, set(refused), refused["code"]) == (401, {"code", "message"}, "old_link"), token
            assert "Red Gulch" not in refused["message"]
    assert house.get(f"/api/tables/{table.id}/seats")[0] == 401
    assert house.get("/api/tables/nowhere9/seats", links["door"])[1]["code"] == "no_such_seat"
    assert free(table) == ["p1", "p2", "p3"]


@pytest.mark.parametrize("ended", [False, True])
def test_the_join_link_opens_nothing_else(house: Server, ended: bool) -> None:
    table = house.make_table()
    gm = table.sit("gm")
    gm.do("add_character", name="Shadow", card="SK", hidden=True)
    if ended:  # then everybody who sits there may know everything
        gm.ask({"end": True})
    for what in ("transcript", "replay?seat=gm", "replay?seat=screen", "roster", "deal"):
        status, refused = house.get(f"/api/tables/{table.id}/{what}", table.links["door"])
        assert (status, refused["code"]) == (401, "old_link"), what
        assert "Shadow" not in str(refused)
    socket = open_socket(house)
    socket.send(json.dumps({"t": "sit", "table": table.id, "token": table.links["door"]}))
    told = json.loads(socket.recv(SECONDS))
    assert (told["t"], told["code"]) == ("error", "old_link")
    assert f"/j/{table.id}#" in told["message"]
    socket.send(json.dumps({"t": "answer", "id": new_id(), "at": 0, "answer": {"undo": 1}}))
    assert json.loads(socket.recv(SECONDS))["code"] == "sit_first"


def test_nobody_sits_down_at_a_table_that_has_ended(house: Server) -> None:
    table = house.make_table()
    table.sit("gm").ask({"end": True})
    for status, refused in (look(table), take(table, "p1")):
        assert (status, refused["code"]) == (400, "ended")


def test_a_code_can_not_be_computed_from_what_the_server_sends_or_stores(house: Server) -> None:
    """A fast hash of 39 bits could be reversed in minutes, by a spectator or with a copy of the database."""
    tables = [house.make_table() for _ in range(2)]
    codes = select(schema.seats).where(schema.seats.c.seat == "")
    with closing(connect(house.database, reading=True)) as database, database.engine.connect() as connection:
        stored = {row.table_id: row for row in connection.execute(codes)}
        salt = connection.execute(select(schema.house.c.salt)).scalar_one()
    for table in tables:
        code, screen = table.links["door"], table.sit("screen")
        fast = hashlib.sha256(code.encode()).hexdigest()
        row = stored[table.id]
        assert row.token == slow_hash_of(fast, salt) != slow_hash_of(fast, "00" * 16)
        assert row.mark == screen.table["table"]["door"]
        assert row.mark not in fast + row.token
    assert len({row.mark for row in stored.values()}) == len(stored)


# Closing it, and opening it anew.


def test_a_new_code_ends_the_old_one_and_pages_can_tell(house: Server) -> None:
    table = house.make_table()
    gm, screen = table.sit("gm"), table.sit("screen")
    old = table.links["door"]
    assert screen.table["table"]["door"] == look(table)[1]["mark"] == table.mark
    link = new_link(gm)
    new = link["token"]
    assert screen.hear("settings") == {"t": "settings", "odds": "gm", "door": link["mark"]}
    assert link["mark"] == look(table, new)[1]["mark"] != table.mark
    assert look(table, old)[0] == take(table, "p1", token=old)[0] == 401
    assert look(table, new)[0] == 200
    assert take(table, "p1", token=new)[0] == 201


def test_the_game_master_turns_the_join_code_off_and_on_again(house: Server) -> None:
    table = house.make_table()
    gm, screen = table.sit("gm"), table.sit("screen")
    token = take(table, "p1")[1]["token"]
    for _ in range(2):
        gm.say(t="close_door")
        gm.sync()
    assert screen.hear("settings") == {"t": "settings", "odds": "gm"}
    assert "door" not in table.sit("screen").table["table"]
    for status, refused in (look(table), take(table, "p2")):
        assert (status, refused["code"]) == (401, "old_link")
    assert Person(house, table.id, token).seat == "p1", "who sits already stays"
    new = new_door(gm)
    assert look(table)[0] == 401
    assert take(table, "p2", token=new)[0] == 201


def test_nobody_but_the_game_master_closes_the_door_or_opens_it(house: Server) -> None:
    table = house.make_table()
    taken = Person(house, table.id, take(table, "p2")[1]["token"])
    for person in (table.sit("p1"), table.sit("screen"), taken):
        for frame in ({"t": "close_door"}, {"t": "reissue", "seat": "door"}):
            person.say(**frame)
            assert person.hear("error")["code"] == "not_yours"
    assert look(table)[0] == 200


def test_a_seat_may_be_called_a_door(house: Server) -> None:
    table = house.make_table(seats=["door", "p1"])
    assert list(table.links) == ["gm", "door", "p1", "screen"]
    door = table.sit("door")
    assert door.seat == "door"
    assert look(table)[0] == 401
    table.sit("gm").say(t="close_door")
    door.sync()
    assert table.sit("door").seat == "door"


# Two servers.


@pytest.mark.soak
def test_joining_changes_hold_at_all_servers(two: Two) -> None:
    one, other = two
    table = one.make_table()
    gm, far = table.sit("gm"), table.sit("screen", server=other)
    token = take(table, "p1")[1]["token"]
    hears_seat(far, {"seat": "p1", "name": "Ada", "here": False})
    assert Person(other, table.id, token).seat == "p1"
    assert take(table, "p1", "Ben", server=other)[0] == 409
    new = new_door(gm)
    assert look(table, server=other)[0] == take(table, "p2", server=other)[0] == 401
    assert take(table, "p2", token=new, server=other)[0] == 201
    gm.say(t="close_door")
    gm.sync()
    assert look(table, new, server=other)[0] == take(table, "p3", token=new, server=other)[0] == 401


def test_one_of_two_at_two_servers_gets_a_seat(two: Two) -> None:
    table = two[0].make_table(seats=[f"p{number}" for number in range(1, 11)])
    for number in range(1, 11):
        seat = f"p{number}"
        told = all_at_once([lambda there=there, seat=seat: take(table, seat, server=there) for there in two])
        assert sorted(status for status, _ in told) == [201, 409], told
