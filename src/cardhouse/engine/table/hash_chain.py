"""A running hash of a table's log, sent to every page, so that the log can't be changed afterwards.

Each *head* is an HMAC-SHA-256 under the dealer's seed, so it reveals nothing of an entry's secrets while the seed is
secret. Once the table has ended, anyone can compute it from the transcript.
"""

import hashlib
import hmac
from collections.abc import Sequence

from msgspec import Struct

from cardhouse.engine.chance.shared_randomness import CommitReveal
from cardhouse.engine.values.transcript import Line, write_line


class LogState(Struct, frozen=True):
    """The state of a log after an entry: its head, empty without a commitment, and its shared deal."""

    head: str = ""
    together: CommitReveal = CommitReveal()


def text_of(lines: Sequence[Line]) -> str:
    """Return an entry as it is stored: its lines of the transcript, without the last line end."""
    return "\n".join(map(write_line, lines))


def next_head(seed: bytes, head: str, text: str) -> str:
    """Return the head after an entry, from the previous one; the first follows the commitment. All in hex."""
    # Each answer has one: of OpenSSL's two ways, this one looks up less.
    return hmac.new(seed, f"log:{head}:{text}".encode(), "sha256").hexdigest()


def digest_of(id: str) -> str:
    """Return the SHA-256 of an answer's id, in hex: all that devices receive before the answer is saved.

    A server recognizes a repeated answer by its id, which is random. Only the sender may know it until the answer is
    saved, or others could have a different answer saved under it.
    """
    return hashlib.sha256(id.encode()).hexdigest()


def fixed(seed: bytes, head: str, line: Line) -> str:
    """Return the commitment to an answer that devices receive before they give their links.

    `line` is the answer as it will be logged, `head` that of the previous entry: neither can be exchanged afterwards.
    """
    return hmac.digest(seed, f"answer:{head}:{write_line(line)}".encode(), "sha256").hex()
