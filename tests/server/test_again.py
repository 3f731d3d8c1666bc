"""Playing again: another table for the same people in the same seats, with the same links."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.server.talking import FAST, Frame, Person, Server, TableMade, running
from tests.server.test_door import take


def again(table: TableMade, token: str | None = None, server: Server | None = None, **wanted: Any) -> tuple[int, Any]:
    """Ask to play again, by the game master's link or another one."""
    secret = table.links["gm"] if token is None else token
    path = f"/api/tables/{table.id}/again"
    return (server or table.server).post(path, wanted, Authorization=f"Bearer {secret}")


def next_of(table: TableMade, **wanted: Any) -> TableMade:
    """The table at which those of one that is over play again; everybody's secret is the one they had."""
    status, told = again(table, **wanted)
    assert (status, set(told)) == (201, {"table"}), told
    assert told["table"] != table.id
    return TableMade(table.server, told["table"], table.links)


def finished(server: Server, **wanted: Any) -> TableMade:
    """A table that its game master has ended by hand."""
    table = server.make_table(**{"game": "dogpile", "seats": ["p1", "p2", "p3"], **wanted})
    assert table.sit("gm").ask({"end": True})["t"] == "change"
    return table


def led_to(person: Person) -> str:
    """Where somebody is told to go."""
    return str(person.hear("settings")["next"])


def seats(person: Person) -> list[Frame]:
    return [{**seat, "here": False} for seat in person.table["seats"]]


def test_everyone_is_led_to_their_own_seat(house: Server) -> None:
    table = house.make_table(game="dogpile", name="Red Gulch", seats=["p1", "p2", "p3"], bots={"p3": "sure"})
    taken = take(table, "p2", "Ben")[1]["token"]
    people = [*(table.sit(seat) for seat in ("gm", "p1", "screen")), Person(house, table.id, taken)]
    people[1].say(t="name", name="Ada 👒")
    people[1].sync()
    people[0].ask({"end": True})
    new = next_of(table)
    assert [led_to(person) for person in people] == [new.id] * 4
    there = [*(new.sit(seat) for seat in ("gm", "p1", "screen", "p2")), Person(house, new.id, taken)]
    assert [person.seat for person in there] == ["gm", "p1", "screen", "p2", "p2"]
    assert seats(there[0])[1:4] == [
        {"seat": "p1", "name": "Ada 👒", "here": False},
        {"seat": "p2", "name": "Ben", "here": False},
        {"seat": "p3", "name": "", "here": False, "bot": "sure"},
    ]
    about = there[0].table["table"]
    assert (about["name"], about["last"], about["ended"], "next" in about) == ("Red Gulch", table.id, False, False)
    assert about["commitment"] not in ("", table.commitment)
    assert table.sit("p1").table["table"]["next"] == new.id, "whoever comes later is led there, too"
    secrets = {*table.links.values(), taken}
    texts = [text for person in (*people, *there) for text in person.texts]
    assert not [text for text in texts if any(secret in text for secret in secrets)], "nobody is told a secret"


def test_it_is_as_it_was_but_for_what_is_asked_for(house: Server) -> None:
    table = finished(house, game="hackjack", options={"limit": 30}, odds="all", decks={"wounds": "physical"})
    same = next_of(table).sit("gm").table["table"]
    before = table.sit("gm").table["table"]
    kept = ("game", "options", "decks", "by_hand", "odds", "deal", "name")
    assert {name: same[name] for name in kept} == {name: before[name] for name in kept}
    other = finished(house, game="hackjack", options={"limit": 30}, odds="all")
    changed = (
        next_of(other, options={"limit": 25}, odds="off", name="Tombstone", deal="together").sit("gm").table["table"]
    )
    assert (changed["options"], changed["odds"], changed["name"]) == ({"limit": 25}, "off", "Tombstone")
    assert changed["deal"] == "together"


