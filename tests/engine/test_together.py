"""Shared deals in the engine: devices join, and links come before the draws."""

import json
from typing import Any

import pytest

from cardhouse.engine import TOGETHER, CardhouseError, FairDealer, NeedsLinks, Refused, Table
from cardhouse.engine.chance.shared_randomness import (
    DEVICES_AT_MOST,
    SKIPPED_AT_MOST,
    CommitReveal,
    Device,
    hash_of_link,
)
from cardhouse.engine.integrity.verify import verify
from tests.server.dealing import Chain

SEED = bytes(range(32))


def a_table(**header: Any) -> Table:
    """Two who fight, at a table that asks devices for links."""
    table = Table.new("initiative", ["gm", "ada"], dealer=FairDealer(SEED), **{"deal": TOGETHER, **header})
    table.answer("gm", {"do": "add_character", "name": "Nan", "card": "HA", "controller": "ada"}, id="a")
    table.answer("gm", {"do": "add_character", "name": "Doc", "card": "S10"}, id="b")
    return table


def joined(table: Table, seat: str = "ada", secret: str = "") -> Chain:
    chain = Chain(32, secret)
    table.answer(seat, {"device": chain.anchor})
    return chain


def test_nothing_is_dealt_before_the_devices_are_asked():
    table = a_table()
    chain = joined(table)
    table.ask_devices()
    before = table.view("gm"), table.asks(), table.number, table.together
    with pytest.raises(NeedsLinks) as needed:
        table.answer("gm", {"do": "start_round"}, id="c")
    assert needed.value.line == {"by": "gm", "do": "start_round", "id": "c"}
    assert (table.view("gm"), table.asks(), table.number, table.together) == before
    links = {"links": {"1": chain.next()}, "round": 1}
    entry = table.answer("gm", {"do": "start_round"}, id="c", chance=[links])
    assert entry.lines[1] == links
    assert entry.lines[2]["draw"] == "initiative"


def test_a_draw_depends_on_every_link():
    """With eight other links it is not the same card each time."""
    cards = set()
    for _ in range(16):
        table = a_table()
        links = {"links": {"1": joined(table).next()}, "round": 1}
        cards.add(table.answer("gm", {"do": "start_round"}, id="c", chance=[links]).lines[2]["card"])
    assert len(cards) > 1


def test_a_log_with_links_leads_to_the_same_table():
    table = a_table()
    chain = joined(table)
    table.ask_devices()
    for round_ in (1, 2):
        table.answer("gm", {"do": "start_round"}, id="c", chance=[{"links": {"1": chain.next()}, "round": round_}])
        table.answer("gm", {"undo": 1})
    again = Table.read(table.transcript().splitlines(), FairDealer(SEED))
    assert again.transcript() == table.transcript()
    assert again.log_state(again.number) == table.log_state(table.number)


def test_a_table_opened_from_a_copy_goes_on_with_its_log():
    table = a_table()
    chain = joined(table)
    for number, card in enumerate((f"{suit}{rank}" for suit in "CDS" for rank in range(2, 9)), start=1):
        table.answer("gm", {"do": "start_round"}, chance=[{"links": {"1": chain.next()}, "round": number}])
        table.answer("gm", {"undo": 1})
        table.answer("ada", {"device": Chain(1).anchor})
        table.answer("gm", {"do": "add_character", "name": f"Of {card}", "card": card})
    snapshot = table.with_log(table.last_snapshot)
    assert snapshot.number > 0
    opened = Table(table.header, FairDealer(SEED), snapshot)
    opened.replay((entry.number, line) for entry in table.entries[snapshot.number :] for line in entry.lines)
    assert opened.log_state(opened.number) == table.log_state(table.number)
    assert opened.together == table.together


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"links": {"1": "ab" * 32}, "round": 1}, "is no link of device 1's hash chain"),
        ({"links": {"2": "ab" * 32}, "round": 1}, "There is no device 2"),
        ({"links": {}, "round": 1, "away": [9]}, "the other devices must be asked again"),
        ({"links": {"0": "ab" * 32}, "round": 1}, "doesn't fit"),
        ({"links": {"1": "abc"}, "round": 1}, "doesn't fit"),
        ({"links": {}, "round": 0}, "doesn't fit"),
        ({"links": {}}, "doesn't fit"),
        ({"links": {}, "round": 1, "more": 1}, "doesn't fit"),
    ],
)
def test_lines_of_links_that_cannot_be(line: dict[str, Any], problem: str):
    table = a_table()
    joined(table)
    before = table.view("gm"), table.number, table.together
    with pytest.raises(Refused, match=problem) as refused:
        table.answer("gm", {"do": "start_round"}, id="c", chance=[line])
    assert refused.value.chance in (0, 1)
    assert (table.view("gm"), table.number, table.together) == before


