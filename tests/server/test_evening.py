"""The recap of a table, and the link with which others watch its replay."""

from typing import Any

import pytest

from tests.server.talking import Server, TableMade
from tests.server.test_again import next_of
from tests.server.test_revoked import refused_a_seat

ADA = {"name": "Ada", "hp": 7, "max_hp": 7}


def evening(table: TableMade, token: str) -> tuple[int, Any]:
    return table.server.get(f"/api/tables/{table.id}/evening", token)


@pytest.fixture
def fought(house: Server) -> TableMade:
    """A table at which Ada was felled."""
    table = house.make_table(game="hackjack", seats=["p1"], decks={"wounds": "physical"})
    gm = table.sit("gm")
    gm.do("add_character", **ADA)
    gm.do("damage", target="Ada", amount=8)
    gm.ask({"draw": "wounds", "card": "S10"})
    return table


def test_present_clients_are_told_of_the_end_only_then(fought: TableMade) -> None:
    for seat in ("p1", "screen"):
        assert evening(fought, fought.links[seat])[1]["code"] == "not_yours"
    assert evening(fought, fought.links["gm"])[0] == 200, "the game master may know all of this game"
    assert evening(fought, "nonsense")[1]["code"] == "old_link"
    fought.sit("gm").ask({"end": True})
    told = [evening(fought, fought.links[seat]) for seat in ("gm", "p1", "screen")]
    assert {status for status, _ in told} == {200}
    assert {"key": "fell", "n": 1} in told[0][1]["figures"]
    assert told[0] == told[1]
    assert told[2] == (200, {**told[0][1], "look": ""})
    assert "problem" not in told[0][1]


def test_a_conflict_without_a_winner_is_not_settled(house: Server) -> None:
    table = house.make_table(game="dogs", seats=["p1"])
    gm = table.sit("gm")
    for name in ("Doc", "Nan"):
        gm.do("create", name=name, stats={"acuity": 1, "body": 1, "heart": 1, "will": 1})
    gm.do("open_conflict", stakes="Who is right?", arena="talking", sides=[["Doc"], ["Nan"]])
    gm.ask({"end": True})
    _, told = evening(table, table.links["gm"])
    assert {"key": "conflicts", "n": 1} in told["figures"]
    assert "headline" not in told


def test_the_link_for_looking_back_opens_nothing_else(fought: TableMade) -> None:
    server, look = fought.server, evening(fought, fought.links["gm"])[1]["look"]
    replay = f"/api/tables/{fought.id}/replay?seat=open"
    assert server.get(replay, look)[1]["code"] == "not_yours", "it is not over yet"
    fought.sit("gm").ask({"end": True})
    new = next_of(fought)
    assert server.get(replay, look)[0] == 200
    assert evening(fought, look)[0] == 200
    for what in ("transcript", "roster", "deal"):
        assert server.get(f"/api/tables/{fought.id}/{what}", look)[1]["code"] == "old_link", what
    for table in (fought, new):
        assert refused_a_seat(server, table, look)
    assert server.get(f"/api/tables/{new.id}/replay?seat=open", look)[1]["code"] == "old_link"
    assert evening(new, new.links["gm"])[1]["look"] != look
