"""The portraits at a table: each is drawn from a name, or is a picture that a player uploaded."""

import secrets
from collections.abc import Mapping
from typing import Any

from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.engine.values.portraits import FACES
from cardhouse.server.persistence import pictures
from cardhouse.server.table.invites import characters_in, played_from
from cardhouse.server.table.parts import TableParts

MOST = 2**48
"""The limit of picture numbers, which are random so that they can't be guessed."""


class TablePortraits:
    """The portraits of an open table."""

    def __init__(self, parts: TableParts) -> None:
        self._parts = parts
        self._saver, self._record = parts.saver, parts.record

    async def choose(self, seat: str, token: str, name: str, face: int) -> None:
        """Set a publicly visible player's or character's portrait; `token` is the hash of the secret of the link used.

        Raises CardhouseError unless it is their own or, for the game master, anyone's; NotSaved.
        """
        await self._check_may_choose(seat, name)
        await self._record.check_link(token)
        await self._set(name, face)

    async def check_may_bring(self, token: str, name: str) -> None:
        """Raises CardhouseError as `choose` does, for the link with this secret; NotSaved."""
        await self._check_may_choose(await self._record.seat_by(token), name)
        await self._record.confirm_link(token)

    async def bring(self, token: str, name: str, image: bytes) -> int:
        """Set a picture as a portrait and return its number.

        Raises CardhouseError as `choose` does, and if the table has too many pictures; NotSaved.
        """
        await self.check_may_bring(token, name)
        face = FACES + secrets.randbelow(MOST - FACES)
        await self._set(name, face, image)
        return face

    async def _set(self, name: str, face: int, image: bytes | None = None) -> None:
        def change(table: str) -> None:
            pictures.set_face(self._saver.store, table, name.lower(), face, image)

        await self._record.change(change)

    async def _check_may_choose(self, seat: str, name: str) -> None:
        if seat == SCREEN:
            raise CardhouseError("The table screen can't choose portraits.", "not_yours")
        async with self._parts.lock:
            shown = (await self._parts.cache.playing()).view(SCREEN)
        seats = {one.seat: one.name for one in self._parts.seated()}
        theirs = list(seats) if seat == GM else [seat]
        names = {seats[one] for one in theirs} | {who for one in theirs for who in played_from(one, shown)}
        if not name or name not in names:
            raise CardhouseError(f"You can't choose a portrait for {name[:40] or 'nobody'}.", "not_yours")

    async def picture(self, token: str, face: int) -> bytes:
        """Return a picture, for a link whose view has its name.

        Raises CardhouseError for any other link, and if there is no such picture; NotSaved.
        """
        seat = await self._record.seat_by(token)
        found = None
        if FACES <= face < MOST:
            found = await self._saver.read(pictures.picture, self._saver.store, self._record.now.id, face)
        async with self._parts.lock:
            await self._parts.cache.ready()
            table = self._parts.cache.shown
            view: Mapping[str, Any] = {} if table is None else table.view(seat)
        await self._record.confirm_link(token)
        seen = {one.name.lower() for one in self._parts.seated()} | {name.lower() for name in characters_in(view)}
        if found is None or found[0] not in seen:
            raise CardhouseError("This table has no such picture.", "not_found")
        return found[1]
