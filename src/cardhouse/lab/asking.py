"""The lab in a line of Python, for notebooks: settings as one types them on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cardhouse.engine import CardhouseError
from cardhouse.lab import study
from cardhouse.lab.question import find_question
from cardhouse.lab.settings import cells
from cardhouse.lab.study import Result, Study

Value = str | int | float | Path
"""A setting's value, as one types it, or as Python has it."""


def ask(
    game: str,
    question: str,
    /,
    *,
    vs: Mapping[str, Value] | None = None,
    trials: int | None = None,
    until: float | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    cores: int | None = None,
    **settings: Value | Iterable[Value],
) -> Result:
    """Ask a question of the lab; a notebook shows the result.

    A setting is a value, several in a list or as the command line lists them (`hp="4,8,12"`), or a file's path; `vs`
    are those in which the variant differs that it is compared with. `until` and `confidence` are shares, `cores` is how
    many of this machine work on it, all of them if None; `study.ask` tells the rest.

    Raises CardhouseError, in words, for a question that there isn't or that makes no sense.
    """
    texts = {name: _listed(value) for name, value in settings.items()}
    chosen = cells(find_question(game, question), texts, {name: _text(it) for name, it in (vs or {}).items()}, _files)
    asked = Study(
        cells=chosen,
        trials=trials or (study.MOST_TRIALS if until else study.usual_trials(chosen)),
        seed=seed,
        confidence=confidence,
        until=until,
    )
    return study.ask(asked, workers=cores)


def _listed(value: Value | Iterable[Value]) -> str:
    if isinstance(value, str | int | float | Path):
        return _text(value)
    return ",".join(map(_text, value))


def _text(value: Value) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _files(text: str) -> Iterator[tuple[str, bytes]]:
    for file in map(Path, text.split(",")):
        try:
            content = file.read_bytes()
        except OSError as error:
            raise CardhouseError(f"{file} can't be read: {error.strerror or error}.") from None
        yield file.name, content
