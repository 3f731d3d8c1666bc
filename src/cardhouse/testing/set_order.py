"""Finds rules that depend on the order of a set, with the line: strings hash differently in each process."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardhouse.engine import Game, Offer, OneOf, Several
from cardhouse.engine.diagnostics.lint import bases_of, tree_of
from cardhouse.engine.diagnostics.runtime_errors import place_of

_CLASS = re.compile(r"^['\"]?(?:<class ')?([\w.]+)")
_SETS = ("set", "frozenset", "Set", "AbstractSet", "MutableSet", "FrozenSet")
_OF_SETS = re.compile(r"^['\"]?(?:\w+\.)*(?:dict|defaultdict|Mapping|Dict)\[.*,\s*(?:set|frozenset)\b[^,]*\]['\"]?$")
"""The annotation of a mapping to sets."""
_SETS_AGAIN = ("copy", "difference", "intersection", "symmetric_difference", "union")
_WITH_DEFAULT = ("get", "pop", "setdefault")
_ORDER_FREE = ("all", "any", "bool", "frozenset", "len", "max", "min", "set", "sorted", "sum")
"""Functions whose result doesn't depend on the order of their argument."""
_FIRST_OF_TIES = ("max", "min")
"""Functions that do depend on it with a `key`, which may be equal for several items."""
_ORDERED = ("dict.fromkeys", "enumerate", "filter", "iter", "list", "map", "next", "tuple", "zip")
_ADDED = ("extend", "join")
_UNORDERED_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CHOICES = (Offer, OneOf, Several)
"""Classes whose first argument is a list shown to people in its order."""


def ordered_sets(kind: type[Game]) -> Iterator[str]:
    """Yield each place in a game's rules that depends on the order of a set, as a sentence; bots are exempt."""
    trees = {name: tree_of(name) for name in _modules_of_rules(kind)}
    annotated = _annotated(trees.values())
    for name, tree in trees.items():
        yield from _Module(kind, name, tree, annotated).found()


def _modules_of_rules(kind: type[Game]) -> list[str]:
    """Return the modules of a game's rules: those of its classes, and those they use in their package, without bots."""
    homes = list(dict.fromkeys(base.__module__ for base in bases_of(kind)))
    packages = tuple(home.rpartition(".")[0] or home for home in homes)
    bots = tuple(bot.__module__ for bot in kind.bots.values() if bot.__module__ not in homes)
    of_bots = {one.rpartition(".")[0] for one in bots}.difference(packages).union(bots)
    found = dict.fromkeys(homes)
    queue = list(homes)
    while queue:
        for value in vars(sys.modules[queue.pop()]).values():
            module = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
            if not isinstance(module, str) or module in found or module not in sys.modules:
                continue
            if _is_in(module, packages) and not _is_in(module, of_bots):
                found[module] = None
                queue.append(module)
    return list(found)


def _means_set(annotation: str) -> bool:
    name = _CLASS.match(annotation)
    return name is not None and name[1].rpartition(".")[2] in _SETS


