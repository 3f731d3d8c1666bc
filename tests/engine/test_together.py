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
from tests.server.dealing import Chain, round_of

SEED = bytes(range(32))
BEGIN: dict[str, Any] = {"by": "gm", "do": "start_round"}


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
    assert needed.value.lines == [{"by": "gm", "do": "start_round", "id": "c"}]
    assert (table.view("gm"), table.asks(), table.number, table.together) == before
    links = round_of(table, {**BEGIN, "id": "c"}, 1, {1: chain})
    entry = table.answer("gm", {"do": "start_round"}, id="c", chance=[links])
    assert entry.lines[1] == links
    assert entry.lines[2]["draw"] == "initiative"


def test_a_draw_depends_on_every_link():
    """With eight other links it is not the same card each time."""
    cards = set()
    for _ in range(16):
        table = a_table()
        links = round_of(table, BEGIN, 1, {1: joined(table)})
        cards.add(table.answer("gm", {"do": "start_round"}, id="c", chance=[links]).lines[2]["card"])
    assert len(cards) > 1


def test_a_log_with_links_leads_to_the_same_table():
    table = a_table()
    chain = joined(table)
    table.ask_devices()
    for round_ in (1, 2):
        table.answer("gm", {"do": "start_round"}, id="c", chance=[round_of(table, BEGIN, round_, {1: chain})])
        table.answer("gm", {"undo": 1})
    again = Table.read(table.transcript().splitlines(), FairDealer(SEED))
    assert again.transcript() == table.transcript()
    assert again.log_state(again.number) == table.log_state(table.number)


def test_a_table_opened_from_a_copy_goes_on_with_its_log():
    table = a_table()
    chain = joined(table)
    for number, card in enumerate((f"{suit}{rank}" for suit in "CDS" for rank in range(2, 9)), start=1):
        table.answer("gm", {"do": "start_round"}, chance=[round_of(table, BEGIN, number, {1: chain})])
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
        ({"links": {"1": "ab" * 32}, "round": 1}, "is not the next link of device 1's hash chain"),
        ({"links": {"1": "ab" * 32}, "round": 1, "fixed": "cd" * 32}, "is not the next link of device 1's hash chain"),
        ({"links": {"2": "ab" * 32}, "round": 1}, "There is no device 2"),
        ({"links": {}, "round": 1, "away": [9]}, "the other devices must be asked again"),
        ({"links": {}, "round": 1, "withheld": {"1": "ada"}}, "the other devices must be asked again"),
        ({"links": {}, "round": 1, "resumed": {"1": "ab" * 32}}, "device 1 isn't in round 1"),
        ({"links": {}, "round": 1, "fixed": "xyz"}, "doesn't fit"),
        ({"links": {}, "round": 2**53}, "doesn't fit"),
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


def test_a_device_gives_its_next_link_and_no_later_one():
    """With a choice among later links, a device that knows the others' could choose the card."""
    chain = Chain(8)
    together = CommitReveal().join("ada", chain.anchor, 1)
    first, second = chain.next(), chain.next()
    line = {"round": 1, "fixed": "ab" * 32}
    with pytest.raises(Refused, match="is not the next link"):
        together.after({**line, "links": {"1": second}})
    assert together.after({**line, "links": {"1": first}}).devices[0].latest == first
    resumed = together.after({**line, "links": {"1": second}, "resumed": {"1": first}})
    assert resumed.devices[0].latest == second


def test_links_may_be_missing_from_the_log_but_not_without_end():
    links = ["00" * 32]
    for _ in range(SKIPPED_AT_MOST + 2):
        links.append(hash_of_link(links[-1]))
    together = CommitReveal(0, (Device("ada", links[-1]),))
    for place, refused in ((1, False), (0, True)):
        older = {"links": {"1": links[place]}, "round": 1}
        later = {"links": {}, "round": 1, "fixed": "ab" * 32, "withheld": {"1": "ada"}, "resumed": {"1": links[place]}}
        for line in (older, later):
            if refused:
                with pytest.raises(Refused, match="is not"):
                    together.after(line)
            else:
                assert together.after(line).devices[0].latest == links[1]


def test_there_is_an_end_to_devices():
    full = CommitReveal(0, tuple(Device("ada", json.dumps(number)) for number in range(DEVICES_AT_MOST)))
    with pytest.raises(Refused, match="at most"):
        full.join("ada", "ab" * 32)


def test_a_withheld_link_is_of_the_devices_own_seat():
    together = CommitReveal().join("gm", "0a" * 32, 1).join("ada", "0b" * 32, 2)
    line = {"links": {}, "round": 1, "fixed": "ab" * 32}
    with pytest.raises(Refused, match="device 2 is ada's"):
        together.after({**line, "withheld": {"2": "gm"}})
    with pytest.raises(Refused, match="both give and withhold"):
        together.after({**line, "links": {"2": "0c" * 32}, "withheld": {"2": "ada"}})


