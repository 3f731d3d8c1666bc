"""A server that is shutting down: it refuses changes and tells clients when to reconnect."""

from cardhouse.engine import CardhouseError

RETURNS_A_SECOND = 400
"""How many clients can rejoin per second without a noticeable delay for players."""
LEAVE = "leave"
"""The key of the message that ends a session; it follows the last message that arrived in time.

Its value is the number of seconds within which the client should reconnect. The message has no type that the framework
knows, because it would take that for the end of the connection.
"""
SENTENCE = "The server is about to restart. Try again in a moment."
_SAFE = ("GET", "HEAD", "OPTIONS")


class Closing:
    """Whether this server is shutting down, and the seconds (`within`) over which clients spread their return.

    Each client reconnects at a random moment of this span, so that they don't all come at once.
    """

    def __init__(self) -> None:
        self.began = False
        self.within = 0

    def begin(self, sockets: int) -> None:
        """Start to refuse changes; `sockets` is the number of open sockets."""
        self.began = True
        self.within = sockets // RETURNS_A_SECOND

    def check(self, method: str) -> None:
        """Raises CardhouseError if the server is closing and the request changes something."""
        if self.began and method not in _SAFE:
            raise CardhouseError(SENTENCE, "closing")
