"""Whether a game keeps its state where it can be kept, and goes by nothing that is another the next time."""

from __future__ import annotations

import ast

from cardhouse.engine import BadGame, Game
from cardhouse.engine.source import ENGINES_OWN, bases_of, made_anew, methods_of

_CHANCE = ("random", "secrets", "uuid")
_CLOCKS = ("time", "datetime", "date")
"""Modules, and classes in them, that rules have no business with."""


def check_state(game: Game) -> None:
    """Raises BadGame if a game, or a part of it, holds what its class doesn't declare."""
    known = {*ENGINES_OWN, *game.parts}
    for name in vars(game):
        if name not in known and not _is_made_anew(type(game), name):
            raise BadGame(
                f"{type(game).__name__}.{name} is set and is not declared, so that an undo forgets it: write "
                f"in the class {name}: <its type> = <its first value>."
            )
    for part in game.parts:
        check_state(getattr(game, part))


def _is_made_anew(kind: type[Game], name: str) -> bool:
    """Whether an attribute is worked out whenever a game is read, or when it is first asked for."""
    return name in made_anew(kind) or hasattr(getattr(kind, name, None), "__get__")


def check_source(kind: type[Game]) -> None:
    """Raises BadGame, with the line, if rules ask a random generator or a clock."""
    for base in bases_of(kind):
        for method in methods_of(base):
            for node in ast.walk(method.tree):
                if isinstance(node, ast.Call) and (asked := _asked(node)):
                    raise BadGame(f"{method.at(node)}: {asked}")


def _asked(call: ast.Call) -> str:
    """What to write instead of a call that asks chance or a clock; empty if it asks neither."""
    called = ast.unparse(call.func)
    module, _, name = called.rpartition(".")
    module = module.rpartition(".")[2]
    if module in _CHANCE:
        return f"{called}(…) is chance that no log would have: write yield from self.draw(…) or self.roll(…)."
    if (module in _CLOCKS and name not in ("date", "datetime", "time", "timedelta")) or called == "time.time":
        return f"{called}(…) is another at each replay: write yield from self.now()."
    return ""
