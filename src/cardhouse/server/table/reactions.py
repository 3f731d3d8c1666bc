"""Reactions: shown to everyone at the table, stored nowhere."""

from collections.abc import Awaitable, Callable

from cardhouse.engine import SCREEN, CardhouseError, Table
from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.cluster.pubsub import ReactionSent, TableChannel
from cardhouse.server.table.broadcaster import Broadcaster, Client
from cardhouse.server.wire import protocol

RATE, BURST = 0.5, 4
"""Reactions of a seat, from all its devices, per second in the long run, and at once."""


class Reactions:
    """The reactions at one table.

    `people` are the clients here, `elsewhere` the channel to other servers; `table` returns None if the rules can't
    replay it. `check` raises CardhouseError if a client's link has been replaced.
    """

    def __init__(
        self,
        people: Broadcaster,
        elsewhere: TableChannel,
        table: Callable[[], Table | None],
        check: Callable[[Client], Awaitable[None]],
    ) -> None:
        self._people = people
        self._channel = elsewhere
        self._table = table
        self._check = check
        self._allowances: dict[str, TokenBucket] = {}

    async def throw(self, client: Client, sign: protocol.Sign) -> None:
        """Send a reaction to all.

        Raises CardhouseError for the screen, while the game requires silence, or over the limit; NotSaved.
        """
        if client.seat == SCREEN:
            raise CardhouseError("Only players with a seat can react.", "not_yours")
        if not self._allowances.setdefault(client.seat, TokenBucket(RATE, BURST)).take():
            raise CardhouseError("Too many reactions from this seat. Wait a moment.", "too_many")
        await self._check(client)
        self._refuse_in_silence()
        self._channel.tell(ReactionSent(client.seat, sign))
        self._people.send_to_all(protocol.Thrown(client.seat, sign))

    def hear(self, threw: ReactionSent) -> None:
        """Send on a reaction from another server."""
        self._people.send_to_all(protocol.Thrown(threw.seat, threw.sign))

    def _refuse_in_silence(self) -> None:
        """Raises CardhouseError if the current question requires silence."""
        table = self._table()
        if table is not None and table.asks()["key"] in table.kind.silent_at:
            raise CardhouseError("Reactions are off right now.", "not_offered")
