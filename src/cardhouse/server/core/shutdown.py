"""A server that was told to stop: nobody new is taken in, and those who are here are told when to come again."""

from cardhouse.engine import CardhouseError

RETURNS_A_SECOND = 400
"""So many people can sit down again in a second without those who play noticing."""
LEAVE = "leave"
"""What stands in the message that a session finds behind the last one that came in time: it is to end.

Its value are the seconds within which the client is to come again. Of another type than the others, the framework would
take it for the end of the connection.
"""
SENTENCE = "The server is about to restart. Try again in a moment."
_SAFE = ("GET", "HEAD", "OPTIONS")


class Closing:
    """Whether this server is about to close, and `within` how many seconds those who are sent away come again.

    Each is to choose a moment of their own within these seconds, so that they don't come all at once.
    """

    def __init__(self) -> None:
        self.began = False
        self.within = 0

    def begin(self, sockets: int) -> None:
        """From now on nobody is taken in; so many sockets are open."""
        self.began = True
        self.within = sockets // RETURNS_A_SECOND

    def check(self, method: str) -> None:
        """Raises CardhouseError if the server is closing and the request changes something."""
        if self.began and method not in _SAFE:
            raise CardhouseError(SENTENCE, "closing")
