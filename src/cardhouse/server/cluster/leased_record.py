"""A table's record (names, links and settings, without the log), kept current by a lease."""

from collections.abc import Callable
from typing import TypeVar

from cardhouse.engine import CardhouseError
from cardhouse.server.cluster import lease
from cardhouse.server.cluster.lease import Lease
from cardhouse.server.core.tokens import hash_of, is_code
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.records import TableRecord

T = TypeVar("T")
CONFIRMATIONS = 3
"""How many times the store is asked in a row, if its answer comes too late to be valid."""


class TableDeleted(CardhouseError):
    """The table has been deleted."""

    def __init__(self) -> None:
        super().__init__("This server has no such table. Check that the link is complete.", "no_such_seat")


class LeasedRecord:
    """The record of a table, with a lease, since other servers may change it.

    `on_change` is called with the previous record after a change here or at another server; `on_own_change` only after
    a change here.
    """

    def __init__(
        self,
        saver: Saver,
        record: TableRecord,
        on_change: Callable[[TableRecord], None],
        on_own_change: Callable[[], None],
    ) -> None:
        self.now = record
        self._saver = saver
        self._on_change = on_change
        self._on_own_change = on_own_change
        self._lease = Lease(shared=saver.store.shared)

    # Links.

    async def seat_by(self, token: str) -> str:
        """Return the seat whose link has this secret.

        Raises CardhouseError if there is none.
        """
        hashed = hash_of(token)
        if self._saver.store.shared or self._seat_of(hashed) is None:
            await self.compare()  # another server may have replaced or created the link
        return self._seat_with(hashed, token)

    async def confirm_link(self, token: str) -> None:
        """Check the link as `seat_by` does, but by the record under its lease.

        Raises CardhouseError.
        """
        await self.confirm()
        self._seat_with(hash_of(token), token)

    async def check_link(self, hashed: str) -> None:
        """Raises CardhouseError if the link whose secret has this hash isn't valid any more; NotSaved.

        The hash is empty for actions of the server itself, which need no link.
        """
        await self.confirm()
        if hashed:
            self._seat_with(hashed)

    def _seat_with(self, hashed: str, token: str = "") -> str:
        """Return the seat whose link's secret has this hash; `token` is the secret if it is known.

        Raises CardhouseError if there is none.
        """
        seat = self._seat_of(hashed)
        if seat is None and is_code(token):
            raise CardhouseError(
                "This is the join link of the table, not the link of a seat. Open it as you received it: "
                f"/j/{self.now.id}#…",
                "old_link",
            )
        if seat is None:
            raise CardhouseError(
                "This link opens no seat at this table. It may have been replaced: ask the game master for the new "
                "one.",
                "old_link",
            )
        return seat

    def _seat_of(self, hashed: str) -> str | None:
        return self.now.seat_by_hash.get(hashed)

    # Being up to date.

    async def confirm(self) -> None:
        """Ensure that the record is that of the store now, or was a moment ago.

        Call it before revealing anything private and before any action that a link permits; nothing else may be awaited
        in between. Raises NotSaved if the store doesn't answer; TableDeleted.
        """
        for _ in range(CONFIRMATIONS):
            if self._lease.holds():
                return
            await self.compare()
        if not self._lease.holds():  # the store answers too late
            raise NotSaved

    async def compare(self) -> None:
        """Ask the store whether anything has changed, and read it if so.

        Raises as `confirm` does.
        """
        asked_at = lease.now()
        found = await self._saver.confirm(self._saver.store.changed, [self.now.id])
        if not self.renew(found.get(self.now.id), asked_at):
            await self.refresh()

    def renew(self, changed: int | None, asked_at: float) -> bool:
        """Renew the lease and return True if the record is as new as the store's was at this time, by `changed`."""
        if changed is None or changed > self.now.changed:
            return False
        self._lease.renew(asked_at)
        return True

    async def refresh(self) -> None:
        """Read the record again.

        Raises TableDeleted; NotSaved.
        """
        asked_at = lease.now()
        record = await self._saver.read(self._saver.store.table, self.now.id)
        if record is None:
            raise TableDeleted
        self._lease.renew(asked_at)
        if record.changed > self.now.changed:  # concurrent reads may finish in another order
            before, self.now = self.now, record
            self._on_change(before)

    # Changing it.

    async def change(self, change: Callable[..., T], *given: object) -> T:
        """Make the store change this table; return the change's result.

        Raises NotSaved.
        """
        result = await self._saver.write(change, self.now.id, *given)
        await self.refresh()
        self._on_own_change()
        return result
