"""What servers say to each other, through Redis: of devices at tables that deal together, of signs thrown."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from cardhouse.server.core.tokens import new_token
from cardhouse.server.wire.protocol import Sign

ANSWER_SECONDS = 1.0
"""A server that answers no sooner isn't waited for."""


class TableMessage(Struct, frozen=True, tag_field="t", tag=str.lower):
    """Something about a table: its devices, or what is thrown on it."""


class DevicesQuery(TableMessage, frozen=True, tag="who"):
    """Which of this table's devices sit at your place?"""


class DevicesPresent(TableMessage, frozen=True, tag="here"):
    """These devices, by their numbers, sit here; `asked` is the last round that is known here."""

    numbers: list[int]
    asked: int


class DevicesLeft(TableMessage, frozen=True, tag="gone"):
    """These don't any more."""

    numbers: list[int]


class LinksRequested(TableMessage, frozen=True, tag="ask"):
    """An answer is about to draw: ask these devices for their links.

    `id` is a digest of the answer's; `after` the round of the same answer in which devices were away, 0 for none.
    """

    round: int
    id: str
    by: str
    fixed: str
    numbers: list[int]
    after: int = 0


class LinkSubmitted(TableMessage, frozen=True, tag="gave"):
    """A device gave its link."""

    number: int
    round: int
    link: str


class ReactionSent(TableMessage, frozen=True, tag="threw"):
    """Somebody in this seat threw a sign on the table."""

    seat: str
    sign: Sign


AnyWhere = DevicesQuery | DevicesPresent | DevicesLeft | LinksRequested | LinkSubmitted | ReactionSent


class _Message(Struct, array_like=True, frozen=True):
    sender: str
    table: str
    said: AnyWhere
    question: str = ""
    answers: str = ""


class Elsewhere:
    """The way from one table to the same at other servers; a house that is alone has none."""

    def tell(self, said: AnyWhere) -> None:
        """Let the others know."""

    async def ask_all(self, said: AnyWhere) -> None:
        """Let the others know, and wait until they do, and have said what there is to say."""


class Party:
    """All servers of one database. Messages of a table go to `hear`, with the server they come from.

    `publish` sends bytes to all, this server included, and tells how many there are.
    """

    def __init__(
        self, publish: Callable[[bytes], Awaitable[int]], hear: Callable[[str, str, AnyWhere], DevicesPresent | None]
    ) -> None:
        self._publish = publish
        self._hear = hear
        self._me = new_token()
        self._due: asyncio.Queue[tuple[_Message, asyncio.Future[int] | None]] = asyncio.Queue()
        self._waiting: dict[str, asyncio.Semaphore] = {}
        self._decode = msgspec.json.Decoder(_Message).decode
        self._speaking = asyncio.create_task(self._speak())

    def at(self, table: str) -> Elsewhere:
        """The way from this table."""
        return _AtTable(self, table)

    async def close(self) -> None:
        """Say nothing more."""
        self._speaking.cancel()
        await asyncio.gather(self._speaking, return_exceptions=True)

    def read(self, data: bytes) -> None:
        """A message that has come."""
        try:
            message = self._decode(data)
        except msgspec.DecodeError:
            return  # not ours
        answer: DevicesPresent | None = None
        if message.sender != self._me:
            answer = self._hear(message.table, message.sender, message.said)
        if message.question:
            self._put(_Message(self._me, message.table, answer or DevicesPresent([], 0), answers=message.question))
        if message.answers in self._waiting:
            self._waiting[message.answers].release()

    def tell(self, table: str, said: AnyWhere) -> None:
        """Let the others know something about a table."""
        self._put(_Message(self._me, table, said))

    async def ask_all(self, table: str, said: AnyWhere) -> None:
        """The same, and wait until all have answered, this server included, or for a while."""
        question, sent = new_token(), asyncio.get_running_loop().create_future()
        answers = self._waiting[question] = asyncio.Semaphore(0)
        self._put(_Message(self._me, table, said, question), sent)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                for _ in range(await sent):
                    await answers.acquire()
        except TimeoutError:
            pass
        finally:
            del self._waiting[question]

    def _put(self, message: _Message, sent: "asyncio.Future[int] | None" = None) -> None:
        self._due.put_nowait((message, sent))

    async def _speak(self) -> None:
        while True:
            message, sent = await self._due.get()
            heard = await self._publish(msgspec.json.encode(message))
            if sent is not None and not sent.done():
                sent.set_result(heard)


class _AtTable(Elsewhere):
    def __init__(self, party: Party, table: str) -> None:
        self._party = party
        self._table = table

    def tell(self, said: AnyWhere) -> None:
        self._party.tell(self._table, said)

    async def ask_all(self, said: AnyWhere) -> None:
        await self._party.ask_all(self._table, said)
