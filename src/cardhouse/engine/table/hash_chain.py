"""A running hash of a table's log, sent to every page, so that the log can't be changed afterwards.

Each *head* is an HMAC-SHA-256 under the dealer's seed, so it reveals nothing of an entry's secrets while the seed is
secret. Once the table has ended, anyone can compute it from the transcript.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from cardhouse.engine.chance.shared_randomness import LINKS, CommitReveal
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


def fixed(seed: bytes, head: str, lines: Sequence[Line], expected: Mapping[int, str] | None) -> str:
    """Return the commitment to all that a draw depends on, which devices receive before they give their links.

    `lines` are the answer's own as it will be logged and the chance before its first draw, `head` is that of the
    previous entry, and `expected` the value that each listed device's link must hash to, by number. Older versions
    committed to no devices: None.
    """
    text = f"answer:{head}:{text_of(lines)}"
    if expected is not None:
        text += ":" + ",".join(f"{number}={expected[number]}" for number in sorted(expected))
    return hmac.digest(seed, text.encode(), "sha256").hex()


def lines_before_links(lines: Sequence[Line]) -> Sequence[Line]:
    """Return an entry's lines before its first line of links: all that was known when the devices were asked."""
    return list(takewhile(lambda line: LINKS not in line, lines))
