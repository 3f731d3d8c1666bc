"""Dogpile at a served table: documents closed until the game is over, and a real draft deck."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.engine.integrity.verify import verify
from tests.server.insiders import Insider, open_house, scene
from tests.server.talking import Frame, Person, Server, TableMade

DOCUMENTS = ("transcript", "roster", "replay?seat=open", "replay?seat=p1", "replay?seat=gm", "deal")


def ask_for(table: TableMade, document: str, seat: str) -> tuple[int, Any]:
    return table.server.get(f"/api/tables/{table.id}/{document}", table.links[seat])


def begun(server: Server, **wanted: Any) -> tuple[TableMade, dict[str, Person]]:
    """A table where p1 is to lay, and the people at it."""
    table = server.make_table(game="dogpile", seats=["p1", "p2"], **{"options": {"rounds": 1}, **wanted})
    people = {seat: table.sit(seat) for seat in ("gm", "p1", "p2", "screen")}
    people["gm"].do("begin", first="p1")
    for person in people.values():
        person.catch_up(1)
    return table, people


# Closed until the end.


def test_no_one_gets_documents_with_hidden_cards_before_the_end(server: Server) -> None:
    table, people = begun(server)
    p1, p2, gm = people["p1"], people["p2"], people["gm"]
    p1.do("lay", cards=[{"card": p1.doc["view"]["hands"]["p1"][0], "x": 1, "y": 0}])
    for seat in people:
        for document in DOCUMENTS:
            status, told = ask_for(table, document, seat)
            whose = {"gm": "no one may", "screen": "only watches"}.get(seat, "only the game master may")
            assert (status, told["code"], whose in told["message"]) == (403, "not_yours", True), told
    assert server.get(f"/api/tables/{table.id}/transcript")[0] == 401
    p2.catch_up(2)
    p2.do("pass")
    for seat in people.keys() - {"screen"}:
        status, text = ask_for(table, "transcript", seat)
        assert (status, text.count('"draw"')) == (200, 11)
        assert "seed" not in text
        assert ask_for(table, "replay?seat=open", seat)[0] == 200
        assert ask_for(table, "roster", seat)[1]["code"] == "no_roster"
    gm.catch_up(3)
    assert gm.ask({"undo": 1})["t"] == "change"  # and it goes on
    for document in DOCUMENTS:
        assert ask_for(table, document, "gm")[0] == 403
    gm.ask({"end": True})
    assert verify(json.dumps(line) for line in table.transcript("p1")).cards == 11


def test_nothing_else_that_the_server_serves_tells_of_hands_or_seed(server: Server) -> None:
    table, people = begun(server)
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as connection:
        (seed,) = connection.execute("SELECT seed FROM tables WHERE id = ?", (table.id,)).fetchone()
        (entry,) = connection.execute("SELECT text FROM entries WHERE table_id = ?", (table.id,)).fetchone()
    connection.close()
    assert entry.count('"draw":"draft"') == 11
    schema = json.loads(server.get("/schema")[1])
    places = {"{table}": table.id, "{game}": "dogpile", "{option}": "deck", "{id}": "1"}
    places |= {"{lesson}": "1-not-a-word", "{campaign}": "1", "{face}": "12"}
    paths = [path for path, methods in schema["paths"].items() if "get" in methods]
    of_tables = {path.rpartition("/")[2] for path in paths if "{table}" in path}
    assert of_tables == {one.partition("?")[0] for one in DOCUMENTS} | {"seats", "evening", "lab", "{face}"}
    asked = 0
    for path in [*paths, "/api/tables", "/api/tables/{table}", "/cards.db", "/log", "/t/{table}"]:
        for place, name in places.items():
            path = path.replace(place, name)
        assert "{" not in path
        for seat in (*people, "door", None):
            _, told = server.get(f"{path}?seat=open", table.links[seat] if seat else None)
            text = told if isinstance(told, str) else json.dumps(told)
            assert seed not in text
            assert '"draw":"draft"' not in text.replace(" ", "")
            assert not any(link in text for link in table.links.values())
            asked += 1
    assert asked > 40


def test_a_table_the_rules_cannot_replay_is_closed_to_the_game_master_too(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/cards.db"

    async def play() -> None:
        async with scene(database) as at:
            await at["gm"].do("begin")
        with sqlite3.connect(tmp_path / "cards.db") as connection:
            new = '"dogpile","version":99'
            connection.execute("UPDATE tables SET header = replace(header, ?, ?)", ('"dogpile"', new))
        connection.close()
        async with open_house(database) as house:
            gm = await Insider(house).sit(at.made, "gm")
            assert "version 99" in gm.frames[0]["table"]["read_only"]
            link = at.made.table, at.made.links["gm"]
            for document in (house.documents.transcript, house.documents.roster):
                with pytest.raises(CardhouseError, match="no one may have it until"):
                    await document("gm", *link)
            await gm.say({"t": "bot", "seat": "p1", "bot": "sure"})
            assert gm.last()["code"] == "read_only"

    asyncio.run(play())


# A draft deck of paper (DG-16: each draws its own hand; anybody turns up the Pack Leader).


def drawn(person: Person, card: str) -> Frame:
    return person.ask({"draw": "draft", "card": card})


def turns_over(people: dict[str, Person], seat: str, card: str) -> None:
    """Somebody draws a card; all hear of it."""
    told = drawn(people[seat], card)
    assert told["t"] == "change", told
    for person in people.values():
        person.catch_up(told["n"])


def choices(person: Person) -> list[str]:
    """Which cards this one may name."""
    (offer,) = person.offers
    assert offer["draw"] == "draft"
    cards: list[str] = offer["fields"]["card"]["enum"]
    return cards


def test_each_selects_its_own_hand_of_a_real_deck_or_the_game_master_for_it(server: Server) -> None:
    _, people = begun(server, decks={"draft": "physical"}, options={"rounds": 2, "hand_size": 2})
    for seat, card in (("p1", "H8"), ("p1", "C4"), ("p2", "H9"), ("p2", "D2")):
        others = [person for other, person in people.items() if other not in (seat, "gm")]
        for person in people.values():
            assert person.doc["asks"]["seats"] == [seat]
        assert [person.offers for person in others] == [[], []]
        assert people["gm"].offers[0]["for"] == seat
        for person in others:
            assert drawn(person, "S7")["code"] in ("not_offered", "not_yours")
        assert card in choices(people[seat])
        turns_over(people, seat, card)


def test_another_players_draws_stay_among_the_possible_cards(server: Server) -> None:
    """For all that p2 knows the next card may be one of p1's; what p1 knows is that it is not."""
    _, people = begun(server, decks={"draft": "physical"}, options={"rounds": 2, "hand_size": 2})
    turns_over(people, "p1", "H8")
    assert (len(choices(people["p1"])), "H8" in choices(people["p1"])) == (53, False)
    assert "in your hand" in drawn(people["p1"], "H8")["message"]
    turns_over(people, "p1", "C4")
    assert (len(choices(people["p2"])), "H8" in choices(people["p2"])) == (54, True)
    refused = drawn(people["p2"], "H8")
    assert (refused["code"], refused["message"]) == (
        "not_offered",
        "H8 can't be the next card: it is not in the draft deck any more. Offered now: draw.",
    )
    assert drawn(people["p2"], "XX")["message"].startswith("XX can't be the next card: it is no card of the deck")
    for wrong in ({"draw": "wounds", "card": "H9"}, {"draw": "draft"}, {"draw": "draft", "card": ["H9"]}):
        assert people["p2"].ask(wrong)["code"] == "not_offered"
    turns_over(people, "p2", "H9")
    turns_over(people, "p2", "D2")
    for seat, known in (("gm", []), ("p1", ["H8", "C4"]), ("p2", ["H9", "D2"])):  # the Pack Leader
        listed = choices(people[seat])
        assert (len(listed), people[seat].doc["asks"]["seats"]) == (54 - len(known), ["p1", "p2", "gm"])
        assert not set(known) & set(listed)
    assert people["screen"].offers == []
    assert "in your hand" in drawn(people["p1"], "C4")["message"]
    turns_over(people, "gm", "H7")
    for seat in ("gm", "p1", "p2", "screen"):
        assert people[seat].doc["view"]["leader"] == "H7"
    assert people["p1"].doc["view"]["hands"] == {"p1": ["C4", "H8"], "p2": 2}
    assert people["screen"].doc["view"]["hands"] == {"p1": 2, "p2": 2}
    told = json.dumps([person.texts for seat, person in people.items() if seat in ("gm", "screen")])
    assert not any(f'card\\": \\"{card}' in told for card in ("H8", "C4", "H9", "D2"))


