"""Checks that a game declares its state, and depends on nothing that differs in a replay."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cardhouse.engine import BadGame, Game
from cardhouse.engine.diagnostics.lint import (
    ENGINES_OWN,
    Method,
    bases_of,
    functions_of,
    methods_of,
    modules_of,
    recomputed_names,
)
from cardhouse.testing.set_order import ordered_sets

_CHANCE = ("random", "secrets", "uuid")
_CLOCKS = ("time", "datetime", "date")
"""Modules, and classes in them, that rules may not use."""


def check_state(game: Game) -> None:
    """Raises BadGame if a game, or a part of it, has an attribute that its class doesn't declare."""
    known = {*ENGINES_OWN, *game.parts}
    for name in vars(game):
        if name not in known and not _is_recomputed(type(game), name):
            raise BadGame(
                f"{type(game).__name__}.{name} is set but not declared, so an undo would lose it: write this in the "
                f"class: {name}: <its type> = <its first value>."
            )
    for part in game.parts:
        check_state(getattr(game, part))


def _is_recomputed(kind: type[Game], name: str) -> bool:
    """Return whether an attribute is recomputed when a game is loaded, or on first access."""
    return name in recomputed_names(kind) or hasattr(getattr(kind, name, None), "__get__")


def check_source(kind: type[Game]) -> None:
    """Raises BadGame, with the line, if rules use a random generator, a clock, or the order of a set."""
    for sentence in ordered_sets(kind):
        raise BadGame(sentence)
    for method in _all_of(kind):
        for node in ast.walk(method.tree):
            if isinstance(node, ast.Call) and (asked := _advice(node)):
                raise BadGame(f"{method.at(node)}: {asked}")
            if isinstance(node, ast.For) and (changed := _changed_while_gone_through(node)):
                raise BadGame(
                    f"{method.at(changed)}: {ast.unparse(node.iter)} is changed inside its own loop, which skips some "
                    f"items: write for {ast.unparse(node.target)} in list({ast.unparse(node.iter)})."
                )


def check_by(kind: type[Game]) -> None:
    """Raises BadGame, with the line, if rules use the answering seat (`by`) after a draw or roll.

    With a physical deck, that seat is the one that turned over the card.
    """
    for method in _all_of(kind):
        for game in method.games:
            drawn = ""
            for node in _in_order(method.tree):
                called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
                if called in (f"{game}.draw", f"{game}.roll"):
                    drawn = called
                elif called == f"{game}.ask":
                    drawn = ""
                elif drawn and isinstance(node, ast.Attribute) and ast.unparse(node) == f"{game}.by":
                    raise BadGame(
                        f"{method.at(node)}: after {drawn}(…), {game}.by may be the seat that turned over the card or "
                        f"rolled the dice: save it before, as in seat = {game}.by."
                    )


def _in_order(function: ast.FunctionDef) -> list[ast.expr]:
    """Return a function's expressions in source order; a call follows its arguments."""
    found = [node for node in ast.walk(function) if isinstance(node, ast.expr)]
    return sorted(found, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0))


def _all_of(kind: type[Game]) -> Iterator[Method]:
    """Yield the methods of a game, and the functions of its modules that take a game."""
    for base in bases_of(kind):
        yield from methods_of(kind, base)
    for module in modules_of(kind):
        yield from functions_of(kind, module)


_CHANGING = ("add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "take")
_GOES_AWAY = (ast.Break, ast.Return, ast.Raise)


def _changed_while_gone_through(loop: ast.For) -> ast.AST | None:
    """Return a statement that changes the collection being iterated, without leaving the loop; None without one."""
    gone_through = ast.unparse(loop.iter)
    if not isinstance(loop.iter, ast.Attribute | ast.Name):
        return None
    for block in _blocks(loop):
        for node in () if any(isinstance(one, _GOES_AWAY) for one in block) else block:
            call = node.value if isinstance(node, ast.Expr | ast.Assign) else None
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr in _CHANGING
                and ast.unparse(call.func.value) == gone_through
            ):
                return node
            if isinstance(node, ast.Delete) and any(
                ast.unparse(one).startswith(f"{gone_through}[") for one in node.targets
            ):
                return node
    return None


def _blocks(loop: ast.For) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements in a loop."""
    for node in ast.walk(loop):
        for name in ("body", "orelse"):
            if isinstance(block := getattr(node, name, None), list):
                yield block


def _advice(call: ast.Call) -> str:
    """Return the advice for a call that uses chance or a clock; empty for other calls."""
    called = ast.unparse(call.func)
    module, _, name = called.rpartition(".")
    module = module.rpartition(".")[2]
    if module in _CHANCE:
        return f"{called}(…) is chance that isn't logged: write yield from self.draw(…) or self.roll(…)."
    if called in ("time.sleep", "asyncio.sleep"):
        return f"{called}(…) would block all tables of a server: rules can't wait; set the time in alarm instead."
    if (module in _CLOCKS and name not in ("date", "datetime", "time", "timedelta")) or called == "time.time":
        return f"{called}(…) differs in each replay: write yield from self.now()."
    return ""
