"""Reports: what came of a study as a file, for people or for other programs. Its ending says which."""

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
    """See to it, before anything is played, that a report can be written there.

    Raises CardhouseError, in words, for an ending that there is no report for, or a place where no file can be made.
    """
    _kind_of(path)
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise CardhouseError("For reports there is more to install: pip install 'cardhouse[lab]'.")
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
    """Write a report, and tell which files it is; `command` is what asks the same again, if not just the settings.

    Of a study CSV and Parquet are two files: the findings, and beside them, with `-counts` in its name, how often each
    value came up. A file is there whole or not at all. Raises CardhouseError as `check_target` does.
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
    """A report as it stands in a file with this ending, such as `.html`.

    Raises CardhouseError for an ending that there is no report for.
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
    told = {"cardhouse": __version__, "command": command, **as_json(result)}
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def _csv(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.tables import findings

    return findings(result).write_csv().encode()


def _parquet(result: Result, command: str) -> bytes:
    from cardhouse.lab.reports.tables import findings

    made = BytesIO()
    findings(result).write_parquet(made)
    return made.getvalue()


def _counts(result: Result, suffix: str) -> bytes:
    """How often each value came up, as a file with this ending."""
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
"""The reports there are, by the ending of their files."""

TABLES: Final = (".csv", ".parquet")


def _kind_of(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        *most, last = KINDS
        raise CardhouseError(f"A report is a file ending in {', '.join(most)} or {last}, not {path.name[:80]}.")
    return suffix


def _part(path: Path) -> Path:
    """What is being written, beside what it will be."""
    return path.with_name(f"{path.name}.part")


def _cannot(path: Path, error: OSError) -> CardhouseError:
    return CardhouseError(f"{path} can't be written: {error.strerror or error}.")