def test_no_round_comes_twice():
    table = a_table()
    table.answer("gm", {"do": "start_round"}, chance=[{"links": {}, "round": 4}])
    table.answer("gm", {"undo": 1})
    with pytest.raises(Refused, match="Round 4 of links is out of order"):
        table.answer("gm", {"do": "start_round"}, chance=[{"links": {}, "round": 4}])


@pytest.mark.parametrize("anchor", ["", "xyz", 7, None, "AB" * 32, "ab" * 33])
def test_invalid_anchors_are_refused(anchor: Any):
    with pytest.raises(Refused, match="64 hex digits"):
        a_table().answer("ada", {"device": anchor})


def test_a_device_joins_only_where_they_deal_together():
    with pytest.raises(Refused, match="take no part"):
        a_table(deal="").answer("ada", {"device": Chain(1).anchor})
    with pytest.raises(CardhouseError, match='deal: write "together"'):
        a_table(deal="alone")


def test_devices_are_not_undone_and_hinder_no_taking_back():
    table = a_table()
    joined(table)
    assert table.may_take_back("gm")
    table.answer("gm", {"undo": 2})
    assert len(table.together.devices) == 1


def test_links_may_be_missing_from_the_log_but_not_without_end():
    links = ["00" * 32]
    for _ in range(SKIPPED_AT_MOST + 2):
        links.append(hash_of_link(links[-1]))
    together = CommitReveal(0, (Device("ada", links[-1]),))
    assert together.after({"links": {"1": links[1]}, "round": 1}).devices[0].latest == links[1]
    with pytest.raises(Refused, match="is no link"):
        together.after({"links": {"1": links[0]}, "round": 1})


def test_there_is_an_end_to_devices():
    full = CommitReveal(0, tuple(Device("ada", json.dumps(number)) for number in range(DEVICES_AT_MOST)))
    with pytest.raises(Refused, match="at most"):
        full.join("ada", "ab" * 32)


def test_a_device_that_is_there_is_missing_from_no_draw_unless_it_left():
    links = {1: Chain(8, "0a" * 32), 2: Chain(8, "0b" * 32)}
    together = CommitReveal().join("gm", links[1].anchor, 1).join("ada", links[2].anchor, 2)
    assert together.present == (1, 2)
    alone = {"links": {"1": links[1].next()}, "round": 1}
    with pytest.raises(Refused, match="without device 2 of ada, which was there") as refused:
        together.after(alone)
    assert refused.value.code == "unfair"
    without = together.after({**alone, "left": [2]})
    assert without.present == (1,)
    both = {"links": {"1": links[1].next(), "2": links[2].next()}, "round": 2}
    with pytest.raises(Refused, match="when device 2 came or left"):
        without.after(both)
    assert without.after({**both, "came": [2]}).present == (1, 2)
    with pytest.raises(Refused, match="when device 1 came or left"):
        without.after({**both, "came": [1, 2]})


