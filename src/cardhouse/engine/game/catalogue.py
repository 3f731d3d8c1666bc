"""A game's rules and words as text: `rules.toml` and `words.toml` in the game's folder."""

import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from cardhouse.engine.game.game import Game
from cardhouse.engine.values.errors import BadGame
from cardhouse.engine.values.schema_errors import unfit
from cardhouse.engine.values.toml_lines import TomlLines


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


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line at the top: to the one who is asked, and to those who wait for them."""

    you: str
    others: str


class CallOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that has the whole table for a moment: large, with its card, before anything else goes on.

    `title` is filled in like the event's own words, `you` is said instead to whoever plays the character or sits in the
    seat that it befalls. `text` is a line below, from what this and the events before it in the same entry are about;
    it is left out where one of its blanks has nothing. `card` names what of that is the card shown.
    """

    title: str
    you: str = ""
    text: str = ""
    card: str = ""
    tone: Literal["", "loss", "win"] = ""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a game says, for the page and the terminal alike; translated by translating this file.

    In a text, `{name}` is filled in from what the event or question is about; `{card:card}` is shown as a card,
    `{seat:seat}` as the name of who sits there, `{n:count:one card|# cards}` as a number with its noun,
    `{tier:value}` as the word that `values` has for it, if it has one; a list of nothing as the word for `tier.none`.
    Where `what` is the name of a field, `{what:field}` is what that is called, and `{now:as:what}` is a value of it.

    An action may be called differently as the answer to one question: `"act.either"` goes before `act` while the
    question's key is `either`, and its blanks are that question's and the action's own. `values` are the words of a
    field's plain values, as `"tier.elite"`. `moments` are those of the events, by key, that are more than a line.
    `evening` has the texts of what a game tells of an evening that is over: `{n}` is the number that stands before a
    figure's. What every game says stands in the engine's own `words.toml`; a game's file goes before it.
    """

    title: str
    tagline: str
    asks: dict[str, Prompt] = {}
    events: dict[str, str] = {}
    moments: dict[str, CallOut] = {}
    actions: dict[str, str] = {}
    fields: dict[str, str] = {}
    values: dict[str, str] = {}
    options: dict[str, Titled] = {}
    steps: dict[str, Titled] = {}
    decks: dict[str, Titled] = {}
    bots: dict[str, Titled] = {}
    evening: dict[str, str] = {}
    page: dict[str, str] = {}


class Catalogue(msgspec.Struct, frozen=True):
    """A game's rules by id, and its words."""

    rules: dict[str, Rule]
    words: Words


@cache
def catalogue_of(game: type[Game]) -> Catalogue:
    """The texts of a game, read from the folder its class stands in; those of its parts are its own.

    Raises BadGame if a file is missing, doesn't fit, or has no word for what the class names, saying where.
    """
    folder = folder_of(game)
    rules = _read(folder / "rules.toml", dict[str, Rule], {})
    below = _read(_ENGINES_WORDS, dict[str, Any], {})
    for part in map(catalogue_of, game.parts.values()):
        rules = {**part.rules, **rules}
        words_of_part = msgspec.to_builtins(part.words)
        below = _over(below, {name: table for name, table in words_of_part.items() if table and name != "bots"})
    words = _read(folder / "words.toml", Words, below)
    own_first = sorted(words.bots.items(), key=lambda named: named[0] not in game.bots)
    words = msgspec.structs.replace(words, bots=dict(own_first))
    if missing := "\n".join(_without_words(game, words)):
        raise BadGame(missing)
    return Catalogue(rules, words)


_ENGINES_WORDS = Path(__file__).parent.parent / "words.toml"


@cache
def words_of_every_table() -> Words:
    """What is said at any table, whatever is played at it."""
    return _read(_ENGINES_WORDS, Words, {"title": "", "tagline": ""})  # type: ignore[no-any-return]


def _without_words(game: type[Game], words: Words) -> Iterator[str]:
    """What the class of a game names and its words don't, a sentence each."""
    options = next(field.type for field in msgspec.structs.fields(game) if field.name == "options")
    named = {
        "actions": [action.word() for action in game.actions],
        "options": options.__struct_fields__,
        "steps": game.steps,
        "decks": game.decks,
        "bots": game.bots,
    }
    for table, names in named.items():
        unknown = [name for name in getattr(words, table) if name not in names]
        for name in names:
            if name not in getattr(words, table):
                near = get_close_matches(name, unknown, 1) if table != "actions" else []
                yield no_words(game, table, name) + (f" There is {near[0]}: is it misspelt?" if near else "")
    for name in sorted(words.moments.keys() - words.events.keys()):
        file = f"{folder_of(game).name}/words.toml"
        yield f"{file} has a moment {name}, and no event of that key: write {_EVENT.format(name)}."


