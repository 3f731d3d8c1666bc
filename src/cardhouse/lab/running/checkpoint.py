"""Checkpoints of stopped studies, which continue from them when asked again."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import BadZipFile

import msgspec

from cardhouse.engine import find_game
from cardhouse.lab.questions.fingerprint import PACKAGE, digest_of, package_of
from cardhouse.lab.questions.paths import cache_folder, delete_unused, mark_used
from cardhouse.lab.statistics.histogram import Tally, no_trials

if TYPE_CHECKING:
    from cardhouse.lab.questions.cell import Cell
    from cardhouse.lab.questions.question import Question
    from cardhouse.lab.running.study import Study


LIBRARIES = ("builtins", "msgspec", "typing")
"""Modules of a question's base classes whose code needs no digest."""
WORTH_KEEPING = 0.2
"""Exact numbers that took at least this many seconds are stored."""


class CellCheckpoint(NamedTuple):
    """The state of a cell, and after how many trials to check whether they are enough."""

    tally: Tally
    goal: int


class CheckpointStore:
    """A folder of counts and exact numbers, each named after everything that it depends on.

    That is the question, its settings, the program, and for counts the seed and any stop rule.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def found(self, study: Study, cell: Cell) -> CellCheckpoint | None:
        """Return a cell's checkpoint; None if it is missing, unreadable, or beyond the trials asked for."""
        import numpy as np

        try:
            with self._file(study, cell).open("rb") as file, np.load(file, allow_pickle=False) as held:
                counts = tuple(held[f"c{place}"] for place in range(len(held.files) - 2))
                tally, goal = Tally(int(held["trials"]), counts), int(held["goal"])
        except (OSError, ValueError, KeyError, EOFError, AttributeError, BadZipFile):
            return None
        shapes = [counts.shape for counts in no_trials(cell.question, cell.versus).counts]
        fits = [counts.shape for counts in tally.counts] == shapes and 0 < tally.trials <= study.trials
        return CellCheckpoint(tally, min(goal, study.trials)) if fits else None

    def keep(self, study: Study, cell: Cell, begun: CellCheckpoint) -> None:
        """Store a checkpoint; on a full or read-only disk the study just starts over next time."""
        import numpy as np

        held: dict[str, Any] = {f"c{place}": counts for place, counts in enumerate(begun.tally.counts)}
        made = BytesIO()
        np.savez_compressed(made, trials=np.int64(begun.tally.trials), goal=np.int64(begun.goal), **held)
        self._write(self._file(study, cell), made.getvalue())

    def forget(self, study: Study) -> None:
        """Delete the checkpoints of a finished study."""
        for cell in study.cells:
            with suppress(OSError):
                self._file(study, cell).unlink(missing_ok=True)

    def exact(self, question: Question) -> Mapping[str, float]:
        """Return a question's exact numbers, from the cache or computed now."""
        file = self.folder / f"{_name(question)}.json"
        with suppress(OSError, msgspec.DecodeError):
            known = msgspec.json.decode(file.read_bytes(), type=dict[str, float])
            mark_used(file)
            return known
        begun = time.perf_counter()
        found = question.exact()
        if time.perf_counter() - begun > WORTH_KEEPING:
            self._write(file, msgspec.json.encode(found))
        return found

    def noted(self, question: Question, *asked: Any) -> Any | None:
        """Return the notes on a search about a question, as plain data; None if there are none."""
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.msgpack.decode(self._note(question, asked).read_bytes())
        return None

    def note(self, question: Question, *asked: Any, found: Any) -> None:
        """Store notes, so that the same search can continue from them."""
        self._write(self._note(question, asked), msgspec.msgpack.encode(found))

    def forget_note(self, question: Question, *asked: Any) -> None:
        """Delete the notes of a finished search."""
        with suppress(OSError):
            self._note(question, asked).unlink(missing_ok=True)

    def _note(self, question: Question, asked: tuple[Any, ...]) -> Path:
        return self.folder / f"{_name(question, *asked)}.msgpack"

    def _file(self, study: Study, cell: Cell) -> Path:
        # The checks depend on the whole stop rule; without one, more trials continue from fewer.
        rule = None if study.until is None else (study.until, study.confidence, study.trials)
        return self.folder / f"{_name(cell.question, cell.versus, study.seed, rule)}.npz"

    def _write(self, file: Path, content: bytes) -> None:
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            delete_unused(self.folder)
            part = file.with_suffix(f".{os.getpid()}.part")
            part.write_bytes(content)
            part.replace(file)


def _name(question: Question, *more: Any) -> str:
    asked = [type(question).__qualname__, question.game, question, *more]
    return hashlib.sha256(msgspec.json.encode(asked) + code_of(type(question))).hexdigest()[:32]


def code_of(kind: type[Question]) -> bytes:
    """Return a digest of the code that plays a question: the program, and the packages of question and game."""
    made_of = (*kind.__mro__, *(kind.rules or find_game(kind.game)).__mro__)
    modules = {each.__module__ for each in made_of if each.__module__.split(".")[0] not in LIBRARIES}
    packages = {
        package_of(Path(file)) for module in modules if (file := getattr(sys.modules[module], "__file__", None))
    } - {PACKAGE}
    return program() + b"".join(digest_of(package) for package in sorted(packages))


def program() -> bytes:
    """Return a digest of the program, on which trials depend besides their settings."""
    return b"".join(digest_of(PACKAGE / part) for part in ("cards", "engine", "games", "lab", "player"))


def default_store() -> CheckpointStore:
    """Return the store of the command line, in Cardhouse's cache folder."""
    return CheckpointStore(cache_folder() / "lab")
