"""The exact odds of fallout, for the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import groupby, product

import msgspec
from rich.table import Table as Grid

from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json
from cardhouse.engine import catalogue_of, find_game
from cardhouse.games.dogs.fallout.odds import DECKS, chances, needs_healing
from cardhouse.games.dogs.people.sheet import MOST_POINTS
from cardhouse.games.dogs.state import PILES, Pile, Severity
from cardhouse.lab.questions.settings import Setting

CARDS = Setting(name="cards", kind="whole", least=1, most=20)
BODY = Setting(name="body", kind="whole", least=0, most=MOST_POINTS)
ARENA = Setting(name="arena", kind="choice", choices=PILES)
SHORT: dict[Severity, str] = {
    "short_term": "Short-term",
    "long_term": "Long-term",
    "injured": "Injured",
    "mortally_wounded": "Mortal",
    "dying": "Dying",
}


class Turned(msgspec.Struct, frozen=True):
    """A number of fallout cards in one arena: the chance of each result, and of needing healing, by Body."""

    arena: Pile
    cards: int
    severity: dict[Severity, Fraction]
    experience: Fraction
    needs_healing: dict[int, Fraction]

    @classmethod
    def of(cls, pile: Pile, cards: int, bodies: Iterable[int], decks: int) -> Turned:
        """Return the chances of these cards, from `decks` full decks."""
        deck = DECKS[decks]
        found = chances(pile, cards, deck)
        healing = {body: needs_healing(pile, cards, body, deck) for body in bodies}
        return cls(pile, cards, found.severity, found.experience, healing)


def write(cards: str, body: str, arena: str, decks: int, *, json: bool) -> None:
    """Print the exact odds of fallout in the arenas listed, or in all.

    Raises CardhouseError if the text has no valid numbers or arenas.
    """
    counts, bodies = CARDS.read_all(cards), BODY.read_all(body)
    piles = ARENA.read_all(arena) if arena else PILES
    found = [Turned.of(pile, count, bodies, decks) for pile, count in product(piles, counts)]
    if json:
        print_json({"decks": decks, "found": [msgspec.to_builtins(one, enc_hook=str, str_keys=True) for one in found]})
    else:
        _print_fallout(found, bodies)


def _print_fallout(found: list[Turned], bodies: list[int]) -> None:
    named = catalogue_of(find_game("dogs")).words.values
    out = words.console()
    headings = ("Fallout", "Cards", *SHORT.values(), "Experience")
    out.print(_table(found, headings, lambda one: [*one.severity.values(), one.experience], named))
    harmful = [one for one in found if any(one.needs_healing.values())]
    if not harmful:
        return
    out.print("\nTo be mortally wounded, or injured with no card for Body that is high enough:\n")
    by_body = ("Fallout", "Cards", *(f"Body {points}" for points in bodies))
    out.print(_table(harmful, by_body, lambda one: one.needs_healing.values(), named))


def _table(
    found: list[Turned],
    headings: tuple[str, ...],
    row: Callable[[Turned], Iterable[Fraction]],
    named: Mapping[str, str],
) -> Grid:
    """Return a row per number of cards, with a blank row before each arena."""
    grid = words.grid(*(None for _ in headings))
    grid.add_row(*headings)
    for pile, some in groupby(found, lambda one: one.arena):
        grid.add_row()
        for one in some:
            grid.add_row(named[f"arena.{pile}"], str(one.cards), *map(_percent, row(one)))
    return grid


def _percent(chance: Fraction) -> str:
    """Return `12.34%`, or `-` for a chance of 0."""
    return words.NOTHING if chance == 0 else f"{float(100 * chance):.2f}%"
