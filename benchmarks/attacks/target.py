"""The target of an attack: the server's port, its time limit, and a tally of results.

An attack is a generator with one `yield`: everything before it is preparation, and isn't measured.
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
"""The time after an attack in which its clients may still wait for a response."""
REPLY_SECONDS = 2.0
REPLIES = {
    "sit": "table",
    "name": "seats",
    "set": "settings",
    "reissue": "link",
    "offers": "offers",
    "story": "story",
}
"""The server's response to each kind of frame that it accepts."""


class Running(Server):
    """A server started elsewhere."""

    def __init__(self, port: int) -> None:
        self.port = port


class Target:
    """A server under attack, until `ends`. `tally` counts what was `asked`, `served` and `refused`.

    `errors` are responses with status 500, `closed` the connections that the server closed, or on which it sent nothing
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
        """The number of seconds left."""
        return self.ends - time.monotonic()

    def turns(self, most: int = MOST_TURNS) -> Iterator[int]:
        """Yield up to `most` turns while there is time."""
        for number in range(most):
            if self.left <= 0:
                return
            yield number

    def count(self, what: str, times: int = 1) -> None:
        """Count something; thread-safe."""
        with self._lock:
            self.tally[what] += times

    def count_status(self, status: int) -> None:
        """Count an HTTP response."""
        self.count("asked")
        if status == 0:
            self.count("closed")
        elif status == OUR_ERROR:
            self.count("errors")
        else:
            self.count("served" if status < 400 else "refused")

    def at_once(self, count: int, work: Callable[[int], None]) -> None:
        """Run the same work in this many threads, each with its number, until all finish or the attack is long over."""
        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, self.left + LATE_SECONDS))

    def web(self, source: str = ATTACKER) -> Web:
        """Return a client that waits for a response no longer than the attack lasts."""
        return Web(self.port, source, timeout=max(1.0, self.left))

    def ask_again_and_again(self, clients: int, *requests: tuple[Any, ...]) -> None:
        """Let this many clients make these requests (arguments of `Web.ask`) in turn, continually."""

        def work(client: int) -> None:
            web = self.web()
            for turn in self.turns():
                status, _ = web.ask(*requests[(client + turn) % len(requests)])
                self.count_status(status)

        self.at_once(clients, work)

    # Preparation.

    def make_table(self, number: int, **wanted: Any) -> TableMade:
        """Make a table for people with an address of their own."""
        return self._at(Web(self.port, address(number)).make_table(**wanted))

    def import_table(self, number: int, transcript: bytes) -> TableMade:
        """Make the same from a transcript."""
        return self._at(Web(self.port, address(number), timeout=120).import_table(transcript))

    def _at(self, made: dict[str, Any]) -> TableMade:
        return TableMade(Running(self.port), made["table"], made["links"])

    # People.

    def play(self, person: Person, frames: Callable[[int], dict[str, Any]]) -> None:
        """Send frames, each after the response to the previous one, and count the responses."""
        for turn in self.turns():
            if self.say(person, frames(turn)) == "closed":
                return

    def say(self, person: Person, frame: dict[str, Any]) -> str:
        """Send a frame, wait for its response, and count and return the outcome."""
        self.count("asked")
        try:
            person.say(**frame)
            outcome = self._outcome(person, frame)
        except (OSError, WebSocketException):
            outcome = "closed"
        self.count(outcome)
        return outcome

    def _outcome(self, person: Person, frame: dict[str, Any]) -> str:
        """Return a frame's outcome: `served`, `refused`, or `unheard` without a response."""
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
    """Return whether this is the server's response to the frame, or its broadcast because of it."""
    if frame["t"] == "answer":
        return frame["id"] in (heard.get("ack"), heard.get("id"))
    if frame["t"] == "let_bot":
        return any(entry.get("by") == seat for entry in heard.get("story", ()))
    return bool(heard["t"] == REPLIES[frame["t"]])


def allow_files(count: int) -> None:
    """Allow this process this many open files and connections, within the system's limit."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, most), most))


def step_back() -> None:
    """Make this process, and all that it starts, use only the CPU time that others leave.

    A real attacker has another machine; the CPU time used here for requests must not slow down the innocents.
    """
    os.nice(NICENESS)
    if hasattr(os, "SCHED_IDLE"):  # a merely nice process sometimes gets a slice before others
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def address(number: int) -> str:
    """Return an address that belongs to neither attackers nor innocents."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


Prepared = Iterator[None]


class Attack(NamedTuple):
    """An attack by name. A `shared` one is also made from the innocents' own address.

    With `once`, its request is made once during preparation, as anyone could: its memory counts from that peak. With
    `refused`, the server must refuse all that is asked.
    """

    name: str
    about: str
    begin: Callable[[Target], Prepared]
    shared: bool
    once: bool
    refused: bool


ATTACKS: dict[str, Attack] = {}
"""All attacks, in the order in which they run."""


def attack(
    *, shared: bool = False, once: bool = False, refused: bool = False
) -> Callable[[Callable[[Target], Prepared]], Callable[[Target], Prepared]]:
    """Turn a function that prepares, yields, and attacks into an attack; its docstring describes it in a line."""

    def add(begin: Callable[[Target], Prepared]) -> Callable[[Target], Prepared]:
        name = begin.__name__.replace("_", "-")
        ATTACKS[name] = Attack(name, (begin.__doc__ or "").strip().split("\n")[0], begin, shared, once, refused)
        return begin

    return add


def make_attack(told: Connection, begin: Callable[[Target], Prepared], port: int, seconds: float) -> None:
    """Attack in this process: prepare, report, wait for the start, and send the tally at the end."""
    step_back()
    allow_files(resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    target = Target(port, seconds)
    target.ends = time.monotonic() + 600  # as long as the preparation takes
    attacking = begin(target)
    next(attacking)
    told.send(None)
    told.recv()
    target.ends = time.monotonic() + seconds
    next(attacking, None)
    told.send(dict(target.tally))
