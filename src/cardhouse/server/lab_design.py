"""What is made to order, as it is asked for over HTTP, made by the lab's process, and sent back."""

import pickle
from collections.abc import Callable
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from msgspec import Struct

from cardhouse.lab.design import Design, Made, SoFar, find_design, order
from cardhouse.lab.settings import changes
from cardhouse.server import bodies
from cardhouse.server.bodies import DesignWanted


class Order(Struct, frozen=True):
    """Something that somebody wants to have made."""

    question: Design

    @property
    def way(self) -> Literal["design"]:
        """How it is asked."""
        return "design"


class Same(NamedTuple):
    """What asks the same on the command line, on the page and in Python."""

    command: str
    link: str
    python: str


class Ordered(NamedTuple):
    """An order, and what makes the same elsewhere; in Python nothing does by a line."""

    order: Order
    same: Same


def ordered(game: str, name: str, body: bytes) -> Ordered:
    """What the body of a request wants to have made.

    Raises CardhouseError, in words, if that can't be.
    """
    wanted = order(find_design(game, name), bodies.read(body, DesignWanted).settings)
    link = f"/lab/{game}/{name}?{urlencode(changes(type(wanted)(), wanted))}"
    return Ordered(Order(wanted), Same(wanted.command, link, ""))


def make(
    asked: Order, workers: int, tell: Callable[[SoFar], None], halt: Callable[[], bool]
) -> tuple[list[bytes], bool]:
    """Have it made: what came of it in pieces, none if nothing did, and whether it was stopped."""
    made = asked.question.make(workers=workers, tell=tell, halt=halt)
    return ([], True) if made is None else ([pickle.dumps(made, pickle.HIGHEST_PROTOCOL)], made.stopped)


def made_of(pieces: list[bytes]) -> Made:
    """What came of it, of a process of our own."""
    made: Made = pickle.loads(b"".join(pieces))  # noqa: S301 (our own)
    return made
