"""The parts of the page that installed games provide: a view and pages of their own, as ES modules.

A game's page is the folder `page` beside its rules (docs/page-contract.md). If it was built together with Cardhouse's
own page, that build's `games.json` lists its modules, and only its world is served from the folder.
"""

import hashlib
import logging
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine import CardhouseError, find_game, game_names
from cardhouse.engine.game.catalogue import folder_of
from cardhouse.server.core import static_cache

BUILT = "games.json"
"""The file of the built page that lists the games' modules built with it."""
MODULES = {"view": "index", "options": "options", "judge": "judge", "minute": "minute", "characters": "characters"}
"""The parts a game's page may have, and the names of their files."""
WORLD = "world"
"""The folder of a game's page that describes how its table looks."""
WORLD_FILES = {
    "horizon": "horizon.svg",
    "texture": "texture.svg",
    "poster": "poster.svg",
    "back": "back.svg",
    "face": "face.woff2",
    "title": "title.woff2",
}
SCRIPT = "text/javascript"
PAGE_BYTES = 32 * 2**20
"""Largest page of a game that is served; it is held in memory."""

log = logging.getLogger("cardhouse.server")


class Module(Struct, frozen=True, omit_defaults=True):
    """An ES module's address, its style sheets, and the modules it will import."""

    module: str
    styles: list[str] = []
    preload: list[str] = []


Colour = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]


class WorldColours(Struct, frozen=True, omit_defaults=True):
    """The content of `world/world.json`: colours of the cloth (lit, mid, edge), and of normal and quiet text on it.

    `pale` marks a cloth that needs dark text. `motion` names the way a card enters in a call-out.
    """

    cloth: Annotated[list[Colour], Meta(min_length=3, max_length=3)]
    ink: Colour
    quiet: Colour
    pale: bool = False
    motion: Annotated[str, Meta(pattern="^[a-z]{0,20}$")] = ""


class World(WorldColours, frozen=True, omit_defaults=True):
    """How a game's table looks: its colours, and the addresses of its drawings and its typefaces."""

    horizon: str = ""
    texture: str = ""
    poster: str = ""
    back: str = ""
    face: str = ""
    title: str = ""


class GamePage(Struct, frozen=True, omit_defaults=True):
    """A game's parts of the page; a missing part means that the page uses its default."""

    view: Module | None = None
    options: Module | None = None
    judge: Module | None = None
    minute: Module | None = None
    characters: Module | None = None
    world: World | None = None


@cache
def page_of(game: str) -> GamePage:
    """Return a game's parts of the page, or an empty page if the game can't be loaded."""
    folder = _folder(game)
    if folder is None:
        return GamePage()
    built = _built().get(game)
    modules = built or {part: module for part, name in MODULES.items() if (module := _module(game, folder, name))}
    return GamePage(**modules, world=_world(game, folder))


def runs_scripts(game: str) -> bool:
    """Return whether browsers get scripts of this game: they may do everything that the page does."""
    folder = _folder(game)
    served = [] if folder is None else _files(game, folder)
    return bool(_built().get(game)) or any(static_cache.type_of(name) == SCRIPT for name, _ in served)


@cache
def files_of_pages() -> dict[str, static_cache.File]:
    """Return all files of the games' pages, by their path below the root."""
    files: dict[str, static_cache.File] = {}
    for game in game_names():
        folder = _folder(game)
        if folder is not None:
            address = _address(game, folder)
            for name, content in _files(game, folder):
                files[f"{address}/{name}"] = static_cache.immutable_file(name, content)
    return files


def _world(game: str, folder: Path) -> World | None:
    """Return how a game's table looks; None if `world.json` is missing or invalid."""
    files = dict(_files(game, folder))
    description = files.get(f"{WORLD}/world.json")
    if description is None:
        return None
    try:
        colours = msgspec.json.decode(description, type=WorldColours)
    except msgspec.DecodeError as error:
        log.warning("%s is not used: %s", folder / WORLD / "world.json", error)
        return None
    at = f"/{quote(_address(game, folder))}/{WORLD}"
    there = {part: f"{at}/{name}" for part, name in WORLD_FILES.items() if f"{WORLD}/{name}" in files}
    world: dict[str, Any] = {**msgspec.structs.asdict(colours), **there}
    return World(**world)


def _module(game: str, folder: Path, name: str) -> Module | None:
    names = {path for path, _ in _files(game, folder)}
    if f"{name}.js" not in names:
        return None
    at = f"/{quote(_address(game, folder))}"
    return Module(f"{at}/{name}.js", [f"{at}/{name}.css"] if f"{name}.css" in names else [])


@cache
def _files(game: str, folder: Path) -> list[tuple[str, bytes]]:
    """Return the files of a game's page that a browser can load, by relative path; none if they are too large together.

    If the page was built with Cardhouse's own, these are only the files of its world: the build has its modules.
    """
    root = folder / WORLD if game in _built() else folder
    paths = sorted(path for path in root.rglob("*") if path.is_file() and _is_served(path.relative_to(folder)))
    if sum(path.stat().st_size for path in paths) > PAGE_BYTES:
        log.warning("The page in %s is not served: it has more than %d bytes", folder, PAGE_BYTES)
        return []
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]


def _is_served(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return static_cache.type_of(path.name) is not None and not hidden


def _address(game: str, folder: Path) -> str:
    """Return the path a page is served under.

    It depends on the content of all files, so browsers may cache them forever.
    """
    digest = hashlib.sha256()
    for name, content in _files(game, folder):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return f"games/{game}/{digest.hexdigest()[:16]}"


@cache
def _folder(game: str) -> Path | None:
    try:
        return folder_of(find_game(game)) / "page"
    except CardhouseError:  # reported when a table of this game is opened
        return None


@cache
def _built() -> dict[str, dict[str, Module]]:
    file = static_cache.FOLDER / BUILT
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Module]]) if file.is_file() else {}