def test_hands_are_filled_from_paper_after_a_round(server: Server) -> None:
    table, people = begun(server, decks={"draft": "physical"}, options={"rounds": 2, "hand_size": 2})
    for seat, card in (("p1", "H8"), ("p1", "C4"), ("p2", "H9"), ("p2", "D2"), ("p2", "H7")):
        turns_over(people, seat, card)
    people["p1"].do("lay", cards=[{"card": "H8", "x": 1, "y": 0}])
    people["p2"].catch_up(people["p1"].n)
    people["p2"].do("lay", cards=[{"card": "H9", "x": 2, "y": 0}])
    people["p1"].catch_up(people["p2"].n)
    assert people["p1"].doc["view"]["dogpile"] == 3
    assert choices(people["p1"]) == [card for card in choices(people["p1"]) if card not in ("H7", "H8", "H9", "C4")]
    assert len(choices(people["p1"])) == 50
    assert "in the Dogpile" in drawn(people["p1"], "H9")["message"]
    assert drawn(people["p2"], "S3")["message"].startswith("No card or roll is expected from p2 now")
    turns_over(people, "p1", "S3")
    turns_over(people, "p2", "S4")
    assert people["gm"].doc["asks"]["key"] == "judged"
    assert people["gm"].ask({"undo": 1})["t"] == "change"
    people["p2"].catch_up(people["gm"].n)
    turns_over(people, "p2", "S5")
    people["gm"].do("next_round")
    people["p2"].catch_up(people["gm"].n)
    turns_over(people, "p2", "S4")  # which was in no hand after all
    assert people["p2"].doc["view"]["player_one"] == "p2"
    people["p2"].do("pass")
    assert [line["card"] for line in table.transcript("p1") if "draw" in line] == [
        *("H8", "C4", "H9", "D2", "H7", "S3", "S4", "S5", "S4")
    ]


