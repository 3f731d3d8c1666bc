"""Nothing leaks on the wire: tables that differ only in what a seat may not know send it the same bytes.

Twin tables (`twins`) differ in who hides (name, side, card, and what they have been through), in the card glimpsed on
top of the deck of wounds, and in the seed that later draws come from. Compared are joining, changes, offers, story,
odds, undo and errors.
"""

import asyncio
import json
import random
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from cardhouse.cards import Card
from cardhouse.engine import Draw, Table, find_game
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.initiative.rules import Initiative
from tests.server import twins as twin_tables
from tests.server.talking import FAST, Frame, Person, Server, new_id, running
from tests.server.twins import COMMITMENT, ID, compare
from tests.thorough import many

SEATS = ("gm", "p1", "p2", "screen")
HIDDEN: tuple[Frame, ...] = (
    {"name": "Shade", "card": "SK", "side": "Law", "controller": "gm"},
    {"name": "The Nameless One 🂱", "card": "C2", "controller": "gm"},
)
SECRETS = ("Shade", "Nameless", "SK", "C2", "Law")
HURT = {"hp": 0, "max_hp": 9, "down": True, "death_score": 12, "blood": 3, "wounds": [{"card": "SA"}, {"card": "H5"}]}
"""What one of those who hide has been through, where there are wounds."""
OPEN_CARDS = ("HA", "HK", "H9", "H2", "DA", "DJ", "D5", "D3")
STEPS = 60


class Scene(NamedTuple):
    """What is played, who plays the characters, and which seats must not be able to tell the twin tables apart.

    Whoever plays a character sees what is glimpsed for it, and is not curious.
    """

    game: str
    players: tuple[str, ...]
    curious: tuple[str, ...]
    seeds: int

    @property
    def has_order(self) -> bool:
        """Whether there are initiative cards, so that somebody may hide."""
        return self.game != "hackjack"

    @property
    def has_wounds(self) -> bool:
        """Whether there are wounds, so that the next card may be glimpsed."""
        return self.game != "initiative"

    @property
    def decks(self) -> list[str]:
        return list(find_game(self.game).decks)

    def someone(self, name: str, card: str, **more: Any) -> Frame:
        """An answer that adds somebody."""
        order = {"card": card} if self.has_order else {}
        sheet = {"hp": 3, "max_hp": 9} if self.has_wounds else {}
        return {"do": "add_character", "name": name, **order, **sheet, **more}

    def hides(self, which: int) -> Frame:
        """An answer that adds who hides at this table."""
        who = HIDDEN[which]
        if which == 0 or not self.has_wounds:
            return self.someone(**who, hidden=True)
        return {
            "do": "bring_character",
            "sheet": {"name": who["name"], **HURT},
            "card": who["card"],
            "controller": who["controller"],
            "hidden": True,
        }


SCENES = (
    Scene("initiative", ("gm", "p1", "p2"), ("p1", "p2", "screen"), many(40, 3)),
    Scene("hackjack", ("gm", "p1"), ("p2", "screen"), many(20, 2)),
    Scene("gunfight", ("gm",), ("p1", "p2", "screen"), many(20, 2)),
)
each_scene = pytest.mark.parametrize("scene", SCENES, ids=[scene.game for scene in SCENES])


class Twin(twin_tables.Twin):
    """One of the two tables."""

    def __init__(self, path: Path, scene: Scene, which: int, seed: int) -> None:
        self.scene = scene
        decks = {deck: "physical" for place, deck in enumerate(scene.decks) if seed >> place & 1}
        header: dict[str, Any] = {"commitment": COMMITMENT, "decks": decks, "deal": twin_tables.deal_of(seed)}
        super().__init__(path, which, seed, Table.new(scene.game, ["gm", "p1", "p2"], **header))

    def choose(self, cards: Sequence[Card], chance: random.Random) -> Card:
        """Most likely the ace of hearts, of which more comes than of others."""
        return "HA" if "HA" in cards and chance.random() < 0.4 else chance.choice(cards)

    # What is so at it.

    def may_come(self, table: Table, draw: Draw) -> list[Card]:
        """The cards that may be turned up: of nobody who hides; and one of this table's own where it is glimpsed."""
        cards = list(draw.cards)
        if draw.deck == "initiative":
            hidden = [character.card for character in part(table, Initiative).characters if character.hidden]
            return [card for card in cards if card not in hidden]
        return cards if part(table, Hackjack).peeking is None else [cards[self.which % len(cards)]]

    def targets(self) -> list[str]:
        """The names of those alive whom all can see."""
        return [who.name for who in part(self.table, Hackjack).characters if who.alive and who.name.startswith("Of ")]

    def has_glimpsed(self) -> bool:
        return self.scene.has_wounds and bool(part(self.table, Hackjack).deck.top)

    def lies_open(self) -> list[Card]:
        """What all can see of the cards: which of the wounds are still in the deck."""
        return sorted(part(self.table, Hackjack).deck.cards()) if self.scene.has_wounds else []


