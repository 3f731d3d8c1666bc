"""What the commands have to say: a game's own words, filled in and laid out for a terminal."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from cardhouse.engine import BadTranscript, CardhouseError, Table, Words, fill

NOTHING = "-"
LISTED = 12
"""So many values of a field are listed, not more."""
COLUMNS = 9
"""Things of more fields than that are no rows of a table."""


def console() -> Console:
    """Where everything is printed; colours and width as the terminal has them."""
    return Console(highlight=False, emoji=False, markup=False)


def grid(*widths: int | None) -> Grid:
    """A table without lines; each column's least width, None for whatever is left."""
    made = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for width in widths:
        made.add_column(min_width=width, overflow="fold")
    return made


def what_now(table: Table, words: Words, seat: str) -> str:
    """The line at the top: what is asked, of whom, by which rule."""
    asks = table.asks()
    asked: list[str] = asks["seats"]
    said = words.asks.get(asks["key"])
    mine = seat in asked[:1]
    text = asks["key"] if said is None else fill(said.you if mine else said.others, asks["with"], names(table))
    notes = [f"waiting for {called(table, asked[0])}"] if asked and not mine else []
    notes += [asks["rule"]] if "rule" in asks else []
    return f"{text} ({', '.join(notes)})" if notes else text


def names(table: Table) -> dict[str, str]:
    """What the people in the seats are called, at the beginning of a sentence."""
    return {"gm": "The game master", **table.header.names}


def called(table: Table, seat: str) -> str:
    """What the person in a seat is called, in the middle of a sentence."""
    return table.header.names.get(seat, "the game master" if seat == "gm" else seat)


def instead(error: CardhouseError) -> str:
    """What was offered where a transcript could not be read on, in lines of their own."""
    if not isinstance(error, BadTranscript) or not error.offers:
        return ""
    return "\nOffered there:" + "".join(f"\n  {line}" for line in dict.fromkeys(map(offered, error.offers)))


def offered(offer: Mapping[str, Any]) -> str:
    """An offer in the words a transcript would use: `add_character: name text, card one of HA, HK`."""
    word = offer.get("do") or " ".join(f"{kind} {offer[kind]}" for kind in ("draw", "roll") if kind in offer)
    optional = offer.get("optional", ())
    fields = [
        f"{name} {_allowed(schema)}" + (" (may be left out)" if name in optional else "")
        for name, schema in offer["fields"].items()
    ]
    return f"{word}: {'; '.join(fields)}" if fields else str(word)


def _allowed(schema: Mapping[str, Any]) -> str:
    """What a field may be, in brief."""
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
        case {"type": "object"}:
            return "an object"
    return "any text"


def plain(value: Any) -> str:
    """A value of a game's state as somebody would write it down."""
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(item)}" for name, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(plain, value))
    return str(value)


def state(view: Mapping[str, Any], words: Words) -> RenderableType:
    """A game's state as a list: each field a row, a list of like things a table of its own below."""
    rows = grid(12, None)
    below: list[RenderableType] = []
    for name, value in view.items():
        heading = Text(f"\n{label(name, words.fields)}", "bold")
        if not _are_things(value):
            rows.add_row(Text(label(name, words.fields), "bold"), plain(value))
        elif isinstance(value, Mapping):  # a game that this one consists of
            below += [heading, Padding(state(value, words), (0, 0, 0, 2))]
        elif max(map(len, value)) > COLUMNS:
            below += [heading, *(_described(thing, words) for thing in value)]
        else:
            below += [heading, table_of(value, words.fields)]
    return Group(rows, *below)


def _are_things(value: Any) -> bool:
    """Whether it is something with fields of its own that hold more, or a list of things with fields."""
    if isinstance(value, Mapping):
        return len(value) > COLUMNS or any(_are_things(item) for item in value.values())
    return bool(value) and isinstance(value, list) and all(isinstance(item, Mapping) for item in value)


def _described(thing: Mapping[str, Any], words: Words) -> RenderableType:
    """A thing of many fields: its name, what there is to say of it, and what it has, each in a line of its own."""
    name, *fields = thing.items()
    said = [(field, value) for field, value in fields if value not in (None, False, 0, "", [], {})]
    brief = "; ".join(
        label(field, words.fields) + ("" if value is True else f" {plain(value)}")
        for field, value in said
        if not _are_things(value)
    )
    lines = [
        f"{label(field, words.fields)}: {plain([part for part in item.values() if part])}"
        for field, value in said
        if _are_things(value) and isinstance(value, list)
        for item in value
    ]
    texts: list[RenderableType] = [Text(plain(name[1])), Padding(Text(brief, "dim"), (0, 0, 0, 2))]
    return Group(*texts, *(Padding(Text(line, "dim"), (0, 0, 0, 2)) for line in lines))


def table_of(things: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> Grid:
    """Things of one kind, one a row."""
    made = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    names = list(dict.fromkeys(name for thing in things for name in thing))
    for name in names:
        numbers = all(type(thing.get(name, 0)) in (int, float) for thing in things)
        made.add_column(label(name, labels), justify="right" if numbers else "left", overflow="fold")
    for thing in things:
        made.add_row(*(Text(plain(thing.get(name))) for name in names))
    return made


def label(name: str, labels: Mapping[str, str]) -> str:
    """A field's name as a heading: what the game calls it, else itself."""
    return labels.get(name, name.replace("_", " ").capitalize())


def story(table: Table, words: Words, seat: str) -> RenderableType:
    """What happened, oldest first: number, rule and the game's own words; what was undone is struck out."""
    rows = grid(3, 6, None)
    for entry in table.entries:
        told = table.story(entry, seat)
        number = str(told["n"])
        for event in told["events"]:
            text = fill(words.events.get(event["key"], event["key"]), event, names(table))
            rule = event["rule"] if re.search(r"\d", event["rule"]) else ""
            undone = " (undone)" if entry.undone else ""
            rows.add_row(number, Text(rule, "dim"), Text(text + undone, "strike dim" if entry.undone else ""))
            number = ""
    return rows


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"
