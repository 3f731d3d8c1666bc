"""The printouts that the page offers, and their PDFs, made by worker processes.

These are the printouts of `cardhouse print`: functions registered as entry points, whose parameters become a form.
Visitors can't give paths as on the command line. A parameter that is a file takes an uploaded file, or a name that the
function itself completes (`autocompletion`); a parameter takes a visitor's text only if its `metavar` is TEXT, since
any other may be a path.
"""

import inspect
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Struct
from typer.models import ParameterInfo

from cardhouse.engine import CardhouseError, find_game, game_names
from cardhouse.engine.diagnostics.registry import installed, refusals
from cardhouse.lab.questions.settings import Kind, Setting
from cardhouse.server.table.factory import with_few_mistakes
from cardhouse.server.wire import requests

GROUP = "cardhouse.print"
OUTPUT = "output"
"""The parameter for the PDF's path; a function without it can't be used from the page."""
PDF = "printed.pdf"
MOST_FILES = 8
SECONDS = 90.0
"""Time limit of a PDF, which takes three seconds of a quiet machine; workers give way to everything else on theirs."""
LEFT_SECONDS = 4 * SECONDS
"""Age in seconds after which another process's work folder counts as abandoned."""
_FILE_NAME = re.compile(r"\w[\w.() -]{0,79}")
_KINDS: Mapping[Any, Kind] = {bool: "yes_no", int: "whole", float: "number", Path: "file"}


class PrintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Print something, with its settings as text and the uploaded files.

    A setting that is a file holds its name, or the name of one that comes with Cardhouse.
    """

    settings: dict[str, str] = {}
    files: dict[str, str] = {}


class PrintOption(Struct, frozen=True):
    """A setting of a printout: its description, type, range and default.

    The `choices` of a file are the names of built-in ones; `needed` is whether it is required.
    """

    name: str
    text: str
    kind: Kind
    usual: str
    least: float | None
    most: float | None
    choices: tuple[str, ...]
    needed: bool


class Print(Struct, frozen=True):
    """A printout: its name, the game that provides it (empty for none), title, description and settings."""

    name: str
    game: str
    title: str
    about: str
    options: list[PrintOption]


class Printed(NamedTuple):
    """A PDF, its file name, and advice for printing."""

    name: str
    pdf: bytes
    how: str


class _Option(NamedTuple):
    """A parameter of a function: its description for the page, its text format, and its type."""

    form_field: PrintOption
    setting: Setting
    type: Any


def prints() -> list[Print]:
    """Return all printouts, sorted by game and name, except those that can't be loaded or offered on the page."""
    found: list[Print] = []
    if find_spec("fpdf") is None:  # the extra `print` isn't installed
        return found
    for entry in installed(GROUP):
        with suppress(Exception):  # another package's code may raise anything
            found.append(describe_print(entry, entry.load()))
    return sorted(found, key=lambda one: (one.game, one.name))


def describe_print(entry: EntryPoint, function: Callable[..., Any]) -> Print:
    """Return the description of a printing function.

    Raises CardhouseError if it needs something that the page can't ask for.
    """
    title, _, about = inspect.cleandoc(function.__doc__ or "").partition("\n\n")
    sentences = [part for part in about.split("\n\n") if not part.lstrip().startswith("cardhouse ")]
    options = [one.form_field for one in _options_of(entry.name, function).values()]
    title = re.sub(r"^(Print|Make a PDF of)( an?| the)? ", "", _typeset(title)).removesuffix(".")
    return Print(
        entry.name, _game_of(entry), title[:1].upper() + title[1:], "\n".join(map(_typeset, sentences)), options
    )


def _typeset(text: str) -> str:
    """Return a text of the command line on one line, with apostrophes as in print."""
    return re.sub(r"(?<=\w)'", "\N{RIGHT SINGLE QUOTATION MARK}", " ".join(text.split()))


def _game_of(entry: EntryPoint) -> str:
    """Return the game whose package contains the function; empty for none."""
    for name in game_names():
        with suppress(CardhouseError):
            if f"{entry.module}.".startswith(f"{_folder(find_game(name).__module__)}."):
                return name
    return ""


def _folder(module: str) -> str:
    package, _, last = module.rpartition(".")
    return package if package and last == "rules" else module


