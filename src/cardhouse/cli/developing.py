"""`cardhouse dev`: a server for a game under development, restarted whenever one of its files changes.

The server is a separate process. The next one waits with everything but the game loaded, so a change takes less than a
second; it checks the game first, and takes over only if the game can be played.
"""

import signal
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import typer
from watchfiles import DefaultFilter, watch

from cardhouse.cli.dev_house import CLOSE, OPEN, Opened, Plan, run, say
from cardhouse.cli.package import KEPT, prepare, read_package, register
from cardhouse.cli.serving import free_port
from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.server.persistence.records import DOOR
from cardhouse.server.process.piped import PipedProcess

LOOK_SECONDS = 20.0
"""Time limit for loading a game."""
OPEN_SECONDS = 30.0
CLOSE_SECONDS = 3.0
WAIT_MS = 500
_TITLES = {GM: "You, the game master", SCREEN: "The table screen", DOOR: "Anyone, to an open seat"}


def develop(folder: str, port: int | None, *, browser: bool, is_new: bool) -> None:
    """Serve until Ctrl-C.

    Raises CardhouseError if the folder has no package with a game.
    """
    place = Path(folder).resolve()
    read_package(place)
    prepare(place)
    opening = Opening(place, free_port("127.0.0.1") if port is None else port, browser=browser, anew=is_new)
    ours = DefaultFilter(ignore_dirs=(*DefaultFilter.ignore_dirs, KEPT))
    try:
        changes = watch(place, watch_filter=ours, rust_timeout=WAIT_MS, yield_on_timeout=True)
        for first, changed in enumerate(changes):
            if changed or not first or opening.has_stopped():
                opening.load()
    except KeyboardInterrupt:
        typer.echo("\nThe server has stopped.")
    finally:
        opening.close()


class Opening:
    """The open server, if there is one, and the waiting process that will replace it."""

    def __init__(self, folder: Path, port: int, *, browser: bool, anew: bool) -> None:
        self._folder = folder
        self._port = port
        self._browser = browser
        self._anew = anew
        self._house: HouseProcess | None = None
        self._next = HouseProcess()
        self._told = False

    def has_stopped(self) -> bool:
        """Return whether the server has ended by itself, and report it."""
        if self._house is None or self._house.is_alive():
            return False
        say("The server stopped unexpectedly and was restarted.")
        self._house = None
        return True

    def load(self) -> None:
        """Load the game as it is now, and open a server with it; if it is broken, report the error, at the tables too.

        Raises CardhouseError if the game is fine but the server can't be opened.
        """
        try:
            package = read_package(self._folder)
            register(package)
            self._next.look(Plan(package.games, self._port, package.kept, self._anew))
        except CardhouseError as error:
            self._next.kill()
            say(error.message)
            if self._house is not None:
                self._house.tell(error.message)
        else:
            self._replace(self._next)
        self._next = HouseProcess()

    def _replace(self, coming: "HouseProcess") -> None:
        """Let another process open the server. Raises CardhouseError."""
        going, self._house = self._house, None
        if going is not None:
            going.close()
        opened = coming.open()
        self._house, self._anew = coming, False
        if self._told:
            say(f"{opened.table.game} reloaded.")
        else:
            self._tell(opened)

    def _tell(self, opened: Opened) -> None:
        """Print the links, after the first start."""
        self._told = True
        self._port = int(opened.address.rpartition(":")[2])
        typer.echo(f"Cardhouse is open: {opened.address}/")
        typer.echo(f"Table of {opened.table.game}. Changes in {self._folder} appear as soon as you save.")
        for line in _links(opened):
            typer.echo(line)
        typer.echo("Press Ctrl-C to stop the server.")
        sys.stdout.flush()
        if self._browser:
            webbrowser.open(_link(opened, GM))

    def close(self) -> None:
        """Close the server."""
        self._next.kill()
        if self._house is not None:
            self._house.close()


def _links(opened: Opened) -> Iterator[str]:
    """Yield a line for each seat: its player and link."""
    titles = {}
    for seat in opened.table.links:
        if seat == DOOR and _is_full(opened):
            continue
        bot = opened.table.bots.get(seat, "")
        name = opened.table.names.get(seat, seat)
        titles[seat] = _TITLES.get(seat) or (f"{name} ({bot} bot)" if bot else name)
    width = max(map(len, titles.values()))
    for seat, title in titles.items():
        yield f"  {title:{width}}  {_link(opened, seat)}"


def _is_full(opened: Opened) -> bool:
    """Return whether bots have all seats, so that nobody can join."""
    return opened.table.bots.keys() >= opened.table.links.keys() - {GM, SCREEN, DOOR}


def _link(opened: Opened, seat: str) -> str:
    return f"{opened.address}/{'j' if seat == DOOR else 't'}/{opened.table.id}#{opened.table.links[seat]}"


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the block is done; a process started in it never receives it."""
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    if has_masks := hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if has_masks:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


class HouseProcess(PipedProcess):
    """A process that loads the game once, and may then open the server. Its methods block until it replies."""

    def __init__(self) -> None:
        with _uninterrupted():
            super().__init__(run, "cardhouse dev")

    def is_alive(self) -> bool:
        return self.process.is_alive()

    def look(self, plan: Plan) -> None:
        """Load the game. Raises CardhouseError if it can't be played."""
        self.tell(plan)
        if problem := self._receive_within(LOOK_SECONDS):
            raise CardhouseError(problem)

    def open(self) -> Opened:
        """Open the server. Raises CardhouseError if it can't be opened."""
        self.tell(OPEN)
        opened = self._receive_within(OPEN_SECONDS)
        if not isinstance(opened, Opened):
            raise CardhouseError(opened)
        return opened

    def tell(self, what: Any) -> None:
        """Send a message to the process."""
        with suppress(OSError):  # it has ended, which is noticed when a reply is due
            self.pipe.send(what)

    def _receive_within(self, seconds: float) -> Any:
        try:
            if self.pipe.poll(seconds):
                return self.pipe.recv()
        except (EOFError, OSError):
            return "The process that loads the game has ended. Its last output is above."
        return f"The game didn't load within {seconds:g} seconds. Check it for an endless loop."

    def close(self) -> None:
        """Close the server and end the process."""
        self.tell(CLOSE)
        self.process.join(CLOSE_SECONDS)
        self.kill()
