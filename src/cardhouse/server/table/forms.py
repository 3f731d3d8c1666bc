"""Files for options as forms on the page: what is asked for, and what is made of what somebody fills in."""

import re

from msgspec import Struct

from cardhouse.engine import BadFile, CardhouseError, find_game
from cardhouse.engine.authoring.form_csv import read_csv, write_csv
from cardhouse.engine.authoring.forms import FileForm, find_form
from cardhouse.engine.values.missing import missing_letters
from cardhouse.server.table.factory import MOST_MISTAKES
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import FormFilled, Json


class FormResponse(Struct, frozen=True):
    """The form of an option's file.

    `card` and `whole` are JSON Schemas of what may be said of a card, and of the file beside its cards, which stand in
    it under the name `cards`, or are all of it where that is empty. `ids` are the cards there are; none where people
    make up their own. With `attributes` a card may have more than its schema says. `starts` are files to begin with, as
    values of the option, the usual one first. With `roster` the cards are sheets, the file is a roster, and that is the
    word by which a game master brings one to a table. `prints` is whether the cards can be printed: by that name, the
    file being the setting `prints_by`, with the settings `prints_with`.
    """

    option: str
    card: Json
    whole: Json
    cards: str
    ids: list[str]
    attributes: bool
    starts: dict[str, Json]
    roster: str
    prints: str
    prints_by: str
    prints_with: dict[str, str]


class FormMistake(Struct, frozen=True):
    """What is wrong with what was filled in: the card, the field of it, and a sentence; both may be empty."""

    card: str
    field: str
    message: str


class FormRead(Struct, frozen=True):
    """What was made of a form that somebody fills in.

    `filled` is what it holds, `file` the same as a file, in TOML, or JSON for a roster, `csv` its cards as a table.
    `value` is the option's value, or a roster's sheets, where nothing is wrong. `svg` is the card that was asked for,
    as it is printed; `undrawn` says why it can't be, or which letters are missing.
    """

    filled: Json
    file: str
    csv: str
    mistakes: list[FormMistake]
    value: Json | None
    svg: str
    undrawn: str


def form_told(game: str, option: str) -> FormResponse:
    """The form for an option of a game.

    Raises CardhouseError if there is none.
    """
    form = find_form(game, option)
    return FormResponse(
        form.option,
        form.schema_of_card(),
        form.schema_of_whole(),
        form.cards,
        list(form.ids),
        form.attributes,
        form.starts(),
        form.roster,
        form.prints,
        form.prints_by,
        dict(form.prints_with),
    )


def form_read(game: str, option: str, body: bytes) -> FormRead:
    """What is made of a form that somebody fills in, the body of a request.

    Raises CardhouseError if there is no such form, or the table of cards that came along is none.
    """
    form, wanted = find_form(game, option), requests.read(body, FormFilled)
    filled = wanted.filled
    if wanted.csv:
        filled = form.with_cards(filled, read_csv(form.schema_of_card(), wanted.csv).cards)
    value, mistakes = _read(game, form, filled)
    is_right = not any(one.card in ("", wanted.draw) for one in mistakes) and wanted.draw in form.cards_of(filled)
    svg, undrawn = _drawn(form, filled, wanted.draw) if is_right else ("", "")
    return FormRead(
        filled,
        form.text_of(filled),
        write_csv(form.schema_of_card(), form.cards_of(filled)),
        mistakes,
        value,
        svg,
        undrawn,
    )


def _read(game: str, form: FileForm, filled: Json) -> tuple[Json | None, list[FormMistake]]:
    """What a file with this in it means to the game, or what is wrong with it; a form knows no rule of its own."""
    text = form.text_of(filled).encode()
    try:
        if form.roster:
            find_game(game).read_roster(text)
            return form.cards_of(filled), []
        value: Json = find_game(game).read_option_file(form.option, text)
    except BadFile as error:
        return None, [_mistake(form, filled, one.field, one.message) for one in error.mistakes[:MOST_MISTAKES]]
    except CardhouseError as error:
        return None, [FormMistake(_whose(form, filled, error.message), "", error.message)]
    return value, []


def _whose(form: FileForm, filled: Json, message: str) -> str:
    """The sheet that a roster's first mistake is about: it is told by its number or name; empty if it is about none."""
    cards = form.cards_of(filled)
    if number := re.search(r"Character (\d+)", message):
        return list(cards)[int(number[1]) - 1]
    named = {one["name"]: card for card, one in cards.items() if isinstance(one, dict) and one.get("name")}
    return next((card for name, card in named.items() if f" {name}" in message), "")


def _mistake(form: FileForm, filled: Json, place: str, message: str) -> FormMistake:
    """A mistake by its card and field; it begins with what the file calls its place, `cards.rex.size`."""
    inside = place.removeprefix(f"{form.cards}.") if form.cards else place
    is_of_card = inside != place or not form.cards
    card, _, field = inside.partition(".")
    if is_of_card and card in form.cards_of(filled):
        return FormMistake(card, field, message)
    return FormMistake("", place, message)


def _drawn(form: FileForm, filled: Json, card: str) -> tuple[str, str]:
    """A card as SVG, or why it can't be drawn."""
    try:
        with missing_letters() as missing:
            svg = form.draw(filled, card)
        return svg, " ".join(missing)
    except CardhouseError as error:
        return "", error.message