def _options_of(name: str, function: Callable[..., Any]) -> dict[str, _Option]:
    """Return the parameters of a function that the page can offer.

    Raises CardhouseError if it has none for its PDF, or a required one that can't be offered.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters
    if OUTPUT not in parameters:
        raise CardhouseError(f"{name} has no parameter {OUTPUT}, and can't be printed here.", "not_found")
    found = {}
    for parameter in parameters.values():
        if parameter.name != OUTPUT:
            option = _option(parameter, hints.get(parameter.name, str))
            if option is not None:
                found[parameter.name] = option
            elif parameter.default is parameter.empty:
                raise CardhouseError(f"{name} needs {parameter.name}, which can't be asked for here.", "not_found")
    return found


def _option(parameter: inspect.Parameter, hint: Any) -> _Option | None:
    base, info = _unwrapped(hint)
    kind = _kind(base, info)
    if kind is None:
        return None
    names: Any = getattr(info, "autocompletion", None) if kind == "file" else None
    choices = tuple(names()) if names else get_args(base) if kind == "choice" else ()
    needed = parameter.default is parameter.empty
    default = None if needed else parameter.default
    text, least, most = (getattr(info, name, None) for name in ("help", "min", "max"))
    text = _typeset(text or "").replace(", or - for standard input", "")  # the page has none
    setting = Setting(
        name=parameter.name, text=text, kind=kind, default=default, least=least, most=most, choices=choices
    )
    shown = getattr(info, "show_default", None)  # a text, if the default stands for something else
    usual = setting.shown(default) if default is not None else shown if isinstance(shown, str) else ""
    form_field = PrintOption(parameter.name, setting.text, kind, usual, least, most, choices, needed)
    return _Option(form_field, setting, base)


def _unwrapped(hint: Any) -> tuple[Any, ParameterInfo | None]:
    """Return a parameter's type, without None, and its Typer settings."""
    info = None
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        info = next((one for one in more if isinstance(one, ParameterInfo)), None)
    if type(None) in get_args(hint):
        hint = next(one for one in get_args(hint) if one is not type(None))
    return hint, info


def _kind(base: Any, info: ParameterInfo | None) -> Kind | None:
    """Return the type of a form field; None if the page can't or shouldn't offer the parameter."""
    metavar = info.metavar if info is not None else None
    if get_origin(base) is Literal:
        return "choice"
    if base is str:
        return "file" if metavar == "FILE" else "text" if metavar == "TEXT" else None
    return _KINDS.get(base)


# Printing.


def printed(name: str, body: bytes) -> Printed:
    """Return the printout of this name, with the settings in the body of a request.

    Raises CardhouseError for an unknown name or an invalid setting, and what the function raises.
    """
    request = requests.read(body, PrintRequest)
    entry = next((one for one in installed(GROUP) if one.name == name), None)
    if entry is None:
        if name in refusals(GROUP):
            raise CardhouseError(refusals(GROUP)[name].message)
        raise CardhouseError(f'There is no "{name[:40]}" to print.', "not_found")
    return with_few_mistakes(lambda: make(entry, entry.load(), request))


def make(entry: EntryPoint, function: Callable[..., Any], request: PrintRequest) -> Printed:
    """Return the printout of a function, run in a folder of its own.

    Raises CardhouseError for an invalid setting, and what the function raises.
    """
    options = _options_of(entry.name, function)
    _check_files(request.files)
    values = {name: _value(options, name, text, request.files) for name, text in request.settings.items()}
    for name, option in options.items():
        if option.form_field.needed and name not in values:
            raise CardhouseError(f"{name.replace('_', ' ').capitalize()}: choose one first.")
    with _folder_of_its_own() as folder, redirect_stdout(StringIO()) as said:
        for called, text in request.files.items():
            (folder / called).write_text(text, "utf-8")
        function(**values, **{OUTPUT: PDF})
        pdf = (folder / PDF).read_bytes()
    how = said.getvalue().removeprefix(f"Wrote {PDF}. ").strip()
    return Printed(_file_name(entry.name, request), pdf, how)


def _value(options: Mapping[str, _Option], name: str, text: str, files: Mapping[str, str]) -> Any:
    """Parse the text of a setting.

    Raises CardhouseError if it is invalid.
    """
    if name not in options:
        known = ", ".join(options) or "none"
        raise CardhouseError(f'There is no option "{name[:40]}"; there are {known}.')
    form_field, setting, kind = options[name]
    if form_field.kind != "file":
        return setting.read(text)
    if text not in files and text not in form_field.choices:
        raise CardhouseError(f'{name}: the request has no file "{text[:40]}".')
    return Path(text) if kind is Path else text


def _check_files(files: Mapping[str, str]) -> None:
    """Raises CardhouseError unless these are valid names for files in the work folder."""
    if len(files) > MOST_FILES:
        raise CardhouseError(f"These are {len(files)} files. Send at most {MOST_FILES}.")
    for called in files:
        if called == PDF or not _FILE_NAME.fullmatch(called):
            raise CardhouseError(
                f'A file can\'t be called "{called[:80]}" here; give it a plain name, such as mine.toml.'
            )


def _file_name(name: str, request: PrintRequest) -> str:
    """Return the PDF's file name: that of the only uploaded file, otherwise the printout's."""
    first = next(iter(request.files), "")
    return f"{Path(first).stem or name}.pdf" if len(request.files) == 1 else f"{name}.pdf"


@contextmanager
def _folder_of_its_own() -> Iterator[Path]:
    """Create a work folder and change to it; also delete old ones that killed processes left behind."""
    prefix = f"cardhouse-print-{os.getppid()}-"
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > LEFT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix) as folder, chdir(folder):
        yield Path(folder)
