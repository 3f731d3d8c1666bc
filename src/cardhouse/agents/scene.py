"""What a game is to agents: who plays, how it is set up, what each action number says, what is seen, what it is worth.

Here are no rules: what a number may say is what the table offers, and what is seen is what the table shows a seat.
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
"""So many rounds a scene has at most."""

_Game = TypeVar("_Game", bound=Game)
Picked = tuple[int, ...]
"""The numbers chosen so far of an answer that takes several."""
Said = Action | Mapping[str, Any]
"""An answer: an action, or its line of the transcript without `by`."""


class Scene(ABC):
    """One setting of one game, with its `options`. A scene has no state: whatever happens, happens at a table.

    `players` are the agents' seats. `words` says in words what each action number means, the same for everybody and at
    any time, no two alike. `layout` is that of an observation.
    """

    game: ClassVar[str]
    most_players: ClassVar[int]
    layout: Layout
    words: Sequence[str]
    _made_from: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        """Keep what it is made from: that is what is pickled."""
        scene = super().__new__(cls)
        scene._made_from = args, parameters
        return scene

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (type(self), *self._made_from)

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """So many players, at a table with these options of the game.

        Raises CardhouseError for a number that can't be.
        """
        check_whole("players", players, 1, self.most_players)
        self.players = tuple(f"player_{number}" for number in range(players))
        self.options = dict(options)

    def first_table(self) -> Table:
        """A table where the game master has said what comes before anything else, to see that all of it can be.

        Raises CardhouseError if it can't.
        """
        table = self.table()
        for action in self.opening():
            table.answer(GM, action)
        return table

    def table(self, dealer: Dealer | None = None, *, paper: bool = False) -> Table:
        """A new table. With `paper`, whoever plays names the cards that are drawn."""
        decks = dict.fromkeys(find_game(self.game).decks, PHYSICAL) if paper else {}
        return Table.new(self.game, (GM, *self.players), self.options, dealer, decks=decks)

    @abstractmethod
    def opening(self) -> Sequence[Said]:
        """What the game master says before anything else."""

    @abstractmethod
    def game_master(self, table: Table, log: Sequence[Entry]) -> Said | None:
        """What the game master says now; None if it is for a player to say something."""

    @abstractmethod
    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        """Whether the scene is at its end."""

    def open_numbers(self, table: Table, seat: str, picked: Picked) -> Iterator[int]:
        """What the seat, which is asked, may choose now, in rising order; never nothing.

        Here they are the numbers that make an answer which the rules accept.
        """
        for number in range(len(self.words)):
            answer = self.answer(table, seat, (*picked, number))
            if isinstance(answer, Action) and accepts(table, self.speaker(seat, answer), answer):
                yield number

    @abstractmethod
    def answer(self, table: Table, seat: str, picked: Picked) -> Said | None:
        """The answer that these numbers make; None if it takes another number."""

    def speaker(self, seat: str, action: Any) -> str:
        """Who says a player's answer at the table: the player."""
        return seat

    @abstractmethod
    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """What a seat sees, from what it is shown and nothing else, and what it has picked."""

    @abstractmethod
    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """What an entry of the log that has just been written is worth to which players."""

    def is_cut_off(self, table: Table, log: Sequence[Entry]) -> bool:
        """Whether it is at its end only because it has to be at some time."""
        return False

    def totals(self, table: Table) -> Mapping[str, float] | None:
        """What each player has won up to now, where that is known; None where the `rewards` add up to it."""
        return None

    def numbers(self, seen: Seen, answer: Mapping[str, Any]) -> list[int]:
        """The numbers that make an answer of a table's bot, where the game has some.

        Raises CardhouseError if none do.
        """
        raise CardhouseError(f"{self.game} has no bots.")

    def noted(self, table: Table, seat: str) -> Any:
        """What somebody with a perfect memory takes down of what the seat sees, beside what it is told."""
        return None

    def asked(self, table: Table) -> str | None:
        """The player whose answer is waited for; None if it is nobody's."""
        question = table.question
        if not isinstance(question, Ask):
            return None
        return next((seat for seat in question.waits_for or question.seats() if seat in self.players), None)

    def clockwise(self, seat: str) -> list[str]:
        """The players from this one on."""
        first = self.players.index(seat)
        return [*self.players[first:], *self.players[:first]]


def _make(kind: type[Scene], args: tuple[Any, ...], parameters: dict[str, Any]) -> Scene:
    return kind(*args, **parameters)


class TreeScene(Scene):
    """A scene whose whole tree can be walked: all chance in it is cards drawn and dice rolled, each as likely as any.

    `cards` are those that may be drawn; dice have `most_sides` at most, 0 if none are rolled. A whole game takes so
    many numbers at most, of all players together (`most_said`), and so many cards and dice (`most_drawn`). `worth` is
    the least and the most that one player's rewards add up to. Where `dealt` is not empty, each card that is drawn is
    one of those that stand there in its place: so few that the whole tree can be gone through. `most_remembered` is how
    many numbers all that a player remembers takes at most, 0 where nobody can say.
    """

    least_players: ClassVar[int]
    zero_sum: ClassVar[bool | None]
    """Whether one player's gain is the other's loss; else all are rewarded alike; None if neither can be said."""

    cards: Sequence[Card]
    most_said: int
    most_drawn: int
    worth: tuple[float, float]
    most_sides: int = 0
    dealt: Sequence[frozenset[Card]] = ()
    most_remembered: int = 0
    remembers: ClassVar[bool] = False
    """Whether it can be said how much a player remembers."""
    hides: bool
    """Whether players know different things."""


def game_at(table: Table, kind: type[_Game]) -> _Game:
    """The game that a table of this kind plays."""
    assert isinstance(table.game, kind)
    return table.game


def ask_at(table: Table) -> Ask:
    """What somebody is asked, where nothing is to be drawn or rolled."""
    assert isinstance(table.question, Ask)
    return table.question


def accepts(table: Table, seat: str, action: Action) -> bool:
    """Whether the rules would take this now: an answer, or what the game master may do at any time."""
    question = table.question
    if not isinstance(question, Ask):
        return False
    offers = (*question.offers, *(table.game.at_any_time() if seat == GM else ()))
    return any(offer.do is type(action) and seat in offer.by and not offer.problems(action) for offer in offers)


def check_whole(name: str, value: Any, least: int, most: int) -> None:
    """Raises CardhouseError unless it is a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise CardhouseError(f"{name} must be a whole number from {least} to {most}, not {str(value)[:40]}.")


def make_scene(kind: type[Scene], parameters: Mapping[str, Any]) -> Scene:
    """A scene with these parameters.

    Raises CardhouseError, naming those there are, if it has no such parameter, or can't be so.
    """
    known = signature(kind.__init__).parameters
    for name, value in parameters.items():
        if name == "self" or name not in known:
            there = ", ".join(list(known)[1:])
            raise CardhouseError(f"{kind.game} for agents has no {name[:40]}; there are {there}.")
        wanted = type(known[name].default)
        if wanted is not type(None) and type(value) is not wanted:
            raise CardhouseError(f"{name} must be {_KINDS[wanted]}, not {str(value)[:40]}.")
    return kind(**parameters)


_KINDS = {int: "a whole number", bool: "true or false", str: "a text"}
