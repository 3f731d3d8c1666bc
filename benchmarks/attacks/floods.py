"""One visitor who makes as many things as possible, or sends nonsense."""

from benchmarks.attacks.files import large_roster, slow_layout
from benchmarks.attacks.raw import TEXT, RawSocket, connect, frame
from benchmarks.attacks.target import Prepared, Target, attack

CLIENTS = 8


@attack(shared=True)
def tables(target: Target) -> Prepared:
    """Tables, made by 8 clients of one visitor."""
    yield
    target.ask_again_and_again(CLIENTS, ("POST", "/api/tables", {"game": "dogs", "seats": 19}))


@attack()
def tables_with_decks(target: Target) -> Prepared:
    """Tables with options of 500 kB and more, made by 8 clients of one visitor."""
    deck = slow_layout()["options"]["deck"]
    cards = {f"c{number}": {"text": "x" * 300, **deck["cards"]["p0"]} for number in range(280)}
    option = {"deck": {**deck, "cards": {**deck["cards"], **cards}}}
    yield
    target.ask_again_and_again(CLIENTS, ("POST", "/api/tables", {"game": "dogpile", "options": option}))


@attack()
def large_bodies(target: Target) -> Prepared:
    """Invalid bodies of the largest allowed size, by 8 clients."""
    body = large_roster(6_500)
    yield
    target.ask_again_and_again(CLIENTS, ("POST", "/api/tables", body), ("POST", "/api/tables/import", body * 8))


def request(method: bytes, path: bytes, *headers: bytes, body: bytes = b"") -> bytes:
    """Return a request as bytes."""
    head = (
        method + b" " + path + b" HTTP/1.1",
        b"Host: 127.0.0.1",
        b"Connection: close",
        *([b"Content-Length: %d" % len(body)] if body else []),
        *headers,
    )
    return b"\r\n".join(head) + b"\r\n\r\n" + body


JSON = b"Content-Type: application/json"
NESTED = b"[" * 2000
NONSENSE = (
    request(b"POST", b"/api/tables", JSON, body=NESTED),
    request(b"POST", b"/api/tables", JSON, body=b'{"game":' + NESTED),
    request(b"POST", b"/api/tables", JSON, body=b'{"game": "dogpile", "options": {"deck": ' + NESTED),
    request(b"POST", b"/api/tables", JSON, body=b'{"game": "\xff\xfe"}'),
    request(b"POST", b"/api/tables", JSON, body=b'{"game": "\\ud800"}'),
    request(b"POST", b"/api/tables", JSON, body=b'{"game": "initiative", "name": "\\ud800"}'),
    request(b"POST", b"/api/tables", b"Content-Type: application/json; charset=nonsense", body=b"{}"),
    request(b"POST", b"/api/tables", b"Content-Type: multipart/form-data", body=b"--x"),
    request(b"POST", b"/api/tables", b"Content-Type: application/x-msgpack", body=b"\xc1"),
    request(b"POST", b"/api/tables", b"Content-Type: \xff", body=b"{}"),
    request(b"POST", b"/api/tables", JSON, b"Content-Length: -1"),
    request(b"POST", b"/api/tables", JSON, b"Content-Length: x"),
    request(b"POST", b"/api/tables", JSON, b"Transfer-Encoding: chunked", body=b"zz\r\n"),
    request(b"POST", b"/api/tables/import", JSON, body=NESTED),
    request(b"POST", b"/api/tables/import", JSON, body=b"\xff\n\xff"),
    request(b"POST", b"/api/tables/import", JSON, body=b'{"cardhouse": 1, "game": "initiative", "options": ' + NESTED),
    request(b"POST", b"/api/games/dogpile/judge", JSON, body=b'{"cards":' + NESTED),
    request(b"POST", b"/api/games/hackjack/options/wounds", body=b"a = " + NESTED),
    request(b"POST", b"/api/games/hackjack/roster", body=NESTED),
    request(b"POST", b"/api/lab/initiative/order", JSON, body=b'{"settings": {"mine": "1-99999999999"}}'),
    request(b"POST", b"/api/lab/initiative/order", JSON, body=b'{"seed": 1e999}'),
    request(b"GET", b"/%ff%fe"),
    request(b"GET", b"/api/games/%00"),
    request(b"GET", b"/api/games/%ff"),
    request(b"GET", b"/api/games/initiative?" + b"a=%ff&" * 500),
    request(b"GET", b"/", b"If-None-Match: \xff", b"Accept-Encoding: \xff"),
    request(b"GET", b"/", b"Cookie: " + b"a=b; " * 1000),
    request(b"GET", b"/api/health", b"Accept: \xff/\xff;q=x"),
    request(b"GET", b"/api/tables/k3v9x2ab/transcript", b"Authorization: Bearer \xff\xff"),
    request(b"GET", b"/api/tables/k3v9x2ab/replay?seat=gm&after=" + b"9" * 5000, b"Authorization: Bearer x"),
    request(b"GET", b"/ws", b"Upgrade: websocket", b"Connection: Upgrade"),
    request(b"GET", b"/ws", b"Upgrade: websocket", b"Sec-WebSocket-Key: \xff", b"Sec-WebSocket-Version: 13"),
    request(b"BREW", b"/api/tables"),
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"GET / HTTP/9.9\r\n\r\n",
)
"""Nonsense of various kinds."""


@attack()
def nonsense(target: Target) -> Prepared:
    """Unreadable data: nested too deeply, invalid UTF-8, odd headers; by 4 clients."""
    yield

    def work(client: int) -> None:
        for turn in target.turns():
            target.count_status(status_of(target, NONSENSE[(client + turn) % len(NONSENSE)]))

    target.at_once(4, work)


def status_of(target: Target, said: bytes) -> int:
    """Return the status of the server's response to these bytes; 0 if there is none."""
    try:
        with connect(target.port, timeout=max(0.5, min(5, target.left))) as connection:
            connection.sendall(said)
            answer = connection.recv(1000)
        return int(answer.split()[1]) if answer.startswith(b"HTTP/") else 0
    except (OSError, ValueError, IndexError):
        return 0


@attack()
def nonsense_frames(target: Target) -> Prepared:
    """Unreadable frames, each over its own socket, by 4 clients."""
    frames = (
        frame(TEXT, b"\xff\xfe"),
        frame(TEXT, NESTED),
        frame(TEXT, b'{"t": "sit", "table": "\\ud800", "token": "\\ud800"}'),
        frame(TEXT, b"\0" * 10)[:-3],
        frame(TEXT, b"x" * 10, deflated=True)[:-3] + b"abc",
        frame(0x3, b"x"),
        frame(TEXT, b'{"t": "\\ud800"}'),
        frame(0x8, b"\0"),
    )
    yield

    def work(client: int) -> None:
        for turn in target.turns(50_000):
            try:
                socket = RawSocket(target)
                socket.send(frames[(client + turn) % len(frames)])
                target.count("asked")
                target.count("refused", sum(socket.wait(0.05).values()))
                socket.close()
            except OSError:
                target.count("closed")

    target.at_once(4, work)
