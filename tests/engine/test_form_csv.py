"""Tables of cards: read as a spreadsheet means them, or refused by row and column; and written so that nothing runs."""

# ruff: noqa: RUF001 (words of other languages)

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhouse.engine.authoring.form_csv import BadCell, is_csv, read_csv, write_csv
from cardhouse.engine.authoring.forms import schema_of
from cardhouse.games.dogpile.deck_check import CardLine
from cardhouse.games.hackjack.wounds.schema import Wound

DECK, WOUNDS = schema_of(CardLine, {}), schema_of(Wound, {})


def cards(table: str | bytes, schema: dict[str, Any] = DECK) -> dict[str, Any]:
    return read_csv(schema, table).cards


def refusal(table: str | bytes, schema: dict[str, Any] = DECK) -> str:
    with pytest.raises(BadCell) as refused:
        read_csv(schema, table)
    return refused.value.message


EXPORTED = 'id;name;suit;number;text\na1;Zoë;clubs;1;"two\nlines; here"\na2;Günther;clubs;2;"said ""no"""\n'
MEANT = {
    "a1": {"name": "Zoë", "suit": "clubs", "number": 1, "text": "two\nlines; here"},
    "a2": {"name": "Günther", "suit": "clubs", "number": 2, "text": 'said "no"'},
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=ascii)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", list(",;\t|"), ids=ascii)
@pytest.mark.parametrize("says", [True, False], ids=["sep", ""])
def test_whatever_a_spreadsheet_exports_is_the_same_cards(ends: str, encoding: str, delimiter: str, says: bool):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows(csv.reader(io.StringIO(EXPORTED), delimiter=";"))
    text = (f"sep={delimiter}\n" if says else "") + out.getvalue()
    data = text.replace("\n", ends).encode(encoding)
    assert is_csv(data)
    assert cards(data) == MEANT


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp1250"])
def test_other_encodings_are_refused_by_row_and_column(encoding: str):
    data = EXPORTED.encode(encoding)
    assert is_csv(data)
    assert refusal(data) == (
        "Row 2, column B (name): \"Zo?\" can't be read: this file isn't UTF-8. Save the sheet as “CSV UTF-8”."
    )


@pytest.mark.parametrize(
    "word",
    "TRUE WAHR VRAI VERDADERO VERO WAAR SAND SANT PRAWDA ИСТИНА DOĞRU yes Ja oui sí x ✓ 1".split(),  # noqa: SIM905
)
def test_every_language_has_a_word_for_true(word: str):
    assert cards(f"id,wild\na,{word}\n") == {"a": {"wild": True}}


@pytest.mark.parametrize(
    "word",
    "FALSE FALSCH FAUX FALSO ONWAAR FAŁSZ ЛОЖЬ YANLIŞ ΨΕΥΔΕΣ no Nein 0".split(),  # noqa: SIM905
)
def test_and_one_for_false(word: str):
    assert cards(f"id,wild\na,{word}\n") == {"a": {"wild": False}}


