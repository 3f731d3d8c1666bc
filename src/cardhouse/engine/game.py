"""What a game is: state in attributes, rules in generator methods, a view for each seat."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

import msgspec

from cardhouse.cards import Card, Deck
from cardhouse.engine.fields import OneOf
from cardhouse.engine.questions import GM, Action, Ask, Draw, Meanwhile, Offer, Roll, Rules, Step

SCREEN = "screen"
"""Who looks on without a seat: the table's big screen, spectators."""


_NOTHING = cast("Rules[None]", ())
"""Rules that ask nothing."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The switches of a game, each with its default; a game subclasses it."""


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, by which rule. `to` is the audience that is told, None for all.

    The words for `key` stand in the game's `words.toml`; `about` fills them in.
    """

    rule: str
    key: str
    about: dict[str, Any] = {}
    to: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The event as the protocol knows it."""
        return {"rule": self.rule, "key": self.key, **self.about}


class Game(msgspec.Struct, kw_only=True, dict=True):
    """A game: its attributes are its whole state when nobody is in the middle of anything, its rules are generators.

    A subclass declares its state as typed attributes (plain data: they are written to JSON and read back), its
    `actions`, and writes `play`. It never shuffles, rolls or waits by itself: it yields questions. While its rules run,
    `by` is the seat whose answer they run on; it is no part of the state.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised when the same log would mean something else."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    decks: ClassVar[dict[str, str]] = {}
    """The name of each deck in transcripts, and the attribute that holds it."""
    steps: ClassVar[tuple[str, ...]] = ()
    """The clerical steps that may be done by hand."""

    options: Options = Options()
    seats: list[str]
    by_hand: list[str] = []

    def __post_init__(self) -> None:
        self.out: list[Event] = []
        self.learned = False
        self.by = ""

    # What a game writes.

    def play(self) -> Rules[None]:
        """The game from any rest to its end."""
        raise NotImplementedError

    def at_any_time(self) -> Sequence[Offer]:
        """What may be done whatever is being asked."""
        return ()

    def meanwhile(self, action: Action) -> Rules[None]:
        """Do what was offered by `at_any_time`."""
        raise NotImplementedError
        yield

    def audience(self, seat: str) -> str:
        """Seats that may know the same things are one audience; here each seat is its own, and so is the screen."""
        return seat

    def view(self, audience: str) -> msgspec.Struct:
        """All that this audience may know, built from nothing but that."""
        raise NotImplementedError

    def odds(self, audience: str) -> dict[str, Any]:
        """The exact chances that matter now, from what this audience may know; empty if the game has none."""
        return {}

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Who may name the card where a deck is of paper, or the faces of real `dice`: anybody at the table."""
        return tuple(self.seats)

    def where(self, card: Card, audience: str) -> str:
        """Where a card is that can't be drawn now, as the end of a sentence, from what this audience may know."""
        return "not in this deck"

    # What its rules are written with.

    def tell(self, rule: str, key: str, *, to: str | None = None, **about: Any) -> None:
        """Something happened, by this rule; `to` an audience, or everybody."""
        self.out.append(Event(rule, key, about, to))

    def ask(self, question: Callable[[], Ask | None]) -> Rules[Any]:
        """Ask until it is answered; what may be done at any time may be done in between.

        The question is put anew after each such thing; None, when it has become pointless, ends it without an answer.
        """
        while (asked := question()) is not None:
            answer = yield asked
            if type(answer) is not Meanwhile:
                return answer
            yield from self.meanwhile(answer.action)
        return None

    def draw(self, name: str) -> Rules[Card | None]:
        """The next card of a deck, or None if it has none (any more)."""
        while True:
            deck: Deck = getattr(self, self.decks[name])
            if deck.top or not deck.loose:
                card = deck.known_next()
                if card is None:
                    return None
                deck.take(card)
            else:
                card = yield Draw(name, deck.loose)
                if type(card) is Meanwhile:
                    yield from self.meanwhile(card.action)
                    continue
                deck.loose.remove(card)
            self.learned = True
            return card

    def roll(self, dice: str) -> Rules[list[int]]:
        """Roll dice such as `2d6`; the faces, in order."""
        while True:
            faces = yield Roll(dice)
            if type(faces) is not Meanwhile:
                self.learned = True
                return list(faces)
            yield from self.meanwhile(faces.action)

    def step(self, name: str, rule: str, needed: Callable[[], bool] = lambda: True) -> Rules[None]:
        """A clerical step: it happens by itself, or, where the table does it by hand, when somebody says so."""
        if name not in self.by_hand:
            return _NOTHING
        offer = Offer(tuple(dict.fromkeys((GM, *self.seats))), Step, {"step": OneOf((name,))})
        return self.ask(lambda: Ask("step", rule, (offer,), {"step": name}) if needed() else None)
