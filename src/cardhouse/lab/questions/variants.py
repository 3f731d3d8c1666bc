"""Questions about a variant of a game, `class Mine(Theirs)` with a changed rule; the rules play its trials."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import CardhouseError, Game, find_game, played_by
from cardhouse.engine.diagnostics.declarations import check_game
from cardhouse.engine.diagnostics.runtime_errors import why_not_loaded
from cardhouse.lab.questions.proof import Fresh
from cardhouse.lab.questions.question import PlayedTrial, Question

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Rows

FILES = "cardhouse_rules_"
"""The prefix of the module names of rules files."""
AT_ONCE = 20


def with_rules(question: Question, kind: type[Game]) -> Question:
    """Return the same question, with trials played by the rules of this class, a variant of its game.

    The same seed gives the same chance as long as both ask for the same, so two variants can be compared in pairs. No
    kernel knows the variant, and it has no exact numbers. Raises CardhouseError if the class isn't a variant, BadGame
    if it isn't a valid game.
    """
    game = find_game(question.game)
    if not issubclass(kind, game) or kind.name != game.name:
        raise CardhouseError(f"{kind.__name__} isn't a variant of {question.game}: write class Mine({game.__name__}).")
    check_game(kind, game.name)
    made = _variant_class(type(question), kind, knows_rules=_plays_by_rules(question))
    return made(**{name: getattr(question, name) for name in question.__struct_fields__})


@cache
def _variant_class(base: type[Question], kind: type[Game], *, knows_rules: bool) -> type[Question]:
    """Return the class of such a question."""
    attributes = _overrides(base, kind, knows_rules=knows_rules)
    name = f"{base.__name__}By{kind.__name__}"
    made = msgspec.defstruct(name, [], bases=(base,), namespace=attributes, module=__name__, frozen=True, kw_only=True)
    assert issubclass(made, Question)
    return made


def _plays_by_rules(question: Question) -> bool:
    """Return whether it plays trials by the rules where it isn't compiled."""
    return not question.compiled or isinstance(vars(type(question)).get("compiled"), property)


def _overrides(base: type[Question], kind: type[Game], *, knows_rules: bool) -> dict[str, Any]:
    """Return the attributes that a question about a variant overrides."""

    def run(self: Question, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        with played_by(kind):
            if knows_rules:
                base.run(self, seed, first, out, log)
                return
            sizes = [measure.size for measure in self.measures()]
            for place in range(len(out)):
                row = base.row_of(self, base.played(self, seed, first + place))
                out[place] = [min(value, size - 1) for value, size in zip(row, sizes, strict=True)]

    def played(self: Question, seed: int, trial: int) -> PlayedTrial:
        with played_by(kind):
            return base.played(self, seed, trial)

    def exact(self: Question) -> Mapping[str, float]:
        return {}

    def reduce(self: Question) -> tuple[Any, ...]:
        settings = {name: getattr(self, name) for name in self.__struct_fields__}
        return _unpickle, (base(**settings), _place_of(kind) or kind)

    attributes: dict[str, Any] = {
        "run": run,
        "played": played,
        "exact": exact,
        "__reduce__": reduce,
        "__doc__": base.__doc__,
        "rules": kind,
        "compiled": False,
        "title": f"{base.title} By the rules of {kind.__name__}",
    }
    if not knows_rules:
        attributes |= {"at_once": AT_ONCE, "chance": lambda self, seed, trial: Fresh(seed, trial)}
    return attributes


def rules_of(file: Path, game: str) -> type[Game]:
    """Return the variant of a game that a Python file defines: its only class derived from the game's.

    The file is run like any Python file. Raises CardhouseError if it can't be run, or has no such class, or several.
    """
    module = _module_of(file)
    own = find_game(game)
    found = [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, own) and one.__module__ == module.__name__
    ]
    if len(found) != 1:
        there = ", ".join(one.__name__ for one in found) or "none"
        raise CardhouseError(f"{file.name} must have one class Mine({own.__name__}); it has {there}.")
    return found[0]


def _module_of(file: Path) -> Any:
    name = FILES + sha256(str(file.resolve()).encode()).hexdigest()[:16]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise CardhouseError(f"{file.name} isn't a Python file.")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # other people's code: anything may be wrong with it
        del sys.modules[name]
        raise CardhouseError(f"{file.name} can't be read as rules: {why_not_loaded(error)}") from error
    return module


def _place_of(kind: type[Game]) -> str:
    """Return the file of a class that another process can't import by name; "" for any other."""
    return str(sys.modules[kind.__module__].__file__) if kind.__module__.startswith(FILES) else ""


def _unpickle(question: Question, kind: type[Game] | str) -> Question:
    return with_rules(question, rules_of(Path(kind), question.game) if isinstance(kind, str) else kind)
