"""Designs: a user states requirements, and the answer is a file for one of the game's options.

A design is one class, `class Deck(Design)`. Its fields are the possible requirements, like the settings of a question,
and form the page's form; `make` searches, and reports what it found. A package declares its designs under the entry
point `cardhouse.designs`: the name of a game = a tuple of them.
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
"""The entry point group in which a package declares designs: the name of a game = a tuple of designs."""


class SoFar(msgspec.Struct, frozen=True):
    """The progress of a search: the steps done, and the best so far as number and text: 7.02, `dogs that join`."""

    done: int
    number: str = ""
    text: str = ""


class MadeClaim(msgspec.Struct, frozen=True):
    """A requirement in words: its subject, what was asked, what was found, and how that is known.

    `met` says whether it is fulfilled.
    """

    text: str
    asked: str
    found: str
    how: str
    met: bool


class MadeTable(msgspec.Struct, frozen=True):
    """A table of further results: its title, its columns, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class DesignedFile(msgspec.Struct, frozen=True):
    """The result: the value of the option, its file as text, and its properties.

    `title` names it, `about` describes what it is made of, and `remarks` are sentences on what was impossible.
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
        """Whether it has everything that was asked."""
        return not self.remarks and all(claim.met for claim in self.claims)


class Design(Question, frozen=True, kw_only=True):
    """A kind of file that can be made to order, with the possible requirements as its fields. It has no trials."""

    option: ClassVar[str]
    """The game's option whose file is made."""
    trial: ClassVar[str] = "step"

    @property
    def steps(self) -> int:
        """The number of steps in the search, as `make` counts them."""
        raise NotImplementedError

    def make(
        self, *, workers: int | None = None, tell: Callable[[SoFar], None], halt: Callable[[], bool] = lambda: False
    ) -> DesignedFile | None:
        """Search, on this many cores, all if None; `tell` receives the progress.

        Once `halt` is true, which may be asked from any thread, return the best so far within a few seconds; None if
        there is none. The requirements have been checked.
        """
        raise NotImplementedError

    @property
    def command(self) -> str:
        """The command that makes the same, without an output file."""
        words = ["cardhouse", "lab", self.game, self.name]
        for name, text in changes(type(self)(), self).items():
            words += [f"--{name.replace('_', '-')}", text]
        return shlex.join(words)


def designs_of(game: str) -> dict[str, type[Design]]:
    """Return a game's designs, by name.

    Raises CardhouseError for an unknown game, and if they can't be loaded.
    """
    found: tuple[type[Design], ...] = brought_for(game, GROUP, f"The designs for {game}")
    return {design.name: design for design in found}


def find_design(game: str, name: str) -> type[Design]:
    """Return the design of this name.

    Raises CardhouseError for an unknown game or design.
    """
    found = designs_of(game)
    if name not in found:
        there = f"; there are {', '.join(found)}" if found else ""
        raise CardhouseError(f'Nothing called "{name[:40]}" can be designed of {game}{there}.')
    return found[name]


def order(design: type[Design], texts: Mapping[str, str]) -> Design:
    """Return a design with a user's requirements, as typed for each setting; the rest are defaults.

    Raises CardhouseError for invalid requirements.
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