def part(table: Table, kind: Any) -> Any:
    """The game of this kind: the table's own, or a part of it."""
    return next(
        game
        for game in (table.game, *(getattr(table.game, name) for name in table.game.parts))
        if isinstance(game, kind)
    )


class Play:
    """What is said next, at random; the same at both tables but for what is hidden."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.scene = scene
        self.random = random.Random(seed)
        more = (*(("hidden",) if scene.has_order else ()), *(("befall",) * 3 if scene.has_wounds else ()))
        self.kinds = ("offered", "offered", "offered", "offered", "come_or_go", "wrong", "look", "undo", *more)

    def next(self, twins: tuple[Twin, Twin], *, beginning: bool) -> tuple[str, Any, Any]:
        """Who says something, and what at each table."""
        kind = "come_or_go" if beginning else self.random.choice(self.kinds)
        return getattr(self, f"_{kind}")(twins)  # type: ignore[no-any-return]

    def _answer(self, twins: tuple[Twin, Twin], seat: str, one: Frame, other: Frame) -> tuple[str, Any, Any]:
        own, at = new_id(), twins[0].table.number
        mine, theirs = ({"t": "answer", "id": own, "at": at, "answer": answer} for answer in (one, other))
        return seat, mine, theirs

    def _both(self, twins: tuple[Twin, Twin], seat: str, answer: Frame) -> tuple[str, Any, Any]:
        return self._answer(twins, seat, answer, answer)

    def _offered(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        table = twins[0].table
        seat = self.random.choice(table.asks()["seats"])
        offers = table.offers(seat)
        if isinstance(table.question, Draw):
            return self._named(twins, seat)
        if not offers:
            return self._come_or_go(twins)
        offer = self.random.choice(offers)
        fields = {
            name: field["const"] if "const" in field else self.random.choice(field["enum"])
            for name, field in offer["fields"].items()
        }
        return self._both(twins, seat, {"do": offer["do"], **fields})

    def _named(self, twins: tuple[Twin, Twin], seat: str) -> tuple[str, Any, Any]:
        """Somebody says which card of a paper deck was turned over."""
        chance = self.random.getrandbits(32)
        answers = []
        for twin in twins:
            draw = twin.table.question
            assert isinstance(draw, Draw)
            card = twin.choose(twin.may_come(twin.table, draw) or ["HA"], random.Random(chance))
            answers.append({"draw": draw.deck, "card": card})
        return self._answer(twins, seat, *answers)

    def _come_or_go(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        card = self.random.choice(OPEN_CARDS)
        if self.random.random() < 0.7:
            answer = self.scene.someone(f"Of {card}", card, controller=self.random.choice(self.scene.players))
        else:
            answer = {"do": "remove_character", "name": f"Of {card}"}
        return self._both(twins, "gm", answer)

    def _befall(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        """Something befalls somebody; once a card has been glimpsed it is seldom drawn."""
        one = twins[0]
        targets = one.targets()
        if not targets:
            return self._come_or_go(twins)
        target, amount = self.random.choice(targets), self.random.randint(1, 4)
        befalls: list[Frame] = [
            {"do": "heal", "target": target, "amount": amount},
            {"do": "rest", "target": target},
            {"do": "drain", "target": target, "amount": 1, "as": "blood"},
            {"do": "wake", "target": target},
        ]
        if self.random.random() < (0.1 if one.has_glimpsed() else 0.7):
            befalls = [{"do": "damage", "target": target, "amount": amount + 2}]
        return self._both(twins, "gm", self.random.choice(befalls))

    def _hidden(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        """Somebody begins to hide, is handed to another seat, or goes unseen."""
        what = self.random.choice(("hide", "hide", "remove_character", "hand_over"))
        more = {"controller": "p1"} if what == "hand_over" else {}
        one, other = (
            self.scene.hides(twin.which) if what == "hide" else {"do": what, "name": HIDDEN[twin.which]["name"], **more}
            for twin in twins
        )
        return self._answer(twins, "gm", one, other)

    def _wrong(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        """A curious seat tries what might be told apart."""
        seat = self.random.choice(self.scene.curious)
        name = self.random.choice((HIDDEN[0]["name"], HIDDEN[1]["name"], "Of HA", "nobody"))
        card = self.random.choice(("SK", "C2", "HA", "RJ", "XX"))
        tries: list[Frame] = [
            {"do": "act", "name": name},
            {"do": "wait", "name": name},
            {"do": "done", "name": name},
            {"do": "show", "name": name},
            {"do": "remove_character", "name": name},
            {"do": "hand_over", "name": name, "controller": seat},
            {"do": "add_character", "name": name, "card": card},
            {"do": "start_round"},
            {"do": "begin_round"},
            {"do": "damage", "target": name, "amount": 1},
            {"do": "heal", "target": name, "amount": 1},
            {"do": "prevent", "name": name, "yes": True},
            {"do": "check", "name": name, "wound": "H5"},
            {"do": "choose_wound", "name": name, "card": card},
            {"draw": "initiative", "card": card},
            {"draw": "wounds", "card": card},
            {"undo": 1},
            {"undo": 3},
            {"seat": name},
            {"end": True},
            {"do": "whisper"},
        ]
        return self._both(twins, seat, self.random.choice(tries))

    def _look(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        seat = self.random.choice(self.scene.curious)
        frames: list[Any] = [
            {"t": "offers"},
            {"t": "story", "before": self.random.randint(0, 50)},
            {"t": "odds", "on": True},
            {"t": "sit", "table": ID, "token": seat, "since": 0},
            {"t": "name", "name": "Shade"},
            {"t": "answer"},
            "{",
        ]
        frame = self.random.choice(frames)
        return seat, frame, frame

    def _undo(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        return self._both(twins, self.random.choice(("gm", "p1", "p2")), {"undo": self.random.randint(1, 3)})


class Played(NamedTuple):
    """How many steps twin tables went, and at how many of them they differed by somebody in hiding, or by a glimpse."""

    steps: int
    hidden: int
    glimpsed: int


async def play_twins(path: Path, scene: Scene, seed: int) -> Played:
    """Play and compare."""
    twins = Twin(path, scene, 0, seed), Twin(path, scene, 1, seed)
    play = Play(scene, seed)
    hidden = glimpsed = 0
    for twin in twins:
        await twin.open()
    try:
        for step in range(STEPS):
            seat, *frames = play.next(twins, beginning=step < len(OPEN_CARDS))
            for twin, frame in zip(twins, frames, strict=True):
                await twin.people[seat].say(frame)
                await twin.settle()
            if any(twin.dealer.at_its_end for twin in twins) or twins[0].lies_open() != twins[1].lies_open():
                break
            if step % 10 == 9:
                for twin in twins:
                    await twin.come(scene.curious[step // 10 % len(scene.curious)])
            compare(twins, scene.curious, f"seed {seed}, step {step}: {seat} says {frames}")
            glimpsed += twins[0].has_glimpsed()
            hidden += scene.has_order and any(
                character.hidden for character in part(twins[0].table, Initiative).characters
            )
    finally:
        for twin in twins:
            await twin.close()
    return Played(step + 1, hidden, glimpsed)


@each_scene
@pytest.mark.slow
def test_twin_tables_send_the_same_bytes(tmp_path: Path, scene: Scene) -> None:
    """So many games, and more until there have been enough secrets in them."""
    seeds = count(random.randrange(2**32))
    played: list[Played] = []
    while len(played) < scene.seeds or not has_seen_enough(scene, played):
        seed = next(seeds)
        folder = tmp_path / str(seed)
        folder.mkdir()
        played.append(asyncio.run(play_twins(folder, scene, seed)))


def has_seen_enough(scene: Scene, played: list[Played]) -> bool:
    steps, hidden, glimpsed = map(sum, zip(*played, strict=True))
    return (
        steps > 25 * scene.seeds
        and hidden >= 5 * scene.seeds * scene.has_order
        and glimpsed >= 5 * scene.seeds * scene.has_wounds
    )


def apart(scene: Scene, which: int) -> list[Frame]:
    """Answers of the game master, at a table whose decks are of paper, after which it is not like its twin."""
    if scene.has_order:
        return [scene.hides(which)]
    return [
        scene.someone("Ada", "HA"),
        {"do": "damage", "target": "Ada", "amount": 4},
        {"draw": "wounds", "card": "HA"},
        {"draw": "wounds", "card": ("D4", "D5")[which]},
    ]


@each_scene
def test_the_twins_do_differ_for_the_game_master(tmp_path: Path, scene: Scene) -> None:
    """The comparison would notice: what the game master is sent is not the same."""

    async def play() -> None:
        twins = Twin(tmp_path, scene, 0, 1), Twin(tmp_path, scene, 1, 1)
        for twin in twins:
            await twin.open()
            for at, answer in enumerate(apart(scene, twin.which)):
                await twin.people["gm"].say({"t": "answer", "id": f"{at:022}", "at": at, "answer": answer})
                await twin.settle()
        heard = [[msgspec.json.decode(text) for text in twin.people["gm"].texts] for twin in twins]
        told = [[frame for frame in frames if frame["t"] == "change"][-1] for frames in heard]
        assert told[0] != told[1]
        assert [frame["n"] for frame in told] == [len(apart(scene, 0))] * 2
        for twin in twins:
            await twin.close()

    asyncio.run(play())


@each_scene
def test_over_real_sockets(tmp_path: Path, scene: Scene) -> None:
    with (
        running(f"sqlite:///{tmp_path}/0.db", *FAST, log=tmp_path / "log0") as one,
        running(f"sqlite:///{tmp_path}/1.db", *FAST, log=tmp_path / "log1") as other,
    ):
        told = [play_over_sockets(server, scene, which) for which, server in enumerate((one, other))]
    assert told[0] == told[1]
    for secret in SECRETS:  # which cards are left in a deck of wounds is for all to see
        assert (scene.has_wounds and secret in OPEN_WOUNDS) or secret not in json.dumps(told, ensure_ascii=False)


OPEN_WOUNDS = ("SK", "C2")


def play_over_sockets(server: Server, scene: Scene, which: int) -> list[list[Any]]:
    """A round with paper decks in which nobody finds who hides; the frames that each curious seat got."""
    decks = dict.fromkeys(scene.decks, "physical")
    table = server.make_table(game=scene.game, seats=["p1", "p2"], decks=decks, odds="all")
    people = {seat: table.sit(seat) for seat in SEATS}
    for number, (seat, answer) in enumerate(said(scene, which)):
        people[seat].ask(answer, id=f"{number:022d}", at=people["gm"].n)
        people["gm"].sync()
        for other in people.values():
            other.catch_up(people["gm"].n)
    return [clean(people[seat], table.id) + clean(table.sit(seat), table.id) for seat in scene.curious]


def said(scene: Scene, which: int) -> list[tuple[str, Frame]]:
    """Who says what at one of the two tables."""
    ada = "p1" if "p1" in scene.players else "gm"
    hiding: list[tuple[str, Frame]] = [
        ("gm", scene.hides(which)),
        ("gm", {"do": "start_round"}),
        ("p1", {"draw": "initiative", "card": "SK"}),
        ("p1", {"draw": "initiative", "card": "C2"}),
        ("gm", {"draw": "initiative", "card": "RJ"}),
        ("gm", {"draw": "initiative", "card": "HA"}),
        ("p2", {"do": "act", "name": "Nobody"}),
        (ada, {"do": "wait", "name": "Ada"}),
        (ada, {"undo": 1}),
        (ada, {"do": "act", "name": "Ada"}),
    ]
    glimpsing: list[tuple[str, Frame]] = [
        ("gm", {"do": "damage", "target": "Ada", "amount": 4}),
        ("p2", {"draw": "wounds", "card": "HA"}),
        ("p2", {"draw": "wounds", "card": "D4"}),
        (ada, {"draw": "wounds", "card": ("D4", "D5")[which]}),
        ("p2", {"draw": "wounds", "card": "D5"}),
        ("gm", {"do": "heal", "target": "Ada", "amount": 1}),
    ]
    return [
        ("gm", scene.someone("Ada", "HA", controller=ada)),
        *(hiding if scene.has_order else ()),
        *(glimpsing if scene.has_wounds else ()),
        ("gm", {"undo": 4}),
        *([("gm", {"do": "remove_character", "name": HIDDEN[which]["name"]})] if scene.has_order else ()),
    ]


def clean(person: Person, table: str) -> list[Any]:
    """What it was told, without the table's id, the time, who comes and goes, and what hangs on the secret seed."""
    person.sync()
    kept = [json.loads(text) for text in person.texts]
    for frame in kept:
        frame.pop("head", None)
        if frame["t"] == "table":
            assert frame["table"].pop("id") == table
            frame["table"].pop("commitment")
            frame["table"].pop("door")
            frame.pop("now")
            frame.pop("seats")
    return [frame for frame in kept if frame["t"] not in ("seats", "pong")]
