"""Errors for people: one plain sentence each, saying what was wrong, where, and how to fix it."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from cardhouse.engine.values.documents import OfferDoc

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
"""Short codes by which programs tell refusals apart; docs/protocol.md explains them."""


class CardhouseError(Exception):
    """A request that can't be carried out; the text is for the person who made it.

    `code` is for programs. `chance` is the number of the invalid line of chance that came with an answer, counted from
    1; 0 means the answer itself.
    """

    chance: int = 0

    def __init__(self, message: str, code: Code = "malformed") -> None:
        super().__init__(message)
        self.message = message
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Restore an error of any subclass from its attributes when it is passed between processes."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CardhouseError], args: tuple[Any, ...], known: dict[str, Any]) -> CardhouseError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(known)
    return error


class Refused(CardhouseError):
    """An answer that isn't offered now; nothing has changed.

    `offers` lists what the seat is offered instead, as the protocol writes it. If the message names those too,
    `problem` is the part before. If one `field` of the answer is wrong, `fault` is the rest of a sentence that begins
    with it.
    """

    def __init__(
        self, message: str, code: Code = "not_offered", offers: Sequence[OfferDoc] = (), instead: str = ""
    ) -> None:
        self.field = self.fault = ""
        super().__init__(f"{message} {instead}".rstrip(), code)
        self.problem = message
        self.offers = list(offers)


class BadGame(CardhouseError, AssertionError):
    """A mistake in a game's rules or texts, for its author: its place, and the correction.

    It is an AssertionError too, so that pytest reports it as a failure. The message names classes, words, seats and
    lines, but no hidden values, because players may read it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, "bad_game")


class BadTranscript(CardhouseError):
    """A transcript that can't be read further; `line` counts from 1."""

    def __init__(self, line: int, error: CardhouseError) -> None:
        super().__init__(f"Line {line}: {error.message}", error.code)
        self.line = line
        self.offers = error.offers if isinstance(error, Refused) else []


class Mistake(msgspec.Struct, frozen=True):
    """A mistake in a file: the line, counted from 1, the field, and a sentence for the file's author.

    The field is empty if the whole text is meant. The sentence names the field.
    """

    line: int
    field: str
    message: str


class BadFile(CardhouseError):
    """A user's file that can't be used; `mistakes` has all of them, in the order of their lines."""

    def __init__(self, message: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(message)
        self.mistakes = list(mistakes)