@pytest.mark.parametrize(
    ("written", "meant"),
    [("2", 2), ("2.0", 2), ("2,0", 2), ("-3", -3), ("\u22123", -3), ("2.50", "2.50"), ("007", "007"), ("1e3", "1e3")],
)
def test_a_number_is_a_number_however_the_spreadsheet_writes_it(written: str, meant: Any):
    assert cards(f"id;size\na;{written}\n") == {"a": {"size": meant}}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", 'Row 1: The first line names the columns, and the first of them is "id".'),
        ("name,id\nA,a\n", 'Row 1: The first line names the columns, and the first of them is "id".'),
        ("id,name\na,A\n\na,B\n", "Row 4, column id: the card a is in row 2 already. Each id may be used once."),
        ("id,name\n,A\n", "Row 2, column id: the id is missing. Give each card an id."),
        ("id,size,name,Size\na,1,A,2\n", 'Row 1, column D: "Size" is the heading'),
        ("id,size,size\na,1,2\n", 'Row 1, column C: "size" is the heading of column B already.'),
        ("id,id\na,b\n", 'Row 1, column B: "id" is the heading of column A already.'),
        ("id,name\na,A,B\n", 'Row 2, column C: "B" is in a column without a heading.'),
        ("id,name,\na,A,B\n", 'Row 2, column C: "B" is in a column without a heading.'),
        ("id,wild\na,perhaps\n", 'Row 2, column B (wild): "perhaps" is neither yes nor no. Write yes, or no.'),
        ("id;size\na;1\nb;1.000\n", 'Row 3, column B (size): "1.000" may mean 1 or 1000. Write it without'),
        ('id,name\na,"A\nb,B\n', "Row 2: this isn't CSV: a quotation mark is missing or in the wrong place."),
        ('id,name\na,"A"B\n', "Row 2: this isn't CSV: a quotation mark is missing or in the wrong place."),
        ("id,name\na,A\0\n", "Row 2: there is a NUL character: this isn't a text file."),
        ("id\n" + "a\n" * 3000, "Row 2001: the table is too large: 2,000 rows and 100 columns are the most."),
        ("id;name\na;Zo\ufffd\n", "Row 2, column B (name): \"Zo?\" can't be read: this file isn't UTF-8. Save"),
        (b"PK\x03\x04xl/workbook", "This is a workbook or a zip file. Save the sheet as “CSV UTF-8”."),
        (b"\xff\xfei\0d\0,", "Some letters can't be read: this file isn't UTF-8. Save the sheet as “CSV UTF-8”."),
        (b"id," + b"x" * 2_000_000, "The table has 2,000,003 bytes; 1,000,000 is the most."),
    ],
)
def test_unreadable_cells_are_refused_with_their_place(table: str | bytes, said: str):
    if "Size" in said:  # attributes differ by their letters: it is the deck that refuses this one
        assert cards(table)["a"] == {"size": 1, "name": "A", "Size": 2}
        return
    assert refusal(table).startswith(said)


def test_headings_may_be_capitals_and_cells_may_be_left_out():
    assert cards("ID,NAME,Wild,size\na,A\n\nb,B,,3,,,\n") == {"a": {"name": "A"}, "b": {"name": "B", "size": 3}}


def test_lists_of_attributes_come_back():
    there = {
        "a": {"name": "Ann", "size": [1, 3], "breed": ["pug", "corgi"]},
        "b": {"name": "Bob", "size": 2, "breed": ["pug"]},
        "c": {"name": "7", "size": "2", "breed": "pug; corgi", "wild": False, "text": ""},
    }
    table = write_csv(DECK, there)
    assert "1; 3" in table
    assert "pug; corgi" in table
    assert cards(table) == there


PLAIN = st.one_of(st.integers(-1000, 1000), st.text(max_size=12), st.sampled_from(["=1+1", "x;=1", "-2", "+a", "\t@b"]))
ANY_CARD = st.fixed_dictionaries(
    {"name": st.text(max_size=12)},
    optional={
        "wild": st.booleans(),
        "size": st.one_of(PLAIN, st.lists(PLAIN, max_size=3)),
        "=cmd": PLAIN,
    },
)
DECKS = st.dictionaries(st.text(min_size=1, max_size=6), ANY_CARD, min_size=1, max_size=4)
ANY_WOUND = st.fixed_dictionaries(
    {"name": st.text(max_size=12), "text": st.text(max_size=12), "ends": st.sampled_from(["week", "rest"])},
    optional={
        "abilities": st.dictionaries(st.sampled_from(["STR", "CON"]), st.sampled_from([-2, 3, "half"])),
        "conditions": st.lists(st.sampled_from(["prone", "dazed"]), max_size=2),
        "trauma": st.integers(-3, 3),
        "check": st.fixed_dictionaries({"failed": st.just("dazed"), "each_round": st.booleans()}),
    },
)


@settings(max_examples=50, deadline=None)
@given(DECKS)
def test_an_exported_file_reads_back_the_same(there: dict[str, Any]):
    assert cards(write_csv(DECK, there)) == there


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.sampled_from(["C2", "C3"]), ANY_WOUND, min_size=1))
def test_so_do_wounds(there: dict[str, Any]):
    assert cards(write_csv(WOUNDS, there), WOUNDS) == there


@settings(max_examples=50, deadline=None)
@given(DECKS)
def test_no_exported_cell_runs_as_a_formula(there: dict[str, Any]):
    table = write_csv(DECK, there)
    for delimiter in ",;\t":  # whatever parts cells where the file is opened
        for row in csv.reader(io.StringIO(table), delimiter=delimiter):
            for cell in row:
                assert re.fullmatch(r"-\d+", cell) or cell.strip()[:1] not in tuple("=+-@＝＋－＠"), cell
