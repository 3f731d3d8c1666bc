"""A small sound game, as text, from which tests make broken ones; and how to install such a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

RULES = """\
import random
import time

import msgspec

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import GM, Action, Ask, Draw, Game, Offer, OneOf, Options, Rules, Several, Whole


class SoundOptions(Options, frozen=True):
    rounds: int = 2


class Bid(Action, frozen=True):
    number: int


class Ring(Action, frozen=True):
    pass


class SoundView(msgspec.Struct, frozen=True):
    round: int
    left: int
    card: Card | None
    rung: int


def bold(seen, rng):
    if seen.asks["key"] == "bid":
        return {"do": "bid", "number": 3}
    return {"do": "ring"} if seen.asks["key"] == "ring" else None


class TheGame(Game):
    name = "sound"
    actions = (Bid, Ring)
    decks = {"cards": "deck"}
    steps = ("tidy",)
    bots = {"bold": bold}

    options: SoundOptions = SoundOptions()
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD[:6]))
    round: int = 0
    rung: int = 0
    mine: Card | None = None

    def play(self) -> Rules[None]:
        while self.round < self.options.rounds:
            bid = yield from self.ask(self.who_bids)
            self.mine = yield from self.draw("cards")
            self.tell("S-1", "draws", to="gm", card=self.mine)
            self.tell("S-1", "drew", kind="high" if bid.number > 2 else "low")
            yield from self.roll("1d6")
            yield from self.ask(self.who_rings)
            yield from self.step("tidy", "S-2")
            self.deck.add(self.mine)
            self.mine = None
            self.round += 1
            self.tell("S-2", "over", round=self.round)

    def who_bids(self) -> Ask:
        offer = Offer(tuple(self.seats), Bid, {"number": Whole(1, 4)})
        return Ask("bid", "S-1", [offer], {"round": self.round}, rest=True)

    def who_rings(self) -> Ask:
        return Ask("ring", "S-2", [Offer((GM,), Ring)])

    def at_any_time(self):
        return [Offer(("ada",), Ring)]

    def meanwhile(self, action) -> Rules[None]:
        self.rung += 1
        self.tell("S-2", "rings")
        return
        yield

    def audience(self, seat: str) -> str:
        return "gm" if seat == GM else "others"

    def view(self, audience: str) -> SoundView:
        return SoundView(self.round, len(self.deck), self.mine if audience == "gm" else None, self.rung)

    def odds(self, audience: str):
        return {}
"""

WORDS = """\
title = "Sound"
tagline = "Nothing is wrong with it."

[asks.bid]
you = "Round {round}: bid."
others = "Round {round}."

[asks.ring]
you = "Ring."
others = "Wait."

[events]
draws = "{card:card}"
drew = "A card is drawn: {kind:value}."
over = "Round {round} is over."
rings = "It rings."

[actions]
bid = "Bid"
ring = "Ring"

[fields]
number = "Number"

[values]
"kind.high" = "high"
"kind.low" = "low"

[options.rounds]
title = "Rounds"

[steps.tidy]
title = "Tidy"

[decks.cards]
title = "Cards"

[bots.bold]
title = "Bold"
"""

TEXTS = """\
[S-1]
title = "Bidding"
text = "Somebody bids, and a card is drawn."

[S-2]
title = "Ringing"
text = "Then it rings."
"""

Change = tuple[str, str]
"""What stands in one of the texts, and what stands there instead."""


def write_game(folder: Path, *changes: Change) -> Path:
    """Write the game, with changes, as a package that is installed in this folder; returns the package's folder.

    Raises AssertionError if a change is none.
    """
    package = folder / "sound"
    package.mkdir()
    for file, text in (("__init__.py", RULES), ("words.toml", WORDS), ("rules.toml", TEXTS)):
        for old, new in changes:
            text = text.replace(old, new)
        (package / file).write_text(text)
    assert all(old in RULES + WORDS + TEXTS for old, _ in changes)
    info = folder / "sound-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: sound\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[cardhouse.games]\nsound = sound:TheGame\n")
    return package


Install = Callable[..., None]
