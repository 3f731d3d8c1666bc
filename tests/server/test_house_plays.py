"""The standard bot at a served table: for every game, in every seat."""

from pathlib import Path

import pytest

from tests.server.talking import FAST, running
from tests.server.test_bots import finish


@pytest.mark.soak
def test_it_plays_a_game_of_hidden_cards_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        options = {"rounds": 2, "passing": "skips"}
        table = server.make_table(game="dogpile", seats=["p1", "p2"], options=options, bots={"p2": "house"})
        p1 = table.sit("p1")
        table.sit("gm").do("begin", first="p2")
        p1.catch_up(2)
        assert p1.story[-1]["by"] == "p2"
        server.kill()
        server.start()
        p1 = table.sit("p1")
        finish(p1)
        assert {"p1", "p2"} == {one["by"] for one in p1.story[2:]}


@pytest.mark.soak
def test_it_is_there_for_a_game_that_brings_no_bots(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        gm = server.make_table(seats=["p1"], bots={"p1": "house"}).sit("gm")
        for name, card in (("Ada", "S9"), ("Rat", "C3")):
            gm.do("add_character", name=name, card=card, controller="p1")
        gm.do("start_round")
        while gm.doc["view"]["under_way"]:
            gm.next()
        assert {one["by"] for one in gm.story[3:]} == {"p1"}


@pytest.mark.soak
def test_one_person_alone_plays_a_fight_that_the_house_leads(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table(game="gunfight", seats=["p1", "p2"], bots={"gm": "house", "p2": "house"})
        p1 = table.sit("p1")
        hit = ("hurt", "goes_down", "killed_outright")
        while not any(event["key"] in hit for entry in p1.story for event in entry["events"]):
            asks = p1.doc["asks"]
            if asks["seats"][:1] == ["p1"] and asks["key"] in ("first", "either"):
                p1.do("act", name=asks["with"]["name"])
            elif asks["seats"][:1] == ["p1"] and asks["key"] == "turn":  # a house that is late leaves it to p1
                p1.do("done", name=asks["with"]["name"])
            else:
                p1.next()
        sides = [who["side"] for who in p1.doc["view"]["order"]["characters"]]
        assert sorted(sides) == ["Gang", "Gang", "Posse", "Posse"]
        assert {"gm"} == {entry["by"] for entry in p1.story[:5]}
