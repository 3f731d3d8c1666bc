"""Card initiative for agents: act or wait; the earlier in a round a player's characters act, the better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, get_args

import msgspec

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import MOST_ROUNDS, Picked, Scene, ask_at, check_whole, game_at
from cardhouse.cards import JOKERS, SUITS
from cardhouse.engine import Action, CardhouseError, Entry, Seen, Table
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import (
    FRESH_ACE,
    TIERS,
    Act,
    AddCharacter,
    Done,
    StartRound,
    Tier,
    Wait,
    actions_owed,
    initiative_rank,
)
from cardhouse.games.initiative.view import Where

PLACES: tuple[str, ...] = get_args(Where)
"""The places where a card can be."""
SAYS: tuple[type[Act | Wait], ...] = (Act, Wait)


class SidesScene(Scene):
    """A scene in which each player is a side with a character of each of the `tiers`, for at most `rounds` rounds."""

    most_players: ClassVar[int] = len(SUITS)

    def __init__(self, players: int, rounds: int, tiers: str, options: Mapping[str, Any]) -> None:
        """Raises CardhouseError if such sides are impossible."""
        check_whole("rounds", rounds, 1, MOST_ROUNDS)
        super().__init__(players, options)
        self.rounds, self.tiers = rounds, tiers_of(tiers)
        self.names = {seat: [f"{seat} {n}" for n in range(1, len(self.tiers) + 1)] for seat in self.players}

    def characters(self) -> Iterator[tuple[str, Tier, str]]:
        """Yield each character's name and tier, and the seat of its side."""
        for seat, names in self.names.items():
            yield from ((name, tier, seat) for name, tier in zip(names, self.tiers, strict=True))

    def all_from(self, seat: str) -> list[str]:
        """Return the characters' names: the seat's own, then the others clockwise, each side in tier order."""
        return [name for side in self.clockwise(seat) for name in self.names[side]]


class InitiativeScene(SidesScene):
    """Card initiative for a number of `rounds`. Each player is a side with a character of each of the `tiers`.

    A character's turn has no content: the game master ends it at once.

    Each turn of a player's characters has a reward, higher the earlier it is in the round.
    """

    game: ClassVar[str] = "initiative"
    words: Sequence[str] = tuple(action.word() for action in SAYS)

    def __init__(self, players: int = 2, rounds: int = 3, tiers: str = "elite leader experienced") -> None:
        """Raises CardhouseError if such a table is impossible."""
        super().__init__(players, rounds, tiers, {})
        self.first_table()
        characters = players * len(self.tiers)
        if characters < 2:
            raise CardhouseError("One character has nobody to wait for; take two at least.")
        self.layout = Layout(NumberBlock("asked", (characters,)), *order_pieces(rounds, characters))

    def opening(self) -> Sequence[Action]:
        return [AddCharacter(name, tier=tier, side=seat, controller=seat) for name, tier, seat in self.characters()]

    def game_master(self, table: Table, log: Sequence[Entry]) -> Action | None:
        question = ask_at(table)
        if question.key == "between":
            return StartRound()
        return Done(question.about["name"]) if question.key == "turn" else None

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        game = game_at(table, Initiative)
        return game.round == self.rounds and not game.under_way

    # Answers.

    def answer(self, table: Table, seat: str, picked: Picked) -> Action:
        return SAYS[picked[-1]](ask_at(table).about["name"])

    # Observations.

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Return the observation: own characters first, then the others clockwise, each side in tier order."""
        numbers, about = Numbers(self.layout), seen.asks["with"]
        names = self.all_from(seen.seat)
        numbers.mark("asked", [names.index(about["name"])] if "name" in about else [])
        put_order(numbers, seen.view, about, names)
        return numbers

    # Rewards.

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Return the reward of a turn: 1 for the first of a round, evenly less for each later one, always above 0."""
        game = game_at(table, Initiative)
        turns = sum(actions_owed(character.card) for character in game.characters)
        name = next((event.about["name"] for event in entry.events if event.key == "acts"), None)
        return {} if name is None else {game.named(name).controller: 1 - len(game.order) / turns}


def order_pieces(rounds: int, characters: int) -> tuple[NumberBlock, ...]:
    """Return the blocks of numbers that describe the order."""
    return (
        NumberBlock("round", (1,), rounds),
        NumberBlock("against", (characters,)),
        NumberBlock("rank", (characters,), FRESH_ACE),
        NumberBlock("acted", (characters,), 2),
        NumberBlock("where", (len(PLACES), characters)),
        NumberBlock("jokers", (len(JOKERS),)),
        NumberBlock("deck", (1,), 2 * characters + len(JOKERS)),
    )


def put_order(numbers: Numbers, view: dict[str, Any], about: dict[str, Any], names: Sequence[str]) -> None:
    """Fill in these blocks, with the characters in this order; `about` is the question's data."""
    numbers.put("round", view["round"])
    numbers.put("deck", view["deck_left"])
    numbers.mark("jokers", map(JOKERS.index, view["jokers"]))
    numbers.mark("against", [names.index(about["other"])] if "other" in about else [])
    for who in view["characters"]:
        place = names.index(who["name"])
        numbers.put("rank", initiative_rank(who["card"], who["acted"]), place)
        numbers.put("acted", who["acted"], place)
        numbers.put("where", 1, PLACES.index(who["where"]), place)


def tiers_of(text: str) -> list[Tier]:
    """Return the tiers of a side's characters."""
    try:
        return msgspec.convert(text.split(), list[Tier])
    except msgspec.ValidationError:
        there = ", ".join(TIERS)
        raise CardhouseError(f"tiers are some of {there}, with blanks between them, not {text[:60]}.") from None
