"""A shared deal, which not even the host can bend: every device adds a link to each draw."""

import asyncio
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhouse.engine import CardhouseError, Table, recap_of
from cardhouse.engine.chance.shared_randomness import hash_of_link
from cardhouse.engine.integrity.verify import verify
from cardhouse.engine.table.hash_chain import digest_of, fixed
from cardhouse.server.core.compression import gunzip_chunks
from cardhouse.server.jobs.tasks import full_state, table_at, table_state
from cardhouse.server.management.table_manager import NewTable, TableManager
from cardhouse.server.table import devices
from cardhouse.server.transcripts.transcript_export import Deal
from tests.server.dealing import Chain, Dealer
from tests.server.insiders import StoppedClock, open_house
from tests.server.talking import Frame, new_id

SEATS = ("gm", "p1", "p2")


class Evening:
    """A table of card initiative that deals together, with everybody there."""

    def __init__(self, house: TableManager, made: NewTable) -> None:
        self.house, self.made = house, made
        self.people: dict[str, Dealer] = {}

    def __getitem__(self, seat: str) -> Dealer:
        return self.people[seat]

    async def come(self, seat: str) -> Dealer:
        self.people[seat] = await Dealer(self.house).take_part(self.made, seat)
        return self.people[seat]

    async def prepare(self) -> None:
        for name, card in (("Nan", "HA"), ("Doc", "S10"), ("Kid", "C4")):
            await self["gm"].act({"do": "add_character", "name": name, "card": card})

    async def play_on(self, answers: int = 30) -> None:
        """The game master answers for all until the round is over."""
        for _ in range(answers):
            asks = self["gm"].doc["asks"]
            if asks["key"] == "between":
                return
            offer = self["gm"].offers[0]
            fields = {name: field["const"] for name, field in offer["fields"].items()}
            await self["gm"].act({"do": offer["do"], **fields})

    async def text(self) -> list[str]:
        told = await self.house.documents.transcript("somebody", self.made.table, self.made.links["gm"])
        return b"".join(gunzip_chunks(told)).decode().splitlines()

    async def end(self) -> list[str]:
        await self["gm"].act({"end": True})
        return await self.text()


@asynccontextmanager
async def evening(path: Path, come: tuple[str, ...] = SEATS, game: str = "initiative") -> AsyncIterator[Evening]:
    async with open_house(f"sqlite:///{path}/cards.db", StoppedClock()) as house:
        made = await house.create(game, SEATS, odds="off", deal="together")
        at = Evening(house, made)
        for seat in come:
            await at.come(seat)
        yield at


def rounds_of(lines: list[str]) -> list[Frame]:
    return [line for line in map(json.loads, lines) if "links" in line]


