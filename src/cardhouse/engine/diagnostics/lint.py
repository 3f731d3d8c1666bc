"""Mistakes that the text of rules shows but running them wouldn't, each with its line.

Rules that ask without `yield from` continue as if they had been answered, in a loop for ever; state that isn't declared
is lost at the next undo.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from cardhouse.engine.game.game import Game
from cardhouse.engine.values.questions import Ask, Offer

_ASKING = ("ask", "ask_simultaneously", "draw", "draw_face_down", "roll", "now", "step")
ENGINES_OWN = ("out", "learned", "secrets_out", "by", "whole", "sound_offers")
"""Attributes that every game has besides its state."""
_MADE_ANEW = ("__post_init__", "play_by")
"""Methods whose attributes aren't state: they are computed from the options whenever a game is read."""
_CALLED = re.compile(r"(yield from +)?\b\w+\.(?:\w+\.)?(\w+)\(")
_BARE = re.compile(r"^ *(?:\w+ *= *)?(?:yield +)?(\w+)\(", re.MULTILINE)
_SCOPES = (ast.FunctionDef, ast.Lambda)
_YIELDS = (ast.Yield, ast.YieldFrom)
_HANDED_ON = (ast.YieldFrom, ast.Return, ast.Call, ast.keyword, ast.Lambda, ast.Tuple, ast.List, ast.IfExp, ast.Starred)
"""The uses of rules that aren't run at once: other code may run them."""
_LOOKED_THROUGH = (ast.For, ast.comprehension)
"""Further uses of a generator that asks nothing, and so isn't rules."""
_MUST_BE_USED = (Ask, Offer)
_LOST = (ast.Expr, ast.Yield)
"""The uses that make no sense for the result of a module's generator function."""


class Method(NamedTuple):
    """A method of a game's class, or a function of its modules, as source.

    `games` maps the names in it that are games to their classes; `known` has its module's names.
    """

    file: Path
    tree: ast.FunctionDef
    games: Mapping[str, type[Game]]
    known: Mapping[str, Any]

    def at(self, node: ast.AST) -> str:
        """Return the file and line of a node in it."""
        return f"{self.file.parent.name}/{self.file.name}, line {getattr(node, 'lineno', self.tree.lineno)}"


def unread_rules(kind: type[Game]) -> Iterator[str]:
    """Yield a sentence for each call of rules that doesn't run them, and for state that the class doesn't declare."""
    rules, state = _all_rules(kind), _all_state(kind)
    for module in modules_of(kind):
        if _may_not_run(rules, module):
            for function in functions_of(kind, module):
                yield from _not_run(function)
    for base in bases_of(kind):
        if _may_not_run(rules, base.__module__):
            for method in methods_of(kind, base):
                yield from _not_run(method)
                yield from _find_unused(method)
        if not state.issuperset(_set_in(_text_of(base.__module__))):
            for method in methods_of(kind, base):
                yield from _not_declared(kind, state, method)


def _set_in(text: str) -> Iterator[str]:
    """Yield the attributes of `self` that a text seems to set."""
    for part in re.split(r"[\n()]", text):
        for left, right in pairwise(part.split("=")):
            if right:  # or it is a comparison
                yield from re.findall(r"self\.(\w+)", left)[:1]


def _may_not_run(rules: set[str], module: str) -> bool:
    """Return whether a module has a call that needs a closer look."""
    text, known = _text_of(module), vars(sys.modules[module])
    return any(not run and name in rules for run, name in _CALLED.findall(text)) or any(
        inspect.isgeneratorfunction(known.get(name)) or known.get(name) in _MUST_BE_USED for name in _BARE.findall(text)
    )


def bases_of(kind: type[Game]) -> Iterator[type]:
    """Yield a game's class and its bases, without the engine's own."""
    for base in kind.__mro__:
        if base is Game:
            return
        yield base


def modules_of(kind: type[Game]) -> list[str]:
    """Return the modules of a game's class and its bases, and of the functions that they import from their packages."""
    homes = dict.fromkeys(base.__module__ for base in bases_of(kind))
    packages = tuple(home.rpartition(".")[0] or home for home in homes)
    taken = (one for home in homes for one in vars(sys.modules[home]).values() if inspect.isfunction(one))
    return list(dict.fromkeys([*homes, *(one.__module__ for one in taken if one.__module__.startswith(packages))]))


def _text_of(module: str) -> str:
    """Return the source of a module; "" if it isn't available."""
    try:
        path = Path(inspect.getfile(sys.modules[module]))
        return _text_in(path, path.stat().st_mtime_ns)
    except (KeyError, OSError, TypeError):
        return ""


@cache
def _text_in(path: Path, changed: int) -> str:
    """Return a file's text.

    Its author may change it while this runs, so the cache depends on the time of the change.
    """
    return path.read_text("utf-8")


def tree_of(module: str) -> ast.Module:
    """Return the syntax tree of a module; an empty one if its source isn't available."""
    return _tree_of(_text_of(module))


@cache
def _tree_of(text: str) -> ast.Module:
    return ast.parse(text)


def methods_of(kind: type[Game], base: type) -> Iterator[Method]:
    """Yield the methods that one of a game's classes defines itself, as far as their source is available."""
    for node in tree_of(base.__module__).body:
        if isinstance(node, ast.ClassDef) and node.name == base.__name__:
            for one in node.body:
                if isinstance(one, ast.FunctionDef):
                    yield _as_method(one, base.__module__, {"self": kind})


