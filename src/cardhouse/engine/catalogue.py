"""A game's rules and words as text: `rules.toml` and `words.toml` in the game's folder."""

import inspect
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from cardhouse.engine.errors import CardhouseError
from cardhouse.engine.game import Game


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule's text in our words; `ruling` is what we decided where the source is silent, `option` a switch for it."""

    title: str
    text: str
    ruling: str | None = None
    option: str | None = None
    no_code: str | None = None
    """Why nothing in the code cites this rule, if nothing does."""


class Titled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a sentence, for an option, a step, a deck or a bot."""

    title: str
    text: str = ""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line at the top: to the one who is asked, and to those who wait for them."""

    you: str
    others: str


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a game says, for the page and the terminal alike; translated by translating this file.

    In a text, `{name}` is filled in from what the event or question is about; `{card:card}` is shown as a card,
    `{seat:seat}` as the name of who sits there, `{n:count:one card|# cards}` as a number with its noun,
    `{tier:value}` as the word that `values` has for it, if it has one; a list of nothing as the word for `tier.none`.

    An action may be called differently as the answer to one question: `"act.either"` goes before `act` while the
    question's key is `either`, and its blanks are that question's. `values` are the words of a field's plain values,
    as `"tier.elite"`. What every game says stands in the engine's own `words.toml`; a game's file goes before it.
    """

    title: str
    tagline: str
    asks: dict[str, Question] = {}
    events: dict[str, str] = {}
    actions: dict[str, str] = {}
    fields: dict[str, str] = {}
    values: dict[str, str] = {}
    options: dict[str, Titled] = {}
    steps: dict[str, Titled] = {}
    decks: dict[str, Titled] = {}
    bots: dict[str, Titled] = {}
    page: dict[str, str] = {}


class Catalogue(msgspec.Struct, frozen=True):
    """A game's rules by id, and its words."""

    rules: dict[str, Rule]
    words: Words


@cache
def catalogue_of(game: type[Game]) -> Catalogue:
    """The texts of a game, read from the folder its class stands in; those of its parts are its own.

    Raises CardhouseError if a file is missing or doesn't fit, saying where.
    """
    folder = Path(inspect.getfile(game)).parent
    rules = _read(folder / "rules.toml", dict[str, Rule], {})
    below = _read(Path(__file__).with_name("words.toml"), dict[str, Any], {})
    for part in map(catalogue_of, game.parts.values()):
        rules = {**part.rules, **rules}
        below = _over(below, {name: table for name, table in msgspec.to_builtins(part.words).items() if table})
    return Catalogue(rules, _read(folder / "words.toml", Words, below))


def _read(path: Path, kind: Any, below: dict[str, Any]) -> Any:
    """A file as a `kind`; `below` is what its tables hold unless it says otherwise."""
    try:
        said = tomllib.loads(path.read_text("utf-8"))
        return msgspec.convert(_over(below, said), kind)
    except FileNotFoundError:
        raise CardhouseError(f"A game needs its {path.name}: there is none in {path.parent.name}/.") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CardhouseError(f"{path.parent.name}/{path.name} can't be read: {error}") from None


def _over(below: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """What `below` says with what is said over it, table by table."""
    tables = {name: {**below.get(name, {}), **table} for name, table in said.items() if isinstance(table, dict)}
    return {**below, **said, **tables}


_BLANK = re.compile(r"\{(\w+)(?::(\w+)(?::([^}]*))?)?\}")


def blanks(text: str) -> set[str]:
    """What the blanks of a text of the words ask for."""
    return {key for key, _, _ in _BLANK.findall(text)}


def fill(
    text: str, about: dict[str, Any], names: Mapping[str, str] | None = None, values: Mapping[str, str] | None = None
) -> str:
    """A text of the words with its blanks filled in, as plain text; the page does the same with cards drawn.

    `names` are those of the people in the seats, `values` the words of values.
    """

    def blank(match: re.Match[str]) -> str:
        key, kind, forms = match.groups()
        value: Any = about.get(key, "")
        if kind == "seat":
            return str((names or {}).get(value, value))
        if kind == "count":
            one, _, many = forms.partition("|")
            return (one if value == 1 else many).replace("#", str(value))
        said = [str(one) for one in (value if isinstance(value, (list, tuple)) else [value])]
        if not said:
            return (values or {}).get(f"{key}.none", "")
        return ", ".join((values or {}).get(f"{key}.{one}", one) if kind == "value" else one for one in said)

    return _BLANK.sub(blank, text)
