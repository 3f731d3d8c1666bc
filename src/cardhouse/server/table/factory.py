"""New tables: validates a request and builds what the store saves."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

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
from cardhouse.server.wire.protocol import Odds
from cardhouse.server.wire.requests import Json

MOST_MISTAKES = 200
"""Most mistakes of a file that are reported; the others show once these are corrected."""
MOST_LETTERS = 50_000
"""Longest error message, in characters."""
_NO_BOTS: Mapping[str, str] = MappingProxyType({})
PLAYERS_AT_MOST = 19
_Players = Annotated[int, Meta(ge=1, le=PLAYERS_AT_MOST)]
_SeatName = Annotated[str, Meta(min_length=1, max_length=40)]
_SeatNames = Annotated[list[_SeatName], Meta(min_length=1, max_length=PLAYERS_AT_MOST)]
T = TypeVar("T")


class CreateTableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a table. `seats` is the number of players besides the game master, or the names of their seats.

    By default a table has the game's usual number of players. `bots` maps seats to the bots that play them. With `deal`
    `together`, every device at the table contributes randomness to the deals.
    """

    game: str
    name: str = ""
    options: Json = {}
    seats: _Players | _SeatNames | None = None
    decks: dict[str, str] = {}
    by_hand: list[str] = []
    odds: Odds = "gm"
    deal: Literal["", "together"] = ""
    bots: dict[str, str] = {}


class BuiltTable(Struct, frozen=True):
    """A table with a new id, still without links.

    `header` is the first line of its transcript, which may be long; `names` are the names in it. `seed` is the seed of
    its deals, in hex. `portions` are the encoded rows of its log, decoded one portion at a time so that none blocks the
    event loop for long.
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


def built(
    header: Header,
    seats: list[str],
    seed: bytes,
    odds: str = "gm",
    bots: Mapping[str, str] = _NO_BOTS,
    portions: Callable[[str], list[bytes]] = lambda table: [],
) -> BuiltTable:
    """Return a table for the store, with a new id; `portions` is called with it."""
    table = new_table_id()
    line = write_line(header)
    commitment = header.commitment
    return BuiltTable(table, seats, line, header.names, commitment, seed.hex(), odds, dict(bots), portions(table))


def make(body: bytes) -> BuiltTable:
    """Return a new table from the body of a request.

    Raises CardhouseError if it is malformed, or for an unknown game, option, deck, step or bot.
    """
    request = requests.read(body, CreateTableRequest)
    header = {name: getattr(request, name) for name in ("options", "name", "decks", "by_hand", "deal")}
    return with_few_mistakes(lambda: new(request.game, _seats(request), request.odds, request.bots, **header))


def _seats(request: CreateTableRequest) -> list[str]:
    seats = request.seats
    if seats is None:
        return find_game(request.game).usual_seats()
    if isinstance(seats, int):
        return ["gm", *(f"p{number}" for number in range(1, seats + 1))]
    named = ["gm", *map(clean, seats)]
    if len({*map(key, named)}) < len(named):
        raise CardhouseError("Two seats have the same name. Give each seat its own name.")
    return named


def new(game: str, seats: list[str], odds: str, bots: Mapping[str, str] = _NO_BOTS, **header: Any) -> BuiltTable:
    """Return a new table; `bots` maps seats to the bots that play them.

    Raises CardhouseError for an unknown game, option, deck, step or bot.
    """
    table, seed = new_table(game, seats, bots, **header)
    return built(table.header, table.seats, seed, odds, bots)


def new_table(game: str, seats: list[str], bots: Mapping[str, str], **header: Any) -> tuple[Table, bytes]:
    """Return a new table and its seed.

    Raises CardhouseError as `new` does.
    """
    dealer = FairDealer()
    header["name"] = clean(header.get("name", ""))
    table = Table.new(game, seats, dealer=dealer, **header)
    check_names(table.header)
    check_bots(table, bots)
    return table, dealer.seed


def with_few_mistakes(read: Callable[[], T]) -> T:
    """Call `read`, shortening the error it raises so that it can be sent.

    Raises CardhouseError.
    """
    try:
        return read()
    except CardhouseError as error:
        if isinstance(error, BadFile):
            del error.mistakes[MOST_MISTAKES:]
        message = "\n".join(error.message.split("\n")[: MOST_MISTAKES + 1])  # the message lists them, too
        error.message = message if len(message) <= MOST_LETTERS else f"{message[:MOST_LETTERS]} … and more like this."
        raise


def check_bot(table: Table, bot: str) -> None:
    """Raises CardhouseError if the game has no such bot."""
    if not may_play(table.kind.bots, bot):
        known = ", ".join(dict.fromkeys((*table.kind.bots, HOUSE)))
        raise CardhouseError(f'There is no bot "{bot[:40]}" for {table.header.game}; there are {known}.')


def check_bots(table: Table, bots: Mapping[str, str]) -> None:
    """Raises CardhouseError unless each of these seats can be played by its bot, or by a person (empty)."""
    for seat, bot in bots.items():
        if seat not in table.seats:
            raise CardhouseError(f'There is no seat "{seat[:40]}"; there are {", ".join(table.seats)}.', "no_such_seat")
        if bot:
            check_bot(table, bot)
    if any(bots.values()) and PHYSICAL in table.header.decks.values():
        raise CardhouseError("Bots can't use a real deck. Seat a player or choose the virtual deck.")
