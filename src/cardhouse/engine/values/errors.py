"""Errors people read: one plain sentence each, saying what was wrong, where, and what would be right."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

Code = Literal[
    "bad_game",
    "closing",
    "ended",
    "full",
    "gone",
    "malformed",
    "newer",
    "no_commitment",
    "no_key",
    "no_roster",
    "no_such_device",
    "no_such_seat",
    "no_such_table",
    "not_allowed",
    "not_ended",
    "not_found",
    "not_installed",
    "not_offered",
    "not_saved",
    "not_yours",
    "nothing_to_redo",
    "nothing_to_undo",
    "old_link",
    "our_error",
    "read_only",
    "sit_first",
    "stale",
    "taken",
    "too_large",
    "too_long",
    "too_many",
    "unfair",
    "unknown_frame",
    "wrong_host",
    "wrong_origin",
]
"""The short words by which programs tell one refusal from another; docs/protocol.md says what they mean."""


class CardhouseError(Exception):
    """Something a person asked for that can't be done; the text is meant for that person.

    `code` is the short word a program goes by. `chance` says which of the lines of chance
    that came with an answer was wrong, counting from 1; 0 is the answer itself.
    """

    chance: int = 0

    def __init__(self, message: str, code: Code = "malformed") -> None:
        super().__init__(message)
        self.message = message
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors of all kinds go from one process to another as they are, whatever they are made from."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CardhouseError], args: tuple[Any, ...], known: dict[str, Any]) -> CardhouseError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(known)
    return error


class Refused(CardhouseError):
    """An answer that is not offered now; nothing has changed.

    `offers` are the ones the seat has instead, as the protocol writes them. Where the message names those too,
    `problem` is what it says before. Where one `field` of the answer is wrong, `fault` is the rest of a sentence that
    begins with it.
    """

    def __init__(
        self, message: str, code: Code = "not_offered", offers: Sequence[dict[str, Any]] = (), instead: str = ""
    ) -> None:
        self.field = self.fault = ""
        super().__init__(f"{message} {instead}".rstrip(), code)
        self.problem = message
        self.offers = list(offers)


class BadGame(CardhouseError, AssertionError):
    """A mistake in a game's rules or texts, told to its author: where it stands, and what to write instead.

    Being an AssertionError too, it is shown by pytest as what doesn't hold. The message names classes, words, seats and
    lines, and never a value that somebody may not know: players may come to read it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, "bad_game")


class BadTranscript(CardhouseError):
    """A transcript that can't be read on; `line` counts from 1."""

    def __init__(self, line: int, error: CardhouseError) -> None:
        super().__init__(f"Line {line}: {error.message}", error.code)
        self.line = line
        self.offers = error.offers if isinstance(error, Refused) else []


class Mistake(msgspec.Struct, frozen=True):
    """What is wrong in a file: the line, counted from 1, the field, and a sentence for whoever wrote it.

    The field is empty where the text as a whole is meant. The sentence names it.
    """

    line: int
    field: str
    message: str


class BadFile(CardhouseError):
    """A file that somebody wrote and that can't be used; `mistakes` are all there are, in the order of their lines."""

    def __init__(self, message: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(message)
        self.mistakes = list(mistakes)
