"""Forms on the page for options' files: their description, and the evaluation of a filled-in form."""

import re

from msgspec import Struct

from cardhouse.engine import BadFile, CardhouseError, find_game
from cardhouse.engine.authoring.form_csv import read_csv, write_csv
from cardhouse.engine.authoring.forms import FileForm, find_form
from cardhouse.engine.values.missing import missing_letters
from cardhouse.server.table.factory import MOST_MISTAKES
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import Json


class FormFilled(Struct, frozen=True, forbid_unknown_fields=True):
    """A form for an option's file: its content so far, and the card to draw.

    If `csv`, a table of cards, is given, its cards replace those of the form.
    """

    filled: Json
    draw: str = ""
    csv: str = ""


class FormResponse(Struct, frozen=True):
    """The form of an option's file.

    `card` and `whole` are JSON Schemas of a card, and of the file's other fields. The cards are in the field `cards`,
    or are the whole file if that is empty. `ids` are the cards' fixed ids; empty if people choose their own. With
    `attributes` a card may have more fields than its schema. `starts` are files to begin with, as values of the option,
    the usual one first. With `roster` the cards are character sheets, the file is a roster, and `roster` is the action
    by which a game master adds one to a table. `prints` names the printout of the cards, if there is one: the file is
    its setting `prints_by`, with the further settings `prints_with`.
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
    """A mistake in a filled-in form: the card, its field, and a sentence; card and field may be empty."""

    card: str
    field: str
    message: str


class FormRead(Struct, frozen=True):
    """The evaluation of a filled-in form.

    `filled` is its content, `file` the same as a TOML file, or JSON for a roster, `csv` its cards as a table. `value`
    is the option's value, or a roster's sheets, if nothing is wrong. `svg` is the requested card as printed; `undrawn`
    says why it can't be drawn, or which characters are missing in the font.
    """

    filled: Json
    file: str
    csv: str
    mistakes: list[FormMistake]
    value: Json | None
    svg: str
    undrawn: str


def form_response(game: str, option: str) -> FormResponse:
    """Return the form for an option of a game.

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


def evaluate_form(game: str, option: str, body: bytes) -> FormRead:
    """Evaluate a filled-in form, which is the body of a request.

    Raises CardhouseError if there is no such form, or the table of cards is invalid.
    """
    form, request = find_form(game, option), requests.read(body, FormFilled)
    filled = request.filled
    if request.csv:
        filled = form.with_cards(filled, read_csv(form.schema_of_card(), request.csv).cards)
    value, mistakes = _read(game, form, filled)
    is_right = not any(one.card in ("", request.draw) for one in mistakes) and request.draw in form.cards_of(filled)
    svg, undrawn = _draw(form, filled, request.draw) if is_right else ("", "")
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
    """Return the game's value for the file, or its mistakes; the form itself knows no rules."""
    text = form.text_of(filled).encode()
    try:
        if form.roster:
            find_game(game).read_roster(text)
            return form.cards_of(filled), []
        value: Json = find_game(game).read_option_file(form.option, text)
    except BadFile as error:
        return None, [_mistake(form, filled, one.field, one.message) for one in error.mistakes[:MOST_MISTAKES]]
    except CardhouseError as error:
        return None, [FormMistake(_sheet_of(form, filled, error.message), "", error.message)]
    return value, []


def _sheet_of(form: FileForm, filled: Json, message: str) -> str:
    """Return the sheet that a roster's first mistake is about, found by its number or name; empty for none."""
    cards = form.cards_of(filled)
    if number := re.search(r"Character (\d+)", message):
        return list(cards)[int(number[1]) - 1]
    named = {one["name"]: card for card, one in cards.items() if isinstance(one, dict) and one.get("name")}
    return next((card for name, card in named.items() if f" {name}" in message), "")


def _mistake(form: FileForm, filled: Json, place: str, message: str) -> FormMistake:
    """Split a mistake's place, such as `cards.rex.size`, into card and field."""
    inside = place.removeprefix(f"{form.cards}.") if form.cards else place
    is_of_card = inside != place or not form.cards
    card, _, field = inside.partition(".")
    if is_of_card and card in form.cards_of(filled):
        return FormMistake(card, field, message)
    return FormMistake("", place, message)


def _draw(form: FileForm, filled: Json, card: str) -> tuple[str, str]:
    """Return a card as SVG, or why it can't be drawn."""
    try:
        with missing_letters() as missing:
            svg = form.draw(filled, card)
        return svg, " ".join(missing)
    except CardhouseError as error:
        return "", error.message
