"""Counts the days on which the server runs, and on each of them applies the retention policy to all tables once."""

import asyncio
import logging
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from cardhouse.server.core.clock import Clock
from cardhouse.server.persistence import retention_repository
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.retention_policy import (
    DAY_SECONDS,
    Calendar,
    RetentionDecision,
    RetentionPolicy,
    TableUsage,
)

LOOK_SECONDS = 1800.0
"""Interval at which to check whether a new day has begun."""
AT_ONCE = 200
"""Tables read and announced at a time."""
log = logging.getLogger("cardhouse.admin")


class RetentionJob:
    """Applies the policy `keeping` to all tables. `is_used` is whether a table has clients at this server.

    `on_deleted` is called with the id of each deleted table.
    """

    def __init__(
        self,
        saver: Saver,
        clock: Clock,
        keeping: RetentionPolicy,
        is_used: Callable[[str], bool],
        on_deleted: Callable[[str], None],
    ) -> None:
        self._saver = saver
        self._clock = clock
        self._keeping = keeping
        self._is_used = is_used
        self._on_deleted = on_deleted
        self._warned = False

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            try:
                await self.run_once()
            except NotSaved:
                pass  # the next run comes soon
            except Exception:
                log.exception("Internal error while looking for unused tables")
            await asyncio.sleep(LOOK_SECONDS)

    async def run_once(self) -> None:
        """Count the day, and apply the policy if no server has counted it before.

        Raises NotSaved.
        """
        now = int(self._clock.time())
        day = await self._saver.write(retention_repository.count_day, self._saver.store, now // DAY_SECONDS)
        if day is None:
            await self._warn_about_clock(now // DAY_SECONDS)
        elif self._keeping.days:
            await self._apply_policy(Calendar(now, day))
        else:
            await self._saver.write(retention_repository.cancel_all_deletions, self._saver.store)

    async def _warn_about_clock(self, today: int) -> None:
        """Log once that the clock is behind the latest counted day, because no days are counted until then."""
        behind = await self._saver.read(retention_repository.last_day, self._saver.store) - today
        if behind > 0 and not self._warned and self._keeping.days:
            self._warned = True
            log.warning(
                "The clock was %d days ahead during the last run. No table is deleted until that day",
                behind,
            )

    async def _apply_policy(self, now: Calendar) -> None:
        after, campaigns = "", dict[str, list[TableUsage]]()
        while some := await self._saver.read(retention_repository.read_usage, self._saver.store, after, AT_ONCE):
            after = some[-1].id
            for one in some:
                if one.campaign:
                    campaigns.setdefault(one.campaign, []).append(one)
            await self._process([[one] for one in some if not one.campaign], now)
        for group in campaigns.values():
            await self._process([group], now)

    async def _process(self, groups: Iterable[list[TableUsage]], now: Calendar) -> None:
        """Apply the policy to groups of tables that are kept or deleted together."""
        announced: list[tuple[str, int, int]] = []
        for group in groups:
            whole = _as_one(group)
            fate = self._keeping.fate(whole, now)
            if fate is RetentionDecision.ANNOUNCE:
                announced += [(one.id, *self._keeping.announced(whole, now)) for one in group]
            elif fate is RetentionDecision.PARDON:
                announced += [(one.id, 0, 0) for one in group]
            elif fate is RetentionDecision.DELETE:
                await self._delete(group)
        if announced:
            await self._saver.write(retention_repository.set_deletion, self._saver.store, announced)

    async def _delete(self, group: list[TableUsage]) -> None:
        if any(self._is_used(one.id) for one in group):
            return
        if await self._saver.write(retention_repository.delete_unwanted, self._saver.store, group):
            for one in group:
                log.info("Deleted table %s, unused for a long time", one.id)
                self._on_deleted(one.id)


def _as_one(group: list[TableUsage]) -> TableUsage:
    """Return a campaign's tables as one, because they are kept or deleted together: as old as the one last used.

    They count as announced only if each of them is; a table that was added since isn't.
    """
    used_at = max(one.used_at for one in group)
    goes_at = max(one.goes_at for one in group) if all(one.goes_at for one in group) else 0
    return replace(group[0], used_at=used_at, goes_at=goes_at, goes_day=max(one.goes_day for one in group))
