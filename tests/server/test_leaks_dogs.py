"""Nothing leaks on the wire of Dogs Play Cards, Too: no hidden hand (DV-14), no face-down card (DV-25).

Twin tables (`twins`) differ in two cards that p1 holds: at each table they are what at the other is still in the deck.
p1 never plays them, so that p2 and the screen can tell nothing. What lies face down only a log can name: of two that
name different cards nobody can tell which, the game master neither.
"""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardhouse.cards import Card
from cardhouse.engine import Draw, Table
from cardhouse.games.dogs.rules import Dogs
from tests.games.dogs.playing import BEN, next_answer, opened
from tests.server import twins as twin_tables
from tests.server.talking import Frame, Person, Server, TableMade
from tests.server.twins import COMMITMENT, ID, Playing, Say, compare

HOLDER = "p1"
CURIOUS = ("p2", "screen")
SECRETS = (("H9", "C7"), ("S9", "D7"))
"""What the holder has at one table and at the other."""
NAMES = {**dict(zip(*SECRETS, strict=True)), **dict(zip(*reversed(SECRETS), strict=True))}
STEPS = 60
ENOUGH = 100
"""Steps at all tables."""


def game(table: Table) -> Dogs:
    assert isinstance(table.game, Dogs)
    return table.game


class Twin(twin_tables.Twin):
    """One of the two tables. By its seed the deck is of paper, and fallout is turned over by hand."""

    def __init__(self, path: Path, which: int, seed: int) -> None:
        decks = {"dogs": "physical"} if seed & 1 else {}
        by_hand = ["fallout"] if seed & 2 else []
        seats, hidden = ["gm", "p1", "p2"], {"hidden_hands": True}
        deal = twin_tables.deal_of(seed)
        table = Table.new("dogs", seats, hidden, commitment=COMMITMENT, decks=decks, by_hand=by_hand, deal=deal)
        super().__init__(path, which, seed, table)

    async def come(self, seat: str) -> None:
        """Of those who come only the game master is told odds, which take a while."""
        await super().come(seat)
        if seat == "gm":
            await self.people[seat].say({"t": "odds", "on": False})

    def may_come(self, table: Table, draw: Draw) -> list[Card]:
        """Into the holder's hand its secrets; for all others, and of what is turned over, no secret of either table."""
        hidden = [card for card in SECRETS[self.which] if card in draw.cards]
        if hidden and game(table).drawing == HOLDER and game(table).under_way:
            return hidden[:1]
        return [card for card in draw.cards if card not in NAMES]

    def turns_over(self, seed: int) -> Card:
        """Which card of paper comes next."""
        assert isinstance(self.table.question, Draw)
        return self.choose(self.may_come(self.table, self.table.question) or ["XX"], random.Random(seed))