def _is_in(module: str, packages: Collection[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


class _Annotated(NamedTuple):
    """The attributes that the classes of some modules declare as sets, and as mappings to sets."""

    sets: frozenset[str]
    of_sets: frozenset[str]


def _annotated(trees: Iterable[ast.Module]) -> _Annotated:
    fields = [
        (node.target.id, ast.unparse(node.annotation))
        for tree in trees
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef)
        for node in one.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]

    def all_are(kind: Callable[[str], object]) -> frozenset[str]:
        others = {name for name, annotation in fields if not kind(annotation)}
        return frozenset(name for name, _ in fields if name not in others)

    return _Annotated(all_are(_means_set), all_are(_OF_SETS.match))


class _Module:
    """The source of one module of a game's rules."""

    def __init__(self, kind: type[Game], name: str, tree: ast.Module, annotated: _Annotated) -> None:
        self.kind, self.tree, self.annotated = kind, tree, annotated
        self.bots = {getattr(bot, "__name__", "") for bot in kind.bots.values() if bot.__module__ == name}
        self.known: Mapping[str, Any] = vars(sys.modules[name])
        self.file = place_of(str(Path(self.known["__file__"])))
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        written = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
        self.functions = {node.name: node for node in written}
        self.bound = {node: _bindings(node) for node in written}

    def found(self) -> Iterator[str]:
        """Yield a sentence for each set whose order matters."""
        lines = set()
        for node in ast.walk(self.tree):
            for used in self._used_in_order(node):
                if used.lineno not in lines and not self._is_of_a_bot(used):
                    lines.add(used.lineno)
                    code = ast.unparse(used)
                    yield (
                        f"{self.file}, line {used.lineno}: {code} is a set, whose order changes with each start of the "
                        f"program, so a saved table would go on differently. Write sorted({code}), or use a list "
                        f"or a dict instead."
                    )

    def _used_in_order(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield the sets whose order matters for this node."""
        given: list[ast.expr] = []
        match node:
            case ast.For(iter=gone_through) | ast.YieldFrom(value=gone_through):
                given = [gone_through]
            case ast.Starred(value=spread):
                given = [] if isinstance(self.parents[node], ast.Set) else [spread]
            case ast.ListComp(generators=loops) | ast.DictComp(generators=loops) | ast.GeneratorExp(generators=loops):
                given = [] if self._is_consumed(node) else [loop.iter for loop in loops]
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value):
                given = [value]
            case ast.AugAssign(op=ast.Add(), value=value):
                given = [value]
            case ast.Call(func=func, args=args, keywords=keywords):
                called = _function_name(func)
                by_key = any(keyword.arg == "key" for keyword in keywords)
                method = func.attr if isinstance(func, ast.Attribute) else ""
                if called in _ORDERED or method in _ADDED or (called in _FIRST_OF_TIES and by_key):
                    given = args
                elif method == "pop" and isinstance(func, ast.Attribute) and not args:
                    given = [func.value]
                elif method == "tell":
                    given = [one.value for one in keywords if one.arg not in ("to", "but")]
                elif self.known.get(called) in _CHOICES:
                    given = [*args[:1], *(one.value for one in keywords if one.arg in ("by", "values"))]
        return (one for one in given if self._is_set(one))

    def _is_consumed(self, node: ast.AST) -> bool:
        """Return whether the result of a loop is used where its order doesn't matter."""
        call = self.parents.get(node)
        if not isinstance(call, ast.Call) or node not in call.args:
            return False
        if isinstance(call.func, ast.Attribute):
            return self._is_set(call.func.value)
        called = _function_name(call.func)
        by_key = any(one.arg == "key" for one in call.keywords)
        return called in _ORDER_FREE and not (by_key and called in _FIRST_OF_TIES)

    def _is_of_a_bot(self, node: ast.AST) -> bool:
        return any(function.name in self.bots for function in self._around(node))

    def _around(self, node: ast.AST) -> Iterator[Any]:
        """Yield the functions around a node, the innermost first."""
        while (above := self.parents.get(node)) is not None:
            node = above
            if isinstance(node, _FUNCTIONS):
                yield node

    # Recognising sets.

    def _is_set(self, node: ast.expr | None, depth: int = 0) -> bool:
        """Return whether an expression is a set, as far as the source shows."""
        if node is None or depth > _DEEPEST:
            return False
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.BinOp(left=left, op=op, right=right):
                return isinstance(op, _UNORDERED_OPERATORS) and any(
                    self._is_set(one, depth + 1) or _is_view(one) for one in (left, right)
                )
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_set(body, depth + 1) or self._is_set(orelse, depth + 1)
            case ast.BoolOp(values=values):
                return any(self._is_set(one, depth + 1) for one in values)
            case ast.NamedExpr(value=value):
                return self._is_set(value, depth + 1)
            case ast.Name(id=name):
                return self._named(node, name, depth + 1)
            case ast.Attribute(attr=attr):
                return attr in self.annotated.sets or self._of_game(node, attr)
            case ast.Subscript(value=ast.Attribute(attr=attr)):
                return attr in self.annotated.of_sets
            case ast.Call(func=func, args=args):
                return self._gives_set(func, args, depth + 1)
        return False

    def _named(self, node: ast.Name, name: str, depth: int) -> bool:
        """Return whether a name refers to a set: by its last binding above, or by the module's attribute."""
        for function in self._around(node):
            before = [one for one in self.bound[function].get(name, ()) if one.line <= node.lineno]
            if before:
                last = max(before, key=lambda one: one.line)
                return _means_set(last.annotation) or self._is_set(last.value, depth)
        return isinstance(self.known.get(name), (set, frozenset))

    def _of_game(self, node: ast.Attribute, attr: str) -> bool:
        """Return whether this is a set attribute of the game's class, or a property that returns a set."""
        if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "game", self.kind.__name__)):
            return False
        held = getattr(self.kind, attr, None)
        return isinstance(held, (set, frozenset)) or (isinstance(held, property) and self._returns_set(held.fget, attr))

    def _gives_set(self, func: ast.expr, args: Sequence[ast.expr], depth: int) -> bool:
        match func:
            case ast.Name(id="set" | "frozenset"):
                return True
            case ast.Name(id=name):
                return self._returns_set(self.known.get(name), name, depth)
            case ast.Attribute(value=value, attr=attr):
                if attr in _SETS_AGAIN and self._is_set(value, depth):
                    return True
                if attr in _WITH_DEFAULT and len(args) == 2:
                    return self._is_set(args[1], depth)
                ours = isinstance(value, ast.Name) and value.id in ("self", "cls", "game")
                return ours and self._returns_set(getattr(self.kind, attr, None), attr, depth)
        return False

    def _returns_set(self, function: Any, name: str, depth: int = 0) -> bool:
        """Return whether a function returns a set: by its annotation, or without one by its return statements."""
        if function is None:
            return False
        annotation = getattr(function, "__annotations__", {}).get("return")
        if annotation is not None:
            return _means_set(str(annotation))
        written = self.functions.get(name)
        return written is not None and any(
            isinstance(node, ast.Return) and self._is_set(node.value, depth + 1) for node in ast.walk(written)
        )


