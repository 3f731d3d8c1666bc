"""People with links to a table who do what they may as often as they can."""

import time
from collections.abc import Callable
from typing import Any

from benchmarks.attacks.frames import each_connection
from benchmarks.attacks.raw import TEXT, RawSocket, frame
from benchmarks.attacks.target import Prepared, Target, attack
from benchmarks.attacks.transcripts import LONG, long_transcript
from benchmarks.attacks.web import ATTACKER
from cardhouse.server.wire.protocol import encode
from tests.server.talking import Person, TableMade, new_id

CROWD = 40
GAME_MASTERS = 10
DEAF = 100
ASK_SECONDS = 0.05
"""One connection may send 20 messages a second."""
SEATS = ("gm", "p1", "p2", "p3")


def crowd_at(table: TableMade) -> list[Person]:
    """Return many people who share the seats of a table."""
    return [table.sit(SEATS[number % len(SEATS)], source_address=(ATTACKER, 0)) for number in range(CROWD)]


def each_says(target: Target, people: list[Person], frame_of: Callable[[Person, int], dict[str, Any]]) -> None:
    """Let all of them send one message after another."""

    def work(number: int) -> None:
        person = people[number]
        target.play(person, lambda turn: frame_of(person, turn))

    target.at_once(len(people), work)


@attack(shared=True)
def sitting_and_leaving(target: Target) -> Prepared:
    """People join and leave a table where 40 others are, by 8 clients."""
    table = target.make_table(0, game="initiative", seats=3)
    people = crowd_at(table)
    sit = frame(TEXT, encode({"t": "sit", "table": table.id, "token": table.links["p1"]}))
    yield

    def work(_: int) -> None:
        for _ in target.turns(50_000):
            try:
                socket = RawSocket(target)
                socket.send(sit)
                target.count("asked")
                target.count("served", sum(socket.wait().values()))
                socket.close()
            except OSError:
                target.count("closed")

    target.at_once(8, work)
    for person in people:
        person.close()


@attack()
def sitting_again(target: Target) -> Prepared:
    """40 people join a table repeatedly without leaving."""
    table = target.make_table(0, game="initiative", seats=3)
    people = crowd_at(table)
    yield
    each_says(
        target, people, lambda person, _: {"t": "sit", "table": table.id, "token": table.links[person.seat], "since": 0}
    )


@attack()
def renaming(target: Target) -> Prepared:
    """40 people at a table change their names continually."""
    people = crowd_at(target.make_table(0, game="initiative", seats=3))
    yield
    each_says(target, people, lambda _, turn: {"t": "name", "name": f"{turn:040}"})


@attack()
def setting_odds(target: Target) -> Prepared:
    """10 people with the game master's link change who sees the odds, continually."""
    table = target.make_table(0, game="initiative", seats=3)
    people = [table.sit("gm", source_address=(ATTACKER, 0)) for _ in range(GAME_MASTERS)]
    yield
    each_says(target, people, lambda _, turn: {"t": "set", "odds": ("off", "gm", "all")[turn % 3]})


@attack()
def reissuing_links(target: Target) -> Prepared:
    """10 people with the game master's link renew the link of a seat, continually."""
    table = target.make_table(0, game="initiative", seats=3)
    people = [table.sit("gm", source_address=(ATTACKER, 0)) for _ in range(GAME_MASTERS)]
    yield
    each_says(target, people, lambda _, turn: {"t": "reissue", "seat": f"p{turn % 3 + 1}"})


@attack()
def long_names(target: Target) -> Prepared:
    """10 people with the game master's link add characters with long names, continually."""
    table = target.make_table(0, game="hackjack", seats=3)
    people = [table.sit("gm", source_address=(ATTACKER, 0)) for _ in range(GAME_MASTERS)]
    yield

    def add(person: Person, _: int) -> dict[str, Any]:
        answer = {"do": "add_character", "name": new_id().ljust(40, "\N{DROMEDARY CAMEL}"), "hp": 7, "max_hp": 9}
        return {"t": "answer", "id": new_id(), "at": person.n, "answer": answer}

    each_says(target, people, add)


@attack()
def asking_for_stories(target: Target) -> Prepared:
    """10 people at a table of 10,000 entries ask for its beginning, and for all their offers, continually."""
    table = target.import_table(0, long_transcript())
    people = [table.sit("p1", source_address=(ATTACKER, 0)) for _ in range(GAME_MASTERS)]
    yield
    each_says(target, people, lambda _, turn: {"t": "offers"} if turn % 2 else {"t": "story", "before": 100})


@attack()
def deaf_people(target: Target) -> Prepared:
    """100 people at a table of 10,000 entries ask for the log, continually, and read nothing."""
    table = target.import_table(0, long_transcript())
    sit = frame(TEXT, encode({"t": "sit", "table": table.id, "token": table.links["p1"]}))
    ask = frame(TEXT, encode({"t": "story", "before": LONG // 2}))
    yield

    def use(socket: RawSocket) -> None:
        socket.send(sit)
        for _ in target.turns():
            socket.send(ask)
            target.count("asked")
            time.sleep(ASK_SECONDS)

    each_connection(target, DEAF, use, plain=True)
