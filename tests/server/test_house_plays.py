"""The house's player at a served table: it is there for every game, and ready in time."""

from pathlib import Path

from tests.server.talking import FAST, running
from tests.server.test_bots import finish


def test_it_plays_a_game_of_hidden_cards_in_time_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        options = {"rounds": 2, "passing": "skips"}
        table = server.make_table(game="dogpile", seats=["p1", "p2"], options=options, bots={"p2": "house"})
        p1 = table.sit("p1")
        p1.do("begin", first="p2")
        p1.catch_up(2)
        assert p1.story[-1]["by"] == "p2"
        server.kill()
        server.start()
        p1 = table.sit("p1")
        finish(p1)
        assert {"p1", "p2"} == {one["by"] for one in p1.story[2:]}
        assert server.log.read_text() == ""


def test_it_is_there_for_a_game_that_brings_no_bots(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        gm = server.make_table(seats=["p1"], bots={"p1": "house"}).sit("gm")
        for name, card in (("Ada", "S9"), ("Rat", "C3")):
            gm.do("add_character", name=name, card=card, controller="p1")
        gm.do("start_round")
        while gm.doc["view"]["under_way"]:
            gm.next()
        assert {one["by"] for one in gm.story[3:]} == {"p1"}
        assert server.log.read_text() == ""