def test_a_device_replaces_only_one_of_its_own_seat():
    together = CommitReveal().join("gm", "0a" * 32, 1).join("ada", "0b" * 32, 2)
    assert together.join("ada", "0c" * 32, 2).devices[1] == Device("ada", "0c" * 32)
    for number in (1, 4, 0, "2", True):
        with pytest.raises(Refused):
            together.join("ada", "0c" * 32, number)


# What a host may try who has the seed and writes the transcript.


@pytest.fixture
def lines() -> list[dict[str, Any]]:
    """The transcript of a round that two devices dealt together, always the same."""
    table = a_table()
    chains = [joined(table, seat, secret * 32) for seat, secret in (("gm", "0a"), ("ada", "0b"))]
    for round_ in range(1, 6):
        links = {str(number): chain.next() for number, chain in enumerate(chains, start=1)}
        table.answer("gm", {"do": "start_round"}, id=f"r{round_}", chance=[{"links": links, "round": round_}])
        table.answer("gm", {"undo": 1}, id=f"u{round_}")
    table.answer("gm", {"end": True})
    return [json.loads(line) for line in table.transcript().splitlines()]


def refused(lines: list[dict[str, Any]]) -> str:
    """Why these lines are not verified."""
    with pytest.raises(CardhouseError) as caught:
        verify([json.dumps(line) for line in lines])
    return caught.value.message


def test_a_host_who_asks_no_device_is_found_out(lines: list[dict[str, Any]]):
    assert verify([json.dumps(line) for line in lines]).rounds == 5
    without = [line for line in lines if "links" not in line]
    assert "drew without asking the devices" in refused(without) or "was not dealt fairly" in refused(without)
    for line in without:
        line.pop("card", None)
    undealt = [line for line in without if "draw" not in line]
    assert "drew without asking the devices" in refused(undealt) or "is missing" in refused(undealt)


def test_a_host_who_invents_links_is_found_out(lines: list[dict[str, Any]]):
    next(line for line in lines if "links" in line)["links"]["2"] = "ab" * 32
    assert "is no link of device 2's hash chain" in refused(lines)


def test_a_host_who_leaves_links_out_is_found_out(lines: list[dict[str, Any]]):
    for line in lines:
        if "links" in line:
            del line["links"]["2"]
    assert "was not dealt fairly" in refused(lines)


def test_a_host_who_asks_again_and_keeps_it_quiet_is_found_out(lines: list[dict[str, Any]]):
    place = next(place for place, line in enumerate(lines) if "links" in line)
    lines[place]["round"] = 3
    assert "Round 2 of links is out of order" in refused(lines)


def test_a_host_who_leaves_out_a_present_device_is_found_out():
    """Every second draw without the other device, as if it had never been asked."""
    table = a_table()
    chains = {number: Chain(32, secret * 32) for number, secret in ((1, "0a"), (2, "0b"))}
    for seat, number in (("gm", 1), ("ada", 2)):
        table.answer(seat, {"device": chains[number].anchor, "number": number})
    table.answer("gm", {"do": "start_round"}, chance=[{"links": {"1": chains[1].next()}, "round": 1, "left": [2]}])
    table.answer("gm", {"end": True})
    forged = [json.loads(line) for line in table.transcript().splitlines()]
    del next(line for line in forged if "links" in line)["left"]
    assert "was dealt without device 2 of ada, which was there" in refused(forged)


def test_missing_rounds_are_counted(lines: list[dict[str, Any]]):
    assert not verify([json.dumps(line) for line in lines]).gaps
    for line in lines:
        if "links" in line:
            line["round"] *= 10
    found = verify([json.dumps(line) for line in lines])
    assert found.gaps == [(1, 9), (11, 19), (21, 29), (31, 39), (41, 49)]
    assert [(one.number, one.seat, len(one.draws), one.missed) for one in found.devices] == [
        (1, "gm", 5, []),
        (2, "ada", 5, []),
    ]
