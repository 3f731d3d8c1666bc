"""Tables that are to be made: what is asked for is looked through, and becomes what the store keeps."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from cardhouse.engine import (
    HOUSE,
    PHYSICAL,
    BadFile,
    CardhouseError,
    FairDealer,
    Header,
    Table,
    find_game,
    may_play,
    write_line,
)
from cardhouse.engine.values.names import clean, key
from cardhouse.server.core.name_rules import check_names
from cardhouse.server.core.tokens import new_table_id
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import CreateTableRequest

MOST_MISTAKES = 200
"""Of what somebody wrote so many mistakes are told at most; whoever has put them right hears of the others."""
MOST_LETTERS = 50_000
"""What is said of mistakes is cut off after so many."""
_NO_BOTS: Mapping[str, str] = MappingProxyType({})
T = TypeVar("T")


class BuiltTable(msgspec.Struct, frozen=True):
    """A table with the id `table`, and nobody's links yet.

    `header` is the first line of its transcript, which may be long, `names` those in it. `seed` is what it is dealt
    from, in hex, and `portions` are the rows of its log; each is read when it is its turn, so that the event loop waits
    for none of them long. `faces` has the number of each chosen portrait, by the name in small letters.
    """

    table: str
    seats: list[str]
    header: str
    names: dict[str, str]
    commitment: str
    seed: str
    odds: str = "gm"
    bots: dict[str, str] = {}
    portions: list[bytes] = []
    faces: dict[str, int] = {}


def made(
    header: Header,
    seats: list[str],
    seed: bytes,
    odds: str = "gm",
    bots: Mapping[str, str] = _NO_BOTS,
    portions: Callable[[str], list[bytes]] = lambda table: [],
) -> BuiltTable:
    """What is kept of a table; its id is new, and `portions` are made when it is known."""
    table = new_table_id()
    line = write_line(header)
    commitment = header.commitment
    return BuiltTable(table, seats, line, header.names, commitment, seed.hex(), odds, dict(bots), portions(table))


def make(body: bytes) -> BuiltTable:
    """A new table, as the body of a request asks for it.

    Raises CardhouseError if it is malformed, or for an unknown game, option, deck, step or bot.
    """
    wanted = requests.read(body, CreateTableRequest)
    header = {name: getattr(wanted, name) for name in ("options", "name", "decks", "by_hand", "deal")}
    return of_few_mistakes(lambda: new(wanted.game, _seats(wanted), wanted.odds, wanted.bots, **header))


def _seats(wanted: CreateTableRequest) -> list[str]:
    seats = wanted.seats
    if seats is None:
        return find_game(wanted.game).usual_seats()
    if isinstance(seats, int):
        return ["gm", *(f"p{number}" for number in range(1, seats + 1))]
    named = ["gm", *map(clean, seats)]
    if len({*map(key, named)}) < len(named):
        raise CardhouseError("Two seats have the same name. Give each seat its own name.")
    return named


def new(game: str, seats: list[str], odds: str, bots: Mapping[str, str] = _NO_BOTS, **header: Any) -> BuiltTable:
    """A new table; `bots` play the seats they stand by.

    Raises CardhouseError for an unknown game, option, deck, step or bot.
    """
    table, seed = new_table(game, seats, bots, **header)
    return made(table.header, table.seats, seed, odds, bots)


def new_table(game: str, seats: list[str], bots: Mapping[str, str], **header: Any) -> tuple[Table, bytes]:
    """A new table, and the seed it is dealt from.

    Raises CardhouseError as `new` does.
    """
    dealer = FairDealer()
    header["name"] = clean(header.get("name", ""))
    table = Table.new(game, seats, dealer=dealer, **header)
    check_names(table.header)
    check_bots(table, bots)
    return table, dealer.seed


def of_few_mistakes(read: Callable[[], T]) -> T:
    """What is read, or some of the mistakes in it.

    Raises CardhouseError, which is short enough to be told.
    """
    try:
        return read()
    except CardhouseError as error:
        if isinstance(error, BadFile):
            del error.mistakes[MOST_MISTAKES:]
        message = "\n".join(error.message.split("\n")[: MOST_MISTAKES + 1])  # it names them, too
        error.message = message if len(message) <= MOST_LETTERS else f"{message[:MOST_LETTERS]} … and more like this."
        raise


def check_bot(table: Table, bot: str) -> None:
    """Raises CardhouseError if the game has no such bot."""
    if not may_play(table.kind.bots, bot):
        known = ", ".join(dict.fromkeys((*table.kind.bots, HOUSE)))
        raise CardhouseError(f'There is no bot "{bot[:40]}" for {table.header.game}; there are {known}.')


def check_bots(table: Table, bots: Mapping[str, str]) -> None:
    """Raises CardhouseError unless each of these seats can be played by the bot it names, or by a person (empty)."""
    for seat, bot in bots.items():
        if seat not in table.seats:
            raise CardhouseError(f'There is no seat "{seat[:40]}"; there are {", ".join(table.seats)}.', "no_such_seat")
        if bot:
            check_bot(table, bot)
    if any(bots.values()) and PHYSICAL in table.header.decks.values():
        raise CardhouseError("Bots can't use a real deck. Seat a player or choose the virtual deck.")