def functions_of(kind: type[Game], module: str) -> Iterator[Method]:
    """Yield the functions of a module that take a game."""
    for node in tree_of(module).body:
        if isinstance(node, ast.FunctionDef) and (games := _games_given(kind, node, vars(sys.modules[module]))):
            yield _as_method(node, module, games)


def _as_method(tree: ast.FunctionDef, module: str, games: Mapping[str, type[Game]]) -> Method:
    return Method(Path(inspect.getfile(sys.modules[module])), tree, games, vars(sys.modules[module]))


def _games_given(kind: type[Game], function: ast.FunctionDef, known: Mapping[str, Any]) -> dict[str, type[Game]]:
    """Return a function's parameters that are games, with their classes: those annotated so, or called `game`."""
    found = {}
    for parameter in function.args.args:
        if parameter.annotation is None:
            if parameter.arg == "game":
                found[parameter.arg] = kind
            continue
        named = known.get(ast.unparse(parameter.annotation).strip("'\""))
        if isinstance(named, type) and issubclass(named, Game):
            found[parameter.arg] = kind if issubclass(kind, named) else named
    return found


def _all_rules(kind: type[Game]) -> set[str]:
    """Return the names of all methods of a game and its parts that ask something."""
    found = {name for name in dir(kind) if _is_rules(kind, name)}
    return found.union(_ASKING, *map(_all_rules, kind.parts.values()))


def _is_rules(kind: type[Game], name: str) -> bool:
    return name in _ASKING or inspect.isgeneratorfunction(inspect.getattr_static(kind, name, None))


def recomputed_names(kind: type[Game]) -> set[str]:
    """Return the attributes that a game computes whenever it is read, among other names in the methods that do so."""
    return {
        name
        for base in bases_of(kind)
        for made in map(vars(base).get, _MADE_ANEW)
        if made is not None
        for name in made.__code__.co_names
    }


def _all_state(kind: type[Game]) -> set[str]:
    """Return the attributes that a game may set: its state, what it computes, and what properties set."""
    properties = {name for name in dir(kind) if hasattr(type(inspect.getattr_static(kind, name)), "__set__")}
    return recomputed_names(kind).union(kind.__struct_fields__, ENGINES_OWN, properties)


def _not_run(method: Method) -> Iterator[str]:
    kept = {
        node.value.id
        for node in ast.walk(method.tree)
        if isinstance(node, ast.YieldFrom | ast.Return) and isinstance(node.value, ast.Name)
    }
    for parent in ast.walk(method.tree):
        for child in ast.iter_child_nodes(parent):
            called = _rules_called(method, child)
            if called and not _may_be_run(parent, called, kept):
                yield f"{method.at(child)}: {called}(…) does nothing by itself: write yield from {called}(…)."
            elif called and isinstance(parent, ast.Return) and parent in _returns_of_rules(method.tree):
                yield (
                    f"{method.at(child)}: {called}(…) is returned but never run, because this method uses yield: "
                    f"write return (yield from {called}(…))."
                )


def _find_unused(method: Method) -> Iterator[str]:
    """Yield a sentence for each question and offer that is created and not used."""
    for node in ast.walk(method.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = ast.unparse(node.value.func)
            if method.known.get(name) in _MUST_BE_USED:
                yield f"{method.at(node)}: {name}(…) is created but not used: write return {name}(…)."


def _may_be_run(parent: ast.AST, called: str, kept: set[str]) -> bool:
    """Return whether other code may run the rules called here."""
    if "." not in called:
        return not isinstance(parent, _LOST)
    if isinstance(parent, ast.Assign):
        return bool({one.id for one in parent.targets if isinstance(one, ast.Name)} & kept)
    return isinstance(parent, _HANDED_ON) or (
        isinstance(parent, _LOOKED_THROUGH) and called.rpartition(".")[2] not in _ASKING
    )


def _returns_of_rules(function: ast.FunctionDef) -> set[ast.AST]:
    """Return the return statements of a generator function: nothing would run rules that it returns."""
    inner = {
        node for one in ast.walk(function) if isinstance(one, _SCOPES) and one is not function for node in ast.walk(one)
    }
    own = set(ast.walk(function)) - inner
    return (
        {node for node in own if isinstance(node, ast.Return)}
        if any(isinstance(node, _YIELDS) for node in own)
        else set()
    )


def _rules_called(method: Method, node: ast.AST) -> str:
    """Return the rules called here, as `self.ask`, `self.part.play` or `fight`; "" if it isn't a call of rules."""
    if not isinstance(node, ast.Call):
        return ""
    match ast.unparse(node.func).split("."):
        case [game, name] if game in method.games and _is_rules(method.games[game], name):
            return f"{game}.{name}"
        case [game, part, name] if game in method.games:
            parts = method.games[game].parts
            return f"{game}.{part}.{name}" if part in parts and _is_rules(parts[part], name) else ""
        case [name] if inspect.isgeneratorfunction(method.known.get(name)):
            return name
    return ""


def _not_declared(kind: type[Game], state: set[str], method: Method) -> Iterator[str]:
    for node in ast.walk(method.tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and node.attr not in state
        ):
            isnt = "has no type, so it isn't saved with the state" if hasattr(kind, node.attr) else "is not declared"
            yield (
                f"{method.at(node)}: {kind.__name__}.{node.attr} {isnt}: write this in the class: "
                f"{node.attr}: <its type> = <its first value>."
            )
