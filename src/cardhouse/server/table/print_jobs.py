"""What can be printed, as the page offers it, and the PDFs themselves, which worker processes make.

It is what `cardhouse print` prints: functions by entry point, whose parameters become a form. A visitor says none of
the paths that the command line takes. A parameter that is a file is one that they sent along, or a name that the
function itself completes (`autocompletion`); a text is theirs only where its `metavar` is TEXT, since any other may be
a path.
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
from cardhouse.server.table.factory import of_few_mistakes
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import PrintRequest

GROUP = "cardhouse.print"
OUTPUT = "output"
"""The parameter by which a function is told where to write its PDF; one without can't be printed from the page."""
PDF = "printed.pdf"
MOST_FILES = 8
SECONDS = 30.0
"""A PDF may take so long."""
LEFT_SECONDS = 4 * SECONDS
"""A folder to print in that is older was left behind."""
_FILE_NAME = re.compile(r"\w[\w.() -]{0,79}")
_KINDS: Mapping[Any, Kind] = {bool: "yes_no", int: "whole", float: "number", Path: "file"}


class PrintOption(Struct, frozen=True):
    """What one may choose about something to print: what it is about, what it may be, and what it is if nobody says.

    The `choices` of a file are the names of those that come along; `needed` is whether there has to be one.
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
    """Something to print: the word for it, the game that brings it, or nothing, what it is, and what one may choose."""

    name: str
    game: str
    title: str
    about: str
    options: list[PrintOption]


class Printed(NamedTuple):
    """A PDF, what to call it, and how it is best printed."""

    name: str
    pdf: bytes
    how: str


class _Option(NamedTuple):
    """A parameter of a function: as it is told, how a text for it is read, and its type."""

    told: PrintOption
    setting: Setting
    type: Any


def prints() -> list[Print]:
    """All that can be printed here, by name; what can't be loaded, or be asked for on a page, is left out."""
    found: list[Print] = []
    if find_spec("fpdf") is None:  # the extra `print` isn't installed
        return found
    for entry in installed(GROUP):
        with suppress(Exception):  # somebody else's code: anything may be wrong with it
            found.append(as_listed(entry, entry.load()))
    return sorted(found, key=lambda one: (one.game, one.name))


def as_listed(entry: EntryPoint, function: Callable[..., Any]) -> Print:
    """What is told of a function that prints.

    Raises CardhouseError if a page can't ask for what it needs.
    """
    title, _, about = inspect.cleandoc(function.__doc__ or "").partition("\n\n")
    sentences = [part for part in about.split("\n\n") if not part.lstrip().startswith("cardhouse ")]
    told = [one.told for one in _options_of(entry.name, function).values()]
    title = _joined(title).removeprefix("Print ")
    return Print(entry.name, _game_of(entry), title[:1].upper() + title[1:], "\n".join(map(_joined, sentences)), told)


def _joined(text: str) -> str:
    return " ".join(text.split())


def _game_of(entry: EntryPoint) -> str:
    """The game in whose package a function is; nothing if it is in none."""
    for name in game_names():
        with suppress(CardhouseError):
            if f"{entry.module}.".startswith(f"{_folder(find_game(name).__module__)}."):
                return name
    return ""


def _folder(module: str) -> str:
    package, _, last = module.rpartition(".")
    return package if package and last == "rules" else module


