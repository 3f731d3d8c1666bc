"""What a game can have made to order: one says what is wanted, and the answer is a file for one of its options.

A design is one class, `class Deck(Design)`. Its fields are what may be wanted, as the settings of a question are, and
become the form on the page; `make` searches, and says what was found. A package tells of its designs by the entry point
`cardhouse.designs`: the name of a game = a tuple of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from cardhouse.engine import CardhouseError, brought_for
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import changes, settings_of

GROUP = "cardhouse.designs"
"""The entry points by which a package tells of what can be designed: the name of a game = a tuple of designs."""


class SoFar(msgspec.Struct, frozen=True):
    """How far a search is: so many steps are done, and what there is of the best so far: 7.02, `dogs that join`."""

    done: int
    number: str = ""
    text: str = ""


class MadeClaim(msgspec.Struct, frozen=True):
    """Something that was asked, in words: what it is about, how much was asked, what was found, and how that is known.

    `met` says whether the one is the other.
    """

    text: str
    asked: str
    found: str
    how: str
    met: bool


class MadeTable(msgspec.Struct, frozen=True):
    """A table of what else is known, in words: its title, what its columns are, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class DesignedFile(msgspec.Struct, frozen=True):
    """What was found: the value of the option and its file as text, and what it does.

    `title` says what it is, `about` what it is made of, `remarks` are sentences on what could not be had.
    """

    value: dict[str, Any]
    file: str
    title: str
    about: str
    claims: tuple[MadeClaim, ...] = ()
    tables: tuple[MadeTable, ...] = ()
    remarks: tuple[str, ...] = ()
    stopped: bool = False

    @property
    def met(self) -> bool:
        """Whether it has all that was asked."""
        return not self.remarks and all(claim.met for claim in self.claims)


class Design(Question, frozen=True, kw_only=True):
    """Something that can be made to order, with what may be wanted of it as its fields. No trials are played of it."""

    option: ClassVar[str]
    """The game's option whose file is made."""
    trial: ClassVar[str] = "step"

    @property
    def steps(self) -> int:
        """How many steps the search has, as `make` counts them."""
        raise NotImplementedError

    def make(
        self, *, workers: int | None = None, tell: Callable[[SoFar], None], halt: Callable[[], bool] = lambda: False
    ) -> DesignedFile | None:
        """Search, on so many cores, all of them if None; `tell` hears how it goes.

        Once `halt` is true, which may be asked from any thread, the best there is is told within a few seconds; None if
        there is nothing. What is wanted has been checked.
        """
        raise NotImplementedError

    @property
    def command(self) -> str:
        """What makes the same on the command line, but for where it is written."""
        words = ["cardhouse", "lab", self.game, self.name]
        for name, text in changes(type(self)(), self).items():
            words += [f"--{name.replace('_', '-')}", text]
        return shlex.join(words)


def designs_of(game: str) -> dict[str, type[Design]]:
    """What of a game can be designed, by name.

    Raises CardhouseError for a game that there isn't, and if they can't be loaded.
    """
    found: tuple[type[Design], ...] = brought_for(game, GROUP, f"The designs for {game}")
    return {design.name: design for design in found}


def find_design(game: str, name: str) -> type[Design]:
    """The design of this name.

    Raises CardhouseError for a game or a design that there isn't.
    """
    found = designs_of(game)
    if name not in found:
        there = f"; there are {', '.join(found)}" if found else ""
        raise CardhouseError(f'Nothing called "{name[:40]}" can be designed of {game}{there}.')
    return found[name]


def order(design: type[Design], texts: Mapping[str, str]) -> Design:
    """What somebody wants, as it was typed for each setting; what isn't said is as usual.

    Raises CardhouseError, in words, for what can't be wanted.
    """
    settings = settings_of(design)
    values = {}
    for name, text in texts.items():
        if name not in settings:
            raise CardhouseError(f'{design.name} has no setting "{name[:40]}"; it has {", ".join(settings)}.')
        values[name] = settings[name].read(text)
    wanted = design(**values)
    wanted.check_settings()
    return wanted
