"""Devices that sit at two servers take part in the same draws."""

import json
from typing import Any

from cardhouse.engine.verify import Verified, verify
from tests.server.dealing import Chain
from tests.server.talking import Frame, Person, Server, TableMade, new_id

Two = tuple[Server, Server]


class Device:
    """Somebody's device, over a real socket."""

    def __init__(self, table: TableMade, seat: str, server: Server) -> None:
        self.person: Person = table.sit(seat, server=server)
        self.chain = Chain()
        self.person.say(t="device", anchor=self.chain.anchor)
        self.number = self.person.hear("device")["number"]

    def asked(self) -> Frame:
        """Wait until its link is wanted."""
        return self.person.hear("round")

    def give(self, asked: Frame) -> None:
        self.person.say(t="link", round=asked["round"], link=self.chain.next())

    def begin(self, **answer: Any) -> str:
        """Give an answer that draws; its id."""
        id = new_id()  # noqa: A001
        self.person.say(t="answer", id=id, at=self.person.n, answer=answer)
        return id


def added(table: TableMade, servers: tuple[Server, Server]) -> list[Device]:
    """The game master at the one server, a player at the other, and two characters."""
    devices = [Device(table, "gm", servers[0]), Device(table, "p1", servers[1])]
    for name, card in (("Nan", "HA"), ("Doc", "S10")):
        assert devices[0].person.do("add_character", name=name, card=card)
    return devices


def checked(table: TableMade, gm: Person) -> tuple[list[Frame], Verified]:
    gm.ask({"end": True})
    lines = table.transcript()
    return [line for line in lines if "links" in line], verify([json.dumps(line) for line in lines])


def test_devices_at_two_servers_take_part_in_one_draw(two: Two) -> None:
    table = two[0].make_table(seats=["p1"], deal="together")
    gm, p1 = added(table, two)
    gm.begin(do="start_round")
    asked = p1.asked()
    assert asked == {**gm.asked(), "number": p1.number}
    p1.give(asked)
    gm.give(asked)
    assert gm.person.hear("change")["rounds"][0]["links"].keys() == {"1", "2"}
    rounds, found = checked(table, gm.person)
    assert [set(line["links"]) for line in rounds] == [{"1", "2"}]
    assert (found.alone, found.away, found.unused) == (0, {}, 0)


def test_who_leaves_the_other_server_is_not_waited_for(two: Two) -> None:
    table = two[0].make_table(seats=["p1"], deal="together")
    gm, p1 = added(table, two)
    gm.begin(do="start_round")
    p1.asked()
    p1.person.close()
    for _ in range(2):
        gm.give(gm.asked())
    rounds, found = checked(table, gm.person)
    assert [(set(line["links"]), line.get("away")) for line in rounds] == [({"1"}, [2]), ({"1"}, None)]
    assert found.away == {"p1": 1}


def test_a_table_that_is_opened_later_at_a_server_knows_who_sits_elsewhere(two: Two) -> None:
    table = two[0].make_table(seats=["p1"], deal="together")
    p1 = Device(table, "p1", two[1])
    gm = Device(table, "gm", two[0])
    for name, card in (("Nan", "HA"), ("Doc", "S10")):
        gm.person.do("add_character", name=name, card=card)
    gm.begin(do="start_round")
    for device in (gm, p1):
        device.give(device.asked())
    rounds, _ = checked(table, gm.person)
    assert set(rounds[0]["links"]) == {"1", "2"}


def test_two_servers_never_ask_for_one_round_twice(two: Two) -> None:
    """Both take an answer at the same time; one of them comes too late and is told so."""
    table = two[0].make_table(seats=["p1"], deal="together")
    gm, p1 = added(table, two)
    p1.person.catch_up(gm.person.n)
    other = Device(table, "gm", two[1])
    gm.person.catch_up(other.person.n)
    ids = [gm.begin(do="start_round"), other.begin(do="start_round")]
    asked: dict[int, set[str]] = {}
    for device in (gm, other, p1):
        for _ in range(2):
            frame = device.asked()
            asked.setdefault(frame["round"], set()).add(frame["id"])
            device.give(frame)
    assert sorted(map(len, asked.values())) == [1, 1]
    assert set().union(*asked.values()) == set(ids)
    gm.person.sync()
    rounds, found = checked(table, gm.person)
    assert found.rounds == 1
    assert len(rounds) >= 1