# Starting the game.


def test_only_the_host_starts_it_unless_a_bot_has_the_hosts_seat(server: Server) -> None:
    table = server.make_table(game="dogpile", seats=["p1", "p2"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    assert [offer.get("host") for offer in p1.offers] == [True]
    for start in ({"do": "begin"}, {"do": "begin", "first": "p1", "players": ["p1"]}):
        assert p1.ask(start)["code"] == "not_yours"
    p1.say(t="let_bot", bot="house")
    assert p1.hear("error", "change")["t"] == "error"
    assert gm.do("begin")["n"] == 1
    led_by_a_bot = server.make_table(game="dogpile", seats=["p1"], bots={"gm": "sure"}).sit("p1")
    assert led_by_a_bot.do("begin")["n"] == 1


def test_an_old_log_may_have_another_starter(server: Server) -> None:
    log = [
        {"cardhouse": 1, "game": "dogpile", "seats": ["gm", "ada"], "options": {"hand_size": 1}},
        {"by": "ada", "do": "begin"},
        {"draw": "draft", "card": "H5"},
        {"draw": "draft", "card": "S7"},
    ]
    status, made = server.post("/api/tables/import", "\n".join(map(json.dumps, log)).encode())
    assert status == 201, made
    ada = TableMade(server, made["table"], made["links"]).sit("ada")
    assert ada.do("pass")["n"] == 2
