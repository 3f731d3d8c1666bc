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
    """A rule's text in our words.

    `ruling` is our decision where the source is silent, `option` an option that changes it.
    """

    title: str
    text: str
    ruling: str | None = None
    option: str | None = None
    no_code: str | None = None
    """The reason why no code cites this rule, if none does."""


class Titled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a sentence for an option, a step, a deck or a bot."""

    title: str
    text: str = ""


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The line at the top of the page: for the player who is asked, and for the others.

    `screen` is the headline of the table screen; without it, that is `others`.
    """

    you: str
    others: str
    screen: str = ""


class CallOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that fills the page for a moment: large, with its card, before play continues.

    `title` is filled in like the event's own text. `you` replaces it for the player of the character or seat concerned.
    `text` is a line below, filled in from this event and the earlier ones of the same entry; it is left out if one of
    its blanks has no value. `card` names the value that is shown as the card, or is a card.
    """

    title: str
    you: str = ""
    text: str = ""
    card: str = ""
    tone: Literal["", "loss", "win"] = ""
    mood: Literal["", "stern"] = ""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of a game's texts, for the page and the terminal. Translating a game means translating this file.

    In a text, `{name}` is filled in from what the event or question is about. `{card:card}` is shown as a card,
    `{seat:seat}` as the name of the player there, `{n:count:one card|# cards}` as a number with its noun, and
    `{tier:value}` as the word for it in `values`, if there is one; an empty list as the word for `tier.none`. If `what`
    is the name of a field, `{what:field}` is its label, and `{now:as:what}` is a value of that field.

    An action may have its own text as the answer to one question: `"act.either"` replaces `act` while the question's
    key is `either`, and its blanks are filled in from the question and the action. `spoken` has shorter texts of
    events, for a screen reader during play; one that is empty is left out. `values` has the words for the plain values
    of a field, such as `"tier.elite"`. `moments` has the call-outs, by the key of the event, or for one of its values:
    `"escalates.guns"`. `evening` has the texts of the recap; `{n}` is the number in front of a figure.
    `original` says by whom the rules are, for the page's credits. The texts that every game shares are in the engine's
    `words.toml`; a game's own file overrides them.
    """

    title: str
    tagline: str
    original: str = ""
    asks: dict[str, Prompt] = {}
    events: dict[str, str] = {}
    spoken: dict[str, str] = {}
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

    def moment(self, key: str, about: Mapping[str, Any]) -> CallOut | None:
        """Return the call-out of an event, if it has one: that for one of its values before that for its key."""
        keys = (*(f"{key}.{value}" for value in about.values() if isinstance(value, str)), key)
        return next((self.moments[one] for one in keys if one in self.moments), None)


class Catalogue(msgspec.Struct, frozen=True):
    """A game's rules by id, and its words."""

    rules: dict[str, Rule]
    words: Words


@cache
def catalogue_of(game: type[Game]) -> Catalogue:
    """Return the texts of a game, read from the folder of its class; those of its parts are included.

    Raises BadGame, naming the place, if a file is missing or invalid, or lacks a word that the class needs.
    """
    folder = folder_of(game)
    rules = _read(folder / "rules.toml", dict[str, Rule], {})
    below = _read(_ENGINES_WORDS, dict[str, Any], {})
    for part in map(catalogue_of, game.parts.values()):
        rules = {**part.rules, **rules}
        words_of_part = msgspec.to_builtins(part.words)
        below = _over(below, {name: table for name, table in words_of_part.items() if table and name not in _OWN})
    words = _read(folder / "words.toml", Words, below)
    own_first = sorted(words.bots.items(), key=lambda named: named[0] not in game.bots)
    words = msgspec.structs.replace(words, bots=dict(own_first))
    if missing := "\n".join(_without_words(game, words)):
        raise BadGame(missing)
    return Catalogue(rules, words)


_ENGINES_WORDS = Path(__file__).parent.parent / "words.toml"
_OWN = ("bots", "original")
"""The words that a game doesn't take from its parts."""


