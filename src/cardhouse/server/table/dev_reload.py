"""Support for game authors who change the rules during play: `cardhouse dev`.

The server restarts with each change. A table that no longer fits the rules is shown as it was before.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from cardhouse.engine import SCREEN, CardhouseError, Table
from cardhouse.engine.diagnostics.runtime_errors import error_in_code
from cardhouse.engine.values.transcript import read_object
from cardhouse.server.table.broadcaster import Client, story_before
from cardhouse.server.wire import protocol

if TYPE_CHECKING:
    from cardhouse.server.management.table_manager import TableManager

_NAMED = ("by", "do", "draw", "roll", "seat")
GOES_ON = "It is shown as it stood before. When they fit again, it goes on; or make a new table."


class Author:
    """The author of a game, and the server on which it is tried.

    `folder` holds how each table last looked; `say` shows the author a sentence; `begin` is run in the event loop
    before the server opens. `stop` closes the server and may be called from any thread.
    """

    def __init__(
        self, folder: Path, say: Callable[[str], None], begin: "Callable[[TableManager], Awaitable[None]]"
    ) -> None:
        self.say = say
        self.stop: Callable[[], None] = lambda: None
        self.notice: str | None = None
        """The error in the game's files as they are now, shown at every table."""
        self._folder = folder
        self._begin = begin
        self._manager: TableManager | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def opened(self, manager: "TableManager") -> None:
        """Start with this server; call it in the event loop."""
        self._manager, self._loop = manager, asyncio.get_running_loop()
        await self._begin(manager)

    def tell(self, notice: str) -> None:
        """Show all tables the error in the game's files; from any thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._tell, notice)

    def greet(self, client: Client) -> None:
        """Send a client that has just joined the current error, if there is one."""
        if self.notice is not None:
            client.send(protocol.Notice(self.notice))

    def _tell(self, notice: str) -> None:
        assert self._manager is not None
        self.notice = notice
        self._manager.broadcast(protocol.Notice(notice))

    def misfit(self, id: str, number: int, texts: Sequence[tuple[int, str]], error: Exception) -> str:
        """Report to the author why the present rules can't open a table, and return the sentence.

        `number` is that of the last entry that the rules accepted, `texts` are all entries.
        """
        where = f"entry {number}"
        if number < len(texts):
            number, text = texts[number]
            line = read_object(text.partition("\n")[0])
            where = f"entry {number}, {' '.join(str(line[key]) for key in _NAMED if key in line)}"
        why = error.message if isinstance(error, CardhouseError) else f"{error_in_code(error)}."
        why = why.removeprefix(f"Line {number}: ")  # all lines of an entry have its number
        sentence = f"The rules no longer fit this table's log ({where}): {why} {GOES_ON}"
        self.say(f"Table {id}: {sentence}")
        return sentence

    def stumbles(self, error: Exception) -> str:
        """Report an error raised by the rules to the author, and return the sentence."""
        sentence = f"The rules stumble at {error_in_code(error)}; nothing has changed."
        self.say(sentence)
        return sentence

    @staticmethod
    def look_at(table: Table) -> None:
        """Build all views and offers of a table, raising any error of the author's code."""
        for seat in (*table.seats, SCREEN):
            _seen(table, seat)
        for seat in table.seats:
            table.offers(seat, anytime=True)

    # How tables last looked.

    def keep(self, id: str, table: Table) -> None:
        """Store how a table looks now, for a time when the rules no longer fit it."""
        with suppress(Exception):  # the author's view may raise anything
            seen = {seat: _seen(table, seat) for seat in (*table.seats, SCREEN)}
            file = self._file(id)
            file.with_suffix(".new").write_bytes(protocol.encode({"number": table.number, "seen": seen}))
            file.with_suffix(".new").replace(file)

    def last_seen(self, id: str, number: int, seat: str) -> tuple[bytes, list[dict[str, Any]]] | None:
        """Return a seat's stored document, as JSON, and log, if they match the table's last entry; otherwise None."""
        try:
            kept = json.loads(self._file(id).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        if kept["number"] != number or seat not in kept["seen"]:
            return None
        return protocol.encode(kept["seen"][seat]["doc"]), kept["seen"][seat]["story"]

    def _file(self, id: str) -> Path:
        return self._folder / f"{id}.json"


def _seen(table: Table, seat: str) -> dict[str, Any]:
    story, _ = story_before(table, seat, table.number + 1)
    return {"doc": Raw(table.doc(seat)), "story": story}
