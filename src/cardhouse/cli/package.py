"""A package played from its folder without installation, as described by its pyproject.toml."""

import os
import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from cardhouse.engine import CardhouseError

GAMES = "cardhouse.games"
KEPT = ".cardhouse"
"""The subfolder of a package for the data of its tables."""


class Package(msgspec.Struct, frozen=True):
    """A package: its folder, its name, its requirements, and its entry points by group."""

    folder: Path
    name: str
    needs: list[str]
    entry_points: dict[str, dict[str, str]]

    @property
    def games(self) -> list[str]:
        """The names of its games; the first one is played."""
        return list(self.entry_points[GAMES])

    @property
    def kept(self) -> Path:
        """The folder for the data of its tables."""
        return self.folder / KEPT


def read_package(folder: Path) -> Package:
    """Read the pyproject.toml of a folder.

    Raises CardhouseError if there is none, or it names no game.
    """
    file = folder / "pyproject.toml"
    try:
        project: Any = tomllib.loads(file.read_text("utf-8")).get("project", {})
        package = msgspec.convert(
            {
                "folder": folder.resolve(),
                "name": project["name"],
                "needs": project.get("dependencies", []),
                "entry_points": project.get("entry-points", {}),
            },
            Package,
        )
    except (FileNotFoundError, NotADirectoryError):
        raise CardhouseError(f"There is no {file}: {_advice(folder)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CardhouseError(f"{file} can't be read: {error}.") from None
    except (KeyError, AttributeError, TypeError, msgspec.ValidationError):
        raise CardhouseError(f"{file} needs a [project] table with a name and entry points.") from None
    if not package.entry_points.get(GAMES):
        raise CardhouseError(
            f'{file} names no game: write [project.entry-points."{GAMES}"] and red_dog = "red_dog:RedDog".'
        )
    return package


def _advice(folder: Path) -> str:
    if not folder.exists() and Path.cwd().name == folder.name:
        return "you are already in that folder, so write a dot for it: cardhouse dev ."
    return "name the folder of a game's package, as cardhouse new NAME writes one."


def prepare(folder: Path) -> None:
    """Add the package's modules and entry points to the import path of this process and its children."""
    sources = [folder / KEPT / "site", folder / "src", folder]
    found = [str(place.resolve()) for place in sources]
    sys.path[:0] = found
    os.environ["PYTHONPATH"] = os.pathsep.join([*found, *filter(None, [os.environ.get("PYTHONPATH", "")])])


def register(package: Package) -> None:
    """Write the package's metadata so that its entry points are found like those of an installed package."""
    name = re.sub(r"[-_.]+", "_", package.name)
    package.kept.mkdir(mode=0o700, exist_ok=True)  # it holds links to seats
    shutil.rmtree(package.kept / "site", ignore_errors=True)
    info = package.kept / "site" / f"{name}-0.dist-info"
    info.mkdir(parents=True)
    (package.kept / ".gitignore").write_text("*\n", "utf-8")
    needs = "".join(f"Requires-Dist: {' '.join(one.split())}\n" for one in package.needs)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 0\n{needs}", "utf-8")
    lines = [
        line
        for group, points in package.entry_points.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
