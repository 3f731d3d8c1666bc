"""The clock of a served table (DG-18): it rings once, whatever happens to players, servers and the time."""

import asyncio
import gzip
import json
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from cardhouse.cli import main
from cardhouse.engine import CLOCK, Offer, OneOf
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import Begin
from cardhouse.server.table import scheduler
from tests.server.insiders import Insider, Scene, scene
from tests.server.talking import FAST, Frame, Person, Server, TableMade, running
from tests.server.test_trouble import cut_wire

HANDS = {"p1": ["H8", "H9"], "p2": ["S8", "S9"]}
HEADER = {
    "cardhouse": 1,
    "game": "dogpile",
    "seats": ["gm", *HANDS],
    "options": {"minutes": 1, "hand_size": 2, "jokers": 0},
}


def timed(began_at: float, *more: Frame, hands: dict[str, list[str]] = HANDS) -> bytes:
    """A transcript of a game whose timer was wound then and runs for a minute: p1 is to lay first, to a seven."""
    lines = [
        HEADER,
        {"by": "gm", "do": "begin"},
        {"time": int(began_at)},
        *({"draw": "draft", "card": card} for hand in hands.values() for card in hand),
        {"draw": "draft", "card": "H7"},
        *more,
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def lay(card: str, x: int, y: int) -> Frame:
    return {"do": "lay", "cards": [{"card": card, "x": x, "y": y}]}


LAID = ({"by": "p1", **lay("H8", 1, 0)}, {"by": "p2", "do": "pass"}, {"draw": "draft", "card": "C2"})
"""The first round, to its reveal and p1's new card."""


def imported(server: Server, text: bytes) -> TableMade:
    status, made = server.post("/api/tables/import", text)
    assert status == 201, made
    return TableMade(server, made["table"], made["links"])


def hear_ring(person: Person) -> None:
    """Everything up to the ring."""
    while not any(event["key"] == "rings" for entry in person.story for event in entry["events"]):
        person.next()


def rings(table: TableMade) -> list[Frame]:
    """Those in the log, once the game is over."""
    return [line for line in table.transcript()[1:] if line.get("do") == "ring"]


# Servers of their own.


def test_an_old_timer_rings_when_a_player_arrives(server: Server) -> None:
    table = imported(server, timed(1_600_000_000))
    p1 = table.sit("p1")
    hear_ring(p1)
    assert (p1.n, p1.story[-1]["by"]) == (2, "clock")
    assert p1.doc["view"]["rung"] is True
    assert p1.doc["asks"]["key"] == "turn"  # a round already dealt is finished
    p1.do("lay", cards=lay("H8", 1, 0)["cards"])
    table.sit("p2").do("pass")
    p1.catch_up(4)
    assert p1.doc["view"]["phase"] == "over"
    (ring,) = rings(table)
    assert (ring["by"], len(ring["id"])) == ("clock", 22)


def test_between_rounds_the_ring_is_the_end(server: Server) -> None:
    table = imported(server, timed(1_600_000_000, *LAID))
    gm = table.sit("gm")
    hear_ring(gm)
    assert gm.doc["view"]["phase"] == "over"
    assert gm.ask({"do": "next_round"})["code"] == "not_offered"
    assert gm.n == 4
    assert len(rings(table)) == 1


@pytest.mark.soak
def test_it_rings_while_people_play_and_a_restart_is_in_between(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = imported(server, timed(time.time() - 58))
        p1 = table.sit("p1")
        p1.do("lay", cards=lay("H8", 1, 0)["cards"])
        server.kill()
        server.start()
        p1, p2 = table.sit("p1"), table.sit("p2")
        hear_ring(p1)
        p2.catch_up(3)
        p2.do("lay", cards=lay("S9", 5, 5)["cards"])
        p1.catch_up(4)
        assert [person.doc["view"]["phase"] for person in (p1, p2)] == ["over", "over"]
        assert len(rings(table)) == 1
        assert "Traceback" not in server.log.read_text()


@pytest.mark.soak
def test_two_servers_ring_once(two: tuple[Server, Server]) -> None:
    tables = [imported(two[0], timed(time.time() - 59)) for _ in range(5)]
    tables += [imported(two[0], timed(1_600_000_000, *LAID)) for _ in range(5)]
    people = [[table.sit("p1"), table.sit("p2", server=two[1])] for table in tables]
    for both in people:
        for person in both:
            hear_ring(person)
    for p1, p2 in people[:5]:
        p1.do("pass")
        p2.catch_up(p1.n)
    for table, both in zip(tables, people, strict=True):
        for person in both:
            person.sync()
        assert both[0].doc["view"]["phase"] == "over"
        assert both[0].n == both[1].n
        assert len(rings(table)) == 1


@pytest.mark.soak
def test_a_ring_that_could_not_be_saved_comes_later(tmp_path: Path, postgres_url: str) -> None:
    with cut_wire(tmp_path, postgres_url) as (server, break_it, mend_it):
        table = imported(server, timed(time.time() - 59))
        p1 = table.sit("p1")
        break_it()
        p1.say(t="name", name="Mo")
        p1.hear("trouble")
        mend_it()
        while p1.hear("trouble")["message"] is not None:
            pass
        hear_ring(p1)
        p1.do("pass")
        assert len(rings(table)) == 1
        assert "Traceback" not in server.log.read_text()


# A house inside the test, whose clock we set.


Story = Callable[[Scene], Coroutine[Any, Any, None]]
Play = Callable[[Story], None]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Has a story happen at a table whose game has just begun; the timer is wound to a minute."""
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.002)  # of the real time, which goes on

    async def run(story: Story) -> None:
        async with scene(f"sqlite:///{tmp_path}/cards.db", options={"minutes": 1}) as at:
            await at["gm"].do("begin")
            assert at["gm"].doc["view"]["ends_at"] == at.clock.now + 60
            await story(at)

    return lambda story: asyncio.run(run(story))


def test_it_rings_when_its_time_has_come_and_not_before(play: Play) -> None:
    async def story(at: Scene) -> None:
        at.clock.go_on(59.9)
        await at.clock.looked_at()
        assert at["gm"].n == 1
        at.clock.go_on(0.1)
        for person in (at["gm"], at["p1"], at["p2"]):
            await person.catch_up(2)
            assert person.story[-1] == {"n": 2, "by": "clock", "events": [{"rule": "DG-18", "key": "rings"}]}
        at.clock.go_on(60)
        await at["p1"].do("pass")
        assert (at["p1"].n, len(at["p1"].says("rings"))) == (3, 1)

    play(story)


def test_a_clock_that_is_set_back_rings_later_and_one_set_forward_earlier(play: Play) -> None:
    async def story(at: Scene) -> None:
        at.clock.now -= 3600
        at.clock.since += 90  # longer than the timer was to run, by a clock that nobody sets
        await at.clock.looked_at()
        assert at["gm"].n == 1
        at.clock.now += 2 * 3600
        await at["gm"].until(lambda: bool(at["gm"].says("rings")))
        at.clock.now -= 2 * 3600  # what has rung has rung
        await at["p1"].do("pass")
        assert at["p1"].phase == "over"

    play(story)


def test_who_answers_after_the_time_finds_that_it_has_rung(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(at: Scene) -> None:
        monkeypatch.setattr(scheduler, "LOOK_SECONDS", 3600.0)
        await at["p1"].do("pass")
        assert at["p1"].phase == "judged"
        at.clock.go_on(60)
        refused = await at["p1"].ask({"do": "next_round"})
        assert (refused["code"], at["p1"].phase, at["p1"].n) == ("not_offered", "over", 3)

    play(story)


def test_a_ring_that_is_taken_back_comes_again(play: Play) -> None:
    async def story(at: Scene) -> None:
        await at["p1"].do("lay", cards=[{"card": at["p1"].doc["view"]["hands"]["p1"][0], "x": 1, "y": 0}])
        at.clock.go_on(61)
        await at["gm"].catch_up(3)
        assert (await at["p1"].ask({"undo": 1}))["code"] == "nothing_to_undo"
        assert (await at["gm"].ask({"undo": 2}))["t"] == "change"
        await at["gm"].catch_up(5)
        assert [entry["by"] for entry in at["gm"].story] == ["gm", "p1", "clock", "gm", "clock"]
        assert at["gm"].doc["asks"]["with"] == {"seat": "p1"}
        at.clock.now -= 3600
        await at["gm"].ask({"undo": 1})
        await at.clock.looked_at()
        assert at["gm"].doc["view"]["rung"] is False
        assert at["gm"].n == 6

    play(story)


def test_a_clock_that_is_refused_is_complained_of_once_and_people_play_on(
    play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What a game would have to get wrong for that: what it offers the clock can't be said without a choice."""
    choice = Offer((CLOCK,), Begin, {"first": OneOf(("p1", "p2"), "seat")})
    monkeypatch.setattr(Dogpile, "at_any_time", lambda game: (choice,))

    async def story(at: Scene) -> None:
        at.clock.go_on(61)
        await at["p1"].do("pass")
        await at["p1"].do("next_round")
        assert at["p1"].n == 3

    play(story)
    assert [record.getMessage().partition(" the clock ")[2][:19] for record in caplog.records] == [
        "made a move that wa"
    ]


def test_nothing_rings_at_an_empty_table_nor_at_one_that_has_ended(play: Play) -> None:
    async def story(at: Scene) -> None:
        for person in (at["p1"], at["p2"], at["gm"]):
            await person.leave()
        at.clock.go_on(600)
        other = await at.house.create("dogpile", ["gm"], odds="off", options={"minutes": 1})
        gm_of_other = await Insider(at.house).sit(other, "gm")
        await gm_of_other.do("begin")
        await gm_of_other.ask({"end": True})
        at.clock.go_on(600)
        assert at.house.store.last_number(at.made.table) == 1
        back = await Insider(at.house).sit(at.made, "p1")
        await back.catch_up(2)
        await gm_of_other.sync()
        assert gm_of_other.n == 2

    play(story)


def test_timed_answers_replay_and_verify_without_a_clock(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game played to the ring and past it, its log, and what the command line makes of it."""

    async def story(at: Scene) -> None:
        hand = at["p1"].doc["view"]["hands"]["p1"]
        await at["p1"].do("lay", cards=[{"card": card, "x": x, "y": 1} for x, card in enumerate(hand)])
        at.clock.go_on(60)
        await at["p2"].catch_up(3)
        await at["p2"].do("pass")
        assert (await at["gm"].ask({"end": True}))["t"] == "change"
        packed = await at.house.documents.transcript("p2", at.made.table, at.made.links["p2"])
        (tmp_path / "log.jsonl").write_bytes(gzip.decompress(packed))

    play(story)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines[2] == {"time": 1_790_000_000}
    assert [line["by"] for line in lines[1:] if "by" in line] == ["gm", "p1", "clock", "p2", "gm"]
    log = str(tmp_path / "log.jsonl")

    def cardhouse(*words: str) -> str:
        assert main([*words]) == 0
        return capsys.readouterr().out

    replayed = json.loads(cardhouse("replay", log, "--seat", "p2", "--json"))
    assert replayed["state"]["phase"] == "over"
    assert replayed["state"]["ends_at"] == 1_790_000_060
    assert "The timer rings!" in cardhouse("replay", log)
    assert "11 cards" in cardhouse("verify", log)
