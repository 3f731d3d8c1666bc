"""Twin tables: they differ only in what some seats may not know, and are played in lockstep.

Whatever anybody says is said at both, but for the secrets themselves. Every byte that reaches a seat which may not know
is compared, one frame after the other: how many there are, how long each is and in which order they come is the same.
"""

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from cardhouse.cards import Card
from cardhouse.engine import SCREEN, TOGETHER, CardhouseError, Draw, FairDealer, Table, write_line
from cardhouse.server.core.compression import gunzip_chunks
from cardhouse.server.core.tokens import hash_of
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.records import SeatRecord, TableRecord
from cardhouse.server.persistence.repository import Store
from tests.server.insiders import StoppedClock, Visitor
from tests.server.talking import Frame, new_id

ID = "twn23456"
COMMITMENT = "5e" * 32


def deal_of(seed: int) -> str:
    """At every third pair of tables devices could take part in the deals; what is told of that gives nothing away."""
    return "" if seed % 3 else TOGETHER


def keep_table(store: Store, table: Table) -> None:
    """Keep a table whose id is known, and whose links' secrets are the names of the seats."""
    seats = [SeatRecord(seat, hash_of(seat), "") for seat in (*table.seats, SCREEN)]
    store.create(TableRecord(ID, write_line(table.header), FairDealer().seed.hex(), "all", 0, seats))


class Twin:
    """One of the two tables."""

    def __init__(self, path: Path, which: int, seed: int, table: Table) -> None:
        self.which, self.seed = which, seed
        self.seats = [*table.seats, SCREEN]
        self.store = Store(f"sqlite:///{path}/{which}.db")
        self.clock = StoppedClock()
        keep_table(self.store, table)

    async def open(self) -> None:
        self.house = TableManager(self.store, clock=self.clock)
        (await self.house.table(ID)).presence.pause = 0.0  # when something is told depends on what is said alone
        self.people: dict[str, Visitor] = {}
        for seat in self.seats:
            await self.come(seat)

    async def come(self, seat: str) -> None:
        """Somebody comes, or comes again."""
        before = self.people.get(seat)
        if before is not None:
            await before.leave()
            await self.settle()
        person = self.people[seat] = Visitor(self.house)
        person.texts = [] if before is None else before.texts
        await person.say({"t": "sit", "table": ID, "token": seat})
        await self.settle()
        await person.say({"t": "odds", "on": True})
        await self.settle()

    async def settle(self) -> None:
        """Until everybody has been told everything; the dealer is put in its place."""
        open_table = await self.house.table(ID)
        while True:
            while (task := open_table.odds.task) is not None:
                await task
            async with open_table._lock:
                pass  # what was being saved is saved
            for person in self.people.values():
                if person in Visitor.there:
                    await person.sync()
            if open_table.odds.task is None:  # nothing of that has made odds be worked out anew
                break
        table = open_table._cache.table
        assert table is not None
        self.table = table
        if not isinstance(table._runner.dealer, PublicDealer):
            self.dealer = table._runner.dealer = PublicDealer(self, table)

    async def close(self) -> None:
        for person in self.people.values():
            await person.leave()
        await self.house.close()

    # What a game has for its secrets.

    def may_come(self, table: Table, draw: Draw) -> list[Card]:
        """The cards that may be turned up: the same at both tables, or a secret; none if only secrets are left."""
        raise NotImplementedError

    def choose(self, cards: Sequence[Card], chance: random.Random) -> Card:
        """One of them."""
        return chance.choice(cards)

    async def download(self, seat: str, what: str) -> None:
        """Ask for what tells everything, over HTTP's way in; what was said of it is among what was heard."""
        try:
            more = (seat, 0) if what == "replay" else ()
            told = await getattr(self.house.documents, what)("somebody", ID, seat, *more)
            text = str(b"".join(gunzip_chunks(told)))
        except CardhouseError as error:
            text = f"{error.code}: {error.message}"
        self.people[seat].texts.append(text)


One = TypeVar("One", bound=Twin)


class Say(NamedTuple):
    """Who says what at each table."""

    seat: str
    one: Any
    other: Any


class Playing(Generic[One]):
    """What is said next, at random; the same at both tables but for the secrets."""

    def __init__(self, seed: int, twins: tuple[One, One]) -> None:
        self.random, self.twins = random.Random(seed), twins

    @property
    def table(self) -> Table:
        return self.twins[0].table

    def _answer(self, seat: str, *answers: Frame) -> Say:
        """One answer at both tables, or one for each."""
        own, at = new_id(), self.table.number
        one, other = ({"t": "answer", "id": own, "at": at, "answer": answer} for answer in (answers * 2)[:2])
        return Say(seat, one, other)


class PublicDealer(FairDealer):
    """Turns up what may come, the same at both tables, from a seed of its own."""

    def __init__(self, twin: Twin, table: Table) -> None:
        super().__init__()
        self.at_its_end = False
        """Only secrets were left in the deck, so that what came was not the same at both tables."""
        self._twin, self._table = twin, table
        self._random = random.Random(twin.seed)

    def pick(self, outcomes: int, number: int, id: str) -> int:
        question = self._table._runner.question
        if not isinstance(question, Draw):
            return self._random.randrange(outcomes)
        assert len(question.cards) == outcomes
        cards = self._twin.may_come(self._table, question)
        self.at_its_end |= not cards
        return question.cards.index(self._twin.choose(cards, self._random)) if cards else 0


def _without_what_the_seed_fixes(text: str) -> str:
    """A frame without the commitments of draws, which are HMACs under the secret seed of each table."""
    return re.sub(r'"fixed":"[0-9a-f]{64}"', '"fixed":""', text)


def compare(twins: tuple[Twin, Twin], curious: Sequence[str], when: str) -> None:
    """Fails if one of these seats was told anything else at one table than at the other."""
    one, other = twins
    assert one.table.number == other.table.number, when
    for seat in curious:
        heard, heard_too = ([_without_what_the_seed_fixes(text) for text in twin.people[seat].texts] for twin in twins)
        for text, text_too in zip(heard, heard_too, strict=False):
            if text != text_too:
                at = next((i for i, (a, b) in enumerate(zip(text, text_too, strict=False)) if a != b), 0)
                raise AssertionError(
                    f"{when}: {seat} can tell the tables apart: {text[max(0, at - 60) : at + 60]!r} here, "
                    f"{text_too[max(0, at - 60) : at + 60]!r} there"
                )
        assert len(heard) == len(heard_too), when
