"""The characters of a lab fight, as two sides of a given size or as ranks in text, and their waiting policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from cardhouse.cards import SUITS, Card, rank_of, suit_of
from cardhouse.engine import Action, Ask, CardhouseError
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import RANK, TIERS, Act, Wait
from cardhouse.lab.questions.question import Piece

SIDES = ("mine", "theirs", "third", "fourth")
"""The names of the sides, in the order in which they are written; IN-2 has room for four."""

_TIER_BY_TIER = ("K", "9", "5", "A", "Q", "8", "4", "J", "7", "3", "10", "6", "2")
"""The ranks of a side in order, mixed so that a side of any size has characters of every tier."""

USUAL_HERO = "9"
"""The default hero; another rank takes its place."""

RANKS_DOWN = [rank for ranks in TIERS.values() for rank in ranks]
"""A, K to 2 (IN-3)."""

Waits = Literal["never", "always", "lower"]
"""Waiting policies, independent of any goal; `answer_by` defines them."""

WaitsWell = Literal["never", "always", "lower", "best"]
"""The same, and `best` for a goal, or worst if the goal is another side's."""


def soonest(waits: WaitsWell) -> Waits:
    """Return the policy, with never for best: waiting never brings turns forward."""
    return "never" if waits == "best" else waits


class Fighter(msgspec.Struct, frozen=True):
    """A character in a lab fight, by card; `side` is an index into SIDES."""

    card: Card
    side: int

    @property
    def name(self) -> str:
        """The name at the table and in measures, such as `mine K`."""
        return f"{SIDES[self.side]} {rank_of(self.card)}"

    @property
    def rank(self) -> int:
        """How its card compares (IN-3)."""
        return RANK[self.card]


def two_sides(mine: int, theirs: int, hero: str | None = None) -> list[Fighter]:
    """Return two sides of these sizes, with characters of every tier in each.

    A hero who isn't on the first side replaces its nine, or its only character; the others don't depend on the hero.
    Raises CardhouseError for an unknown rank.
    """
    ours = list(_TIER_BY_TIER[:mine])
    if hero is not None:
        if hero not in _TIER_BY_TIER:
            raise CardhouseError(f'There is no rank "{hero[:20]}"; the ranks are {" ".join(RANKS_DOWN)}.')
        if hero not in ours:
            ours[ours.index(USUAL_HERO) if USUAL_HERO in ours else 0] = hero
    return _fighters([ours, list(_TIER_BY_TIER[:theirs])])


def read_sides(text: str) -> list[Fighter]:
    """Return the characters of a text such as `A K 9 5 / Q 8 4`: the ranks of each side, separated by slashes.

    Raises CardhouseError, with the reason, for any other text.
    """
    sides = [side.upper().split() for side in text.split("/")]
    if len(sides) > len(SIDES):
        raise CardhouseError(f'"{text}" are {len(sides)} sides; there are at most {len(SIDES)}, one for each suit.')
    for number, side in enumerate(sides, 1):
        if not side:
            raise CardhouseError(f'Side {number} of "{text}" is empty; sides are written like "A K 9 5 / Q 8 4".')
        for rank in side:
            if rank not in RANKS_DOWN:
                raise CardhouseError(
                    f'There is no rank "{rank[:20]}" (side {number}); the ranks are {" ".join(RANKS_DOWN)}.'
                )
            if side.count(rank) > 1:
                raise CardhouseError(f"Side {number} has the {rank} twice; a side is one suit, and has each rank once.")
    return _fighters(sides)


def write_sides(cards: Sequence[Card], first: str) -> str:
    """Return these cards' sides as text for `read_sides`, with the suit `first` first."""
    suits = sorted({suit_of(card) for card in cards}, key=lambda suit: (suit != first, suit))
    return " / ".join(" ".join(rank_of(card) for card in cards if suit_of(card) == suit) for suit in suits)


def _fighters(sides: Sequence[Sequence[str]]) -> list[Fighter]:
    """Return the characters, each side highest first."""
    return [
        Fighter(suit + rank, number)
        for number, (suit, side) in enumerate(zip(SUITS, sides, strict=False))
        for rank in RANKS_DOWN
        if rank in side
    ]


def answer_by(game: Initiative, asked: Ask, waits: Waits) -> Action:
    """Return the answer of the character asked by a waiting policy: act or wait.

    `never`: it acts. `always`: it waits. `lower`: with none waiting, wait; a higher new card acts; a higher waiting
    card waits on.
    """
    name = asked.about["name"]
    is_new = game.drawn is not None and game.holder(game.drawn).name == name
    acts = waits == "never" or (waits == "lower" and is_new and game.waiting is not None)
    return Act(name) if acts else Wait(name)


LEFT_OUT, HIGHER, LOWER = "left out", "a rank higher", "a rank lower"
"""The changes to a character when one thing is changed at a time."""


def pieces_of(fighters: Sequence[Fighter]) -> list[Piece]:
    """Return a piece per character, who may be left out, or get the next free rank of its side, up or down."""
    return [
        Piece(
            who.card,
            f"the {rank_of(who.card)} of {side_name(who.side)}",
            (LEFT_OUT, *(way for way in (HIGHER, LOWER) if _next_rank(fighters, who, way))),
        )
        for who in fighters
    ]


def with_changes(fighters: Sequence[Fighter], becomes: Mapping[str, str]) -> str:
    """Return the sides as text with these characters changed, by card; no two get the same rank."""
    changed = list(fighters)
    for card, change in becomes.items():
        place = next(place for place, who in enumerate(changed) if who.card == card)
        if change == LEFT_OUT:
            del changed[place]
        elif rank := _next_rank(changed, changed[place], change):
            changed[place] = Fighter(suit_of(card) + rank, changed[place].side)
    return line_up(changed)


def _next_rank(fighters: Sequence[Fighter], who: Fighter, way: str) -> str | None:
    """Return the next free rank on a character's side, up or down."""
    taken = {rank_of(one.card) for one in fighters if one.side == who.side}
    at = RANKS_DOWN.index(rank_of(who.card))
    further = RANKS_DOWN[at::-1] if way == HIGHER else RANKS_DOWN[at:]
    return next((rank for rank in further if rank not in taken), None)


COLUMNS = tuple((side, rank) for side in (0, 1) for rank in reversed(RANKS_DOWN))
"""Characters with a column of their own: two sides, each lowest first."""


def column(who: Fighter) -> int:
    """Return a character's column after the fixed ones; -1 for a side without columns."""
    one = who.side, rank_of(who.card)
    return COLUMNS.index(one) if one in COLUMNS else -1


def side_name(side: int) -> str:
    """Return a side in words."""
    return "the others" if side else "your side"


def line_up(fighters: Sequence[Fighter]) -> str:
    """Return the ranks of each side as text for `read_sides`."""
    sides = sorted({who.side for who in fighters})
    return " / ".join(" ".join(rank_of(who.card) for who in fighters if who.side == side) for side in sides)


def by_rank(fighters: Sequence[Fighter], side: int) -> list[Fighter]:
    """Return the characters of a side, lowest first."""
    return [who for who in reversed(fighters) if who.side == side]