_DEEPEST = 8
"""Most steps from a name to its value."""


class _Binding(NamedTuple):
    """Where a name is bound: its value or its annotation."""

    line: int
    value: ast.expr | None
    annotation: str = ""


def _bindings(function: Any) -> dict[str, list[_Binding]]:
    """Return the names that a function binds, including its parameters."""
    found: dict[str, list[_Binding]] = {}
    for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        annotation = "" if one.annotation is None else ast.unparse(one.annotation)
        found.setdefault(one.arg, []).append(_Binding(function.lineno, None, annotation))
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        # a binding is valid from the next line on
                        found.setdefault(target.id, []).append(_Binding((node.end_lineno or node.lineno) + 1, value))
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                found.setdefault(name, []).append(_Binding(node.lineno, value, ast.unparse(node.annotation)))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                found.setdefault(name, []).append(_Binding(node.lineno, value))
            case ast.For(target=target) | ast.comprehension(target=target):
                for one in ast.walk(target):
                    if isinstance(one, ast.Name):
                        found.setdefault(one.id, []).append(_Binding(one.lineno, None))
    return found


def _function_name(func: ast.expr) -> str:
    """Return the name of a called function, or `module.name`; empty for anything more complex."""
    match func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=of), attr=name):
            return f"{of}.{name}"
    return ""


def _is_view(node: ast.expr) -> bool:
    """Return whether this is a dict's keys or items; operators turn these into sets."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "keys")
