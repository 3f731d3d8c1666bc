"""Scenes: a game as agents see it, with its players, setup, action numbers, observations and rewards.

A scene contains no rules: the table's offers decide which numbers are open, and the table's views what is observed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from typing import Any, ClassVar, Self, TypeVar

from cardhouse.agents.numbers import Layout, Numbers
from cardhouse.cards import Card
from cardhouse.engine import GM, PHYSICAL, Action, Ask, CardhouseError, Dealer, Entry, Game, Seen, Table, find_game

MOST_ROUNDS = 100
"""The most rounds in a scene."""

_Game = TypeVar("_Game", bound=Game)
Picked = tuple[int, ...]
"""The numbers chosen so far of an answer that takes several."""
Said = Action | Mapping[str, Any]
"""An answer: an action, or its line of the transcript without `by`."""


class Scene(ABC):
    """One setting of a game, with its `options`. A scene has no state: everything happens at a table.

    `players` are the agents' seats. `words` has a unique description of each action number, the same for every player
    at any time. `layout` is that of an observation.
    """

    game: ClassVar[str]
    most_players: ClassVar[int]
    layout: Layout
    words: Sequence[str]
    _made_from: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        """Keep the arguments, which are what is pickled."""
        scene = super().__new__(cls)
        scene._made_from = args, parameters
        return scene

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (type(self), *self._made_from)

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up for this many players, at a table with these options of the game.

        Raises CardhouseError if the number is out of range.
        """
        check_whole("players", players, 1, self.most_players)
        self.players = tuple(f"player_{number}" for number in range(players))
        self.options = dict(options)

    def first_table(self) -> Table:
        """Return a table after the opening, to check that it is possible.

        Raises CardhouseError if it isn't.
        """
        table = self.table()
        for action in self.opening():
            table.answer(GM, action)
        return table

    def table(self, dealer: Dealer | None = None, *, paper: bool = False) -> Table:
        """Return a new table. With `paper`, the players name the cards that are drawn."""
        decks = dict.fromkeys(find_game(self.game).decks, PHYSICAL) if paper else {}
        return Table.new(self.game, (GM, *self.players), self.options, dealer, decks=decks)

    @abstractmethod
    def opening(self) -> Sequence[Said]:
        """Return the game master's first actions."""

    @abstractmethod
    def game_master(self, table: Table, log: Sequence[Entry]) -> Said | None:
        """Return the game master's next action; None if it is a player's turn."""

    @abstractmethod
    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        """Return whether the scene has ended."""

    def open_numbers(self, table: Table, seat: str, picked: Picked) -> Iterator[int]:
        """Yield the numbers that the seat to move may choose now, ascending; at least one.

        By default, those that make an answer which the rules accept.
        """
        for number in range(len(self.words)):
            answer = self.answer(table, seat, (*picked, number))
            if isinstance(answer, Action) and accepts(table, self.speaker(seat, answer), answer):
                yield number

    @abstractmethod
    def answer(self, table: Table, seat: str, picked: Picked) -> Said | None:
        """Return the answer that these numbers make; None if it takes another number."""

    def speaker(self, seat: str, action: Any) -> str:
        """Return the seat that gives a player's answer at the table: by default the player's."""
        return seat

    @abstractmethod
    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Return a seat's observation, made only from what it sees and what it has picked."""

    @abstractmethod
    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Return the rewards for the latest entry of the log, by player."""

    def is_cut_off(self, table: Table, log: Sequence[Entry]) -> bool:
        """Return whether it ended only because of a limit."""
        return False

    def totals(self, table: Table) -> Mapping[str, float] | None:
        """Return each player's winnings so far, where known; None where the `rewards` add up to them."""
        return None

    def numbers(self, seen: Seen, answer: Mapping[str, Any]) -> list[int]:
        """Return the numbers that make a bot's answer, if the game has bots.

        Raises CardhouseError if none do.
        """
        raise CardhouseError(f"{self.game} has no bots.")

    def noted(self, table: Table, seat: str) -> Any:
        """Return what a player with perfect memory notes of the seat's view, in addition to the events."""
        return None

    def asked(self, table: Table) -> str | None:
        """Return the player to move; None if there is none."""
        question = table.question
        if not isinstance(question, Ask):
            return None
        return next((seat for seat in question.waits_for or question.seats() if seat in self.players), None)

    def clockwise(self, seat: str) -> list[str]:
        """Return the players in order, from this one on."""
        first = self.players.index(seat)
        return [*self.players[first:], *self.players[:first]]


def _make(kind: type[Scene], args: tuple[Any, ...], parameters: dict[str, Any]) -> Scene:
    return kind(*args, **parameters)


class TreeScene(Scene):
    """A scene whose whole tree can be walked: all its chance is cards and dice with equally likely outcomes.

    `cards` are those that may be drawn; dice have up to `most_sides` sides, 0 if none are rolled. A whole game takes up
    to `most_said` numbers, of all players together, and up to `most_drawn` cards and dice. `worth` is the least and the
    greatest sum of one player's rewards. If `dealt` isn't empty, each card drawn is one of the set at its place there,
    so few that the whole tree can be walked. `most_remembered` is the most numbers that a player's memory takes, 0 if
    unknown.
    """

    least_players: ClassVar[int]
    zero_sum: ClassVar[bool | None]
    """Whether the sum of the rewards is zero (True), all rewards are equal (False), or neither is known (None)."""

    cards: Sequence[Card]
    most_said: int
    most_drawn: int
    worth: tuple[float, float]
    most_sides: int = 0
    dealt: Sequence[frozenset[Card]] = ()
    most_remembered: int = 0
    remembers: ClassVar[bool] = False
    """Whether the size of a player's memory is known."""
    hides: bool
    """Whether players know different things."""


def game_at(table: Table, kind: type[_Game]) -> _Game:
    """Return the game of a table of this type."""
    assert isinstance(table.game, kind)
    return table.game


def ask_at(table: Table) -> Ask:
    """Return the open question, where nothing needs to be drawn or rolled."""
    assert isinstance(table.question, Ask)
    return table.question


def accepts(table: Table, seat: str, action: Action) -> bool:
    """Return whether the rules would accept this now, as an answer or as an action of the game master at any time."""
    question = table.question
    if not isinstance(question, Ask):
        return False
    offers = (*question.offers, *(table.game.at_any_time() if seat == GM else ()))
    return any(offer.do is type(action) and seat in offer.by and not offer.problems(action) for offer in offers)


def check_whole(name: str, value: Any, least: int, most: int) -> None:
    """Raise CardhouseError unless this is an integer from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise CardhouseError(f"{name} must be a whole number from {least} to {most}, not {str(value)[:40]}.")


def make_scene(kind: type[Scene], parameters: Mapping[str, Any]) -> Scene:
    """Return a scene with these parameters.

    Raises CardhouseError, naming the available parameters, if one is unknown or invalid.
    """
    known = signature(kind.__init__).parameters
    for name, value in parameters.items():
        if name == "self" or name not in known:
            there = ", ".join(list(known)[1:])
            raise CardhouseError(f"{kind.game} has no parameter {name[:40]}. Available: {there}.")
        wanted = type(known[name].default)
        if wanted is not type(None) and type(value) is not wanted:
            raise CardhouseError(f"{name} must be {_KINDS[wanted]}, not {str(value)[:40]}.")
    return kind(**parameters)


_KINDS = {int: "a whole number", bool: "true or false", str: "a text"}
