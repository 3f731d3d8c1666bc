"""The conventions a team can agree on before the timer starts, so that a card's position says what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import msgspec

from cardhouse.cards import Card
from cardhouse.games.dogpile.bots.agreed import (
    ALL_ROWS,
    CENTRE,
    COLUMNS,
    LEADER_ROW,
    MOST_KNOWN,
    STRAIGHT,
    UPWARD,
    Agreed,
    Sheet,
)
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.suits import form_suits

NORTH, SOUTH = ALL_ROWS & -LEADER_ROW, LEADER_ROW - 1
"""The Pack Leader's row and the rows above it; the rows below it."""

MOST_SUITS, MOST_KINDS = 4, 62

Quarter = tuple[int, ...]
"""The suits of the columns from the Pack Leader's on, as distances after its suit in the deck's order."""

MAPS: Mapping[str, tuple[Quarter, Quarter, Quarter, Quarter]] = {
    "columns": ((1, 2, 3, 0, 1), (1, 2, 3, 0, 1), (3, 2, 1, 0, 3), (3, 2, 1, 0, 3)),
    "doors": ((1,), (), (3,), ()),
    "north": ((1, 2), (), (3, 2), ()),
    "upper": ((1, 2, 3, 0), (), (3, 2, 1, 0), ()),
    "three": ((1, 2, 3, 0), (2, 3, 1, 0), (3, 2, 1, 0), ()),
    "quarters": ((1, 2, 3, 0), (2, 3, 1, 0), (3, 2, 1, 0), (2, 1, 3, 0)),
}
"""The suits of each quarter: north-east (with the Pack Leader's row), south-east, north-west, south-west."""


class Convention(msgspec.Struct, frozen=True):
    """A convention: its map, and the knobs of `silent_team`, in their order."""

    map: str = "columns"
    second_end: int = 50
    open_suit: int = 300
    at_most: int = 10
    risk: int = 100
    any_west: bool = True
    beyond: int = UPWARD + STRAIGHT
    to_come: int = 2
    a_bridge: int = 500

    @property
    def knobs(self) -> list[int]:
        """The knobs as integers."""
        values = msgspec.structs.astuple(self)
        return [int(value) for value in values[1:]]


BEST: Mapping[int, Convention] = {
    **dict.fromkeys((2, 3, 4), Convention(map="quarters", beyond=UPWARD)),
    5: Convention(map="columns", beyond=UPWARD),
}
"""The best convention found by number of players. The last also serves more players."""

THUMBS: Mapping[str, tuple[str, Convention]] = {
    "suits": (
        "every column belongs to a suit; a player with no card that fits lays nothing",
        Convention(any_west=False, beyond=0),
    ),
    "upward": (
        "every column belongs to a suit; a player with no card that fits builds upward next to a gap beside the leader",
        Convention(any_west=False, beyond=UPWARD),
    ),
    "doors": (
        "the middle column is for the Pack Leader's suit; the next suit goes north-east, the one before it north-west",
        Convention(map="doors", beyond=UPWARD),
    ),
    "three": (
        "every column belongs to a suit; no one lays more than three cards",
        Convention(at_most=3, beyond=UPWARD),
    ),
}
"""Rules of thumb, each as a sentence that a team can agree on, and as a convention."""


def best_for(players: int) -> Convention:
    """Return the best convention found for this number of players."""
    return BEST.get(players, BEST[max(BEST)])


def has_suits(deck: DogDeck) -> bool:
    """Return whether columns can be agreed on for a deck: at most four suits, and at most `MOST_KINDS` kinds."""
    above = dict(enumerate(deck.fits_above))
    return len(above) <= MOST_KINDS and len(set(above.values())) <= MOST_SUITS and form_suits(above)


@lru_cache(64)
def agreed_on(convention: Convention, deck: DogDeck, cards: tuple[Card, ...]) -> Agreed:
    """Return a convention applied to these cards of a deck that `has_suits`."""
    kinds = range(len(deck.kinds))
    rows = list(dict.fromkeys(deck.fits_above))
    fits = list(deck.fits_beside)
    may_be = [deck.may_be[card] for card in cards]
    plain = [kinds.bit_length() - 1 if not kinds & kinds - 1 else -1 for kinds in may_be]
    place = _places(MAPS[convention.map], len(rows))
    bridge = [_doors(fits, kind) for kind in kinds]
    return Agreed(
        suits=len(rows),
        place=place,
        free=[ALL_ROWS & ~reduce(or_, place[column::COLUMNS]) for column in range(COLUMNS)],
        suit=[rows.index(deck.fits_above[kind]) for kind in kinds],
        fits=fits,
        bridge=[door for doors in bridge for door in doors],
        beyond=[_fitting_all(fits, door) for doors in bridge for door in doors],
        copies=[plain.count(kind) for kind in kinds],
        kind=plain,
        wild_leads=_wild_leads(fits, deck.fits_above),
        knobs=convention.knobs,
    )


def _places(quarters: Sequence[Quarter], suits: int) -> list[int]:
    found = [0] * (suits * COLUMNS)
    found[CENTRE] = ALL_ROWS
    for quarter, (step, rows) in zip(quarters, ((1, NORTH), (1, SOUTH), (-1, NORTH), (-1, SOUTH)), strict=True):
        for far, suit in enumerate(quarter, 1):
            found[suit % suits * COLUMNS + CENTRE + step * far] |= rows
    return found


def _doors(fits: Sequence[int], leader: int) -> tuple[int, int]:
    """Return the kinds that connect east and west of a Pack Leader, equivalent to the last and first that fit it."""
    beside = list(bits_of(fits[leader]))
    if not beside:
        return 0, 0
    east, west = ([kind for kind in beside if fits[kind] == fits[one]] for one in (beside[-1], beside[0]))
    return sum(1 << kind for kind in east), sum(1 << kind for kind in west)


def _fitting_all(fits: Sequence[int], kinds: int) -> int:
    """Return the kinds that fit beside each of these, or none if there are none."""
    found = -1 if kinds else 0
    for kind in bits_of(kinds):
        found &= fits[kind]
    return found


def _wild_leads(fits: Sequence[int], above: Sequence[int]) -> int:
    """Return the middle one of the first suit's kinds that fit the most others."""
    first = [kind for kind in range(len(fits)) if above[0] >> kind & 1]
    most = max(fits[kind].bit_count() for kind in first)
    best = [kind for kind in first if fits[kind].bit_count() == most]
    return best[len(best) // 2]


def sheet_for(size: int, row: Callable[[int], Any] = lambda many: [0] * many) -> Sheet:
    """Return working memory for hands of this size. `row` makes an array of the given length."""
    return Sheet(
        size=size,
        hand=row(size),
        taken=row((size + 1) * COLUMNS),
        mixed=row(COLUMNS),
        known=row(3 * MOST_KNOWN),
        some=row(4),
        todo=row((size + 1) * size * COLUMNS),
        shut=row((size + 1) * size * COLUMNS),
        now=row(3 * size),
        best=row(3 * size),
        other=row(3 * size),
    )
