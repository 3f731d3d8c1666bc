"""A real server in a separate process, and people who talk to it over real sockets."""

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import create_connection
from threading import Event
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardhouse.engine.values.delta import apply
from tests import asking
from tests.server.starting import cut_power, start

SECONDS = asking.SECONDS
"""A server that says nothing for so long has failed the test."""

ADMIN_KEY = "the administrator's"
"""The key with which every server here is administered."""
PROXIED = ("--proxy", "127.0.0.1")
"""Options of a server whose clients may say whom they ask for."""
FAST = ("--rate", "100000", "--burst", "100000", "--patience", "60", "--connections", "10000", *PROXIED)
"""Options of a server whose clients may say as much as they like, however slow the machine is."""

Frame = dict[str, Any]


def leave_it_the_machine() -> None:
    """For who asks again and again how far something is: without a pause they would keep it from being done."""
    Event().wait(0.05)


def asking_for(address: str) -> dict[str, str]:
    """The header in which a proxy says whom it asks for."""
    return {"X-Forwarded-For": address}


class Server:
    """A server that listens on a port of its own. `log` has what it wrote to stderr.

    Its process calls `prepare` before it starts.
    """

    def __init__(self, database: str, *options: str, log: Path, prepare: Callable[[], None] | None = None) -> None:
        self.database = database
        self.options = options
        self.log = log
        self.env = {"CARDHOUSE_ADMIN_KEY": ADMIN_KEY}
        self.prepare = prepare
        self.port = 0
        self.start()

    def start(self) -> None:
        options = ["--port", str(self.port), "--db", self.database, "--no-lab-ahead", *self.options]
        self.process, address = start(options, self.log, self.env, self.prepare)
        assert address, f"the server would not start:\n{self.log.read_text()}"
        self.port = int(address.rpartition(":")[2])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As a power cut does: the server and whatever works for it, at once."""
        cut_power(self.process)

    def stop(self) -> int | None:
        """Stop it gently; its exit status."""
        self.process.terminate()
        self.process.join(SECONDS)
        return self.process.exitcode

    def get(self, path: str, token: str | None = None, **headers: str) -> tuple[int, Any]:
        return self._ask(urllib.request.Request(self.address + path, headers=headers), token)

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._ask(urllib.request.Request(self.address + path, data, headers, method="POST"), None)

    def delete(self, path: str) -> tuple[int, Any]:
        return self._ask(urllib.request.Request(self.address + path, method="DELETE"), None)

    def raw(
        self, path: str, *, method: str = "GET", body: bytes | str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """What is answered as it is: its status, its headers by their names in lower case, and its bytes."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def post_claiming(self, path: str, length: int, **headers: str) -> tuple[int, Any]:
        """Announce a body of `length` bytes, send none of it, and read the server's answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.putrequest("POST", path)
            connection.putheader("Content-Type", "application/json")
            connection.putheader("Content-Length", str(length))
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def _ask(self, request: urllib.request.Request, token: str | None) -> tuple[int, Any]:
        request.add_header("Content-Type", "application/json")
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.status, _read(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _read(error)

    def make_table(self, **wanted: Any) -> "TableMade":
        status, made = self.post("/api/tables", {"game": "initiative", "seats": 3, **wanted})
        assert status == 201, made
        return TableMade(self, made["table"], made["links"], made["commitment"], made["mark"])


def _read(answer: Any) -> Any:
    text = answer.read().decode()
    return json.loads(text) if answer.headers.get_content_type() == "application/json" else text


@contextmanager
def running(database: str, *options: str, log: Path, prepare: Callable[[], None] | None = None) -> Iterator[Server]:
    """A server until the end of the block."""
    server = Server(database, *options, log=log, prepare=prepare)
    try:
        yield server
    finally:
        server.kill()


class TableMade:
    """A table on a server, its links, and the mark of its join code."""

    def __init__(self, server: Server, id: str, links: dict[str, str], commitment: str = "", mark: str = "") -> None:
        self.server = server
        self.id = id
        self.links = links
        self.commitment = commitment
        self.mark = mark

    def sit(self, seat: str, *, server: Server | None = None, **more: Any) -> "Person":
        return Person(server or self.server, self.id, self.links[seat], **more)

    def transcript(self, seat: str = "gm") -> list[Frame]:
        return self.transcript_by(self.links[seat])

    def transcript_by(self, token: str) -> list[Frame]:
        status, text = self.server.get(f"/api/tables/{self.id}/transcript", token)
        assert status == 200, text
        return [json.loads(line) for line in text.splitlines()]


_open_sockets = ExitStack()


def open_socket(server: Server, name: str = "127.0.0.1", **more: Any) -> ClientConnection:
    """A socket that is closed after the test at the latest, to a server by this name."""
    connection = create_connection(("127.0.0.1", server.port), SECONDS)
    options = {"open_timeout": SECONDS, "max_queue": None, "sock": connection, **more}
    socket: ClientConnection = connect(f"ws://{name}:{server.port}/ws", **options)
    return _open_sockets.enter_context(socket)


def close_sockets() -> None:
    """Close all that are open."""
    _open_sockets.close()


class Told:
    """What somebody was told at a table: `doc`, `offers`, `mine`, `n`, `story`, and every frame as it came."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.frames: list[Frame] = []
        self.story: list[Frame] = []
        self.offers: list[Frame] = []
        self.doc: Any = None
        self.mine = False
        self.n = -1

    def take_in(self, text: str) -> Frame:
        """Another frame."""
        frame: Frame = json.loads(text)
        self.texts.append(text)
        self.frames.append(frame)
        if frame["t"] in ("table", "change"):
            self.n = frame["n"]
            if frame["t"] == "table":
                self.doc = frame["doc"]
            elif "doc" in frame:
                self.doc = apply(self.doc, frame["doc"])
            self.offers = frame.get("offers", self.offers)
            self.mine = frame.get("mine", self.mine)
            self.story = frame["story"] if frame["t"] == "table" else [*self.story, *frame["story"]]
        return frame


