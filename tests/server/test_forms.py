"""Option files as forms: over HTTP, and the rules for every game's form."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cardhouse.engine import CardhouseError, game_names
from cardhouse.engine.authoring.form_csv import read_csv, write_csv
from cardhouse.engine.authoring.forms import FileForm, find_form, forms_of
from cardhouse.server.files.forms import FormMistake, FormRead, evaluate_form
from tests.server.talking import Server

FORMS = [
    pytest.param(game, form, id=f"{game}-{form.option}") for game in game_names() for form in forms_of(game).values()
]
WOUND = {"name": "Black eye", "text": "It is swollen.", "ends": "week"}


def read(game: str, option: str, filled: Any, **more: Any) -> FormRead:
    return evaluate_form(game, option, json.dumps({"filled": filled, **more}).encode())


@pytest.mark.parametrize(("game", "form"), FORMS)
def test_templates_are_valid_and_read_back_the_same(game: str, form: FileForm) -> None:
    for value in form.starts().values():
        cards = form.cards_of(value)
        assert not form.ids or set(cards) == set(form.ids)
        reading = read(game, form.option, value)
        assert (reading.mistakes, reading.filled) == ([], value)
        assert read_csv(form.schema_of_card(), write_csv(form.schema_of_card(), cards)).cards == cards


@pytest.mark.parametrize(("game", "form"), FORMS)
def test_its_first_card_is_drawn(game: str, form: FileForm) -> None:
    value = next(iter(form.starts().values()))
    drawn = read(game, form.option, value, draw=next(iter(form.cards_of(value))))
    assert (drawn.mistakes, drawn.undrawn) == ([], "")
    svg = ET.fromstring(drawn.svg)
    assert svg.attrib["viewBox"] == "0 0 63 88" or form.roster
    shapes = {f"#{one.attrib['id']}" for one in svg.iter("{http://www.w3.org/2000/svg}path") if "id" in one.attrib}
    assert {one.attrib["href"] for one in svg.iter("{http://www.w3.org/2000/svg}use")} == shapes


def test_a_server_that_tells_of_forms_loads_nothing_that_draws() -> None:
    script = (
        "import sys; from cardhouse.server.files.forms import form_response; "
        "from cardhouse.server.files.print_jobs import prints; "
        "form_response('hackjack', 'wounds'); form_response('dogpile', 'deck'); form_response('dogs', 'posse'); "
        "prints(); "
        "assert 'fpdf' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_over_http(house: Server) -> None:
    status, told = house.get("/api/games/hackjack/forms/wounds")
    assert (status, told["cards"], len(told["ids"]), list(told["starts"])) == (200, "", 52, ["standard"])
    assert house.get("/api/games/hackjack")[1]["forms"] == ["wounds", "posse"]
    status, told = house.post("/api/games/hackjack/forms/wounds", {"filled": {"C2": WOUND}, "draw": "C2"})
    assert (status, told["value"], told["mistakes"]) == (200, {"C2": WOUND}, [])
    assert told["file"] == '[C2]\nname = "Black eye"\ntext = "It is swollen."\nends = "week"\n'
    assert told["svg"].startswith("<svg ")
    for path in ("/api/games/hackjack/forms/limit", "/api/games/initiative/forms/wounds"):
        assert house.get(path)[0] == 404
        assert house.post(path, {"filled": {}})[0] == 404
    assert house.post("/api/games/hackjack/forms/wounds", {"filed": {}})[0] == 400


def test_a_mistake_is_told_with_its_card_and_field() -> None:
    told = read("hackjack", "wounds", {"C2": {**WOUND, "ends": "check"}, "C3": WOUND}, draw="C3")
    assert told.value is None
    assert [(one.card, one.field) for one in told.mistakes] == [("C2", "ends")]
    assert told.svg, "the other card is drawn all the same"
    assert read("hackjack", "wounds", {"C2": {**WOUND, "ends": "check"}}, draw="C2").svg == ""
    deck = find_form("dogpile", "deck").starts()["dogs"]
    deck["cards"]["rex"], deck["name"] = {"size": "big"}, ""
    mistakes = read("dogpile", "deck", deck).mistakes
    assert mistakes[0] == FormMistake("", "name", "name is empty; it must say something.")
    assert {(one.card, one.field) for one in mistakes[1:]} >= {("rex", "size"), ("rex", "breed")}


def test_a_roster_is_a_file_of_sheets() -> None:
    posse = {"a": {"name": "Ada", "hp": 7, "max_hp": 7}, "b": {"name": "Ben", "hp": 9, "max_hp": 9}}
    told = read("hackjack", "posse", posse, draw="b")
    assert json.loads(told.file) == {"cardhouse_roster": 1, "characters": list(posse.values())}
    assert (told.value, told.mistakes, told.svg[:5]) == (posse, [], "<svg ")
    for sheet, message in (
        ({"name": "Ben", "hp": 9, "max_hp": "x"}, "Character 2 (Ben): max_hp must be a whole number, not a text."),
        ({"name": "Ben", "hp": 9, "max_hp": 0}, "Ben: max_hp must be a whole number from 1 to 1000, not 0."),
        ({"hp": 9, "max_hp": 9}, "Character 2: name is missing."),
    ):
        (mistake,) = read("hackjack", "posse", {**posse, "b": sheet}).mistakes
        assert (mistake.card, mistake.message) == ("b", f"This roster doesn't work here. {message}")


def test_text_too_long_for_a_card_is_reported() -> None:
    told = read("hackjack", "wounds", {"C2": {**WOUND, "text": "W" * 400}}, draw="C2")
    assert (told.mistakes, told.svg) == ([], "")
    assert told.undrawn.startswith("The wound of C2, Black eye, is too long for a card")


def test_a_table_from_any_spreadsheet() -> None:
    told = read(
        "hackjack", "wounds", {}, csv="\ufeffID;name;text;ends;abilities;trauma\r\nC2;A;B;week;STR -2; CON half;\r\n"
    )
    assert told.filled["C2"]["abilities"] == {"STR": -2}
    told = read("hackjack", "wounds", {}, csv='id,name,text,ends,abilities,trauma\nC2,A,B,week,"STR -2; CON half",3\n')
    assert told.value == {
        "C2": {"name": "A", "text": "B", "ends": "week", "abilities": {"STR": -2, "CON": "half"}, "trauma": 3}
    }


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("name,text\nA,B\n", 'Row 1: The first line names the columns, and the first of them is "id".'),
        ("id,name\nC2,A\nC2,B\n", "Row 3, column id: the card C2 is in row 2 already. Each id may be used once."),
        ("id,name\n,A\n", "Row 2, column id: the id is missing. Give each card an id."),
    ],
)
def test_tables_that_are_none(table: str, said: str) -> None:
    with pytest.raises(CardhouseError) as refused:
        read("hackjack", "wounds", {}, csv=table)
    assert refused.value.message == said
