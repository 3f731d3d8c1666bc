"""Text output of the commands: a game's words, filled in and laid out for a terminal."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from cardhouse.engine import BadTranscript, CardhouseError, Table, Words, fill
from cardhouse.engine.table.visibility import prompt_of

NOTHING = "-"
LISTED = 12
"""Most values of a field that are listed."""
COLUMNS = 9
"""Most fields of an object that is shown as a table row."""


def console() -> Console:
    """Return the console for all output, with the terminal's colours and width."""
    return Console(highlight=False, emoji=False, markup=False)


def grid(*widths: int | None) -> Grid:
    """Return a table without lines; `widths` are the columns' minimum widths, None for no minimum."""
    made = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for width in widths:
        made.add_column(min_width=width, overflow="fold")
    return made


def describe_question(table: Table, words: Words, seat: str) -> str:
    """Return the line at the top: the current question, whom it is for, and its rule."""
    asks = table.asks()
    asked: list[str] = asks["seats"]
    key, about = prompt_of(asks)
    template = words.asks.get(key)
    mine = seat in asked[:1]
    text = key if template is None else filled(table, words, template.you if mine else template.others, about)
    notes = [f"waiting for {called(table, asked[0])}"] if asked and not mine else []
    notes += [asks["rule"]] if "rule" in asks else []
    return f"{text} ({', '.join(notes)})" if notes else text


def filled(table: Table, words: Words, text: str, about: dict[str, Any]) -> str:
    """Return a text with its blanks filled in, using the names at this table."""
    return fill(text, about, names(table), words.values, words.fields)


def names(table: Table) -> dict[str, str]:
    """Return the players' names by seat, for the beginning of a sentence."""
    return {"gm": "The game master", **table.header.names}


def called(table: Table, seat: str) -> str:
    """Return the name of a seat's player, for the middle of a sentence."""
    return table.header.names.get(seat, "the game master" if seat == "gm" else seat)


def instead(error: CardhouseError) -> str:
    """Return what was offered where a transcript failed, on separate lines."""
    if not isinstance(error, BadTranscript) or not error.offers:
        return ""
    return "\nOffered there:" + "".join(f"\n  {line}" for line in dict.fromkeys(map(offered, error.offers)))


def offered(offer: Mapping[str, Any]) -> str:
    """Return an offer as a transcript would name it: `add_character: name text, card one of HA, HK`."""
    word = offer.get("do") or " ".join(f"{kind} {offer[kind]}" for kind in ("draw", "roll") if kind in offer)
    optional = offer.get("optional", ())
    fields = [
        f"{name} {_allowed(schema)}" + (" (may be left out)" if name in optional else "")
        for name, schema in offer["fields"].items()
    ]
    return f"{word}: {'; '.join(fields)}" if fields else str(word)


def _allowed(schema: Mapping[str, Any]) -> str:
    """Return a field's allowed values, in brief."""
    match schema:
        case {"const": value}:
            return plain(value)
        case {"enum": values}:
            listed = [plain(value) for value in values[:LISTED]]
            return " | ".join(listed) + (f" | {len(values) - LISTED} more" if len(values) > LISTED else "")
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"{least} to {most}"
        case {"type": "boolean"}:
            return "true | false"
        case {"type": "array", "items": items}:
            return f"list of {_allowed(items)}"
        case {"type": "array"}:
            return "a list"
        case {"type": "object"}:
            return "an object"
    return "any text"