def test_every_device_has_its_link_in_every_draw(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at["p1"].act({"do": "add_character", "name": "no", "card": "C9"})  # refused, and draws nothing
            for _ in range(3):
                await at["gm"].act({"do": "start_round"})
                await at.play_on()
            lines = await at.end()
            rounds = rounds_of(lines)
            assert len(rounds) >= 3
            assert all(set(line["links"]) == {"1", "2", "3"} for line in rounds)
            assert [line["round"] for line in rounds] == list(range(1, len(rounds) + 1))
            found = verify(lines)
            assert (found.rounds, found.alone, found.withheld, found.left) == (len(rounds), 0, {}, {})

    asyncio.run(play())


def test_a_card_is_drawn_from_seed_number_id_and_links(tmp_path: Path) -> None:
    """As the document says it can be worked out by hand."""

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at["gm"].act({"do": "start_round"})
            before = await at.text()
            lines = [json.loads(line) for line in await at.end()]
            seed = bytes.fromhex(lines[-1]["seed"])
            place = next(place for place, line in enumerate(lines) if "links" in line)
            answer, given, draw = lines[place - 1], lines[place], lines[place + 1]
            assert len(before) == len(lines) - 1
            links = ".".join(given["links"][number] for number in ("1", "2", "3"))
            outcomes = ["C4", "HA", "S10", "RJ", "BJ"]
            value = int.from_bytes(hmac.digest(seed, f"1:{answer['id']}:{links}:0".encode(), "sha256"), "big")
            assert draw == {"draw": "initiative", "card": outcomes[value % 5]}

    asyncio.run(play())


def test_devices_are_asked_only_when_the_answer_is_fixed(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            head = at["p1"].last()["head"]
            await at["gm"].act({"do": "start_round"})
            lines = [json.loads(line) for line in await at.end()]
            (asked,) = at["p1"].asked
            answer = next(line for line in lines if line.get("do") == "start_round")
            assert (asked["id"], asked["by"]) == (digest_of(answer["id"]), "gm")
            assert asked["devices"] == [1, 2, 3]
            values = {number: at[seat].chain.anchor for number, seat in enumerate(SEATS, start=1)}
            assert asked["fixed"] == fixed(bytes.fromhex(lines[-1]["seed"]), head, [answer], values)
            assert asked["fixed"] == rounds_of(await at.text())[0]["fixed"]

    asyncio.run(play())


def test_the_time_that_rules_read_is_fixed_before_the_devices_give_their_links(tmp_path: Path) -> None:
    """Dogpile's clock starts, and then the hands are dealt."""

    async def play() -> None:
        async with evening(tmp_path, game="dogpile") as at:
            head = at["p1"].last()["head"]
            await at["gm"].act({"do": "begin"})
            lines = [json.loads(line) for line in await at.end()]
            began = next(place for place, line in enumerate(lines) if line.get("do") == "begin")
            assert [set(line) for line in lines[began + 1 : began + 3]] == [{"time"}, {"links", "round", "fixed"}]
            values = {number: at[seat].chain.anchor for number, seat in enumerate(SEATS, start=1)}
            seed = bytes.fromhex(lines[-1]["seed"])
            assert at["p1"].asked[0]["fixed"] == fixed(seed, head, lines[began : began + 2], values)

    asyncio.run(play())

    asyncio.run(play())


def test_a_device_that_leaves_is_left_out_and_the_others_are_asked_again(tmp_path: Path) -> None:
    """A player, or the host in a player's name, can't use what is known of the others' links."""

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            at["p2"].silent = True
            answering = asyncio.create_task(at["gm"].act({"do": "start_round"}))
            await at["p2"].until(lambda: len(at["p2"].asked) == 1)
            await at["p2"].leave()
            await answering
            first, second = rounds_of(await at.text())
            assert (set(first["links"]), first["withheld"]) == ({"1", "2"}, {"3": "p2"})
            assert (set(second["links"]), second.get("withheld")) == ({"1", "2"}, None)
            assert hash_of_link(second["links"]["1"]) == first["links"]["1"]  # links of their own
            found = verify(await at.end())
            assert found.withheld == {"p2": 1}

    asyncio.run(play())


def test_a_device_that_says_nothing_is_waited_for_a_moment_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MOMENT", 0.01)

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            at["p1"].silent = True
            await at["gm"].act({"do": "start_round"})
            assert rounds_of(await at.text())[0]["withheld"] == {"2": "p1"}
            told = at["p1"].last()["rounds"]
            assert told[0]["withheld"] == {"2": "p1"}  # so that its page can contradict
            await at.play_on()
            assert len(at["p1"].asked) == 1  # until it comes again
            at["p1"].silent = False
            await at["p1"].return_to_deals()
            await at["gm"].act({"do": "start_round"})
            assert set(rounds_of(await at.text())[-1]["links"]) == {"1", "2", "3"}

    asyncio.run(play())


def test_invalid_links_are_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            at["p1"].silent = True
            answering = asyncio.create_task(at["gm"].act({"do": "start_round"}))
            await at["p1"].until(lambda: bool(at["p1"].asked))
            await at["p1"].say({"t": "link", "round": 1, "link": "ab" * 32})
            assert at["p1"].last()["code"] == "malformed"
            await at["p1"].say({"t": "link", "round": 7, "link": "ab" * 32})  # no round that is asked
            at["p1"].give(at["p1"].asked[0])
            await answering
            assert set(rounds_of(await at.text())[0]["links"]) == {"1", "2", "3"}

    asyncio.run(play())


def test_no_one_gives_a_link_for_another_seats_device(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            stranger = await Dealer(at.house).sit(at.made, "p2")
            for number in (1, 2, 9):
                assert (await stranger.offer(number=number, round=0))["code"] == "no_such_device"
            not_its_chain = await stranger.offer(number=3, anchor="ab" * 32)
            assert not_its_chain["code"] == "no_such_device"
            assert (await stranger.offer(anchor=at["gm"].chain.anchor))["code"] == "not_offered"
            for answer in ({"device": "ab" * 32}, {"device": "ab" * 32, "number": 1}):
                assert "by the frame" in (await stranger.ask(answer))["message"]

    asyncio.run(play())


def test_the_screen_takes_no_part(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            screen = await Dealer(at.house).sit(at.made, "screen")
            assert (await screen.offer(anchor=screen.chain.anchor))["code"] == "not_yours"
            assert (await screen.ask({"do": "start_round"}))["code"] == "not_yours"
            await at["gm"].act({"do": "start_round"})
            lines = await at.end()
            assert set(rounds_of(lines)[0]["links"]) == {"1", "2", "3"}
            assert "screen" not in {json.loads(line).get("by") for line in lines}

    asyncio.run(play())


def test_a_seat_has_few_devices_and_a_new_one_replaces_the_oldest(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path, come=("gm", "p1")) as at:
            await at.prepare()
            first = at["p1"]
            others = [await Dealer(at.house).take_part(at.made, "p1") for _ in range(devices.DEVICES_A_SEAT)]
            assert [one.number for one in others] == [3, 4, 5, 2]
            assert first.number == 0
            assert (await first.offer(number=2, anchor=first.chain.anchor))["code"] == "no_such_device"
            await at["gm"].act({"do": "start_round"})
            lines = await at.end()
            assert set(rounds_of(lines)[0]["links"]) == {"1", "2", "3", "4", "5"}
            assert [one.number for one in verify(lines).devices] == [1, 2, 3, 4, 5, 2]

    asyncio.run(play())


def test_new_devices_of_a_seat_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "NEW_BURST", 3)

    async def play() -> None:
        async with evening(tmp_path, come=("gm",)) as at:
            player = await Dealer(at.house).sit(at.made, "p1")
            told = [await player.offer(anchor=Chain(2).anchor) for _ in range(4)]
            assert [frame.get("code") for frame in told] == [None, None, None, "too_many"]
            await Dealer(at.house).take_part(at.made, "p2")  # another seat's are counted for themselves
            assert sum("device" in json.loads(line) for line in await at.text()) == 5

    asyncio.run(play())


def test_a_draw_leaves_out_all_devices_of_a_late_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One person with many devices can't have the table wait once for each."""
    monkeypatch.setattr(devices, "MOMENT", 0.01)

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            late = [await Dealer(at.house).take_part(at.made, "p1") for _ in range(3)]
            late[0].silent = True
            await at["gm"].act({"do": "start_round"})
            first, second = rounds_of(await at.text())
            assert (first["withheld"], set(first["links"])) == ({"4": "p1"}, {"1", "2", "3", "5", "6"})
            assert set(second["links"]) == {"1", "3"}
            assert second.keys() == {"links", "round", "fixed"}
            await at["gm"].act({"undo": 1})
            await at["gm"].act({"do": "start_round"})
            assert set(rounds_of(await at.text())[-1]["links"]) == {"1", "3"}  # none of them joined again
            found = verify(await at.end())
            assert (found.withheld, found.left) == ({"p1": 1}, {})
            assert not found.gaps

    asyncio.run(play())


def test_the_log_has_the_devices_of_each_draw_and_a_count_for_each_device(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at["gm"].act({"do": "start_round"})
            await at["p2"].leave()
            await at["gm"].act({"undo": 1})
            await at["gm"].act({"do": "start_round"})
            again = Dealer(at.house)
            again.chain, again.number = at["p2"].chain, 3
            at.people["p2"] = again
            await again.sit(at.made, "p2")
            assert (await again.return_to_deals())["round"] == 2
            await at["gm"].act({"undo": 1})
            await at["gm"].act({"do": "start_round"})
            rounds = rounds_of(await at.text())
            assert [set(line["links"]) for line in rounds] == [{"1", "2", "3"}, {"1", "2"}, {"1", "2", "3"}]
            found = verify(await at.end())
            assert found.left == {"p2": 1}
            missed = {one.number: (len(one.draws), len(one.missed)) for one in found.devices}
            assert missed == {1: (3, 0), 2: (3, 0), 3: (3, 1)}

    asyncio.run(play())


def test_odds_and_the_recap_are_worked_out_where_somebody_left_in_a_draw_that_was_undone(tmp_path: Path) -> None:
    """They play only what stands, and who was there depends on what was undone as well."""

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at["gm"].act({"do": "start_round"})
            await at["gm"].act({"undo": 1})
            await at["p2"].leave()
            await at["gm"].act({"do": "start_round"})
            await at["gm"].act({"undo": 1})
            await at["gm"].act({"do": "start_round"})
            lines = await at.text()
            table = Table.read(lines)
            assert recap_of(table).figures
            assert table_at(table_state(table)).view("gm") == table.view("gm")
            assert table_at(full_state(table)).view("gm") == table.view("gm")

    asyncio.run(play())


def test_who_is_back_is_told_what_became_of_the_link(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            n = at["p2"].n
            await at["gm"].act({"do": "start_round"})
            again = Dealer(at.house)
            await again.say({"t": "sit", "table": at.made.table, "token": at.made.links["p2"], "since": n})
            told = again.frames[0]["rounds"]
            assert [line["links"] for line in told] == [line["links"] for line in rounds_of(await at.text())]

    asyncio.run(play())


def test_a_table_with_no_device_there_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path, come=()) as at:
            at.people["gm"] = gm = await Dealer(at.house).sit(at.made, "gm")
            await at.prepare()
            await gm.act({"do": "start_round"})
            [line] = rounds_of(await at.text())
            assert (line["links"], line["round"]) == ({}, 1)
            assert verify(await at.end()).alone == 1

    asyncio.run(play())


def test_devices_continue_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at["gm"].act({"do": "start_round"})
            made, chains = at.made, {seat: at[seat].chain for seat in SEATS}
        async with open_house(f"sqlite:///{tmp_path}/cards.db", StoppedClock()) as house:
            at = Evening(house, made)
            for number, seat in enumerate(SEATS, start=1):
                person = at.people[seat] = Dealer(house)
                person.chain = chains[seat]
                await person.sit(made, seat)
                await person.say({"t": "device", "number": number, "round": 1})
            await at.play_on()
            lines = await at.end()
            assert [line["round"] for line in rounds_of(lines)][:2] == [1, 2]
            assert all(len(line["links"]) == 3 for line in rounds_of(lines))
            verify(lines)

    asyncio.run(play())


def test_no_round_is_asked_twice_and_a_gap_is_reported(tmp_path: Path) -> None:
    """What a device was asked before the server stopped is not asked again for another answer."""

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at.house.saver.write(at.house.store.next_round, at.made.table, 0)  # asked, and the server stopped
            await at["gm"].act({"do": "start_round"})
            assert rounds_of(await at.text())[0]["round"] == 2
            await at["p1"].offer(number=2, round=2**53 - 1)  # nobody can lead it astray
            await at.play_on()
            lines = await at.end()
            assert rounds_of(lines)[1]["round"] == 3
            assert verify(lines).gaps == [(1, 1)]

    asyncio.run(play())


def test_an_answer_that_could_not_be_saved_draws_the_same_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            saver = at.house.saver
            append, own = saver.append, new_id()
            table = await at.house.table(at.made.table)
            drawn: list[Any] = []

            def fail(row: Any) -> Any:
                drawn.append(row.text)
                raise OSError("the disk is full")

            saver.append = fail  # type: ignore[method-assign]
            frame = {"t": "answer", "id": own, "at": at["gm"].n, "answer": {"do": "start_round"}}
            await at["gm"].say(frame)
            await at["gm"].until(lambda: any(f.get("id") == own for f in at["gm"].frames if f["t"] == "error"))
            saver.append = append  # type: ignore[method-assign]
            await at["gm"].say(frame)
            await at["gm"].until(lambda: any(f.get("ack") == own for f in at["gm"].frames))
            assert at.house.store.entries(at.made.table)[-1][1] == drawn[0]
            assert len(at["p1"].asked) == 1
            assert table.deals_together

    asyncio.run(play())


def test_a_page_can_work_out_every_card_by_itself(tmp_path: Path) -> None:
    """From what `/api/tables/{table}/deal` tells: seed, number, id with links, and what there was to choose from."""

    async def play() -> None:
        async with evening(tmp_path) as at:
            await at.prepare()
            await at["gm"].act({"do": "start_round"})
            await at.play_on()
            with pytest.raises(CardhouseError, match="hasn't ended"):
                await at.house.documents.deal("somebody", at.made.table, at.made.links["gm"])
            await at.end()
            packed = await at.house.documents.deal("somebody", at.made.table, at.made.links["p1"])
            told = msgspec.json.decode(b"".join(gunzip_chunks(packed)), type=Deal)
            lines = [json.loads(line) for line in told.transcript.splitlines()]
            seed = bytes.fromhex(lines[-1]["seed"])
            assert len(told.dealt) == sum("draw" in line for line in lines) > 0
            for pick in told.dealt:
                assert not isinstance(pick.outcomes, int)
                value = int.from_bytes(hmac.digest(seed, f"{pick.number}:{pick.id}:0".encode(), "sha256"), "big")
                assert lines[pick.line - 1]["card"] == pick.outcomes[value % len(pick.outcomes)]

    asyncio.run(play())
