"""What an attack is given: the server's port, how long it may go on, and a tally of what came of it.

An attack is a generator with one `yield`: what stands before it is preparation, and no part of what is measured.
"""

import os
import resource
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from websockets.exceptions import WebSocketException

from benchmarks.attacks.web import ATTACKER, Web
from tests.server.talking import Person, Server, TableMade

NICENESS = 19
MOST_TURNS = 1_000_000
OUR_ERROR = 500
LATE_SECONDS = 3.0
"""Who is still waiting for an answer so long after an attack is waited for no more."""
REPLY_SECONDS = 2.0
REPLIES = {
    "sit": "table",
    "name": "seats",
    "set": "settings",
    "reissue": "link",
    "offers": "offers",
    "story": "story",
}
"""What the server says to a frame that it takes."""


class Running(Server):
    """A server that somebody else started."""

    def __init__(self, port: int) -> None:
        self.port = port


class Target:
    """A server under attack, until `ends`. `tally` counts what was `asked`, `served` and `refused`.

    `errors` are answers with status 500, `closed` are connections that the server ended, or on which it said nothing
    before the attack was over.
    """

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.seconds = seconds
        self.ends = 0.0
        self.tally: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """How many seconds are left."""
        return self.ends - time.monotonic()

    def turns(self, most: int = MOST_TURNS) -> Iterator[int]:
        """So many turns, or as many as there is time for."""
        for number in range(most):
            if self.left <= 0:
                return
            yield number

    def count(self, what: str, times: int = 1) -> None:
        """Count something; any thread may."""
        with self._lock:
            self.tally[what] += times

    def count_status(self, status: int) -> None:
        """Count an HTTP answer."""
        self.count("asked")
        if status == 0:
            self.count("closed")
        elif status == OUR_ERROR:
            self.count("errors")
        else:
            self.count("served" if status < 400 else "refused")

    def at_once(self, count: int, work: Callable[[int], None]) -> None:
        """So many threads that do the same, each told its number, until all are done or the attack is long over."""
        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, self.left + LATE_SECONDS))

    def web(self, source: str = ATTACKER) -> Web:
        """A client that waits for an answer no longer than the attack lasts."""
        return Web(self.port, source, timeout=max(1.0, self.left))

    def ask_again_and_again(self, clients: int, *requests: tuple[Any, ...]) -> None:
        """So many clients that each make these requests (as `Web.ask` takes them) in turn, all the time."""

        def work(client: int) -> None:
            web = self.web()
            for turn in self.turns():
                status, _ = web.ask(*requests[(client + turn) % len(requests)])
                self.count_status(status)

        self.at_once(clients, work)

    # Before the attack.

    def make_table(self, number: int, **wanted: Any) -> TableMade:
        """A table of people at an address of their own."""
        return self._at(Web(self.port, address(number)).make_table(**wanted))

    def import_table(self, number: int, transcript: bytes) -> TableMade:
        """The same, of a transcript."""
        return self._at(Web(self.port, address(number), timeout=120).import_table(transcript))

    def _at(self, made: dict[str, Any]) -> TableMade:
        return TableMade(Running(self.port), made["table"], made["links"])

    # People.

    def play(self, person: Person, frames: Callable[[int], dict[str, Any]]) -> None:
        """Say one frame after the other, each when the one before it was answered, and count the answers."""
        for turn in self.turns():
            if self.say(person, frames(turn)) == "closed":
                return

    def say(self, person: Person, frame: dict[str, Any]) -> str:
        """Say a frame, wait for its answer, and count and tell what came of it."""
        self.count("asked")
        try:
            person.say(**frame)
            outcome = self._outcome(person, frame)
        except (OSError, WebSocketException):
            outcome = "closed"
        self.count(outcome)
        return outcome

    def _outcome(self, person: Person, frame: dict[str, Any]) -> str:
        """What came of a frame: `served`, `refused`, or `unheard`, where nothing more was said about it."""
        try:
            for _ in self.turns():
                heard = person.next(max(0.1, min(self.left, REPLY_SECONDS)))
                if heard["t"] == "error" and heard.get("id") == frame.get("id"):
                    return "refused"
                if is_reply(heard, frame, person.seat):
                    return "served"
        except TimeoutError:
            pass
        return "unheard"


def is_reply(heard: dict[str, Any], frame: dict[str, Any], seat: str) -> bool:
    """Whether this is what the server says to the seat that said that frame, or to all because of it."""
    if frame["t"] == "answer":
        return frame["id"] in (heard.get("ack"), heard.get("id"))
    if frame["t"] == "let_bot":
        return any(entry.get("by") == seat for entry in heard.get("story", ()))
    return bool(heard["t"] == REPLIES[frame["t"]])


def allow_files(count: int) -> None:
    """This process may have so many files and connections open, as far as the system lets it."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, most), most))


def step_back() -> None:
    """Have this process, and all that it starts, use only what others leave of the cores.

    An attacker has a machine of its own. What it uses here to ask must not be what keeps innocents waiting.
    """
    os.nice(NICENESS)
    if hasattr(os, "SCHED_IDLE"):  # whoever is only nice is given a slice before others, now and then
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def address(number: int) -> str:
    """Where somebody is who is neither an attacker nor an innocent."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


Prepared = Iterator[None]


class Attack(NamedTuple):
    """An attack by name. One that is `shared` is also made from the address that the innocents have themselves.

    With `once`, what it asks for is asked for once while it is prepared, as anybody may: its memory counts from the
    most that this took.
    """

    name: str
    about: str
    begin: Callable[[Target], Prepared]
    shared: bool
    once: bool


ATTACKS: dict[str, Attack] = {}
"""All of them, in the order in which they are made."""


def attack(
    *, shared: bool = False, once: bool = False
) -> Callable[[Callable[[Target], Prepared]], Callable[[Target], Prepared]]:
    """Makes an attack of a function that prepares, yields, and attacks; its docstring says in a line what it does."""

    def add(begin: Callable[[Target], Prepared]) -> Callable[[Target], Prepared]:
        name = begin.__name__.replace("_", "-")
        ATTACKS[name] = Attack(name, (begin.__doc__ or "").strip(), begin, shared, once)
        return begin

    return add


def make_attack(told: Connection, begin: Callable[[Target], Prepared], port: int, seconds: float) -> None:
    """Attack in this process: prepare, say so, wait to be told, and tell the tally at the end."""
    step_back()
    allow_files(resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    target = Target(port, seconds)
    target.ends = time.monotonic() + 600  # as long as it takes to prepare
    attacking = begin(target)
    next(attacking)
    told.send(None)
    told.recv()
    target.ends = time.monotonic() + seconds
    next(attacking, None)
    told.send(dict(target.tally))