@pytest.mark.parametrize("older", [False, True])
def test_a_seat_breaks_off_a_draw_once(older: bool):
    """Asked again, it would choose between two draws, with any of its devices."""
    chains = {number: Chain(8, f"0{number}" * 32) for number in (1, 2, 3)}
    together = CommitReveal()
    for number, seat in ((1, "gm"), (2, "ada"), (3, "ada")):
        together = together.join(seat, chains[number].anchor, number)

    def line(round_: int, *given: int, withheld: int | None = None) -> dict[str, Any]:
        links = {"links": {str(number): chains[number].next() for number in given}, "round": round_}
        if older:
            return {**links, **({"away": [withheld]} if withheld else {})}
        return {**links, "fixed": "ab" * 32, **({"withheld": {str(withheld): "ada"}} if withheld else {})}

    void, complete, again = line(1, 1, 3, withheld=2), line(2, 1), line(3, 1, 3)
    assert together.after_all([void, complete]).rounds == 2
    assert together.after(void).after(complete).after(again).rounds == 3
    with pytest.raises(Refused, match="Round 3 asked ada again") as refused:
        together.after_all([void, complete, again])
    assert refused.value.code == "unfair"


def test_a_device_replaces_only_one_of_its_own_seat():
    together = CommitReveal().join("gm", "0a" * 32, 1).join("ada", "0b" * 32, 2)
    assert together.join("ada", "0c" * 32, 2).devices[1] == Device("ada", "0c" * 32)
    for number in (1, 4, 0, "2", True):
        with pytest.raises(Refused):
            together.join("ada", "0c" * 32, number)


# What a host may try who has the seed and writes the transcript.


def dealt_together(step: int = 1) -> list[dict[str, Any]]:
    """The transcript of five rounds that two devices dealt together, always the same; `step` is between two rounds."""
    table = a_table()
    chains = [joined(table, seat, secret * 32) for seat, secret in (("gm", "0a"), ("ada", "0b"))]
    for round_ in range(1, 6):
        links = round_of(table, {**BEGIN, "id": f"r{round_}"}, step * round_, dict(enumerate(chains, start=1)))
        table.answer("gm", {"do": "start_round"}, id=f"r{round_}", chance=[links])
        table.answer("gm", {"undo": 1}, id=f"u{round_}")
    table.answer("gm", {"end": True})
    return [json.loads(line) for line in table.transcript().splitlines()]


@pytest.fixture
def lines() -> list[dict[str, Any]]:
    return dealt_together()


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
    assert "is not the next link of device 2's hash chain" in refused(lines)


def test_a_host_who_leaves_links_out_is_found_out(lines: list[dict[str, Any]]):
    del next(line for line in reversed(lines) if "links" in line)["links"]["2"]
    assert "was not dealt fairly" in refused(lines)


def test_a_host_who_chooses_afterwards_who_was_there_is_found_out():
    """The cards follow from fewer links than the devices were asked for."""
    table = a_table()
    chains = {number: Chain(8, f"0{number}" * 32) for number in (1, 2, 3)}
    for number, seat in ((1, "gm"), (2, "ada"), (3, "gm")):
        table.answer(seat, {"device": chains[number].anchor, "number": number})
    line = round_of(table, {**BEGIN, "id": "c"}, 1, chains)
    del line["links"]["3"]
    table.answer("gm", {"do": "start_round"}, id="c", chance=[line])
    table.answer("gm", {"end": True})
    forged = [json.loads(line) for line in table.transcript().splitlines()]
    assert "was asked for another answer, or for other devices" in refused(forged)


def test_a_host_who_draws_with_links_given_for_another_answer_is_found_out():
    table = a_table()
    chains = {1: joined(table)}
    line = round_of(table, {**BEGIN, "id": "another"}, 1, chains)
    table.answer("gm", {"do": "start_round"}, id="c", chance=[line])
    table.answer("gm", {"end": True})
    forged = [json.loads(line) for line in table.transcript().splitlines()]
    assert "was asked for another answer, or for other devices" in refused(forged)


def test_a_host_who_asks_again_in_the_middle_of_an_answer_is_found_out(lines: list[dict[str, Any]]):
    """One answer has one complete round, before its first card."""
    place = next(place for place, line in enumerate(lines) if "draw" in line)
    lines.insert(place + 1, {"links": {}, "round": 2})
    assert "was not dealt fairly" in refused(lines)


def test_a_log_that_poses_as_an_older_servers_is_verified_with_a_reservation(lines: list[dict[str, Any]]):
    assert verify([json.dumps(line) for line in lines]).older == 0
    for line in lines:
        line.pop("fixed", None)
    found = verify([json.dumps(line) for line in lines])
    assert (found.rounds, found.older) == (5, 5)


def test_a_host_who_asks_again_and_keeps_it_quiet_is_found_out(lines: list[dict[str, Any]]):
    place = next(place for place, line in enumerate(lines) if "links" in line)
    lines[place]["round"] = 3
    assert "Round 2 of links is out of order" in refused(lines)


def test_missing_rounds_are_counted(lines: list[dict[str, Any]]):
    assert not verify([json.dumps(line) for line in lines]).gaps
    found = verify([json.dumps(line) for line in dealt_together(step=10)])
    assert found.gaps == [(1, 9), (11, 19), (21, 29), (31, 39), (41, 49)]
    assert [(one.number, one.seat, len(one.draws), one.missed) for one in found.devices] == [
        (1, "gm", 5, []),
        (2, "ada", 5, []),
    ]
