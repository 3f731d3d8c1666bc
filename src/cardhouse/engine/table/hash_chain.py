"""A running hash of a table's log, told to every page, so that the log can't be changed afterwards.

Each *head* is an HMAC-SHA-256 under the dealer's seed, so that it tells nothing of what an entry hides as long as the
seed is a secret; when the table has ended anybody can work it out from the transcript.
"""

import hashlib
import hmac
from collections.abc import Sequence

from msgspec import Struct

from cardhouse.engine.chance.shared_randomness import CommitReveal
from cardhouse.engine.values.transcript import Line, write_line


class LogState(Struct, frozen=True):
    """Where a log stands after one of its entries: its head, empty if there is none, and dealing together."""

    head: str = ""
    together: CommitReveal = CommitReveal()


def text_of(lines: Sequence[Line]) -> str:
    """An entry as it is kept: its lines of the transcript, without the last line end."""
    return "\n".join(map(write_line, lines))


def next_head(seed: bytes, head: str, text: str) -> str:
    """The head after an entry, from the one before it; before the first it is the commitment. All in hex."""
    # Each answer has one: of OpenSSL's two ways, this is the one with less to look up.
    return hmac.new(seed, f"log:{head}:{text}".encode(), "sha256").hexdigest()


def digest_of(id: str) -> str:
    """What devices are told of an answer's id before the answer is saved: SHA-256 in hex.

    An id is random, and by it a server knows an answer again that is sent twice. Nobody but the sender may know it
    before the answer is saved, or they could have another answer saved under it.
    """
    return hashlib.sha256(id.encode()).hexdigest()


def fixed(seed: bytes, head: str, line: Line) -> str:
    """What devices are told of an answer before they give their links: it can be no other answer, after no other log.

    `line` is the answer's as it will be logged, `head` that of the entry before it.
    """
    return hmac.digest(seed, f"answer:{head}:{write_line(line)}".encode(), "sha256").hex()
