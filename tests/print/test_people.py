"""A portrait from a name, on paper: the same face as on the page, which `web/src/art/people.test.ts` sees to."""

import json
import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pypdfium2  # type: ignore[import-untyped]
import pytest

from cardhouse.engine.values.portraits import FACES, Portraits
from cardhouse.games.hackjack.print import hackjack_pdf
from cardhouse.games.hackjack.sheets import read_roster
from cardhouse.games.hackjack.wounds.data import standard_wounds
from cardhouse.print.drawings import symbols
from cardhouse.print.pen import PAPERS, Pen
from cardhouse.print.people import People, State, person, portrait

VECTORS: list[tuple[str, People, State, int, str]] = json.loads(
    Path(__file__).with_name("portraits.json").read_text("utf-8")
)
"""A name, how people look, a state, which face, and the first digits of the SHA-256 of what is drawn."""


def test_a_portrait_is_the_same_as_on_the_page():
    assert len(VECTORS) > 60
    for name, people, state, face, digest in VECTORS:
        drawn = portrait(name, people, state, face)
        assert sha256(drawn.encode()).hexdigest()[:12] == digest, (name, people, state)
        ET.fromstring(f"<g>{drawn}</g>")


@pytest.mark.parametrize("people", ["west", "crypt", "faith"])
def test_every_part_that_a_name_may_bring_is_drawn(people: People):
    looks = [person(f"Name {n}", people) for n in range(400)]
    assert len({json.dumps(look) for look in looks}) > 390
    for n in range(400):
        for state in ("up", "down", "dead"):
            assert "var(" not in portrait(f"Name {n}", people, state)


def test_a_monster_has_a_dozen_faces_all_of_monsters():
    monsters = {name for name in symbols("monsters") if "-" not in name}
    faces = [portrait("Goblin 2", "crypt", "up", face) for face in range(FACES)]
    assert len({*faces}) == FACES
    assert all(any(symbols("monsters")[kind] in face for kind in monsters) for face in faces)


def test_a_sheet_shows_the_portrait_that_was_chosen():
    ben = read_roster(b'{"cardhouse_roster": 1, "characters": [{"name": "Ben", "hp": 3, "max_hp": 5}]}')
    usual, chosen, west = (
        hackjack_pdf(standard_wounds(), PAPERS["a4"], cards=False, sheets=ben, portraits=portraits)
        for portraits in (Portraits(), Portraits("", {"ben": 4}), Portraits("west", {"ben": 4}))
    )
    assert len({usual, chosen, west}) == 3
    assert usual == hackjack_pdf(
        standard_wounds(), PAPERS["a4"], cards=False, sheets=ben, portraits=Portraits("nobody knows", {"bea": 4})
    )


def test_every_pdf_names_whose_drawings_are_in_it():
    with Pen(PAPERS["a4"], "Faces") as pen:
        pen.page()
        told = pypdfium2.PdfDocument(pen.finish()).get_metadata_value("Subject")
    listed = (files("cardhouse") / "drawings" / "CREDITS.md").read_text("utf-8")
    authors = re.findall(r"^\| (\w+) \|", listed.split("## Typefaces")[0], re.MULTILINE)
    assert len(authors) > 4
    assert all(author in told for author in authors)


def test_the_dead_have_no_colour_left():
    drawn = portrait("Rosa", "west", "dead")
    colours = {part[:6] for part in drawn.split("#")[1:] if part[:3] != "fff"}
    assert {colour for colour in colours if len({colour[:2], colour[2:4], colour[4:]}) > 1} == {"1d130c"}