def _options_of(name: str, function: Callable[..., Any]) -> dict[str, _Option]:
    """What can be chosen on a page of the parameters of a function.

    Raises CardhouseError if it has none for its PDF, or one that has to be given and can't be asked for.
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
    text = (text or "").replace("; - for standard input", "")
    setting = Setting(
        name=parameter.name, text=text, kind=kind, default=default, least=least, most=most, choices=choices
    )
    shown = getattr(info, "show_default", None)  # in words, where the default stands for something else
    usual = setting.shown(default) if default is not None else shown if isinstance(shown, str) else ""
    told = PrintOption(parameter.name, setting.text, kind, usual, least, most, choices, needed)
    return _Option(told, setting, base)


def _unwrapped(hint: Any) -> tuple[Any, ParameterInfo | None]:
    """What a parameter is, without None, and what Typer is told of it."""
    info = None
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        info = next((one for one in more if isinstance(one, ParameterInfo)), None)
    if type(None) in get_args(hint):
        hint = next(one for one in get_args(hint) if one is not type(None))
    return hint, info


def _kind(base: Any, info: ParameterInfo | None) -> Kind | None:
    """What a page asks for; None if it can't, or had better not."""
    metavar = info.metavar if info is not None else None
    if get_origin(base) is Literal:
        return "choice"
    if base is str:
        return "file" if metavar == "FILE" else "text" if metavar == "TEXT" else None
    return _KINDS.get(base)


# Printing.


def printed(name: str, body: bytes) -> Printed:
    """What is printed under a name, as the body of a request asks for it.

    Raises CardhouseError if there is nothing of this name, for an option that can't be, and what the function raises.
    """
    wanted = requests.read(body, PrintRequest)
    entry = next((one for one in installed(GROUP) if one.name == name), None)
    if entry is None:
        if name in refusals(GROUP):
            raise CardhouseError(refusals(GROUP)[name].message)
        raise CardhouseError(f'There is no "{name[:40]}" to print.', "not_found")
    return of_few_mistakes(lambda: make(entry, entry.load(), wanted))


def make(entry: EntryPoint, function: Callable[..., Any], wanted: PrintRequest) -> Printed:
    """What a function prints, in a folder of its own.

    Raises CardhouseError for an option that can't be, and what the function raises.
    """
    options = _options_of(entry.name, function)
    _check_files(wanted.files)
    values = {name: _value(options, name, text, wanted.files) for name, text in wanted.settings.items()}
    for name, option in options.items():
        if option.told.needed and name not in values:
            raise CardhouseError(f"{name.replace('_', ' ').capitalize()}: choose one first.")
    with _folder_of_its_own() as folder, redirect_stdout(StringIO()) as said:
        for called, text in wanted.files.items():
            (folder / called).write_text(text, "utf-8")
        function(**values, **{OUTPUT: PDF})
        pdf = (folder / PDF).read_bytes()
    how = said.getvalue().removeprefix(f"Wrote {PDF}. ").strip()
    return Printed(_called(entry.name, wanted), pdf, how)


def _value(options: Mapping[str, _Option], name: str, text: str, files: Mapping[str, str]) -> Any:
    """What a text for an option means.

    Raises CardhouseError if it can't be.
    """
    if name not in options:
        known = ", ".join(options) or "none"
        raise CardhouseError(f'There is no option "{name[:40]}"; there are {known}.')
    told, setting, kind = options[name]
    if told.kind != "file":
        return setting.read(text)
    if text not in files and text not in told.choices:
        raise CardhouseError(f'{name}: the request has no file "{text[:40]}".')
    return Path(text) if kind is Path else text


def _check_files(files: Mapping[str, str]) -> None:
    """Raises CardhouseError unless these can be the names of files in a folder of their own."""
    if len(files) > MOST_FILES:
        raise CardhouseError(f"These are {len(files)} files. Send at most {MOST_FILES}.")
    for called in files:
        if called == PDF or not _FILE_NAME.fullmatch(called):
            raise CardhouseError(
                f'A file can\'t be called "{called[:80]}" here; give it a plain name, such as mine.toml.'
            )


def _called(name: str, wanted: PrintRequest) -> str:
    """What the PDF is called: as the file that it is made of, where there is one."""
    first = next(iter(wanted.files), "")
    return f"{Path(first).stem or name}.pdf" if len(wanted.files) == 1 else f"{name}.pdf"


@contextmanager
def _folder_of_its_own() -> Iterator[Path]:
    """A folder to work in. What was left by a process that was ended in the middle is swept away by the next."""
    prefix = f"cardhouse-print-{os.getppid()}-"
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > LEFT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix) as folder, chdir(folder):
        yield Path(folder)
