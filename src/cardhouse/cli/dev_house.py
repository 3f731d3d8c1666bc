"""The process of `cardhouse dev` in which a game is played: it loads the rules once, and is replaced when they change.

It is started before it is needed, and then does what it is told over its pipe: look whether the game is sound, open
the house, tell the tables something, close.
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
from cardhouse.server.api.games import hold_game
from cardhouse.server.app.lifecycle import load_games, serve
from cardhouse.server.management.house import House
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.table.factory import made

OPEN, CLOSE = "open", "close"
NAMES = ("Ada", "Ben", "Cem", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida", "Jon", "Kim", "Liv", "Max", "Nia", "Oli")
"""Of those who sit at the table, so that nobody has to say who they are."""


class Plan(msgspec.Struct, frozen=True):
    """What is opened: the first of a package's games, on a port (0 is any), and where everything is kept.

    `anew` makes a new table, though there is one from the last time.
    """

    games: list[str]
    port: int
    kept: Path
    anew: bool = False


class DevTable(msgspec.Struct, frozen=True):
    """The table of the author, gone on with the next time.

    `names` are those in the seats, `links` the secrets of all links, and `bots` those that play a seat.
    """

    game: str
    id: str
    names: dict[str, str]
    links: dict[str, str]
    bots: dict[str, str]


class Opened(msgspec.Struct, frozen=True):
    """The house is open at this address."""

    address: str
    table: DevTable


def run(pipe: "Connection[Any, Any]") -> None:
    """Live in this process until told to close, or the one that started it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started it
    with suppress(EOFError):
        _load_ours()
        sys.dont_write_bytecode = True  # a file that changes twice a second would be taken for the one before
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        plan = pipe.recv()
        pipe.send(look(plan.games))
        if pipe.recv() == OPEN:
            _open(pipe, plan)


def say(sentence: str) -> None:
    """Tell the author something, with the time of day."""
    print(f"{strftime('%H:%M:%S')}  {sentence}", flush=True)  # noqa: T201


def _load_ours() -> None:
    """Load what takes long, and is not the author's."""
    for entry in entry_points(group=GAMES):
        if entry.dist is not None and entry.dist.name == "cardhouse":
            catalogue_of(find_game(entry.name))
    look_again()


def look(games: list[str]) -> str:
    """What is wrong with games as they are now, in a sentence; empty if they can be played."""
    try:
        for game in games:
            hold_game(game)
            Author.look_at(Table(header_of(game), FairDealer()))
        load_games()  # while the house before is still open
    except CardhouseError as error:
        return error.message
    except Exception as error:  # noqa: BLE001 (the author's code: anything may be wrong with it)
        return f"{error_in_code(error)}."
    return ""


def header_of(game: str) -> Header:
    """A table of a game as it usually is, with names; no fair deal is promised, for its rules will be others."""
    kind = find_game(game)
    seats = kind.usual_seats()
    names = dict(zip(seats[1:], NAMES, strict=False))
    return Header(FORMAT, game, seats, options=dict(kind.usual_options), names=names)


def _open(pipe: "Connection[Any, Any]", plan: Plan) -> None:
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    tables: list[DevTable] = []

    async def begin(house: House) -> None:
        tables.append(await _table(house, plan))

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
    """Tell the tables what is said on the pipe, until it is to close the house."""
    with suppress(EOFError, OSError):
        while (said := pipe.recv()) != CLOSE:
            author.tell(said)
    author.stop()


async def _table(house: House, plan: Plan) -> DevTable:
    """The table of the last time, or a new one."""
    file, game = plan.kept / "table.json", plan.games[0]
    if not plan.anew:
        with suppress(OSError, msgspec.DecodeError):
            table = msgspec.json.decode(file.read_bytes(), type=DevTable)
            if table.game == game and house.store.table(table.id) is not None:
                return table
    header, bot = header_of(game), next(iter(find_game(game).bots), HOUSE)
    bots = {seat: bot for seat in header.seats if seat != GM}
    new = await house.add(made(header, header.seats, FairDealer().seed, bots=bots))
    table = DevTable(game, new.table, header.names, new.links, bots)
    file.write_bytes(msgspec.json.encode(table))
    return table
