"""The server process of `cardhouse dev`: it loads the game once, and is replaced when a file changes.

It is started in advance, and then follows the messages on its pipe: check the game, open the server, show the tables an
error, close.
"""

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from importlib.metadata import entry_points
from multiprocessing.connection import Connection
from pathlib import Path
from time import strftime
from typing import Any

import msgspec

from cardhouse.cli.package import GAMES
from cardhouse.engine import GM, HOUSE, CardhouseError, FairDealer, Header, Table, catalogue_of, find_game
from cardhouse.engine.diagnostics.registry import look_again
from cardhouse.engine.diagnostics.runtime_errors import error_in_code
from cardhouse.engine.values.transcript import FORMAT
from cardhouse.server.api.games import cache_game
from cardhouse.server.app.lifecycle import load_games, serve
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.table.factory import built

OPEN, CLOSE = "open", "close"
NAMES = ("Ada", "Ben", "Cem", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida", "Jon", "Kim", "Liv", "Max", "Nia", "Oli")
"""Names for the seats, so that nobody has to enter one."""


class Plan(msgspec.Struct, frozen=True):
    """The package's games, of which the first is played, the port (0 for any), and the folder for stored data.

    `anew` creates a new table, even if there is one from the last time.
    """

    games: list[str]
    port: int
    kept: Path
    anew: bool = False


class DevTable(msgspec.Struct, frozen=True):
    """The author's table, which is reused the next time.

    `names` are the players' names by seat, `links` the secrets of all links, and `bots` the bots by seat.
    """

    game: str
    id: str
    names: dict[str, str]
    links: dict[str, str]
    bots: dict[str, str]


class Opened(msgspec.Struct, frozen=True):
    """The server is open at this address."""

    address: str
    table: DevTable


def run(pipe: "Connection[Any, Any]") -> None:
    """Run in this process until told to close, or until the parent process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    with suppress(EOFError):
        _load_ours()
        sys.dont_write_bytecode = True  # a cached module would hide a second change within the same second
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        plan = pipe.recv()
        pipe.send(look(plan.games))
        if pipe.recv() == OPEN:
            _open(pipe, plan)


def say(sentence: str) -> None:
    """Print a sentence for the author, with the time."""
    print(f"{strftime('%H:%M:%S')}  {sentence}", flush=True)  # noqa: T201


def _load_ours() -> None:
    """Import everything slow that isn't the author's."""
    for entry in entry_points(group=GAMES):
        if entry.dist is not None and entry.dist.name == "cardhouse":
            catalogue_of(find_game(entry.name))
    look_again()


def look(games: list[str]) -> str:
    """Return an error in the games as they are now; empty if they can be played."""
    try:
        for game in games:
            cache_game(game)
            Author.look_at(Table(header_of(game), FairDealer()))
        load_games()  # while the previous server is still open
    except CardhouseError as error:
        return error.message
    except Exception as error:  # noqa: BLE001 (the author's code may raise anything)
        return f"{error_in_code(error)}."
    return ""


def header_of(game: str) -> Header:
    """Return the header of a usual table, with names, without a commitment, because the rules will change."""
    kind = find_game(game)
    seats = kind.usual_seats()
    names = dict(zip(seats[1:], NAMES, strict=False))
    return Header(FORMAT, game, seats, options=dict(kind.usual_options), names=names)


def _open(pipe: "Connection[Any, Any]", plan: Plan) -> None:
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    tables: list[DevTable] = []

    async def begin(manager: TableManager) -> None:
        tables.append(await _table(manager, plan))

    def ready(address: str) -> None:
        pipe.send(Opened(address, tables[0]))
        threading.Thread(target=_listen, args=(pipe, author), name="listen", daemon=True).start()

    seen = plan.kept / "seen"
    seen.mkdir(exist_ok=True)
    author = Author(seen, say, begin)
    try:
        serve("127.0.0.1", plan.port, f"sqlite:///{plan.kept / 'tables.db'}", on_ready=ready, author=author)
    except CardhouseError as error:
        pipe.send(error.message)


def _listen(pipe: "Connection[Any, Any]", author: Author) -> None:
    """Pass messages from the pipe to the tables, until told to close."""
    with suppress(EOFError, OSError):
        while (message := pipe.recv()) != CLOSE:
            author.tell(message)
    author.stop()


async def _table(manager: TableManager, plan: Plan) -> DevTable:
    """Return the table from the last time, or a new one."""
    file, game = plan.kept / "table.json", plan.games[0]
    if not plan.anew:
        with suppress(OSError, msgspec.DecodeError):
            table = msgspec.json.decode(file.read_bytes(), type=DevTable)
            if table.game == game and manager.store.table(table.id) is not None:
                return table
    header, bot = header_of(game), next(iter(find_game(game).bots), HOUSE)
    bots = {seat: bot for seat in header.seats if seat != GM}
    new = await manager.add(built(header, header.seats, FairDealer().seed, bots=bots))
    table = DevTable(game, new.table, header.names, new.links, bots)
    file.write_bytes(msgspec.json.encode(table))
    return table
