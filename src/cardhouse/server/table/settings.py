"""The settings of a table apart from its game: names, portraits, links, bots, visibility of the odds, and its end."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.server.cluster import lease
from cardhouse.server.core.clock import Clock
from cardhouse.server.core.name_rules import read_name
from cardhouse.server.core.tokens import hash_of, new_code, new_token
from cardhouse.server.persistence.group_commit import NotSaved
from cardhouse.server.persistence.records import DOOR, DOOR_ROW
from cardhouse.server.table.broadcaster import Client
from cardhouse.server.table.factory import check_bots
from cardhouse.server.table.invites import Invite
from cardhouse.server.table.parts import TableParts
from cardhouse.server.table.scheduler import END_SECONDS
from cardhouse.server.wire import protocol


class TableSettings:
    """The settings of an open table, as people at it change them.

    Each change raises CardhouseError, with a message, if the client may not make it or it is invalid; NotSaved. `check`
    raises CardhouseError if a client's link has been replaced. `refresh` is called with other tables whose links have
    changed.
    """

    def __init__(
        self,
        parts: TableParts,
        clock: Clock,
        check: Callable[[Client], Awaitable[None]],
        refresh: Callable[[Sequence[str]], Awaitable[None]],
    ) -> None:
        self._parts = parts
        self._saver, self._record = parts.saver, parts.record
        self._clock = clock
        self._check = check
        self._refresh = refresh
        self.door = Invite(parts)
        self._link_tasks: set[asyncio.Task[None]] = set()

    async def rename(self, client: Client, name: str) -> None:
        """Set the name of the player in the client's seat."""
        if client.seat == SCREEN:
            raise CardhouseError("Only a player with a seat has a name.", "not_yours")
        name = read_name(name)
        await self._check(client)
        await self._record.change(self._saver.store.set_name, client.seat, name)

    async def set_odds(self, client: Client, odds: str) -> None:
        """Set who sees the odds; for the game master."""
        if client.seat != GM:
            raise CardhouseError("Only the game master can choose who sees the odds.", "not_yours")
        await self._check(client)
        await self._record.change(self._saver.store.set_odds, odds)

    async def set_end(self, client: Client, *, on: bool) -> None:
        """Announce the end of the table, or cancel it; for the game master."""
        if client.seat != GM:
            raise CardhouseError("Only the game master can end the table.", "not_yours")
        await self.announce_end(on=on, check=lambda: self._check(client))

    async def announce_end(self, *, on: bool, check: Callable[[], Awaitable[None]] | None = None) -> None:
        """Announce the end of the table, or cancel it; `check` raises CardhouseError if permission was lost meanwhile.

        Raises CardhouseError if the table has ended, or can't be played on; NotSaved.
        """
        async with self._parts.lock:
            if (await self._parts.cache.playing()).ended:
                raise CardhouseError("The table has ended. You can't undo that.", "ended")
            if check is not None:
                await check()
            if on != bool(self._record.now.ends_at):
                ends_at = int((self._clock.time() + END_SECONDS) * 1000) if on else 0
                await self._record.change(self._saver.store.set_end, ends_at)

    async def set_bot(self, client: Client, seat: str, bot: str) -> None:
        """Set the bot that plays a seat, or none; for the game master and the seat's player."""
        if client.seat not in (GM, seat):
            raise CardhouseError("Only the game master or the seat's player can choose who plays a seat.", "not_yours")
        async with self._parts.lock:
            table = await self._parts.cache.playing()
        check_bots(table, {seat: bot})
        await self._check(client)
        await self._record.change(self._saver.store.set_bot, seat, bot)

    async def reissue(self, client: Client, seat: str) -> None:
        """Replace the link of a seat, or the invite, and send it to the client; for the game master."""
        if client.seat != GM:
            raise CardhouseError("Only the game master can create links.", "not_yours")
        seats = [seated.seat for seated in self._parts.seated()]
        if seat not in (*seats, DOOR):
            raise CardhouseError(f'There is no seat "{seat[:40]}"; there are {", ".join(seats)}.', "no_such_seat")
        await self._check(client)
        await self._new_link(client, seat, seat if seat in seats else DOOR_ROW)

    async def renew(self, seat: str) -> str:
        """Replace the link of a seat, or the invite, for the administrator; return its secret.

        When this returns, the old one is invalid at every server. Raises CardhouseError if there is no such seat;
        NotSaved.
        """
        seats = [one.seat for one in self._record.now.seats if one.seat != DOOR_ROW]
        if seat not in (*seats, DOOR):
            raise CardhouseError(f'There is no seat "{seat[:40]}"; there are {", ".join(seats)}.', "no_such_seat")
        token, hashed = await self._new_secret(is_code=seat not in seats)
        await self._set_token(seat if seat in seats else DOOR_ROW, hashed)
        if self._saver.store.shared:
            await lease.outlast()
        return token

    async def close_door(self, client: Client) -> None:
        """Close the invite until the game master creates a new one."""
        if client.seat != GM:
            raise CardhouseError("Only the game master can turn off the join code.", "not_yours")
        await self._check(client)
        await self._record.change(self._saver.store.close_door)

    async def link_new_seat(self, client: Client, seat: str) -> None:
        """Create the link of a seat that this client has just added, and report if that fails."""
        try:
            await self._new_link(client, seat, seat)
        except NotSaved:
            client.refuse("not_saved", f"The seat {seat} is there, but its link could not be saved: ask for a new one.")

    async def _new_link(self, client: Client, seat: str, row: str) -> None:
        token, hashed = await self._new_secret(is_code=row == DOOR_ROW)
        if client.seat == seat:
            client.next_token = hashed  # clients that replace their own link stay connected
        await self._set_token(row, hashed)
        link = protocol.NewLink(seat, token, self._record.now.door_mark if row == DOOR_ROW else "")
        if not self._saver.store.shared:
            client.send(link)
            return
        task = asyncio.get_running_loop().create_task(self._send_link(client, link))
        self._link_tasks.add(task)
        task.add_done_callback(self._link_tasks.discard)

    async def _new_secret(self, *, is_code: bool) -> tuple[str, str]:
        """Return a new secret of a seat's link or a join code, and its hash."""
        token = new_code() if is_code else new_token()
        return token, await self._saver.store.codes.hash_of_new(token) if is_code else hash_of(token)

    async def _set_token(self, row: str, hashed: str) -> None:
        await self._refresh(await self._record.change(self._saver.store.set_token, row, hashed))

    async def _send_link(self, client: Client, link: protocol.NewLink) -> None:
        """Send a new link once the one that it replaces is invalid at every server.

        It runs as a task, so the client's other requests don't wait for this.
        """
        await lease.outlast()
        try:
            await self._check(client)
        except NotSaved:
            client.refuse("not_saved", f"The new link for {link.seat} could not be confirmed. Ask for another one.")
        except CardhouseError:
            pass  # the client's own link was replaced meanwhile
        else:
            client.send(link)
