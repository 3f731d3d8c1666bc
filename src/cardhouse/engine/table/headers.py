"""Checks that a table's header fits its game."""

from typing import Final

from cardhouse.engine.chance.shared_randomness import TOGETHER
from cardhouse.engine.game.game import Game
from cardhouse.engine.table.runner import PHYSICAL
from cardhouse.engine.values.errors import CardhouseError
from cardhouse.engine.values.fields import Text
from cardhouse.engine.values.transcript import Header, check_seats

LONGEST_NAME: Final = 80
"""The most characters in a table's name, its package or a player's name."""


def check_header(header: Header, kind: type[Game]) -> None:
    """Raise CardhouseError unless a table of this game can have this header."""
    check_seats(header.seats)
    _check_version(header, kind)
    _check_names(header)
    _check_decks(header, kind)
    if header.deal not in ("", TOGETHER):
        raise CardhouseError(f'deal: write "{TOGETHER}" for a shared deal, or leave it out.')
    for step in header.by_hand:
        if step not in kind.steps:
            raise CardhouseError(f'by_hand: there is no step "{step}". Available: {", ".join(kind.steps) or "none"}.')


def _check_version(header: Header, kind: type[Game]) -> None:
    if header.version > kind.version:
        raise CardhouseError(
            f"This table was played by version {header.version} of the rules of {header.game}; "
            f"this Cardhouse plays up to version {kind.version}. A newer one can read it.",
            "newer",
        )


def _check_names(header: Header) -> None:
    for text in filter(None, (header.name, header.package, *header.names.values())):
        if problem := Text(most=LONGEST_NAME).wrong(text):
            raise CardhouseError(f"A name {problem}.")


def _check_decks(header: Header, kind: type[Game]) -> None:
    for deck, how in header.decks.items():
        if deck not in (*kind.decks, "dice") or how not in (PHYSICAL, "virtual"):
            raise CardhouseError(
                f'decks: "{deck}" can\'t be "{how}"; the decks of {header.game} are {", ".join(kind.decks)}, '
                f'each "virtual" or "{PHYSICAL}".'
            )