@cache
def words_of_every_table() -> Words:
    """Return the texts that every table shares, whatever the game."""
    return _read(_ENGINES_WORDS, Words, {"title": "", "tagline": ""})  # type: ignore[no-any-return]


def _without_words(game: type[Game], words: Words) -> Iterator[str]:
    """Yield a sentence for each name in a game's class that its words lack, and for each call-out without an event."""
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
    for name in sorted({name.partition(".")[0] for name in words.moments} - words.events.keys()):
        file = f"{folder_of(game).name}/words.toml"
        yield f"{file} has a moment {name}, but no event with that key: write {_EVENT.format(name)}."


_EVENT = 'under [events], {} = "the event in words"'


def no_words(game: type[Game], table: str, name: str) -> str:
    """Return the error for an author whose words.toml lacks something."""
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
    """Return the error for an author whose game cites a rule that rules.toml lacks."""
    return (
        f"{folder_of(game).name}/rules.toml has no rule {rule}: write [{rule}] with a title and a text, or cite "
        f"another."
    )


def folder_of(game: type[Game]) -> Path:
    """Return the folder of a game's rules, texts and page; a variant uses the folder of its base game."""
    folders = [Path(file).parent for file in map(_file_of, game.__mro__) if file]
    return next((folder for folder in folders if (folder / "rules.toml").exists()), folders[0])


def _file_of(kind: type) -> str:
    """Return the file that defines a class; "" if it was typed in or is built in."""
    try:
        return inspect.getfile(kind)
    except (OSError, TypeError):
        return ""


def _read(path: Path, kind: Any, below: dict[str, Any]) -> Any:
    """Read a file as a `kind`; `below` has the defaults for its tables."""
    try:
        text = path.read_text("utf-8")
        data = _over(below, tomllib.loads(text))
        return msgspec.convert(data, kind)
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
        found = unfit(data, msgspec.inspect.type_info(kind), ())
        raise BadGame("\n".join(f"{file}, line {lines.of(one.place)}: {one.sentence}" for one in found)) from None


def _over(below: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """Merge `data` over `below`, table by table."""
    tables = {name: {**below.get(name, {}), **table} for name, table in data.items() if isinstance(table, dict)}
    return {**below, **data, **tables}


_BLANK = re.compile(r"\{(\w+)(?::(\w+)(?::([^{}]*))?)?\}")


def blanks(text: str) -> set[str]:
    """Return the keys of a text's blanks."""
    return {key for key, _, _ in _BLANK.findall(text)}


def values_asked(text: str) -> set[str]:
    """Return the keys of a text's blanks of the form `{key:value}`."""
    return {key for key, kind, _ in _BLANK.findall(text) if kind == "value"}


def fields_asked(text: str) -> set[str]:
    """Return the keys of a text's blanks of the form `{key:field}`."""
    return {key for key, kind, _ in _BLANK.findall(text) if kind == "field"}


def fill(
    text: str,
    about: dict[str, Any],
    names: Mapping[str, str] | None = None,
    values: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> str:
    """Fill in a text's blanks, as plain text; the page does the same with cards drawn.

    `names` maps seats to players' names, `values` has the words for values, `fields` the labels of fields.
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
        parts = [str(one) for one in (value if isinstance(value, (list, tuple)) else [value])]
        if not parts:
            return (values or {}).get(f"{key}.none", "")
        return ", ".join((values or {}).get(f"{key}.{one}", one) if kind == "value" else one for one in parts)

    return _BLANK.sub(blank, text)


def value_said(field: str, value: Any, values: Mapping[str, str]) -> str:
    """Return a field's value in words, where `values` has any."""
    if isinstance(value, list | tuple):
        return ", ".join(value_said(field, one, values) for one in value) or value_said(field, None, values)
    word = "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return values.get(f"{field}.{word}") or values.get(f"put_right.{word}", word)