_EVENT = 'under [events], {} = "the event in words"'


def no_words(game: type[Game], table: str, name: str) -> str:
    """What to say to an author whose words.toml lacks something."""
    write = {
        "actions": f'under [actions], {name} = "what its button says"',
        "events": _EVENT.format(name),
        "evening": f'under [evening], {name} = "the highlight in words"',
        "fields": f'under [fields], {name} = "its label"',
        "values": f'under [values], "{name}" = "its label"',
        "asks": f'[asks.{name}] with you = "…" and others = "…"',
    }.get(table, f'[{table}.{name}] with title = "…"')
    return f"{folder_of(game).name}/words.toml has no words for {name} of its {table}: write {write}."


def no_rule(game: type[Game], rule: str) -> str:
    """What to say to an author whose rules cite one that rules.toml lacks."""
    return (
        f"{folder_of(game).name}/rules.toml has no rule {rule}: write [{rule}] with a title and a text, or cite "
        f"another."
    )


def folder_of(game: type[Game]) -> Path:
    """The folder in which a game's rules, texts and page lie; a variant's are those of the game it is one of."""
    folders = [Path(file).parent for file in map(_file_of, game.__mro__) if file]
    return next((folder for folder in folders if (folder / "rules.toml").exists()), folders[0])


def _file_of(kind: type) -> str:
    """The file that a class stands in; nothing of one that was typed in, or is Python's own."""
    try:
        return inspect.getfile(kind)
    except (OSError, TypeError):
        return ""


def _read(path: Path, kind: Any, below: dict[str, Any]) -> Any:
    """A file as a `kind`; `below` is what its tables hold unless it says otherwise."""
    try:
        text = path.read_text("utf-8")
        said = _over(below, tomllib.loads(text))
        return msgspec.convert(said, kind)
    except FileNotFoundError:
        raise BadGame(f"A game needs a {path.name}, and {path.parent.name}/ has none.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadGame(
            f"{path.parent.name}/{path.name}, line {line}: this isn't UTF-8. Save the file as UTF-8."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise BadGame(f"{path.parent.name}/{path.name} can't be read: {error}.") from None
    except msgspec.ValidationError:
        lines, file = TomlLines(text), f"{path.parent.name}/{path.name}"
        found = unfit(said, msgspec.inspect.type_info(kind), ())
        raise BadGame("\n".join(f"{file}, line {lines.of(one.place)}: {one.sentence}" for one in found)) from None


def _over(below: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """What `below` says with what is said over it, table by table."""
    tables = {name: {**below.get(name, {}), **table} for name, table in said.items() if isinstance(table, dict)}
    return {**below, **said, **tables}


_BLANK = re.compile(r"\{(\w+)(?::(\w+)(?::([^}]*))?)?\}")


def blanks(text: str) -> set[str]:
    """What the blanks of a text of the words ask for."""
    return {key for key, _, _ in _BLANK.findall(text)}


def values_asked(text: str) -> set[str]:
    """Which blanks of a text stand for a value that `values` has a word for."""
    return {key for key, kind, _ in _BLANK.findall(text) if kind == "value"}


def fields_asked(text: str) -> set[str]:
    """Which blanks of a text stand for the name of a field."""
    return {key for key, kind, _ in _BLANK.findall(text) if kind == "field"}


def fill(
    text: str,
    about: dict[str, Any],
    names: Mapping[str, str] | None = None,
    values: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> str:
    """A text of the words with its blanks filled in, as plain text; the page does the same with cards drawn.

    `names` are those of the people in the seats, `values` the words of values, `fields` those of fields.
    """

    def blank(match: re.Match[str]) -> str:
        key, kind, forms = match.groups()
        value: Any = about.get(key, "")
        if kind == "seat":
            return str((names or {}).get(value, value))
        if kind == "field":
            return (fields or {}).get(value, value)
        if kind == "as":
            return value_said(about.get(forms, ""), value, values or {})
        if kind == "count":
            one, _, many = forms.partition("|")
            return (one if value == 1 else many).replace("#", str(value))
        said = [str(one) for one in (value if isinstance(value, (list, tuple)) else [value])]
        if not said:
            return (values or {}).get(f"{key}.none", "")
        return ", ".join((values or {}).get(f"{key}.{one}", one) if kind == "value" else one for one in said)

    return _BLANK.sub(blank, text)


def value_said(field: str, value: Any, values: Mapping[str, str]) -> str:
    """A field's value in words, by those that there are for values."""
    if isinstance(value, list | tuple):
        return ", ".join(value_said(field, one, values) for one in value) or value_said(field, None, values)
    word = "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return values.get(f"{field}.{word}") or values.get(f"put_right.{word}", word)
