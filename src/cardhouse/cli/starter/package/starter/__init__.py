"""Starter, S-1 to S-5. Its attributes are its state; `play` is its rules, from the first question to the end."""

from typing import Annotated

import msgspec

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import Action, Ask, Game, Offer, Options, Rules
from starter.bots import careful
from starter.points import is_face, points_of


class StarterOptions(Options, frozen=True):
    """The points needed to win (S-5)."""

    goal: Annotated[int, msgspec.Meta(ge=10, le=100)] = 30


class More(Action, frozen=True):
    """Turn over another card (S-2)."""


class Stop(Action, frozen=True):
    """Keep the points of this turn (S-4)."""


class Player(msgspec.Struct, frozen=True):
    """A player, and the points kept so far."""

    seat: str
    score: int


class StarterView(msgspec.Struct, frozen=True):
    """The view of every seat; nothing is hidden."""

    points: int
    turned: list[Card]
    deck_left: int
    players: list[Player]


class Starter(Game):
    """Turn over cards for points, and stop before a face takes them."""

    name = "starter"
    actions = (More, Stop)
    decks = {"cards": "deck"}
    bots = {"careful": careful}

    options: StarterOptions = StarterOptions()
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD))
    turns: int = 0
    turned: list[Card] = []
    scores: dict[str, int] = {}

    def play(self) -> Rules[None]:
        """Take turns until a player has enough points (S-5)."""
        while max(self.scores.values(), default=0) < self.options.goal:
            answer = yield from self.ask(self.more_or_stop)
            if isinstance(answer, Stop):
                self.keep()
            else:
                card = yield from self.draw("cards")
                self.turned.append(card)
                self.tell("S-2", "turns", seat=self.whose_turn, card=card)
                if is_face(card):
                    self.tell("S-3", "loses", seat=self.whose_turn)
                    self.end_turn()
        self.tell("S-5", "wins", seat=max(self.scores, key=self.scores.__getitem__))

    @property
    def whose_turn(self) -> str:
        """The seat whose turn it is, in turn round the table (S-1)."""
        return self.seats[self.turns % len(self.seats)]

    def more_or_stop(self) -> Ask:
        """Offer another card or, once a card is turned, to stop."""
        seat = self.whose_turn
        offers = [Offer((seat,), More), *([Offer((seat,), Stop)] if self.turned else [])]
        return Ask("turn", "S-2", offers, {"seat": seat, "points": points_of(self.turned)}, rest=True)

    def keep(self) -> None:
        """Add the turn's points to the player's score (S-4)."""
        seat, points = self.whose_turn, points_of(self.turned)
        self.scores[seat] = self.scores.get(seat, 0) + points
        self.tell("S-4", "keeps", seat=seat, points=points, score=self.scores[seat])
        self.end_turn()

    def end_turn(self) -> None:
        """Return the cards to the deck and pass the turn on (S-1)."""
        self.deck.add(*self.turned)
        self.turned = []
        self.turns += 1

    def view(self, audience: str) -> StarterView:
        """Return the same view for everyone; with secrets, it would depend on `audience`."""
        players = [Player(seat, self.scores.get(seat, 0)) for seat in self.seats]
        return StarterView(points_of(self.turned), self.turned, len(self.deck), players)
