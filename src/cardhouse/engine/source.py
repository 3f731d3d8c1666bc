"""Mistakes that the text of rules shows and that running them wouldn't tell, each with its line.

Rules that ask without `yield from` run on as if they had been answered, for ever if they stand in a loop; state that is
not declared is gone after the next undo.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cardhouse.engine.game import Game

_ASKING = ("ask", "draw", "draw_face_down", "roll", "now", "step")
ENGINES_OWN = ("out", "learned", "by", "whole", "sound_offers")
"""What every game has beside its state."""
_MADE_ANEW = ("__post_init__", "play_by")
"""What these methods set is no state, for it is worked out from the options whenever a game is read."""
_CALLED = re.compile(r"(yield from +)?self\.(?:\w+\.)?(\w+)\(")
_SET = re.compile(r"self\.(\w+)[^\n()=]*=(?!=)")
_HANDED_ON = (ast.YieldFrom, ast.Return, ast.Call, ast.keyword, ast.Lambda, ast.Tuple, ast.List, ast.IfExp, ast.Starred)
"""What may become of rules that don't run at once: somebody else runs them."""


class Method(NamedTuple):
    """A method of a game's class as it is written, and where."""

    file: Path
    tree: ast.FunctionDef

    def at(self, node: ast.AST) -> str:
        """The place of something in it."""
        return f"{self.file.parent.name}/{self.file.name}, line {getattr(node, 'lineno', self.tree.lineno)}"


def unread_rules(kind: type[Game]) -> Iterator[str]:
    """Rules of this class that are called and not run, and state it doesn't declare, a sentence each."""
    rules, state = _all_rules(kind), _all_state(kind)
    for base in bases_of(kind):
        text = _text_of(base)
        if any(not run and name in rules for run, name in _CALLED.findall(text)):
            for method in methods_of(base):
                yield from _not_run(kind, method)
        if not state.issuperset(_SET.findall(text)):
            for method in methods_of(base):
                yield from _not_declared(kind, state, method)


def bases_of(kind: type[Game]) -> Iterator[type]:
    """A game's class and those it is made of, but for the engine's own."""
    for base in kind.__mro__:
        if base is Game:
            return
        yield base


@cache
def _text_of(base: type) -> str:
    """The file in which a class is written; empty if it isn't here."""
    try:
        return Path(inspect.getfile(base)).read_text("utf-8")
    except (OSError, TypeError):
        return ""


def methods_of(base: type) -> Iterator[Method]:
    """The methods that a class itself has, as far as their text is here."""
    text = _text_of(base)
    for node in ast.parse(text).body if text else ():
        if isinstance(node, ast.ClassDef) and node.name == base.__name__:
            yield from (
                Method(Path(inspect.getfile(base)), one) for one in node.body if isinstance(one, ast.FunctionDef)
            )


def _all_rules(kind: type[Game]) -> set[str]:
    """The names of all methods of a game and its parts that ask something."""
    found = {name for name in dir(kind) if _is_rules(kind, name)}
    return found.union(_ASKING, *map(_all_rules, kind.parts.values()))


def _is_rules(kind: type[Game], name: str) -> bool:
    return name in _ASKING or inspect.isgeneratorfunction(inspect.getattr_static(kind, name, None))


def made_anew(kind: type[Game]) -> set[str]:
    """What a game works out whenever it is read, besides other names in the methods that do."""
    return {
        name
        for base in bases_of(kind)
        for made in map(vars(base).get, _MADE_ANEW)
        if made is not None
        for name in made.__code__.co_names
    }


def _all_state(kind: type[Game]) -> set[str]:
    """The names of all attributes that a game may set: its state, what it works out anew, and what properties set."""
    properties = {name for name in dir(kind) if hasattr(type(inspect.getattr_static(kind, name)), "__set__")}
    return made_anew(kind).union(kind.__struct_fields__, ENGINES_OWN, properties)


def _not_run(kind: type[Game], method: Method) -> Iterator[str]:
    kept = {
        node.value.id
        for node in ast.walk(method.tree)
        if isinstance(node, ast.YieldFrom | ast.Return) and isinstance(node.value, ast.Name)
    }
    for parent in ast.walk(method.tree):
        for child in ast.iter_child_nodes(parent):
            called = _rules_called(kind, child)
            if not called or isinstance(parent, _HANDED_ON):
                continue
            if (
                isinstance(parent, ast.Assign)
                and {one.id for one in parent.targets if isinstance(one, ast.Name)} & kept
            ):
                continue
            yield f"{method.at(child)}: {called}(…) does nothing by itself: write yield from {called}(…)."


def _rules_called(kind: type[Game], node: ast.AST) -> str:
    """The rules that are called here, as `self.ask` or `self.part.play`; empty if it is no call of rules."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    match ast.unparse(node.func).split("."):
        case ["self", name] if _is_rules(kind, name):
            return f"self.{name}"
        case ["self", part, name] if part in kind.parts and _is_rules(kind.parts[part], name):
            return f"self.{part}.{name}"
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
            isnt = "has no type, and so is no state" if hasattr(kind, node.attr) else "is not declared"
            yield (
                f"{method.at(node)}: {kind.__name__}.{node.attr} {isnt}: write in the class {node.attr}: "
                f"<its type> = <its first value>."
            )
