"""Devices at two servers take part in the same draws."""

import json
from typing import Any

import pytest

from cardhouse.engine.integrity.verify import Verified, verify
from cardhouse.engine.table.hash_chain import digest_of
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
    assert (found.alone, found.withheld, found.unused) == (0, {}, 0)


@pytest.mark.soak
def test_who_leaves_the_other_server_is_not_waited_for(two: Two) -> None:
    table = two[0].make_table(seats=["p1"], deal="together")
    gm, p1 = added(table, two)
    gm.begin(do="start_round")
    p1.asked()
    p1.person.close()
    for _ in range(2):
        gm.give(gm.asked())
    rounds, found = checked(table, gm.person)
    assert [(set(line["links"]), line.get("withheld")) for line in rounds] == [({"1"}, {"2": "p1"}), ({"1"}, None)]
    assert found.withheld == {"p1": 1}


@pytest.mark.soak
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


@pytest.mark.soak
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
    assert set().union(*asked.values()) == set(map(digest_of, ids))
    gm.person.sync()
    rounds, found = checked(table, gm.person)
    assert found.rounds == 1
    assert len(rounds) >= 1


def test_no_answer_takes_the_id_of_one_not_saved_yet(two: Two) -> None:
    """Before an answer is saved, devices at other servers are told a digest of its id and not the id."""
    table = two[0].make_table(seats=["p1"], deal="together")
    gm, p1 = added(table, two)
    own = gm.begin(do="start_round")
    asked = p1.asked()
    assert own not in json.dumps(p1.person.frames)
    assert asked["id"] == digest_of(own)
    thief = table.sit("p1", server=two[1])
    refused = thief.ask({"seat": "p9"}, id=own)  # even somebody who guesses it gains nothing
    assert refused["t"] == "error"
    for device in (gm, p1):
        device.give(asked)
    gm.person.hear("change")
    stolen = thief.ask({"do": "start_round"}, id=own)
    assert (stolen["t"], stolen["code"]) == ("error", "taken")
    lines = [line for line in table.transcript() if line.get("id") == own]
    assert [(line["by"], line["do"]) for line in lines] == [("gm", "start_round")]


def test_an_answer_whose_id_was_saved_with_another_is_refused(two: Two) -> None:
    """The other answer was saved first, at another server, while this one was being dealt."""
    table = two[0].make_table(seats=["p1"], deal="together")
    gm, p1 = added(table, two)
    p1.person.catch_up(gm.person.n)
    own = gm.begin(do="start_round")
    asked = p1.asked()
    twin = table.sit("gm", server=two[1])
    assert twin.ask({"seat": "p9"}, id=own)["ack"] == own
    for device in (gm, p1):
        device.give(asked)
    while (told := gm.person.next()).get("id") != own or told["t"] == "round":
        pass
    assert (told["t"], told["code"]) == ("error", "taken")
