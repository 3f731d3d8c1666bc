"""The installed games: those that packages declare under the entry point group `cardhouse.games`.

A name that two packages claim is refused. If one of them is Cardhouse itself, its own stays: no package replaces it.
A package that needs another version of Cardhouse is refused whole.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any, NamedTuple

from cardhouse import __version__
from cardhouse.engine.diagnostics.declarations import check_game
from cardhouse.engine.diagnostics.runtime_errors import not_in_module, why_not_loaded
from cardhouse.engine.game.game import Game
from cardhouse.engine.values.errors import CardhouseError

log = logging.getLogger("cardhouse")
GROUP = "cardhouse.games"
SINGLE = {
    GROUP: "the game",
    "cardhouse.agents": "the scene for agents of",
    "cardhouse.print": "the print",
    "cardhouse.commands": "the command",
}
"""The groups in which only one package may use a name, with words for it; in all others several may add to a game."""
OURS = "cardhouse"


@cache
def installed(group: str) -> EntryPoints:
    """Return the entry points of a group, without refused names and packages.

    Cached, because a scan of all installed packages is slow, and any request may need it.
    """
    found, refused = entry_points(group=group), refusals(group)
    return EntryPoints(
        one
        for one in found
        if not misfit(one) and (one.name not in refused or (refused[one.name].ours and _is_ours(one)))
    )


class Refusal(NamedTuple):
    """A name claimed twice: whether it stays Cardhouse's own (`ours`), and the message about the rest."""

    ours: bool
    message: str


@cache
def refusals(group: str) -> dict[str, Refusal]:
    """Return the names in a group that several packages claim, or just one that doesn't fit this version."""
    claims: dict[str, dict[str, EntryPoint]] = {}
    for entry in entry_points(group=group) if group in SINGLE else ():
        claims.setdefault(entry.name, {})[f"{_package(entry)} ({entry.value})"] = entry
    several = {
        name: Refusal(any(map(_is_ours, by.values())), claimed_by_several(f"{SINGLE[group]} {name}", list(by)))
        for name, by in claims.items()
        if len(by) > 1
    }
    alone = {name: misfit(one) for name, by in claims.items() if len(by) == 1 for one in by.values()}
    return several | {name: Refusal(False, message) for name, message in alone.items() if message}


def claimed_by_several(name: str, packages: Sequence[str]) -> str:
    """Return the message about a name that several packages claim."""
    return (
        f"{' and '.join(packages)} both claim {name}. Only one can have the name: uninstall the other, or rename what "
        f"it brings in its pyproject.toml. Cardhouse's own always stays."
    )


def misfit(entry: EntryPoint) -> str:
    """Return the message about a package that needs another version of Cardhouse; "" if it fits."""
    if entry.dist is None or _is_ours(entry):
        return ""
    from packaging.requirements import InvalidRequirement, Requirement  # rarely needed

    for line in entry.dist.requires or ():
        try:
            needed = Requirement(line)
        except InvalidRequirement:
            continue
        if (
            needed.name.lower() == OURS
            and (needed.marker is None or needed.marker.evaluate({"extra": ""}))
            and not needed.specifier.contains(__version__, prereleases=True)
        ):
            return (
                f"{_package(entry)} needs cardhouse{needed.specifier}, and this is cardhouse {__version__}. Install a "
                f"matching version of Cardhouse, or another version of {entry.dist.name}."
            )
    return ""


def _package(entry: EntryPoint) -> str:
    return "a package" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"


