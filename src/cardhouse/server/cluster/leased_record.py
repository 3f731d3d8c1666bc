"""What the store has of a table beside its log: names, links and settings, by a lease."""

from collections.abc import Callable
from typing import TypeVar

from cardhouse.engine import CardhouseError
from cardhouse.server.cluster import lease
from cardhouse.server.cluster.lease import Lease
from cardhouse.server.core.tokens import hash_of
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.records import TableRecord

T = TypeVar("T")
CONFIRMATIONS = 3
"""The store is asked so often in a row, if what it says comes so late that it counts no more."""


class TableDeleted(CardhouseError):
    """The table has been deleted."""

    def __init__(self) -> None:
        super().__init__("This server has no such table. Check that the link is complete.", "no_such_seat")


class LeasedRecord:
    """The record of a table, and a lease on it, since other servers may change it.

    `on_change` is called with the record before, when it has changed, here or at another server; `on_own_change` when
    it was changed here.
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
        """The seat whose link has this secret.

        Raises CardhouseError if there is none.
        """
        hashed = hash_of(token)
        if self._saver.store.shared or self._seat_of(hashed) is None:
            await self.compare()  # another server may have replaced it, or given it out
        return self.seat_with(hashed)

    async def confirm_link(self, token: str) -> None:
        """As `seat_by`, but by what was read of the links a moment ago.

        Raises CardhouseError.
        """
        await self.confirm()
        self.seat_with(hash_of(token))

    async def check_link(self, hashed: str) -> None:
        """Raises CardhouseError if the link whose secret has this hash is none of the table's any more; NotSaved.

        None is needed, and the hash is empty, for what the house says by itself.
        """
        await self.confirm()
        if hashed:
            self.seat_with(hashed)

    def seat_with(self, hashed: str) -> str:
        """The seat whose link's secret has this hash.

        Raises CardhouseError if there is none.
        """
        seat = self._seat_of(hashed)
        if seat is None and hashed == self.now.door:
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
        """See to it that names, links and settings are those of the store, or were a moment ago.

        Before anything is told that not everybody may know, or done because of what a link allows; until then nothing
        else may be waited for. Raises NotSaved if the store doesn't say; Gone if the table has been deleted.
        """
        for _ in range(CONFIRMATIONS):
            if self._lease.holds():
                return
            await self.compare()
        if not self._lease.holds():  # it takes too long to say
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
        """Renew the lease if the record is as the store had it at this time, by its count of changes; whether it is."""
        if changed is None or changed > self.now.changed:
            return False
        self._lease.renew(asked_at)
        return True

    async def refresh(self) -> None:
        """Read it again.

        Raises Gone if the table has been deleted; NotSaved.
        """
        asked_at = lease.now()
        record = await self._saver.read(self._saver.store.table, self.now.id)
        if record is None:
            raise TableDeleted
        self._lease.renew(asked_at)
        if record.changed > self.now.changed:  # two readers may be done in another order
            before, self.now = self.now, record
            self._on_change(before)

    # Changing it.

    async def change(self, change: Callable[..., T], *given: object) -> T:
        """Have the store change something of this table; what it says.

        Raises NotSaved.
        """
        said = await self._saver.write(change, self.now.id, *given)
        await self.refresh()
        self._on_own_change()
        return said
