"""Dogpile for agents: players lay cards around the Pack Leader in silence and share the reward, one per dog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import Picked, TreeScene, accepts, check_whole, game_at
from cardhouse.cards import Card, Cell, Placed
from cardhouse.engine import Action, Ask, CardhouseError, Entry, Seen, Table
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_PLAYERS, PACK_LEADER, USUAL, Begin, Lay, NextRound, Pass

REMEMBERED = 40
"""The memory per answer and per card drawn, in numbers."""
FARTHEST = 6
"""The largest reach: how far from the Pack Leader an agent may lay cards."""


class DogpileScene(TreeScene):
    """A game of `rounds` rounds of Dogpile, with Player One first in the first round.

    The rules allow cards far from the Pack Leader; agents lay them at most `reach` cells from it in each direction. A
    number is a card and a cell. An answer is built up card by card, and ends with the last number, *done*, or with the
    last card of the hand. The other options are the game's own.

    Every player gets the same reward: 1 for each dog that joins the pack.
    """

    game: ClassVar[str] = "dogpile"
    most_players: ClassVar[int] = MOST_PLAYERS
    least_players: ClassVar[int] = 1
    zero_sum: ClassVar[bool] = False
    hides = True
    remembers: ClassVar[bool] = True

    def __init__(
        self,
        players: int = 2,
        rounds: int = 3,
        reach: int = 2,
        hand_size: int = USUAL.hand_size,
        jokers: int = USUAL.jokers,
        touching: bool = USUAL.touching,
        lone_leader: str = USUAL.lone_leader,
        deck: Mapping[str, Any] | None = None,
    ) -> None:
        """Raises CardhouseError if no such table is possible."""
        check_whole("reach", reach, 1, FARTHEST)
        options = {
            "rounds": rounds,
            "hand_size": hand_size,
            "jokers": jokers,
            "touching": touching,
            "lone_leader": lone_leader,
            "deck": dict(deck or {}),
        }
        super().__init__(players, options)
        game = game_at(self.first_table(), Dogpile)
        self.reach = reach
        self.cards: list[Card] = game.cards_played()
        self.place = {card: number for number, card in enumerate(self.cards)}
        span = range(-reach, reach + 1)
        self.cells: list[Cell] = [(x, y) for y in reversed(span) for x in span if (x, y) != PACK_LEADER]
        self.done = len(self.cards) * len(self.cells)
        self.words = [*(f"{card} at {x},{y}" for card in self.cards for x, y in self.cells), "done"]
        self.most_said = rounds * players * (hand_size + 1)
        self.most_drawn = players * hand_size + rounds * (players * hand_size + 1)
        self.worth = (0, len(self.cards))
        self.most_remembered = REMEMBERED * (self.most_said + self.most_drawn)
        cards, side = len(self.cards), 2 * reach + 1
        self.layout = Layout(
            NumberBlock("turn", (1,)),
            NumberBlock("round", (1,), rounds),
            NumberBlock("leader", (cards,)),
            NumberBlock("hand", (cards,)),
            NumberBlock("faces", (cards, side, side)),
            NumberBlock("laid", (players, side, side)),
            NumberBlock("to_lay", (players,)),
            NumberBlock("hands", (players,), hand_size),
            NumberBlock("dogpile", (cards,)),
            NumberBlock("strays", (cards,)),
            NumberBlock("draft", (1,), cards),
        )

    def opening(self) -> Sequence[Action]:
        return (Begin(self.players[0]),)

    def game_master(self, table: Table, log: Sequence[Entry]) -> Action | None:
        question = table.question
        return NextRound() if isinstance(question, Ask) and question.key == "judged" else None

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        return game_at(table, Dogpile).over

    # Answers.

    def placed(self, number: int) -> Placed:
        """Return the card and cell of a number."""
        card, cell = divmod(number, len(self.cells))
        return Placed(self.cards[card], *self.cells[cell])

    def open_numbers(self, table: Table, seat: str, picked: Picked) -> Iterator[int]:
        """Yield each unpicked card of the hand on each cell where the rules allow it, and *done*."""
        laid = [self.placed(number) for number in picked]
        for card in sorted(self.places(set(self.hand(table, seat)) - {one.card for one in laid})):
            for number in range(card * len(self.cells), (card + 1) * len(self.cells)):
                if accepts(table, seat, Lay([*laid, self.placed(number)])):
                    yield number
        yield self.done

    def answer(self, table: Table, seat: str, picked: Picked) -> Action | None:
        laid = [self.placed(number) for number in picked if number != self.done]
        if self.done not in picked and len(laid) < len(self.hand(table, seat)):
            return None
        return Lay(laid) if laid else Pass()

    def numbers(self, seen: Seen, answer: Mapping[str, Any]) -> list[int]:
        laid = msgspec.convert(answer.get("cards", []), list[Placed])
        for one in laid:
            if one.cell not in self.cells:
                raise CardhouseError(f"{one.card} lies on ({one.x}, {one.y}), farther out than the reach {self.reach}.")
        numbers = [self.place[one.card] * len(self.cells) + self.cells.index(one.cell) for one in laid]
        return numbers if len(laid) == len(seen.view["hands"][seen.seat]) else [*numbers, self.done]

    @staticmethod
    def hand(table: Table, seat: str) -> list[Card]:
        """Return a player's hand."""
        return game_at(table, Dogpile).hands[seat]

    # Observations.

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Number the grid's rows from the top and its columns from the left; the Pack Leader is in the middle.

        `faces` has the known cell of each card; `laid` has for each player, from the observer clockwise, the cells of
        their cards. Picked cards count as laid and no longer as in the `hand`.
        """
        numbers, view, seats = Numbers(self.layout), seen.view, self.clockwise(seen.seat)
        numbers.put("turn", view["turn"] == seen.seat)
        numbers.put("round", view["round"])
        numbers.put("draft", view["draft"])
        numbers.mark("dogpile", self.places(view["dogpile_cards"]))
        numbers.mark("strays", self.places(view["stray_cards"]))
        numbers.mark("to_lay", map(seats.index, view["to_lay"]))
        if view["leader"] is not None:
            numbers.mark("leader", self.places([view["leader"]]))
            numbers.put("faces", 1, self.place[view["leader"]], self.reach, self.reach)
        own = [self.placed(number) for number in picked]
        for one in own:
            numbers.put("laid", 1, 0, *self.at(one.x, one.y))
            numbers.put("faces", 1, self.place[one.card], *self.at(one.x, one.y))
        for laid in view["laid"]:
            numbers.put("laid", 1, seats.index(laid["seat"]), *self.at(laid["x"], laid["y"]))
            if laid["card"] is not None:
                numbers.put("faces", 1, self.place[laid["card"]], *self.at(laid["x"], laid["y"]))
        hand = set(view["hands"][seen.seat]) - {one.card for one in own}
        numbers.mark("hand", self.places(hand))
        for number, seat in enumerate(seats):
            cards = hand if number == 0 else view["hands"][seat]
            numbers.put("hands", cards if isinstance(cards, int) else len(cards), number)
        return numbers

    def places(self, cards: Iterable[Card]) -> list[int]:
        """Return the positions of these cards in the deck's order."""
        return [self.place[card] for card in cards]

    def at(self, x: int, y: int) -> tuple[int, int]:
        """Return the row and column of a cell."""
        return self.reach - y, x + self.reach

    def noted(self, table: Table, seat: str) -> Any:
        """Return each laid card's player, cell and, if known to the seat, identity."""
        return [[one["seat"], one["x"], one["y"], one["card"]] for one in table.view(seat)["laid"]]

    # Rewards.

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Reward every player with 1 for each dog that joins (DG-9, DG-19)."""
        joined = sum(event.about["n"] for event in entry.events if event.key == "joins")
        return dict.fromkeys(self.players, float(joined)) if joined else {}
