"""Errors in a game's own code: messages for its author."""

from __future__ import annotations

import sys
import traceback
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec

from cardhouse.engine.game.game import Game
from cardhouse.engine.values.errors import BadGame

_ENGINES = str(Path(__file__).parent.parent)
_MSGSPEC = str(Path(msgspec.__file__).parent)
_PYTHON = str(Path(traceback.__file__).parent)
_INSTALLED = ("site-packages", "dist-packages")
"""Python's folders for installed packages."""
_SAYS_NO_VALUE = (AttributeError, ImportError, IndexError, NameError, TypeError, ZeroDivisionError)
"""Python errors whose messages name types and names, and never hidden values."""


class GameCrashed(BadGame):
    """An error that a game's own code raised; `place` says where, as the beginning of a sentence.

    The message, which players may see, has only the error's type, unless its text can't contain values.
    """

    place: str = ""


def crash_of(subject: str, error: Exception) -> GameCrashed:
    """Return the message for an error raised by a game's own code, such as `The game` or `Highest.view`."""
    message = f"{type(error).__name__}: {error}" if type(error) in _SAYS_NO_VALUE else type(error).__name__
    place = f"{subject} crashed at {crash_place(error)}"
    crash = GameCrashed(f"{place}: {message.rstrip('.')}.")
    crash.place = place
    return crash


def wrong_rules(game: Game, error: Exception) -> BadGame:
    """Return the message for rules that raise an error, or ask something malformed."""
    if not any(_may_be_a_games(one.filename) for one in traceback.extract_tb(error.__traceback__)):
        return BadGame(
            f"{type(game).__name__} asks a malformed question ({error}): write Ask(key, rule, [offers]), with each "
            f"offer as Offer((seats), Action, {{field: allowed values}})."
        )
    return crash_of("The game", error)


def crash_place(error: BaseException) -> str:
    """Return the file and line where an error was raised: the game's own, if it passed through them."""
    steps = traceback.extract_tb(error.__traceback__)
    last = ([one for one in steps if _may_be_a_games(one.filename)] or steps)[-1]
    return f"{place_of(last.filename)}, line {last.lineno}"


def _may_be_a_games(file: str) -> bool:
    if file.startswith(("<", _ENGINES, _MSGSPEC)):
        return False
    return not file.startswith(_PYTHON) or any(part in file for part in _INSTALLED)


def place_of(file: str) -> str:
    """Return a file's name for its author, with its folder."""
    path = Path(file)
    return f"{path.parent.name}/{path.name}"


def why_not_loaded(error: Exception) -> str:
    """Return why a game's module couldn't be imported, as the end of a sentence."""
    if isinstance(error, TypeError) and "mutable collection" in str(error):
        place = traceback.extract_tb(error.__traceback__)[-1]
        return (
            f"a default in the class at line {place.lineno} of {place_of(place.filename)} is a list or dictionary with "
            f"content, which all tables would share: write msgspec.field(default_factory=lambda: …)."
        )
    return error_in_code(error)


def error_in_code(error: BaseException) -> str:
    """Return an error in an author's code, with its place, as a sentence without its full stop."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{place_of(error.filename)}, line {error.lineno}: {error.msg}"
    message = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{crash_place(error)}: {message}" if error.__traceback__ else message


def not_in_module(entry: EntryPoint, error: AttributeError) -> str:
    """Return the message for an entry point whose name its module lacks; "" for any other error."""
    module = sys.modules.get(entry.module)
    if module is None or error.obj is not module or hasattr(module, entry.attr.partition(".")[0]):
        return ""
    there = [name for name, one in vars(module).items() if isinstance(one, type) and issubclass(one, Game)]
    games = [name for name in there if getattr(module, name).__module__ == entry.module]
    named = " or ".join(f"{entry.module}:{name}" for name in games) or "a class of that module"
    return (
        f"its entry point names {entry.value}, and {entry.module} has no {entry.attr}: name {named} in pyproject.toml, "
        f"and install the package again."
    )
