"""What a study that was stopped had come to, so that it goes on when it is asked again."""

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
from cardhouse.lab.questions.paths import cache_folder, let_go_of_unused, mark_used
from cardhouse.lab.statistics.histogram import Tally, no_trials

if TYPE_CHECKING:
    from cardhouse.lab.questions.cell import Cell
    from cardhouse.lab.questions.question import Question
    from cardhouse.lab.running.study import Study


LIBRARIES = ("builtins", "msgspec", "typing")
"""What classes of questions are made of beside their packages' own code."""
WORTH_KEEPING = 0.2
"""What took so many seconds to work out exactly is kept."""


class CellCheckpoint(NamedTuple):
    """What a cell had come to, and after how many trials it is to be seen whether they are enough."""

    tally: Tally
    goal: int


class CheckpointStore:
    """A folder of counts and exact numbers, each under a name made of all that they depend on.

    That is the question, its settings, for counts the seed and the stop rule, if there is one, and the program.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def found(self, study: Study, cell: Cell) -> CellCheckpoint | None:
        """What there is of a cell; None if there is nothing, or it can't be read, or is more than is asked for."""
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
        """Keep it; a full or read-only disk only means that it begins anew next time."""
        import numpy as np

        held: dict[str, Any] = {f"c{place}": counts for place, counts in enumerate(begun.tally.counts)}
        made = BytesIO()
        np.savez_compressed(made, trials=np.int64(begun.tally.trials), goal=np.int64(begun.goal), **held)
        self._write(self._file(study, cell), made.getvalue())

    def forget(self, study: Study) -> None:
        """The study is done."""
        for cell in study.cells:
            with suppress(OSError):
                self._file(study, cell).unlink(missing_ok=True)

    def exact(self, question: Question) -> Mapping[str, float]:
        """What is known exactly of a question, from before or worked out now."""
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
        """What was noted of something that is asked about a question, as plain data; None if nothing is there."""
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.msgpack.decode(self._note(question, asked).read_bytes())
        return None

    def note(self, question: Question, *asked: Any, found: Any) -> None:
        """Note it, so that asking the same goes on from it."""
        self._write(self._note(question, asked), msgspec.msgpack.encode(found))

    def forget_note(self, question: Question, *asked: Any) -> None:
        """It is done."""
        with suppress(OSError):
            self._note(question, asked).unlink(missing_ok=True)

    def _note(self, question: Question, asked: tuple[Any, ...]) -> Path:
        return self.folder / f"{_name(question, *asked)}.msgpack"

    def _file(self, study: Study, cell: Cell) -> Path:
        # Where it is looked depends on the whole of a stop rule; without one, more trials go on from fewer.
        rule = None if study.until is None else (study.until, study.confidence, study.trials)
        return self.folder / f"{_name(cell.question, cell.versus, study.seed, rule)}.npz"

    def _write(self, file: Path, content: bytes) -> None:
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            let_go_of_unused(self.folder)
            part = file.with_suffix(f".{os.getpid()}.part")
            part.write_bytes(content)
            part.replace(file)


def _name(question: Question, *more: Any) -> str:
    asked = [type(question).__qualname__, question.game, question, *more]
    return hashlib.sha256(msgspec.json.encode(asked) + code_of(type(question))).hexdigest()[:32]


def code_of(kind: type[Question]) -> bytes:
    """What identifies the code that plays a question's trials: the program, and the packages it and its game are of."""
    made_of = (*kind.__mro__, *(kind.rules or find_game(kind.game)).__mro__)
    modules = {each.__module__ for each in made_of if each.__module__.split(".")[0] not in LIBRARIES}
    packages = {
        package_of(Path(file)) for module in modules if (file := getattr(sys.modules[module], "__file__", None))
    } - {PACKAGE}
    return program() + b"".join(digest_of(package) for package in sorted(packages))


def program() -> bytes:
    """What the trials depend on beside their settings: a digest of the program itself."""
    return b"".join(digest_of(PACKAGE / part) for part in ("cards", "engine", "games", "lab", "player"))


def kept_counts() -> CheckpointStore:
    """Where the command line keeps them: among what Cardhouse can make anew at any time."""
    return CheckpointStore(cache_folder() / "lab")
