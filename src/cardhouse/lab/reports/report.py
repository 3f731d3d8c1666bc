"""Reports: a study's result as a file, for people or programs. The file's suffix decides which."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec

from cardhouse import __version__
from cardhouse.engine import CardhouseError
from cardhouse.lab.reports.summary import command_of
from cardhouse.lab.running.study import Result
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.tuning import Tuned
from cardhouse.lab.words.numbers import as_json

NEEDED: Final = ("altair", "polars", "vl_convert")


def check_target(path: Path) -> None:
    """Check, before anything is played, that a report can be written there.

    Raises CardhouseError for an unknown suffix, or a place where no file can be created.
    """
    _kind_of(path)
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise CardhouseError("Reports need more packages: pip install 'cardhouse[lab]'.")
    if path.is_dir():
        raise CardhouseError(f"{path} is a folder; a report is a file.")
    if not path.parent.is_dir():
        raise CardhouseError(f"There is no folder {path.parent} to write {path.name} in.")
    part = _part(path)
    try:
        part.touch()
        part.unlink()
    except OSError as error:
        raise _cannot(path, error) from None


def write(result: Result | Sensitivity | Tuned, path: Path, command: str = "") -> list[Path]:
    """Write a report, and return its files; `command` is the command that asks the same, if it isn't just the settings.

    For a study, CSV and Parquet are two files: the findings, and with `-counts` in its name the counts of each value. A
    file is written completely or not at all. Raises CardhouseError as `check_target` does.
    """
    made = render(result, path.suffix, command)
    files = {path: made}
    if isinstance(result, Result) and path.suffix.lower() in TABLES:
        files[path.with_name(f"{path.stem}-counts{path.suffix}")] = _counts(result, path.suffix)
    for file, content in files.items():
        part = _part(file)
        try:
            part.write_bytes(content)
            part.replace(file)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise _cannot(file, error) from None
    return list(files)


def render(result: Result | Sensitivity | Tuned, suffix: str, command: str = "") -> bytes:
    """Return a report as the content of a file with this suffix, such as `.html`.

    Raises CardhouseError for an unknown suffix.
    """
    kind = _kind_of(Path(f"report{suffix}"))
    if not isinstance(result, Result):
        from cardhouse.lab.reports import change_report

        return change_report.render(result, kind, command)
    return KINDS[kind](result, command or command_of(result.study))


def _html(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.html import page

    return page(result, command).encode()


def _png(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.images import png, poster

    return png(poster(result))


def _svg(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.images import poster, svg

    return svg(poster(result)).encode()


def _json(result: Result, command: str) -> bytes:
    document = {"cardhouse": __version__, "command": command, **as_json(result)}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _csv(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.tables import findings

    return findings(result).write_csv().encode()


def _parquet(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.tables import findings

    made = BytesIO()
    findings(result).write_parquet(made)
    return made.getvalue()


def _counts(result: Result, suffix: str) -> bytes:
    """Return the counts of each value, as the content of a file with this suffix."""
    from cardhouse.lab.reports.tables import histograms

    frame, made = histograms(result), BytesIO()
    if suffix.lower() == ".csv":
        frame.write_csv(made)
    else:
        frame.write_parquet(made)
    return made.getvalue()


KINDS: Final[dict[str, Callable[[Result, str], bytes]]] = {
    ".html": _html,
    ".png": _png,
    ".svg": _svg,
    ".csv": _csv,
    ".parquet": _parquet,
    ".json": _json,
}
"""The kinds of reports, by the suffix of their files."""

TABLES: Final = (".csv", ".parquet")


def _kind_of(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        *most, last = KINDS
        raise CardhouseError(f"A report is a file ending in {', '.join(most)} or {last}, not {path.name[:80]}.")
    return suffix


def _part(path: Path) -> Path:
    """Return the temporary name of a file being written."""
    return path.with_name(f"{path.name}.part")


def _cannot(path: Path, error: OSError) -> CardhouseError:
    return CardhouseError(f"{path} can't be written: {error.strerror or error}.")
