"""*What if?*: a table that continues from a step of another, and lab questions about it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardhouse.games.hackjack.lab.best import Best
from tests.server.talking import Person, Server, TableMade


def fork(table: TableMade, by: str, seat: str, at: int, **more: Any) -> tuple[int, Any]:
    who = {"Authorization": f"Bearer {table.links[by]}"} if by in table.links else {}
    return table.server.post(f"/api/tables/{table.id}/fork", {"seat": seat, "at": at, **more}, **who)


def forked(table: TableMade, by: str, seat: str, at: int, **more: Any) -> TableMade:
    status, made = fork(table, by, seat, at, **more)
    assert (status, made.get("sit")) == (201, seat), made
    return TableMade(table.server, made["table"], made["links"], "")


def shown(person: Person) -> Any:
    """What somebody sees and is asked."""
    return person.doc["view"], person.doc["asks"]


def fight(house: Server) -> tuple[TableMade, list[Any]]:
    """A running table of Hackjack, and what its game master was shown after each entry."""
    table = house.make_table(game="hackjack", seats=["ada", "ben"])
    gm = table.sit("gm")
    seen = [shown(gm)]
    for name, hp in (("Ada", 7), ("Ben", 9)):
        gm.do("add_character", name=name, hp=hp, max_hp=9, controller=name.lower())
        seen.append(shown(gm))
    gm.do("damage", target="Ada", amount=3)
    seen.append(shown(gm))
    return table, seen


def test_the_game_master_of_a_running_table_goes_on_from_any_moment(house: Server) -> None:
    table, seen = fight(house)
    for at, doc in enumerate(seen):
        other = forked(table, "gm", "gm", at, name="What if")
        assert other.id != table.id
        gm = other.sit("gm")
        assert shown(gm) == doc
        told = gm.table["table"]
        assert (told["name"], told["odds"], told["commitment"]) == ("What if", "all", "")
    assert not set(other.links.values()) & set(table.links.values())


def test_bots_sit_beside_one_and_the_first_table_notices_nothing(house: Server) -> None:
    table, seen = fight(house)
    gm, other = table.sit("gm"), forked(table, "gm", "ada", 2)
    you = other.sit("ada")
    assert {one["seat"]: bool(one.get("bot")) for one in you.table["seats"] if one["seat"] != "screen"} == {
        "gm": True,
        "ada": False,
        "ben": True,
    }
    other.sit("gm").do("damage", target="Ben", amount=2)
    assert shown(gm) == seen[-1]


def over(house: Server) -> TableMade:
    """A game of Dogpile that was played to its end, in two hands."""
    table = house.make_table(game="dogpile", seats=["ada", "ben"], options={"rounds": 1, "hand_size": 2})
    gm, ada, ben = (table.sit(seat) for seat in ("gm", "ada", "ben"))
    gm.do("begin", first="ada")
    ada.catch_up(1)
    assert fork(table, "gm", "gm", 1)[0] == 403, "nobody knows more than others before the end"
    assert fork(table, "ada", "ada", 1)[0] == 403, "a player tries out nothing while it goes on"
    ada.do("lay", cards=[{"card": ada.doc["view"]["hands"]["ada"][0], "x": 0, "y": 1}])
    ben.catch_up(2)
    ben.do("pass")
    return table


def test_any_player_can_fork_a_finished_game(house: Server) -> None:
    table = over(house)
    other = forked(table, "ada", "ben", 1)
    ben, replayed = (
        other.sit("ben"),
        table.server.get(f"/api/tables/{table.id}/replay?seat=ben&after=1", table.links["ben"]),
    )
    assert shown(ben) == (replayed[1]["doc"]["view"], replayed[1]["doc"]["asks"])
    look = table.server.get(f"/api/tables/{table.id}/evening", table.links["ada"])[1]["look"]
    table.links["friend"] = look
    assert forked(table, "friend", "ada", 1).sit("ada").doc["view"]["hands"]["ada"]


@pytest.mark.soak
def test_what_cannot_be_gone_on_from(house: Server) -> None:
    table = over(house)
    for seat, at, status, said in (
        ("ada", 3, 400, "At that step the game is over. Choose an earlier step."),
        ("zoe", 1, 404, 'There is no seat "zoe"; there are gm, ada, ben.'),
        ("ada", -1, 400, "The request doesn't fit. at: Expected `int` >= 0."),
    ):
        refused, told = fork(table, "ada", seat, at)
        assert (refused, told["message"]) == (status, said)
    assert fork(table, "nobody", "ada", 1)[0] == 401


def test_a_fork_draws_from_another_seed(house: Server) -> None:
    """Or a game master would know a running table's next card by trying it out."""
    table = house.make_table(game="dogpile", seats=["ada", "ben"], options={"rounds": 1})
    table.sit("gm").ask({"end": True})
    pack = set()
    for _ in range(6):
        other = forked(table, "gm", "ada", 0)
        other.sit("gm").do("begin", first="ada")
        pack.add(json.dumps(other.sit("ada").doc["view"]["hands"]["ada"]))
    assert len(pack) == 6


def lab(table: TableMade, by: str, seat: str, at: int) -> tuple[int, Any]:
    return table.server.get(f"/api/tables/{table.id}/lab?seat={seat}&at={at}", table.links.get(by))


def test_the_lab_is_asked_about_a_moment(house: Server) -> None:
    table, _ = fight(house)
    at_first = lab(table, "gm", "gm", 2)
    assert at_first == (
        200,
        [
            *(
                {"question": "deadly", "title": "How deadly is it?", "text": name, "settings": {"hp": hp}}
                for name, hp in (("Ada", "7"), ("Ben", "9"))
            ),
            {"question": "best", "title": Best.title, "text": "", "settings": {}},
        ],
    )
    deadly = [one for one in lab(table, "gm", "open", 3)[1] if one["question"] == "deadly"]
    assert [one["settings"]["hp"] for one in deadly] == ["4", "9"]
    assert lab(table, "ada", "ada", 3)[0] == 403
    assert lab(table, "gm", "zoe", 3)[0] == 404