def test_a_seat_that_was_added_plays_again(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm = table.sit("gm")
    gm.ask({"seat": "late"})
    link = gm.hear("link")["token"]
    gm.say(t="name", name="Mo")
    gm.hear("seats")
    gm.say(t="face", name="Mo", face=4)
    gm.hear("settings")
    gm.ask({"end": True})
    late = Person(house, next_of(table).id, link)
    assert late.seat == "late"
    assert late.table["table"]["faces"] == {"mo": 4}


def test_who_plays_on_from_there_is_led_further(house: Server) -> None:
    first = finished(house)
    second = next_of(first)
    second.sit("gm").ask({"end": True})
    third = next_of(second)
    assert second.sit("p1").table["table"]["next"] == third.id
    assert third.sit("p1").table["table"]["last"] == second.id


def test_many_requests_for_a_rematch_make_one_table(house: Server) -> None:
    table = finished(house)
    with ThreadPoolExecutor(6) as threads:
        told = list(threads.map(lambda _: again(table), range(6)))
    assert {status for status, _ in told} == {201}
    assert len({new["table"] for _, new in told}) == 1


def test_a_link_that_was_replaced_opens_nothing_at_the_next_table(house: Server) -> None:
    table = house.make_table()
    gm = table.sit("gm")
    gm.say(t="reissue", seat="p1")
    new_link = gm.hear("link")["token"]
    gm.ask({"end": True})
    new = next_of(table)
    assert Person(house, new.id, new_link).seat == "p1"
    assert house.get(f"/api/tables/{new.id}/replay?seat=p1", table.links["p1"])[1]["code"] == "old_link"


def test_only_the_game_master_and_only_when_it_is_over(house: Server) -> None:
    table = house.make_table(game="dogpile", seats=["p1", "p2", "p3"])
    status, refused = again(table)
    assert (status, table.sit("gm").table["table"].get("next")) == (400, None), refused
    assert refused["code"] == "not_ended"
    table.sit("gm").ask({"end": True})
    for seat in ("p1", "screen"):
        assert again(table, table.links[seat])[1]["code"] == "not_yours"
    for token in (table.links["door"], "nonsense"):
        assert again(table, token)[1]["code"] == "old_link"
    assert "next" not in table.sit("gm").table["table"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"options": {"rounds": "many"}}, "rounds"),
        ({"options": {"nonsense": 1}}, "nonsense"),
        ({"seats": 2}, "seats"),
        ({"decks": {"draft": "physical"}}, "Bots"),
        ({"name": "two\nlines"}, "name"),
    ],
)
def test_impossible_requests_are_refused_and_make_nothing(house: Server, wanted: dict[str, Any], said: str) -> None:
    table = finished(house, bots={"p3": "sure"})
    status, refused = again(table, **wanted)
    assert (status, said in refused["message"]) == (400, True), refused
    assert "next" not in table.sit("gm").table["table"]


@pytest.mark.soak
def test_a_game_that_is_over_by_itself_ends_with_the_next_one(house: Server) -> None:
    bots = {"p1": "sure", "p2": "sure", "p3": "sure"}
    table = house.make_table(game="dogpile", seats=["p1", "p2", "p3"], bots=bots, options={"rounds": 1})
    gm = table.sit("gm")
    while gm.doc["asks"]["kind"] != "over":
        if gm.offers:
            gm.ask({"do": gm.offers[0]["do"]})
        else:
            gm.hear("change")
    assert gm.doc["asks"]["key"] != "ended"
    next_of(table)
    gm.hear("settings")
    assert gm.doc["asks"]["key"] == "ended"
    assert "seed" in table.transcript("p1")[-1], "how it was dealt can be checked by all"


def test_it_holds_over_a_restart(database: str, tmp_path: Path) -> None:
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = finished(server, bots={"p3": "sure"})
        new = next_of(table)
        server.kill()
        server.start()
        assert table.sit("p1").table["table"]["next"] == new.id
        assert again(table) == (201, {"table": new.id})
        ada = new.sit("p1")
        assert (ada.seat, ada.table["seats"][3].get("bot")) == ("p1", "sure")
        assert "Traceback" not in server.log.read_text()


@pytest.mark.soak
def test_it_is_told_at_the_other_server(two: tuple[Server, Server]) -> None:
    one, other = two
    table = finished(one)
    ada = table.sit("p1", server=other)
    new = next_of(table)
    assert led_to(ada) == new.id
    assert Person(other, new.id, table.links["p1"]).seat == "p1"
    assert again(table, server=other) == (201, {"table": new.id})
    assert json.loads(ada.texts[0])["table"].get("next") is None


@pytest.mark.parametrize("by_door", [False, True])
def test_a_new_link_ends_the_old_links_access_to_all_tables_of_the_players(house: Server, by_door: bool) -> None:
    first = finished(house)
    if by_door:
        first = house.make_table(game="dogpile", seats=["p1", "p2", "p3"])
        old = take(first, "p2", "Ben")[1]["token"]
        first.sit("gm").ask({"end": True})
    else:
        old = first.links["p2"]
    second = next_of(first)
    second.sit("gm").ask({"end": True})
    third = next_of(second)
    looking = [Person(house, table.id, old) for table in (first, second, third)]
    gm = second.sit("gm")
    gm.say(t="reissue", seat="p2")
    new = gm.hear("link")["token"]
    for person in looking:
        assert person.hear("error")["code"] == "old_link"
    for table in (first, second, third):
        for link in {old, first.links["p2"]}:
            assert house.get(f"/api/tables/{table.id}/replay?seat=p2", link)[1]["code"] == "old_link"
        assert Person(house, table.id, new).seat == "p2"
        for seat in ("gm", "p1", "screen"):
            assert table.sit(seat).seat == seat, "nobody else's link changes"
    assert house.get(f"/api/tables/{first.id}/replay?seat=p2", new)[0] == 200