class Play(Playing[Twin]):
    """What is said next, at random; the same at both tables but for the secrets."""

    def __init__(self, seed: int, twins: tuple[Twin, Twin]) -> None:
        super().__init__(seed, twins)
        things = [{"name": "A horse"}, {"name": "A Colt", "kind": "+", "gun": True}]
        people = {name: {"do": "create", **BEN, "name": name, "things": things} for name in ("Ada", "Ben", "Cy")}
        self.first = [("p1", people["Ada"]), ("p2", people["Ben"]), ("gm", people["Cy"])]

    def next(self) -> Say:
        if self.first:
            return self._answer(*self.first.pop(0))
        kinds = ("offered",) * 9 + ("wrong",) * 3 + ("look", "undo")
        return getattr(self, f"_{self.random.choice(kinds)}")()  # type: ignore[no-any-return]

    def _offered(self) -> Say:
        if isinstance(self.table.question, Draw):
            seed = self.random.getrandbits(32)
            cards = [{"draw": "dogs", "card": twin.turns_over(seed)} for twin in self.twins]
            return self._answer(self.table.asks()["seats"][0], *cards)
        able = [who.name for who in game(self.table).characters if who.can_act]
        if game(self.table).under_way is None and not game(self.table).busy and len(able) > 1:
            return self._answer("gm", opened(game(self.table), able, self.random))
        for _ in range(30):
            seat, answer = next_answer(self.table, self.random)
            if not any(f'"{card}"' in json.dumps(answer) for card in NAMES):
                return self._answer(seat, answer)
        return self._answer("gm", {"do": "give", "name": self.table.asks()["with"]["name"]})

    def _wrong(self) -> Say:
        """A curious seat tries what might be told apart."""
        card, name = self.random.choice([*NAMES, "S5", "XX"]), self.random.choice(["Ada", "Ben", "Cy", "Nobody"])
        probe = {**BEN, "name": f"Probe {self.table.number}", "kept": [*NAMES], "condition": "dead"}
        tries: list[Frame] = [
            {"do": "see", "name": "Ada", "cards": [card]},
            {"do": "raise", "name": "Ada", "card": card},
            {"do": "help", "name": "Ada", "card": card, "whom": name},
            {"do": "see", "name": "Ben", "cards": [card, "XX"]},
            {"do": "raise", "name": "Ben", "card": card, "arena": "nowhere"},
            {"do": "bring", "name": name, "thing": card},
            {"do": "bring_character", "sheet": probe},
            {"do": "bring_character", "sheet": {**probe, "wounds": ["S9"]}},
            {"do": "give", "name": "Ada"},
            {"draw": "dogs", "card": "XX"},
            {"draw": "dogs", "card": None},
            {"undo": 99},
            {"end": False},
        ]
        return self._answer(self.random.choice(CURIOUS), self.random.choice(tries))

    def _look(self) -> Say:
        frames: list[Any] = [
            {"t": "offers"},
            {"t": "story", "before": self.random.randint(0, 50)},
            {"t": "odds", "on": True},
            {"t": "sit", "table": ID, "token": "p2", "since": 0},
        ]
        frame = self.random.choice(frames)
        return Say(self.random.choice(CURIOUS), frame, frame)

    def _undo(self) -> Say:
        return self._answer("gm", {"undo": 1})


class Played(NamedTuple):
    """How many steps twin tables went, and at how many of them secrets were in the hand."""

    steps: int
    in_hand: int


