"""A person with a program that sends what no client sends: frames and requests that are nearly right, or wrong."""

import random
from contextlib import suppress

from benchmarks.attacks.frames import each_connection
from benchmarks.attacks.raw import RawSocket, connect
from benchmarks.attacks.target import Prepared, Target, attack
from tests.server.fuzzing import Choices, nonsense, request_of, said, wire_of

INPUT = 600
CLIENTS = 2
ANSWER_SECONDS = 2.0
ROUTES = (
    ("/api/tables", ("POST",)),
    ("/api/tables/{table}/transcript", ("GET",)),
    ("/api/tables/{table}/replay", ("GET",)),
    ("/api/tables/{table}/seats", ("GET", "POST")),
    ("/api/games/{game}/options/{option}", ("GET", "POST")),
    ("/api/games/{game}/judge", ("POST",)),
    ("/api/games/{game}/roster", ("POST",)),
    ("/api/tables/import", ("POST",)),
    ("/api/campaigns/import", ("POST",)),
    ("/t/{table}", ("GET",)),
)


@attack()
def malformed_frames(target: Target) -> Prepared:
    """Frames made of random bytes, at a table of the attackers', as fast as possible, over 2 sockets."""
    table = target.make_table(0, game="initiative", seats=3)
    chance = random.Random(0)
    yield

    def use(connection: RawSocket) -> None:
        choices = Choices(chance.randbytes(INPUT))
        count = 0
        while not choices.is_over:
            connection.send(wire_of(choices, said(choices, table.links, table.id), deflates=True))
            count += 1
        connection.send(nonsense(choices))
        target.count("asked", count + 1)
        connection.heard()

    each_connection(target, CLIENTS, use)


@attack()
def malformed_requests(target: Target) -> Prepared:
    """Requests made of random bytes, as fast as they are answered, over 2 connections."""
    table = target.make_table(0, game="initiative", seats=3)
    chance = random.Random(0)
    ids = {"table": table.id, "game": "hackjack", "option": "wounds"}
    yield

    def work(client: int) -> None:
        for _ in target.turns():
            told = b""
            asked = request_of(Choices(chance.randbytes(INPUT)), ROUTES, ids, [*table.links.values()])
            with suppress(OSError), connect(target.port, timeout=ANSWER_SECONDS) as connection:
                connection.sendall(asked)
                told = connection.recv(65536)
            status = told[9:12]
            target.count_status(int(status) if status.isdigit() else 0)

    target.at_once(CLIENTS, work)