class Person(Told):
    """Somebody in a seat, who keeps what the server told."""

    def __init__(self, server: Server, table: str, token: str, since: int | None = None, **more: Any) -> None:
        super().__init__()
        self.socket = open_socket(server, **more)
        self.say(t="sit", table=table, token=token, **({} if since is None else {"since": since}))
        self.table = self.hear("table")
        self.seat = self.table["you"]

    def say(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def next(self, timeout: float = SECONDS) -> Frame:
        """The next frame, taken in."""
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        return self.take_in(text)

    def hear(self, *kinds: str) -> Frame:
        """The next frame of these kinds; others are taken in on the way."""
        while True:
            frame = self.next()
            if frame["t"] in kinds:
                return frame

    def catch_up(self, n: int) -> None:
        """Hear everything up to entry `n`."""
        while self.n < n:
            self.next()

    def ask(self, answer: Any, *, id: str | None = None, at: int | None = None) -> Frame:
        """Give an answer and wait for what comes of it: a change or ack with its id, or an error."""
        id = id or new_id()  # noqa: A001
        self.say(t="answer", id=id, at=self.n if at is None else at, answer=answer)
        while True:
            frame = self.next()
            if frame.get("ack") == id or (frame["t"] in ("ack", "error") and frame.get("id") == id):
                return frame

    def do(self, word: str, **fields: Any) -> Frame:
        """Do something that is accepted."""
        frame = self.ask({"do": word, **fields})
        assert frame["t"] == "change", frame
        return frame

    def sync(self) -> None:
        """Hear everything the server has said to us so far."""
        self.say(t="ping")
        self.hear("pong")

    def close(self) -> None:
        self.socket.close()

    @property
    def is_open(self) -> bool:
        try:
            self.sync()
        except ConnectionClosed:
            return False
        return True


def new_id() -> str:
    return secrets.token_urlsafe(16)
