"""`cardhouse new`: writes a working package as the start of a new game."""

import keyword
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import typer

from cardhouse.engine import CardhouseError, game_names

STARTER = "starter"
_NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")


def begin_game(name: str, folder: str) -> None:
    """Write a package of this name into a new folder, and print the next steps.

    Raises CardhouseError for an invalid or used name, or an existing folder.
    """
    _check_name(name)
    place = Path(folder or name)
    if place.exists():
        raise CardhouseError(f"{place} exists already. Choose another name, or another folder with --folder.")
    types = files("cardhouse") / "views" / "contract.d.ts"
    written = [
        *_texts(files("cardhouse.cli") / STARTER / "package", Path(), name),
        (Path(name) / "page" / "cardhouse.d.ts", types.read_text("utf-8")),
    ]
    try:
        for file, text in written:
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            (place / file).write_text(text, "utf-8")
    except OSError as error:
        raise CardhouseError(f"{place} can't be written: {error.strerror}.") from None
    typer.echo(f"Created {place} with rules, words, a page, a bot, a question for the lab, and tests. Next:")
    for command in (f"pip install --editable {place}", f"pytest {place}", f"cardhouse dev {place}"):
        typer.echo(f"  {command}")


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise CardhouseError(f'A game can\'t be called "{name}": its name is one of a package, like "red_dog".')
    if name in game_names():
        raise CardhouseError(f"There is a game called {name} already. See cardhouse games.")
    if find_spec(name) is not None:
        raise CardhouseError(f"There is a Python package called {name} already. Choose another name.")


def _texts(folder: Traversable, below: Path, name: str) -> "list[tuple[Path, str]]":
    """Return the package's files with their paths, adapted to the name."""
    found: list[tuple[Path, str]] = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        place = below / _called(file.name, name)
        if file.is_dir():
            found += _texts(file, place, name) if file.name != "__pycache__" else []
        elif not file.name.endswith(".pyc"):
            found.append((place, _called(file.read_text("utf-8"), name)))
    return found


def _called(text: str, name: str) -> str:
    """Return the starter's text adapted to the name; the ids of its rules (`S-1`) get the name's first letter."""
    text = re.sub(r"\bS-(?=\d)", f"{name[0].upper()}-", text)
    text = re.sub(r"_s(?=\d\()", f"_{name[0]}", text)
    title = "".join(part.capitalize() for part in name.split("_"))
    return (
        text.replace('title = "Starter"', f'title = "{name.replace("_", " ").capitalize()}"')
        .replace(STARTER.capitalize(), title)
        .replace(STARTER, name)
    )
