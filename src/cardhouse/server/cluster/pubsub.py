"""Messages between servers about a table, through Redis: devices of the shared deal, and reactions."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from cardhouse.server.core.tokens import new_token
from cardhouse.server.wire.protocol import Sign

ANSWER_SECONDS = 1.0
"""Time limit for a server's answer."""


class TableMessage(Struct, frozen=True, tag_field="t", tag=str.lower):
    """A message about a table: its devices, or a reaction."""


class DevicesQuery(TableMessage, frozen=True, tag="who"):
    """Ask which of this table's devices are connected to other servers."""


class DevicesPresent(TableMessage, frozen=True, tag="here"):
    """The devices connected here, each with the last value of its chain that it showed, "" if unknown.

    `asked` is the last round known here.
    """

    shown: dict[int, str]
    asked: int


class DevicesLeft(TableMessage, frozen=True, tag="gone"):
    """The numbers of devices that have disconnected."""

    numbers: list[int]


class LinksRequested(TableMessage, frozen=True, tag="ask"):
    """An answer is about to draw: ask these devices for their links.

    `id` is a digest of the answer's id, `devices` lists all that are asked, and `numbers` those connected elsewhere.
    """

    round: int
    id: str
    by: str
    fixed: str
    devices: list[int]
    numbers: list[int]


class LinkSubmitted(TableMessage, frozen=True, tag="gave"):
    """The link that a device gave."""

    number: int
    round: int
    link: str


class ReactionSent(TableMessage, frozen=True, tag="threw"):
    """A reaction from this seat."""

    seat: str
    sign: Sign


AnyTableMessage = DevicesQuery | DevicesPresent | DevicesLeft | LinksRequested | LinkSubmitted | ReactionSent


class _Message(Struct, array_like=True, frozen=True):
    sender: str
    table: str
    said: AnyTableMessage
    question: str = ""
    answers: str = ""


class TableChannel:
    """The channel from a table to the same table at other servers; does nothing if there are none."""

    def tell(self, message: AnyTableMessage) -> None:
        """Send a message to the others."""

    async def ask_all(self, message: AnyTableMessage) -> None:
        """Send a message to the others, and wait until they have received it and answered."""


class Bus:
    """The servers of one database. Messages about a table go to `hear`, with the server that sent them.

    `publish` sends bytes to all servers, including this one, and returns how many there are.
    """

    def __init__(
        self,
        publish: Callable[[bytes], Awaitable[int]],
        hear: Callable[[str, str, AnyTableMessage], DevicesPresent | None],
    ) -> None:
        self._publish = publish
        self._hear = hear
        self._me = new_token()
        self._due: asyncio.Queue[tuple[_Message, asyncio.Future[int] | None]] = asyncio.Queue()
        self._waiting: dict[str, asyncio.Semaphore] = {}
        self._decode = msgspec.json.Decoder(_Message).decode
        self._speaking = asyncio.create_task(self._speak())

    def at(self, table: str) -> TableChannel:
        """Return the channel of this table."""
        return _AtTable(self, table)

    async def close(self) -> None:
        """Stop sending."""
        self._speaking.cancel()
        await asyncio.gather(self._speaking, return_exceptions=True)

    def read(self, data: bytes) -> None:
        """Handle a received message."""
        try:
            message = self._decode(data)
        except msgspec.DecodeError:
            return  # not ours
        answer: DevicesPresent | None = None
        if message.sender != self._me:
            answer = self._hear(message.table, message.sender, message.said)
        if message.question:
            self._put(_Message(self._me, message.table, answer or DevicesPresent({}, 0), answers=message.question))
        if message.answers in self._waiting:
            self._waiting[message.answers].release()

    def tell(self, table: str, message: AnyTableMessage) -> None:
        """Send a message about a table to the others."""
        self._put(_Message(self._me, table, message))

    async def ask_all(self, table: str, message: AnyTableMessage) -> None:
        """Send a message and wait until all servers, including this one, have answered, at most ANSWER_SECONDS."""
        question, sent = new_token(), asyncio.get_running_loop().create_future()
        answers = self._waiting[question] = asyncio.Semaphore(0)
        self._put(_Message(self._me, table, message, question), sent)
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


class _AtTable(TableChannel):
    def __init__(self, party: Bus, table: str) -> None:
        self._bus = party
        self._table = table

    def tell(self, message: AnyTableMessage) -> None:
        self._bus.tell(self._table, message)

    async def ask_all(self, message: AnyTableMessage) -> None:
        await self._bus.ask_all(self._table, message)
