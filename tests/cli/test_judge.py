"""The judge on the command line (DG-21)."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardhouse.cards import JOKERS
from cardhouse.games.dogpile.deck_file import standard_deck
from cardhouse.games.dogpile.judge import judge
from tests.cli.conftest import Run

Write = Callable[[Any], Path]

DOGS = """\
name = "Three dogs"
beside.all = [{ attribute = "size", at_most = 1 }]
above.all = [{ attribute = "breed", equal = true }]
[cards]
rex = { size = 1, breed = "pug" }
max = { size = 2, breed = "corgi" }
bo = { wild = true, breed = "pug" }
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a layout: what is given, or rows of cards as they lie, the lowest at y = -3 and the first at x = 7."""

    def write(layout: Any) -> Path:
        file = tmp_path / "layout.json"
        if isinstance(layout, str):
            rows = [row.split() for row in layout.splitlines()]
            layout = [
                {"card": card, "x": x + 7, "y": len(rows) - y - 4}
                for y, row in enumerate(rows)
                for x, card in enumerate(row)
                if card != "."
            ]
        file.write_text(json.dumps(layout), "utf-8")
        return file

    return write


def lines(text: str) -> list[str]:
    """The lines, without blanks at their ends."""
    return [line.rstrip() for line in text.splitlines()]


def test_a_legal_pack(run: Run, write: Write):
    status, out, err = run("judge", write("C5 D6 H7\n. D10 ."))
    assert (status, err) == (0, "")
    assert lines(out) == [
        " C5 --  D6 --  H7",
        "        |",
        "       D10",
        "",
        "Legal: 4 cards in one shape, and every contact is legal.",
    ]


def test_a_pack_that_is_not_legal(run: Run, write: Write):
    status, out, err = run("judge", write("C5 RJ D7 .\nH9 . D4 .\n. . . BJ"))
    assert (status, err) == (0, "")
    assert lines(out) == [
        "Shape 1 of 2, with H9 on (7, -2):",
        "  C5  -- RJ=C6 --   D7",
        "  x                 |",
        "  H9                D4",
        "",
        "Shape 2 of 2, with BJ on (10, -3):",
        "BJ=CA",
        "",
        "Not legal: 2 separate shapes (DG-10) and 1 illegal contact (DG-13).",
        "H9 (7, -2) and C5 (7, -1): One above the other, the suit must be the same",
        "(hearts and clubs are not). (DG-12)",
        "RJ (8, -1) counts as C6, 6 of clubs.",
        "BJ (10, -3) counts as CA, Ace of clubs.",
    ]


def test_jokers_that_nothing_can_help(run: Run, write: Write):
    out = lines(run("judge", write("C5 RJ C8")).out)
    assert out[0] == "  C5  -- RJ=C4 xx   C8"
    assert out[2] == "Not legal: 1 illegal contact (DG-13)."
    assert out[-1] == "No other values leave fewer illegal contacts. (DG-14)"


def test_two_pieces_with_every_contact_legal(run: Run, write: Write):
    out = lines(run("judge", write("C5 . C6")).out)
    assert out == [
        "Shape 1 of 2, with C5 on (7, -3):", "C5", "",
        "Shape 2 of 2, with C6 on (9, -3):", "C6", "",
        "Not legal: 2 separate shapes (DG-10).",
    ]  # fmt: skip


def test_a_single_card(run: Run, write: Write):
    out = " ".join(run("judge", write("C5")).out.split())
    assert out == "C5 Legal: a single card touches nothing. In a game, DG-15 decides about a Pack Leader alone."


def test_a_long_pack_is_not_wrapped(run: Run, write: Write):
    cards = [card for card in standard_deck().cards if card not in JOKERS][:40]
    drawn = run("judge", write(" ".join(cards))).out.splitlines()[0]
    assert [word for word in drawn.split() if word not in ("--", "xx")] == cards


def test_for_programs(run: Run, write: Write):
    told = run("judge", write("C5 RJ D7\nH9 . D4"), "--json")
    assert (told.status, told.err) == (0, "")
    reason = "One above the other, the suit must be the same (hearts and clubs are not)."
    assert json.loads(told.out) == {
        "legal": False,
        "pieces": 1,
        "illegal": [{"a": [7, -3], "b": [7, -2], "rule": "DG-12", "reason": reason}],
        "jokers": [{"x": 8, "y": -2, "as": "C6"}],
    }
    assert json.loads(run("judge", write("C5 C6"), "--json").out) == {
        "legal": True, "pieces": 1, "illegal": [], "jokers": [],
    }  # fmt: skip


def test_the_whole_deck_on_the_table(run: Run, write: Write):
    cards = list(standard_deck().cards)
    rows = [cards[number : number + 9] for number in range(0, 54, 9)]
    told = json.loads(run("judge", write("\n".join(map(" ".join, rows))), "--json").out)
    verdict = judge({(x, -y): card for y, row in enumerate(rows) for x, card in enumerate(row)}, standard_deck())
    assert (told["legal"], told["pieces"], len(told["illegal"])) == (False, 1, len(verdict.illegal))


def test_another_deck(run: Run, write: Write, tmp_path: Path):
    deck = tmp_path / "dogs.toml"
    deck.write_text(DOGS, "utf-8")
    layout = write([{"card": "max", "x": 0, "y": 0}, {"card": "bo", "x": 1, "y": 0}, {"card": "rex", "x": 1, "y": -1}])
    assert json.loads(run("judge", layout, "--deck", deck, "--json").out)["jokers"] == [{"x": 1, "y": 0, "as": "rex"}]
    out = lines(run("judge", layout, "--deck", deck).out)
    assert out[0] == " max   -- bo=rex"
    assert "bo (1, 0) counts as rex." in out
    deck.write_text(DOGS.replace('size = 1, breed = "pug"', 'size = 3, breed = "pug"'), "utf-8")
    out = lines(run("judge", write("max bo"), "--deck", deck).out)
    assert out[0] == " max   -- bo=rex"
    deck.write_text(DOGS.replace("at_most = 1", "at_most = 0"), "utf-8")
    out = lines(run("judge", write("max bo"), "--deck", deck).out)
    assert (out[0], out[-1]) == ("max  -- bo=*", "bo (8, -3) counts as size 2, breed pug.")


def test_a_deck_that_comes_along(run: Run, write: Write):
    layout = write([{"card": "pudding", "x": 0, "y": 0}])
    assert run("judge", layout, "--deck", "dogs").status == 0
    assert run("judge", layout).err == "cardhouse: The deck Standard deck has no card pudding.\n"


def test_a_deck_that_can_not_be_used(run: Run, write: Write, tmp_path: Path):
    deck = tmp_path / "dogs.toml"
    deck.write_text(DOGS.replace("size = 2", "sise = 2"), "utf-8")
    status, out, err = run("judge", write("rex"), "--deck", deck)
    assert (status, out) == (2, "")
    assert f"{deck}:6: cards.max.size is missing; every card that is not wild has it." in err
    assert run("judge", write("rex"), "--deck", "cats").err == "cardhouse: File not found: cats\n"


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    layout = b'\xef\xbb\xbf[{"card": "C7", "x": 0, "y": 0},\r\n{"card": "RJ", "x": 1, "y": 0}]'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(layout)))
    assert json.loads(run("judge", "-", "--json").out)["jokers"] == [{"x": 1, "y": 0, "as": "C6"}]
    status, out, err = run("judge", "-", "--deck", "-")
    assert (status, out) == (2, "")
    assert err == "cardhouse: Only one of the layout and the deck can come from standard input.\n"


C5 = {"card": "C5", "x": 0, "y": 0}
NO_LAYOUTS = [
    ([C5, {"card": "C6", "x": 0, "y": 0}], "Two cards lie on the cell (0, 0): C5 and C6."),
    ([C5, {"card": "C5", "x": 1, "y": 0}], "C5 is there twice, at (0, 0) and (1, 0)."),
    ([], "There are no cards to check."),
    ({"cards": [C5]}, 'A layout is a list of cards, such as [{"card": "C7", "x": 0, "y": 0}].'),
    ([{"card": "C5", "x": 0, "y": 1.5}], "Card 1 of the layout: y must be a whole number from -1000 to 1000, not 1.5."),
    ([C5, {"card": "C6", "x": 1001, "y": 0}], "Card 2 of the layout: x must be a whole number from -1000 to 1000, not"),
    ([{"x": 0, "y": 0}], "Card 1 of the layout: card is missing."),
]


@pytest.mark.parametrize("flags", [[], ["--json"]])
@pytest.mark.parametrize(("layout", "said"), NO_LAYOUTS)
def test_invalid_layouts_are_refused(run: Run, write: Write, layout: Any, said: str, flags: list[str]):
    file = write(layout)
    status, out, err = run("judge", file, *flags)
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {file}: {said}")


def test_a_card_that_the_deck_does_not_have(run: Run, write: Write):
    assert run("judge", write("C5 C1")) == (2, "", "cardhouse: The deck Standard deck has no card C1.\n")


@pytest.mark.parametrize("text", [b"", b"C5 at 0, 0", b"[" * 100_000, b'["\xff"]'])
def test_invalid_json_is_refused(run: Run, tmp_path: Path, text: bytes):
    file = tmp_path / "layout.json"
    file.write_bytes(text)
    status, out, err = run("judge", file)
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {file} isn't valid JSON: ")


def test_no_file(run: Run, tmp_path: Path):
    nowhere = tmp_path / "no.json"
    assert run("judge", nowhere) == (2, "", f"cardhouse: File not found: {nowhere}\n")