def plain(value: Any) -> str:
    """Return a value of a game's state as text."""
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        apart = "; " if any(map(_is_list, value.values())) else ", "
        return apart.join(
            f"{name} ({plain(item)})" if isinstance(item, Mapping) and item else f"{name} {plain(item)}"
            for name, item in value.items()
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = [plain(item) for item in value]
        apart = "; " if any(map(_is_list, value)) else ", " if any(" " in item for item in items) else " "
        return apart.join(items)
    return str(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def state(view: Mapping[str, Any], words: Words) -> RenderableType:
    """Return a game's state as a list: a row for each field, and tables for lists of objects."""
    rows = grid(12, None)
    below: list[RenderableType] = []
    for name, value in view.items():
        heading = Text(f"\n{label(name, words.fields)}", "bold")
        if not _are_things(value):
            rows.add_row(Text(label(name, words.fields), "bold"), plain(value))
        elif isinstance(value, Mapping):  # a part of a combined game
            below += [heading, Padding(state(value, words), (0, 0, 0, 2))]
        elif max(map(len, value)) > COLUMNS:
            below += [heading, *(_described(thing, words) for thing in value)]
        else:
            below += [heading, table_of(value, words.fields)]
    return Group(rows, *below)


def _are_things(value: Any) -> bool:
    """Return whether a value is an object with nested objects, or a list of objects."""
    if isinstance(value, Mapping):
        return len(value) > COLUMNS or any(_are_things(item) for item in value.values())
    return bool(value) and isinstance(value, list) and all(isinstance(item, Mapping) for item in value)


def _described(thing: Mapping[str, Any], words: Words) -> RenderableType:
    """Return an object with many fields as lines: its name, its simple fields, and each nested object."""
    name, *fields = thing.items()
    fields_shown = [(field, value) for field, value in fields if value not in (None, False, 0, "", [], {})]
    brief = "; ".join(
        label(field, words.fields) + ("" if value is True else f" {plain(value)}")
        for field, value in fields_shown
        if not _are_things(value)
    )
    texts: list[RenderableType] = [Text(plain(name[1])), Padding(Text(brief, "dim"), (0, 0, 0, 2))]
    for field, value in fields_shown:
        if _are_things(value) and isinstance(value, list):
            heading = f"{label(field, words.fields)}: "
            for item in value:
                texts.append(Padding(Text(heading + _in_a_line(item, words, plain(name[1])), "dim"), (0, 0, 0, 2)))
                heading = "  "
    return Group(*texts)


def _in_a_line(thing: Mapping[str, Any], words: Words, of: str) -> str:
    """Return an object's values in one line, with names only for fields that are true.

    An event is shown in the game's words, as told `of` a character.
    """
    template = words.events.get(str(thing.get("key")))
    fields = {field: value for field, value in thing.items() if not template or field not in ("rule", "key", "about")}
    parts = [
        label(field, words.fields).lower() if value is True else plain(value)
        for field, value in fields.items()
        if value
    ]
    if template:
        parts.append(fill(template, {"name": of, **thing["about"]}, None, words.values))
    return " ".join(parts)


def table_of(things: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> Grid:
    """Return a table with one object per row."""
    made = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    names = list(dict.fromkeys(name for thing in things for name in thing))
    for name in names:
        numbers = all(type(thing.get(name, 0)) in (int, float) for thing in things)
        made.add_column(label(name, labels), justify="right" if numbers else "left", overflow="fold")
    for thing in things:
        made.add_row(*(Text(plain(thing.get(name))) for name in names))
    return made


def label(name: str, labels: Mapping[str, str]) -> str:
    """Return a field's heading: the game's word for it, otherwise its name."""
    return labels.get(name, name.replace("_", " ").capitalize())


def story(table: Table, words: Words, seat: str) -> RenderableType:
    """Return the log, oldest first: number, rule and text; undone events are struck out."""
    rows = grid(3, 6, None)
    for entry in table.entries:
        events = table.story(entry, seat)
        number = str(events["n"])
        for event in events["events"]:
            text = filled(table, words, words.events.get(event["key"], event["key"]), event)
            rule = event["rule"] if re.search(r"\d", event["rule"]) else ""
            undone = " (undone)" if entry.undone else ""
            rows.add_row(number, Text(rule, "dim"), Text(text + undone, "strike dim" if entry.undone else ""))
            number = ""
    return rows


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"
