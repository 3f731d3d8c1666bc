"""Users' expressions for a policy: `hold if score + pool >= 11`. They are parsed, never run as Python.

An expression has arithmetic and comparisons of integers and known names. It is evaluated for all values of its names at
once, into a table that both the rules and machine code use.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import CardhouseError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

LONGEST = 120
"""The most characters in an expression."""
MOST_PARTS = 100
LARGEST = 1 << 31
"""The largest absolute value of an intermediate result."""
MOST_IN_TABLE = 1 << 22

ADDING: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARING: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS = ("min", "max", "abs")
TAKES = "whole numbers, + - * // %, comparisons, and, or, not, if and else, min, max, abs"


class Expression(msgspec.Struct, frozen=True):
    """A parsed expression; `names` are those in it, in the order of all known names."""

    text: str
    names: tuple[str, ...]
    tree: Any

    def table(self, sizes: Mapping[str, int]) -> Numbers:
        """Return its values for all values of the names, each from 0 to below its size: int64, an axis for each name.

        Raises CardhouseError if the table or an intermediate result is too large.
        """
        import numpy as np

        many = 1
        for size in sizes.values():
            many *= size
        if many > MOST_IN_TABLE:
            raise CardhouseError(
                f'"{self.text}" would take a table of {many:,} numbers; at most {MOST_IN_TABLE:,} fit.'
            )
        axes = np.meshgrid(*(np.arange(size, dtype=np.int64) for size in sizes.values()), indexing="ij")
        value = _Worked(self.text, dict(zip(sizes, axes, strict=True))).out(self.tree)
        return np.array(np.broadcast_to(value, tuple(sizes.values())), np.int64)

    def value(self, values: Mapping[str, int]) -> int:
        """Return its value for one value of each name."""
        import numpy as np

        return int(_Worked(self.text, {name: np.int64(value) for name, value in values.items()}).out(self.tree))


def read_expression(text: str, known: Mapping[str, str]) -> Expression:
    """Parse an expression of these names, each with a short description.

    Raises CardhouseError if it is invalid, or uses anything else.
    """
    if len(text) > LONGEST:
        raise CardhouseError(f"An expression has at most {LONGEST} letters, not {len(text)}.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise CardhouseError(f'"{text}" isn\'t an expression; it takes {TAKES}, and {_list_names(known)}.') from None
    parts = list(ast.walk(tree))
    if len(parts) > MOST_PARTS:
        raise CardhouseError(f'"{text}" is too long an expression.')
    used = set()
    for part in parts:
        if isinstance(part, ast.Name) and part.id not in FUNCTIONS:
            used.add(part.id)
            if part.id not in known:
                raise CardhouseError(
                    f'"{text}" has {part.id[:20]}, which is not known here; known are {_list_names(known)}.'
                )
    _check(tree, text)
    return Expression(text, tuple(name for name in known if name in used), tree)


def _list_names(known: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({meaning})" for name, meaning in known.items())


def _check(part: ast.expr, text: str) -> None:
    """Raise CardhouseError for anything that expressions can't contain."""
    match part:
        case ast.Constant(value=int() as value) if type(value) is int and value <= LARGEST:
            return
        case ast.Name(id=name) if name not in FUNCTIONS:
            return
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.UAdd(), operand=inner):
            inside = [inner]
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), left=left, right=ast.Constant(value=int() as by)) if by > 0:
            inside = [left]
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult(), left=left, right=right):
            inside = [left, right]
        case ast.BoolOp(values=values):
            inside = values
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in COMPARING for op in ops):
            inside = [left, *others]
        case ast.IfExp(test=test, body=body, orelse=other):
            inside = [test, body, other]
        case ast.Call(func=ast.Name(id="abs"), args=[one], keywords=[]):
            inside = [one]
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as values, keywords=[]):
            inside = values
        case _:
            code = ast.unparse(part)[:30]
            raise CardhouseError(f'"{text}" has {code}, which is nothing that an expression takes: {TAKES}.')
    for one in inside:
        _check(one, text)


class _Worked:
    """The evaluation of an expression, for one value of each name or for arrays of them."""

    def __init__(self, text: str, names: Mapping[str, Any]) -> None:
        self.text, self.names = text, names

    def out(self, part: ast.expr) -> Any:
        """Return the value of a part.

        Raises CardhouseError if it is too large to be exact.
        """
        import numpy as np

        value = self._value(part)
        if np.any(np.abs(value) > LARGEST):
            raise CardhouseError(f'"{self.text}" comes to numbers that are too large.')
        return value

    def _value(self, part: ast.expr) -> Any:
        import numpy as np

        match part:
            case ast.Constant(value=int() as number):
                return np.int64(number)
            case ast.Name(id=name):
                return self.names[name]
            case ast.UnaryOp(op=op, operand=inner):
                value = self.out(inner)
                return (
                    np.int64(value == 0) if isinstance(op, ast.Not) else -value if isinstance(op, ast.USub) else value
                )
            case ast.BinOp(left=left, op=op, right=right):
                return ADDING[type(op)](self.out(left), self.out(right))
            case ast.BoolOp(op=op, values=values):
                found = self.out(values[0])
                for one in values[1:]:
                    other, stays = self.out(one), found == 0 if isinstance(op, ast.And) else found != 0
                    found = np.where(stays, found, other)
                return found
            case ast.Compare(left=left, ops=ops, comparators=others):
                numbers = [self.out(one) for one in (left, *others)]
                pairs = zip(ops, numbers, numbers[1:], strict=False)
                held: Any = np.int64(1)
                for compares, one, other in pairs:
                    held = held * np.asarray(COMPARING[type(compares)](one, other), np.int64)
                return held
            case ast.IfExp(test=test, body=body, orelse=other):
                return np.where(self.out(test) != 0, self.out(body), self.out(other))
            case ast.Call(func=ast.Name(id=name), args=args):
                given = [self.out(one) for one in args]
                if name == "abs":
                    return np.abs(given[0])
                return (np.minimum if name == "min" else np.maximum).reduce(np.broadcast_arrays(*given))
        raise AssertionError("it was checked when it was read")