async def play_twins(path: Path, seed: int) -> Played:
    """Play and compare."""
    twins = Twin(path, 0, seed), Twin(path, 1, seed)
    in_hand = 0
    for twin in twins:
        await twin.open()
    play = Play(seed, twins)
    try:
        for step in range(STEPS):
            seat, *frames = play.next()
            for twin, frame in zip(twins, frames, strict=True):
                await twin.people[seat].say(frame)
                await twin.settle()
                await twin.download(CURIOUS[step % 2], ("transcript", "roster", "replay")[step % 3])
                if step % 10 == 9:
                    await twin.come(CURIOUS[step // 10 % 2])
            if any(twin.dealer.at_its_end for twin in twins):
                break
            compare(twins, CURIOUS, f"seed {seed}, step {step}: {seat} says {frames}")
            conflict = game(play.table).under_way
            in_hand += conflict is not None and any({*one.hand} & {*NAMES} for one in conflict.participants)
    finally:
        for twin in twins:
            await twin.close()
    return Played(step + 1, in_hand)


@pytest.mark.slow
def test_twin_tables_send_the_same_bytes(tmp_path: Path) -> None:
    """Until there have been enough steps, and enough secrets in hands."""
    first = random.randrange(2**32)
    played: list[Played] = []
    while sum(one.steps for one in played) < ENOUGH or sum(one.in_hand for one in played) <= ENOUGH / 4:
        folder = tmp_path / str(len(played))
        folder.mkdir()
        played.append(asyncio.run(play_twins(folder, first + len(played))))


# What lies face down.


HANDS = {"Ada": ["CK", "C10", "D4", "H2"], "Ben": ["D10", "D6", "C8", "S3"]}
FACE_DOWN = ("S5", "C9")
"""What Ben's blow is, by the log of one table and of the other."""


def imported(server: Server, card: Card) -> TableMade:
    """A table with a paper deck at which Ben has taken a blow; the log says that this card lies there, and another."""
    opening = {"do": "open_conflict", "stakes": "Who?", "sides": [["Ada"], ["Ben"]], "arena": "guns"}
    lines: list[Frame] = [
        {"cardhouse": 1, "game": "dogs", "seats": ["gm", "p1", "p2"], "decks": {"dogs": "physical"}},
        {"by": "p1", "do": "create", **BEN, "name": "Ada", "things": [{"name": "A horse"}]},
        {"by": "p2", "do": "create", **BEN},
        {"by": "gm", **opening},
        *({"draw": "dogs", "card": drawn} for hand in HANDS.values() for drawn in hand),
        {"by": "p1", "do": "raise", "name": "Ada", "card": "CK"},
        {"by": "p2", "do": "see", "name": "Ben", "cards": ["D10", "D6"]},
        {"draw": "dogs", "card": card},
        {"draw": "dogs", "card": None},
    ]
    status, made = server.post("/api/tables/import", "\n".join(map(json.dumps, lines)).encode())
    assert status == 201, made
    return TableMade(server, made["table"], made["links"])


SAID: tuple[tuple[str, Frame], ...] = (
    ("p1", {"draw": "dogs", "card": "XX"}),
    ("gm", {"do": "bring_character", "sheet": {**BEN, "name": "Cy", "kept": [*FACE_DOWN, "H7"], "wounds": ["CK"]}}),
    ("p2", {"do": "raise", "name": "Ben", "card": "S5"}),
    ("p2", {"do": "raise", "name": "Ben", "card": "S3"}),
    ("p1", {"do": "bring", "name": "Ada", "thing": "A horse"}),
    ("p1", {"draw": "dogs", "card": "CK"}),
    ("gm", {"draw": "dogs", "card": "D10"}),
    ("p1", {"draw": "dogs", "card": "H3"}),
    ("gm", {"undo": 1}),
    ("p1", {"draw": "dogs", "card": "H4"}),
    ("p1", {"do": "see", "name": "Ada", "cards": ["S5", "C9"]}),
    ("p1", {"do": "see", "name": "Ada", "cards": ["H4"]}),
    ("p1", {"do": "raise", "name": "Ada", "card": "C10"}),
)
ADA_SEES = 4
"""After so many of these Ada is to See a Raise."""


def heard(server: Server, card: Card) -> Iterator[dict[str, list[str]]]:
    """What each seat hears until Ben gives, by when the blow is turned over, and then."""
    table = imported(server, card)
    people = {seat: table.sit(seat) for seat in ("gm", "p1", "p2", "screen")}
    for number, (seat, answer) in enumerate((*SAID, ("p2", {"do": "give", "name": "Ben"}))):
        if number == ADA_SEES:
            yield {"gm": [json.dumps(odds_now(people["gm"]))]}
        if number == len(SAID):
            yield {seat: told(person.texts, table) for seat, person in people.items()}
        people[seat].ask(answer, id=f"{number:022}", at=people["gm"].n)
        people["gm"].sync()
        for person in people.values():
            person.catch_up(people["gm"].n)
            person.say(t="offers")
            person.sync()
    people["gm"].ask({"draw": "dogs", "card": "H8"})
    for person in people.values():
        person.catch_up(people["gm"].n)
    yield {seat: told(person.texts, table) for seat, person in people.items()}


def odds_now(gm: Person) -> Frame:
    """The odds as it stands, with what each answer leads to."""
    gm.say(t="odds", on=True)
    while (frame := gm.hear("odds"))["n"] < gm.n:
        pass
    gm.say(t="odds", on=False)
    found: Frame = frame["odds"]
    assert found["choices"]["chances"]
    return found


def told(texts: list[str], table: TableMade) -> list[str]:
    """All frames but the answers to pings and who comes and goes, without what differs from table to table."""
    frames = [json.loads(text) for text in texts]
    for frame in frames:
        if frame["t"] == "table":
            assert frame["table"].pop("id") == table.id
            for own in ("commitment", "seed", "door"):
                frame["table"].pop(own, None)
            frame.pop("now")
            frame.pop("seats")
    return [json.dumps(frame) for frame in frames if frame["t"] not in ("seats", "pong", "odds")]


def test_no_one_can_tell_a_face_down_card(server: Server) -> None:
    (odds, one, one_then), (other_odds, other, other_then) = (heard(server, card) for card in FACE_DOWN)
    assert odds == other_odds
    for seat in one:
        assert one[seat] == other[seat], seat
        assert len(one[seat]) > len(SAID)
        assert one_then[seat] != other_then[seat]
