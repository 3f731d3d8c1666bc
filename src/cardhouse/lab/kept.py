"""What a study that was stopped had come to, so that it goes on when it is asked again."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import msgspec

from cardhouse.lab.folders import cache_folder
from cardhouse.lab.tally import Tally, no_trials

if TYPE_CHECKING:
    from cardhouse.lab.study import Cell, Study


class Kept:
    """A folder of counts, each under a name made of all that they depend on: question, settings, seed and program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def found(self, study: Study, cell: Cell) -> Tally | None:
        """What there is of a cell; None if there is nothing, or it can't be read, or is more than is asked for."""
        import numpy as np

        try:
            with self._file(study, cell).open("rb") as file, np.load(file, allow_pickle=False) as held:
                tally = Tally(int(held["trials"]), tuple(held[f"c{place}"] for place in range(len(held.files) - 1)))
        except (OSError, ValueError, KeyError, EOFError, AttributeError, BadZipFile):
            return None
        shapes = [counts.shape for counts in no_trials(cell.question, cell.versus).counts]
        fits = [counts.shape for counts in tally.counts] == shapes and 0 < tally.trials <= study.trials
        return tally if fits else None

    def keep(self, study: Study, cell: Cell, tally: Tally) -> None:
        """Keep it; a full or read-only disk only means that it begins anew next time."""
        import numpy as np

        file = self._file(study, cell)
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(".part.npz")
            held: dict[str, Any] = {f"c{place}": counts for place, counts in enumerate(tally.counts)}
            np.savez_compressed(part, trials=np.int64(tally.trials), **held)
            part.replace(file)

    def forget(self, study: Study) -> None:
        """The study is done."""
        for cell in study.cells:
            with suppress(OSError):
                self._file(study, cell).unlink(missing_ok=True)

    def _file(self, study: Study, cell: Cell) -> Path:
        asked = [type(cell.question).__qualname__, cell.question.game, cell.question, cell.versus, study.seed]
        name = hashlib.sha256(msgspec.json.encode(asked) + _program()).hexdigest()
        return self.folder / f"{name[:32]}.npz"


@cache
def _program() -> bytes:
    """What the trials depend on beside their settings: the program itself."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for part in ("cards", "engine", "games", "lab"):
        for file in sorted((package / part).rglob("*.*")):
            if file.suffix in (".py", ".toml"):
                digest.update(file.read_bytes())
    return digest.digest()


def kept_counts() -> Kept:
    """Where the command line keeps them: among what Cardhouse can make anew at any time."""
    return Kept(cache_folder() / "lab")
