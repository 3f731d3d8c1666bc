"""Bots at a served table: who may let them play a seat, and that they do."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.talking import FAST, Frame, Person, Server, running

# Who plays a seat.


def bot_of(person: Person, seat: str) -> str:
    """Who is said to play a seat."""
    told = next(frame for frame in reversed(person.frames) if "seats" in frame)
    return str(next(one.get("bot", "") for one in told["seats"] if one["seat"] == seat))


def test_bots_fill_seats_when_a_table_is_made_and_later(server: Server) -> None:
    table = server.make_table(game="dogpile", seats=["p1", "p2", "p3"], bots={"p2": "sure", "p3": ""})
    gm, p1, screen = (table.sit(seat) for seat in ("gm", "p1", "screen"))
    assert [bot_of(gm, seat) for seat in ("p1", "p2", "p3")] == ["", "sure", ""]
    assert "bot" not in gm.table["seats"][0]
    gm.say(t="bot", seat="p3", bot="sure")
    p1.say(t="bot", seat="p1", bot="sure")
    for person in (gm, p1, screen):
        while [bot_of(person, seat) for seat in ("p1", "p2", "p3")] != ["sure"] * 3:
            person.next()
    p1.say(t="bot", seat="p1", bot=None)
    gm.say(t="bot", seat="p2", bot=None)
    while [bot_of(screen, seat) for seat in ("p1", "p2", "p3")] != ["", "", "sure"]:
        screen.next()


@pytest.mark.parametrize(
    ("who", "frame", "code", "says"),
    [
        ("gm", {"seat": "p9", "bot": "sure"}, "no_such_seat", "p9"),
        ("gm", {"seat": "p9", "bot": None}, "no_such_seat", "p9"),
        ("gm", {"seat": "screen", "bot": "sure"}, "no_such_seat", "screen"),
        ("gm", {"seat": "x" * 300, "bot": "sure"}, "no_such_seat", "x" * 40),
        ("gm", {"seat": "p1", "bot": "lassie"}, "malformed", "there are"),
        ("gm", {"seat": "p1", "bot": "x" * 300}, "malformed", "there are"),
        ("p1", {"seat": "p2", "bot": "sure"}, "not_yours", "game master"),
        ("p1", {"seat": "gm", "bot": "sure"}, "not_yours", "game master"),
        ("screen", {"seat": "p1", "bot": "sure"}, "not_yours", "game master"),
        ("screen", {"seat": "screen", "bot": "sure"}, "no_such_seat", "screen"),
        ("p1", {"seat": "p1"}, "malformed", "bot"),
        ("p1", {"bot": "sure"}, "malformed", "seat"),
        ("p1", {"seat": "p1", "bot": True}, "malformed", "bot"),
        ("p1", {"seat": ["p1"], "bot": "sure"}, "malformed", "seat"),
        ("p1", {"seat": None, "bot": "sure"}, "malformed", "seat"),
        ("p1", {"seat": "p1", "bot": "sure", "now": True}, "malformed", "now"),
    ],
)
def test_who_may_not_say_so_or_names_nobody(server: Server, who: str, frame: Frame, code: str, says: str) -> None:
    table = server.make_table(game="dogpile", seats=["p1", "p2"])
    person = table.sit(who)
    person.say(t="bot", **frame)
    error = person.hear("error")
    assert (error["code"], says in error["message"]) == (code, True), error
    assert not any(bot_of(table.sit("gm"), seat) for seat in ("gm", "p1", "p2"))


@pytest.mark.parametrize(
    ("who", "bots", "pace", "may"),
    [
        ("gm", {}, "fast", True),
        ("gm", {}, "wait", False),
        ("p1", {"gm": "house", "p2": "sure"}, "wait", True),
        ("p1", {"p2": "sure"}, "fast", False),
        ("p1", {"gm": "house"}, "fast", False),
        ("screen", {"gm": "house", "p1": "sure", "p2": "sure"}, "fast", False),
    ],
)
def test_who_may_set_the_pace(server: Server, who: str, bots: dict[str, str], pace: str, may: bool) -> None:
    table = server.make_table(game="dogpile", seats=["p1", "p2"], bots=bots)
    others = [table.sit(seat) for seat in ("gm", "p1", "p2") if seat not in (who, *bots)]
    person = table.sit(who)
    person.say(t="pace", pace=pace)
    person.say(t="ping")
    while (frame := person.next())["t"] not in ("error", "pong"):
        pass
    assert (frame["t"] == "pong" or frame["code"]) == (may or "not_yours"), others


@pytest.mark.parametrize(
    ("wanted", "status", "says"),
    [
        ({"bots": {"p3": "sure"}}, 404, "p3"),
        ({"bots": {"screen": "sure"}}, 404, "screen"),
        ({"bots": {"p1": "lassie"}}, 400, "there are"),
        ({"bots": {"p1": 7}}, 400, "bots"),
        ({"bots": ["p1"]}, 400, "bots"),
        ({"bots": {"p1": "sure"}, "game": "initiative"}, 400, "for initiative; there are prompt, early, house"),
        ({"bots": {"p1": "sure"}, "decks": {"draft": "physical"}}, 400, "real deck"),
    ],
)
def test_tables_no_bot_can_sit_at(server: Server, wanted: dict[str, Any], status: int, says: str) -> None:
    answer = server.post("/api/tables", {"game": "dogpile", "seats": ["p1", "p2"], **wanted})
    assert (answer[0], says in answer[1]["message"]) == (status, True), answer


def test_at_a_table_of_paper_nobody_becomes_a_bot(server: Server) -> None:
    gm = server.make_table(game="dogpile", seats=["p1"], decks={"draft": "physical"}).sit("gm")
    gm.say(t="bot", seat="p1", bot="sure")
    assert "real deck" in gm.hear("error")["message"]
    gm.say(t="bot", seat="p1", bot=None)  # it is none, and may be none
    gm.hear("seats")


# Playing.


@pytest.mark.soak
def test_a_bot_takes_over_and_gives_back_and_a_restart_is_in_between(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table(game="dogpile", seats=["p1", "p2"], options={"rounds": 2}, bots={"p2": "sure"})
        table.sit("gm").do("begin", first="p2")
        server.kill()
        server.start()
        p1 = table.sit("p1")
        p1.catch_up(2)
        assert p1.story[-1]["by"] == "p2"
        if p1.doc["asks"]["key"] == "turn":
            p1.do("pass")
        p1.say(t="bot", seat="p1", bot="sure")
        p1.catch_up(p1.do("next_round")["n"] + 1)
        assert p1.story[-1]["by"] == "p1"
        p1.say(t="bot", seat="p1", bot=None)
        while bot_of(p1, "p1"):
            p1.next()
        finish(p1)
        assert p1.doc["view"]["phase"] == "over"
        assert [done["number"] for done in p1.doc["view"]["rounds"]] == [1, 2]
        assert all("id" in line for line in table.transcript("p1")[1:] if "by" in line)
        assert server.log.read_text() == ""


def finish(person: Person) -> None:
    """Pass whenever it is this one's turn, until the game is over; bots play the others."""
    while person.doc["view"]["phase"] != "over":
        if person.doc["asks"]["with"].get("seat") == person.seat:
            person.do("pass")
        elif person.doc["asks"]["key"] == "judged":
            person.do("next_round")
        else:
            person.next()
