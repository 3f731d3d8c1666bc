"""A table's replay: what a seat saw, entry by entry, for those who may see it."""

from __future__ import annotations

from typing import Any

import pytest

from cardhouse.engine.values.delta import apply
from tests.server.talking import Person, Server, TableMade


def build_replay(table: TableMade, seat: str, by: str = "gm", after: int = 0) -> dict[str, Any]:
    """A replay, which this link may have."""
    status, told = ask_back(table, seat, by, after)
    assert status == 200, told
    replay: dict[str, Any] = told
    return replay


def ask_back(table: TableMade, seat: str, by: str, after: int = 0) -> tuple[int, Any]:
    path = f"/api/tables/{table.id}/replay?seat={seat}&after={after}"
    return table.server.get(path, table.links.get(by))


def docs_of(replay: dict[str, Any]) -> list[Any]:
    """The document after each entry, the first one before."""
    docs = [replay["doc"]]
    for moment in replay["moments"]:
        docs.append(docs[-1] if moment["doc"] is None else apply(docs[-1], moment["doc"]))
    return docs


def played(house: Server) -> tuple[TableMade, dict[str, Person], dict[str, list[Any]]]:
    """A game of Dogpile of one round, over; with what each seat was shown after each entry."""
    table = house.make_table(game="dogpile", seats=["ada", "ben"], options={"rounds": 1})
    people = {seat: table.sit(seat) for seat in ("gm", "ada", "ben", "screen")}
    seen = {seat: [person.doc] for seat, person in people.items()}

    def after(number: int) -> None:
        for seat, person in people.items():
            person.catch_up(number)
            seen[seat].append(person.doc)

    people["gm"].do("begin", first="ada")
    after(1)
    hand = people["ada"].doc["view"]["hands"]["ada"]
    people["ada"].do("lay", cards=[{"card": hand[0], "x": 0, "y": 1}, {"card": hand[1], "x": 7, "y": -3}])
    after(2)
    assert ask_back(table, "open", "gm")[0] == 403
    assert ask_back(table, "ada", "ada")[0] == 403
    people["ben"].do("pass")
    after(3)
    return table, people, seen


def test_a_seat_looks_back_at_just_what_it_saw(house: Server) -> None:
    table, people, seen = played(house)
    for seat in people:
        replay = build_replay(table, seat, by="ben")
        assert docs_of(replay) == seen[seat]
        assert [moment["story"] for moment in replay["moments"]] == people[seat].story
        assert (replay["you"], replay["total"], replay["after"]) == (seat, 3, 0)


def test_open_handed_nothing_is_hidden(house: Server) -> None:
    table, _, seen = played(house)
    docs = docs_of(build_replay(table, "open", by="ada"))
    hands = {seat: seen[seat][1]["view"]["hands"][seat] for seat in ("ada", "ben")}
    assert docs[1]["view"]["hands"] == hands
    laid = [one["card"] for one in docs[2]["view"]["laid"]]
    assert laid == [one["card"] for one in seen["ada"][2]["view"]["laid"]]
    assert None not in laid


def test_it_goes_on_after_an_entry(house: Server) -> None:
    table, _, seen = played(house)
    replay = build_replay(table, "ben", after=2)
    assert docs_of(replay) == seen["ben"][2:]
    late = build_replay(table, "ben", after=99)
    assert (late["after"], late["moments"], late["doc"]) == (3, [], seen["ben"][3])


def test_a_replay_shows_undone_moves_too(house: Server) -> None:
    table = house.make_table(game="initiative", seats=["ada"])
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", card="C7", controller="ada")
    gm.ask({"undo": 1})
    replay = build_replay(table, "ada")
    assert [len(doc["view"]["characters"]) for doc in docs_of(replay)] == [0, 1, 0]


@pytest.mark.parametrize(("by", "refused"), [("ada", 403), ("screen", 403), ("nobody", 401)])
def test_others_may_not_look_before_the_end(house: Server, by: str, refused: int) -> None:
    table = house.make_table(game="initiative", seats=["ada"])
    table.sit("gm").do("add_character", name="Ada", card="C7")
    status, told = ask_back(table, "ada", by)
    assert (status, "moments" in told) == (refused, False), told


def test_a_seat_that_is_not_there_is_named(house: Server) -> None:
    table, _, _ = played(house)
    status, told = ask_back(table, "zoe", "ada")
    assert (status, told["message"]) == (404, 'There is no seat "zoe"; there are gm, ada, ben.')
