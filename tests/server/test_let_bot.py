"""A bot asked for a single answer, by the asked player, in any game."""

from __future__ import annotations

from cardhouse.engine import Table
from tests.server.talking import Frame, Person, Server, TableMade

FIGHTERS = ({"name": "Ada", "controller": "p1"}, {"name": "Jeb", "npc": True})


def fight(server: Server, **wanted: object) -> tuple[TableMade, Person, Person]:
    """A table of Dogs where Jeb, the game master's, has the go against Ada, who is played by p1."""
    table = server.make_table(game="dogs", seats=["p1", "p2"], **wanted)
    gm, p1 = table.sit("gm"), table.sit("p1")
    stats = {"acuity": 3, "body": 2, "heart": 2, "will": 2}
    for who in FIGHTERS:
        gm.do("create", stats=stats, things=[], **who)
    gm.do("open_conflict", stakes="The well", sides=[["Jeb"], ["Ada"]], arena="talking")
    return table, gm, p1


def test_a_bot_plays_an_npcs_cards_when_asked_and_once(server: Server) -> None:
    table, gm, p1 = fight(server)
    best = gm.doc["view"]["conflict"]["hands"]["Jeb"][0]
    gm.say(t="let_bot", bot="plain")
    change = gm.hear("change", "error")
    assert (change["t"], gm.story[-1]["by"]) == ("change", "gm")
    assert "ack" not in change
    assert gm.doc["view"]["conflict"]["raise"]["card"] == best
    p1.catch_up(gm.n)
    assert p1.doc["asks"]["with"]["name"] == "Ada"
    assert gm.table["seats"][0].get("bot", "") == ""
    said = [line for line in table.transcript() if "by" in line]
    assert said[-1] == {"by": "gm", "do": "raise", "name": "Jeb", "card": best, "id": said[-1]["id"]}
    p1.say(t="let_bot", bot="plain", at=p1.n)
    assert p1.hear("change", "error")["t"] == "change"
    assert p1.story[-1]["by"] == "p1"
    _, text = server.get(f"/api/tables/{table.id}/transcript", table.links["gm"])
    again = Table.read(text.splitlines())
    assert again.view("gm")["conflict"] == p1.doc["view"]["conflict"]


WRONG: list[tuple[str, Frame, str, str]] = [
    ("p1", {"bot": "plain"}, "not_offered", "p1 isn't asked anything"),
    ("p2", {"bot": "plain"}, "not_offered", "p2 isn't asked anything"),
    ("screen", {"bot": "plain"}, "not_yours", "for spectators"),
    ("gm", {"bot": "lassie"}, "malformed", "there are plain"),
    ("gm", {"bot": "x" * 300}, "malformed", "there are plain"),
    ("gm", {"bot": None}, "malformed", "bot"),
    ("gm", {}, "malformed", "bot"),
    ("gm", {"bot": "plain", "at": 1}, "stale", "quicker"),
    ("gm", {"bot": "plain", "at": -1}, "malformed", "at"),
    ("gm", {"bot": "plain", "name": "Jeb"}, "malformed", "name"),
]


def test_where_there_is_nothing_to_answer_it_says_so(server: Server) -> None:
    table, gm, p1 = fight(server)
    people = {"gm": gm, "p1": p1, **{seat: table.sit(seat) for seat in ("p2", "screen")}}
    p1.sync()
    for who, frame, code, says in WRONG:
        people[who].say(t="let_bot", **frame)
        error = people[who].hear("error", "change")
        assert (error["t"], error.get("code"), says in error.get("message", "")) == ("error", code, True), error
    gm.sync()
    assert gm.doc["view"]["conflict"]["raise"] is None


def test_it_does_not_speak_for_what_the_seat_does_not_play(server: Server) -> None:
    """The game master may answer for Ada, but a bot in that seat leaves her to p1."""
    _, gm, _ = fight(server)
    gm.say(t="let_bot", bot="plain")
    gm.hear("change")
    assert "gm" in gm.doc["asks"]["seats"]
    gm.say(t="let_bot", bot="plain")
    error = gm.hear("error", "change")
    assert (error.get("code"), "another seat" in error.get("message", "")) == ("not_offered", True), error


def test_with_paper_it_decides_and_people_draw(server: Server) -> None:
    table = server.make_table(game="dogs", seats=["p1"], decks={"dogs": "physical"})
    gm = table.sit("gm")
    for who in FIGHTERS:
        gm.do("create", stats={"acuity": 1, "body": 1, "heart": 1, "will": 1}, things=[], **who)
    gm.do("open_conflict", stakes="The well", sides=[["Jeb"], ["Ada"]], arena="talking")
    gm.say(t="let_bot", bot="plain")
    assert "real deck" in gm.hear("error", "change")["message"]
    for card in ("C2", "C3", "C4", "C5"):
        gm.ask({"draw": "dogs", "card": card})
    gm.say(t="let_bot", bot="plain")
    gm.hear("change")
    assert gm.doc["view"]["conflict"]["raise"]["card"] == "C3"


def test_it_works_for_any_game_and_a_bot_that_is_there(server: Server) -> None:
    dogpile = server.make_table(game="dogpile", seats=["p1", "p2"], options={"rounds": 1})
    dogpile.sit("gm").do("begin", first="p1")
    p1 = dogpile.sit("p1")
    p1.say(t="let_bot", bot="sure")
    change = p1.hear("change", "error")
    assert (change["t"], p1.story[-1]["by"]) == ("change", "p1")
    p1.say(t="let_bot", bot="sure")
    assert p1.hear("change", "error")["code"] == "not_offered"
    initiative = server.make_table(seats=["p1"]).sit("gm")
    initiative.say(t="let_bot", bot="sure")
    assert "there are prompt, early, house" in initiative.hear("error")["message"]