def _is_ours(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == OURS


def look_again() -> None:
    """Clear the caches after packages were installed or removed; loaded games stay loaded."""
    for found in (installed, refusals, game_names, brought_for, game_packages):
        found.cache_clear()


@cache
def game_names() -> tuple[str, ...]:
    """Return the names of all installed games, in alphabetical order."""
    return tuple(sorted(installed(GROUP).names))


@cache
def find_game(name: str) -> type[Game]:
    """Return the game of this name.

    Raises CardhouseError if it isn't installed or can't be loaded, BadGame if its class is invalid.
    """
    if name not in game_names():
        if name in refusals(GROUP):
            raise CardhouseError(refusals(GROUP)[name].message)
        raise CardhouseError(f"There is no game called {name}. Installed: {', '.join(game_names()) or 'none'}.")
    if name in _INSTEAD:
        check_game(_INSTEAD[name], name)
        return _INSTEAD[name]
    for entry in installed(GROUP).select(name=name):
        try:
            game = entry.load()
        except Exception as error:  # other people's code: anything may be wrong with it
            missing = not_in_module(entry, error) if isinstance(error, AttributeError) else ""
            raise CardhouseError(f"The game {name} can't be loaded: {missing or why_not_loaded(error)}") from error
        if not (isinstance(game, type) and issubclass(game, Game)):
            raise CardhouseError(f"The entry point of the game {name} doesn't name a subclass of cardhouse.Game.")
        check_game(game, name)
        return game
    raise CardhouseError(f"The game {name} has been uninstalled since this program started.")


def package_of(game: str) -> str:
    """Return the package that provides a game, with its version; the game's own name if that is unknown."""
    return next(map(_package, installed(GROUP).select(name=game)), game)


@cache
def game_packages() -> dict[tuple[str, str], list[str]]:
    """Return the games of each installed package, by its name and version; both are empty if unknown."""
    found: dict[tuple[str, str], list[str]] = {}
    for entry in sorted(installed(GROUP), key=lambda entry: (not _is_ours(entry), entry.name)):
        dist = entry.dist
        found.setdefault(("", "") if dist is None else (dist.name, dist.version), []).append(entry.name)
    return found


def made_by(game: str) -> str:
    """Return the package of a third-party game, with its version, for a table's header; "" for Cardhouse's own."""
    entry = next(iter(installed(GROUP).select(name=game)), None)
    return "" if entry is None or entry.dist is None or _is_ours(entry) else _package(entry)


@cache
def brought_for(game: str, group: str, subject: str, called: str = "name") -> tuple[Any, ...]:
    """Return everything that packages provide for a game through a group's entry points, in order.

    Names, read from the attribute `called`, must be unique; Cardhouse's own win. Raises CardhouseError for an unknown
    game, and, naming the `subject`, if something can't be loaded or two other packages use the same name.
    """
    find_game(game)
    found: dict[str, tuple[EntryPoint, Any]] = {}
    for entry in sorted(installed(group).select(name=game), key=lambda entry: not _is_ours(entry)):
        try:
            brought = [(getattr(one, called), one) for one in entry.load()]
        except Exception as error:  # other people's code: anything may be wrong with it
            raise CardhouseError(f"{subject} can't be loaded: {type(error).__name__}: {error}.") from error
        for name, one in brought:
            first, _ = found.setdefault(name, (entry, one))
            if first is not entry:
                error_text = claimed_by_several(f'"{name}" of {game}', [_package(first), _package(entry)])
                if not _is_ours(first):
                    raise CardhouseError(f"{subject} can't be used: {error_text}")
                log.warning("%s", error_text)
    return tuple(one for _, one in found.values())


_INSTEAD: dict[str, type[Game]] = {}
"""Variants that are played in place of installed games."""


@contextmanager
def played_by(kind: type[Game]) -> Iterator[None]:
    """Find this class under its game's name in this process, in place of the installed one.

    It is for trying out a rule where nobody else plays.
    """
    before = _INSTEAD.get(kind.name)
    _instead(kind.name, kind)
    try:
        yield
    finally:
        _instead(kind.name, before)


def _instead(name: str, kind: type[Game] | None) -> None:
    if kind is None:
        del _INSTEAD[name]
    else:
        _INSTEAD[name] = kind
    find_game.cache_clear()
