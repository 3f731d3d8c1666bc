import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.print.reading import Page, cells, read

ROSTER = """
{"cardhouse_roster": 1, "characters": [
  {"name": "Ada", "hp": 5, "max_hp": 7, "trauma": 3, "wounds": [{"card": "S6"}]},
  {"name": "Ben", "hp": 9, "max_hp": 9}]}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command is run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pages(file: str = "hackjack.pdf") -> list[Page]:
    return read(Path(file).read_bytes())


def test_the_whole_game(run: Run):
    status, out, err = run("print", "hackjack")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Wrote hackjack.pdf. Print it at 100%, not “fit to page”.",
        "Print the cards two-sided, flipped on the long edge.",
        "Print the sheets single-sided.",
    ]
    printed = pages()
    assert len(printed) == 12 + 4
    assert printed[0].size == pytest.approx((210, 297), abs=0.01)


def test_cards_only_on_letter_paper_without_backs(run: Run):
    status, out, err = run("print", "hackjack", "--paper", "Letter", "--no-backs", "--sheet-count", 0, "-o", "deck.pdf")
    assert (status, err) == (0, "")
    assert out == "Wrote deck.pdf. Print it at 100%, not “fit to page”.\nPrint the cards single-sided.\n"
    printed = pages("deck.pdf")
    assert len(printed) == 6
    assert printed[0].size == pytest.approx((215.9, 279.4), abs=0.01)


def test_sheets_only(run: Run):
    status, out, _ = run("print", "hackjack", "--no-cards", "--sheet-count", 2)
    assert status == 0
    assert out == "Wrote hackjack.pdf. Print it at 100%, not “fit to page”.\nPrint the sheets single-sided.\n"
    assert len(pages()) == 2


def test_sheets_of_a_roster(run: Run):
    Path("posse.json").write_text(ROSTER)
    assert run("print", "hackjack", "--sheets", "posse.json").status == 0
    ada, ben = pages()[12:]
    assert "Name Ada HP 5 Max HP 7" in ada.text()
    assert "Cracked bones, until recovered" in ada.text()
    assert "Name Ben HP 9 Max HP 9" in ben.text()


def test_the_roster_that_the_table_writes(run: Run):
    Path("fight.jsonl").write_text(
        '{"cardhouse":1,"game":"hackjack","seats":["gm","ada"]}\n'
        '{"by":"gm","do":"add_character","name":"Ada","hp":5,"max_hp":7,"scores":{"STR":9},"to_hit":"+2"}\n'
        '{"by":"gm","do":"damage","target":"Ada","amount":9}\n'
        '{"draw":"wounds","card":"S6"}\n'
    )
    assert run("roster", "fight.jsonl", "-o", "posse.json").status == 0
    assert run("print", "hackjack", "--no-cards", "--sheets", "posse.json").status == 0
    (sheet,) = pages()
    assert "Name Ada down HP 0 Max HP 7" in sheet.text()
    assert "STR 9" in sheet.text()
    assert "6 Cracked bones, until recovered" in sheet.text()


def test_wounds_of_ones_own(run: Run):
    Path("mine.toml").write_text('[C2]\nname = "Übel"\ntext = "Больно."\nends = "week"\nblood = 2\n', "utf-8")
    assert run("print", "hackjack", "--wounds", "mine.toml", "--no-backs").status == 0
    page = pages()[0]
    assert page.text(list(cells(page))[1]) == "2 2 +2 death-score Übel Больно. Blood 2 Lasts for a week"
    assert "Eyes swollen shut" in page.text(list(cells(page))[2])


def test_to_standard_output():
    command = [sys.executable, "-m", "cardhouse", "print", "hackjack", "--no-cards", "--sheet-count", "1", "-o", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stderr == b""
    assert len(read(done.stdout)) == 1


def test_commands_that_print_nothing_need_no_print_library():
    script = "import sys; from cardhouse.cli import main; main(['games']); assert 'fpdf' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sheets", "posse.json", "--sheet-count", "2"], "Either --sheets or --sheet-count: "),
        (["--no-cards", "--sheet-count", "0"], "There is nothing to print: no cards and no sheets."),
        (["--sheet-count", "-1"], "Invalid value for '--sheet-count': "),
        (["--paper", "a5"], "Invalid value for '--paper': "),
        (["--wounds", "none.toml"], "File not found: none.toml"),
        (["--sheets", "none.json"], "File not found: none.json"),
        (["-o", "no/such/folder.pdf"], "no/such/folder.pdf can't be written: No such file or directory."),
    ],
)
def test_what_cannot_be_done(run: Run, arguments: list[str], said: str):
    Path("posse.json").write_text(ROSTER)
    status, out, err = run("print", "hackjack", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {said}")
    assert not Path("hackjack.pdf").exists()


@pytest.mark.parametrize(
    ("wounds", "said"),
    [
        ('[C2]\nname = "A"\ntext = "B"\nends = "never"', "mine.toml:4: C2.ends "),
        ("[C2", "mine.toml:1: This is not TOML"),
        (f'[C2]\nname = "A"\ntext = "{"W" * 400}"\nends = "week"', "The wound of C2, A, is too long for a card"),
    ],
)
def test_wounds_that_cannot_be_printed(run: Run, wounds: str, said: str):
    Path("mine.toml").write_text(wounds, "utf-8")
    status, out, err = run("print", "hackjack", "--wounds", "mine.toml")
    assert (status, out) == (2, "")
    assert said in err
    assert not Path("hackjack.pdf").exists()


@pytest.mark.parametrize(
    ("roster", "said"),
    [
        ("[]", "posse.json: This file isn't a roster"),
        ("{", "posse.json: This file isn't a roster"),
        ('{"cardhouse_roster": 2, "characters": []}', "posse.json: This roster is of format 2"),
        (ROSTER.replace('"max_hp": 7', '"max_hp": "x"'), "(Ada)"),
        (ROSTER.replace("S6", "S66"), "Ada: "),
        (ROSTER.replace("Ben", "Ada"), "It has Ada twice"),
        ('{"cardhouse_roster": 1, "characters": []}', "is empty"),
    ],
)
def test_rosters_that_cannot_be_printed(run: Run, roster: str, said: str):
    Path("posse.json").write_text(roster, "utf-8")
    status, out, err = run("print", "hackjack", "--no-cards", "--sheets", "posse.json")
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_help_lists_it(run: Run):
    assert "hackjack" in run("print").out
    said = run("print", "hackjack", "--help").out
    for option in ("--paper", "--wounds", "--sheets", "--sheet-count", "--no-cards", "--no-backs", "--output"):
        assert option in said


# Decks.

DOGS = """
name = "Three dogs"
beside = { all = [{ attribute = "size", differs_by = 2 }] }
above = { all = [{ attribute = "mood", equal = true }] }
[cards]
rex = { name = "Rex", size = 1, mood = "sleepy" }
max = { name = "Max", size = 3, mood = "brave" }
ada = { name = "Ada", size = 5, mood = "brave" }
"""


def test_a_deck_that_comes_along(run: Run):
    status, out, err = run("print", "deck", "standard", "--no-backs")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Wrote standard.pdf. Print it at 100%, not “fit to page”.",
        "54 cards, and 9 with the rules: print single-sided.",
    ]
    printed = pages("standard.pdf")
    assert len(printed) == 7
    assert printed[0].size == pytest.approx((210, 297), abs=0.01)


def test_a_deck_of_ones_own_on_letter_paper(run: Run):
    Path("mine.toml").write_text(DOGS)
    status, out, err = run("print", "deck", "mine.toml", "--paper", "letter")
    assert (status, err) == (0, "")
    assert out == (
        "Wrote mine.pdf. Print it at 100%, not “fit to page”.\n"
        "3 cards, and 6 with the rules: print two-sided, flipped on the long edge.\n"
    )
    page, _ = pages("mine.pdf")
    assert page.size == pytest.approx((215.9, 279.4), abs=0.01)
    for cell, name in zip(cells(page), ("Rex", "Max", "Ada"), strict=False):
        assert name in page.text(cell)


def test_a_deck_from_standard_input_to_standard_output():
    command = [sys.executable, "-m", "cardhouse", "print", "deck", "-", "-o", "-"]
    done = subprocess.run(command, input=DOGS.encode(), capture_output=True, check=True)
    assert done.stderr == b""
    assert len(read(done.stdout)) == 2


@pytest.mark.parametrize(
    ("deck", "arguments", "said"),
    [
        (DOGS, ["none.toml"], "File not found: none.toml"),
        (DOGS, ["mine.toml", "-o", "no/such/folder.pdf"], "no/such/folder.pdf can't be written: No such file"),
        (DOGS, ["mine.toml", "--paper", "a5"], "Invalid value for '--paper': "),
        (DOGS, [], "Missing argument 'FILE'"),
        (DOGS.replace("3, mood", '"x", mood'), ["mine.toml"], "The deck in mine.toml can't be used"),
        (DOGS.replace('Rex"', f'{"W" * 60}", text = "{"W" * 300}"'), ["mine.toml"], ", has more text than there is "),
    ],
)
def test_decks_that_cannot_be_printed(run: Run, deck: str, arguments: list[str], said: str):
    Path("mine.toml").write_text(deck, "utf-8")
    status, out, err = run("print", "deck", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err
    assert not Path("mine.pdf").exists()


# Sheets for Dogs Play Cards, Too.

SHEETS = """
{"cardhouse_roster": 1, "characters": [
  {"name": "Amos", "stats": {"acuity": 3, "body": 2, "heart": 2, "will": 2}, "things": [{"name": "Hot-headed"}]}]}
"""


def test_sheets_and_the_game_masters_page(run: Run):
    status, out, err = run("print", "dogs", "--paper", "letter")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Wrote dogs.pdf. Print it at 100%, not “fit to page”.",
        "Print the sheets single-sided, landscape. The first page is the game master's.",
    ]
    printed = pages("dogs.pdf")
    assert [page.text().startswith("For the game master") for page in printed] == [True] + [False] * 6
    assert printed[0].size == pytest.approx((279.4, 215.9), abs=0.01)
    Path("roster.json").write_text(SHEETS)
    assert run("print", "dogs", "--sheets", "roster.json", "--no-aid", "-o", "amos.pdf").status == 0
    (sheet,) = pages("amos.pdf")
    assert "Hot-headed" in sheet.text()


@pytest.mark.parametrize(
    ("roster", "said"),
    [
        (
            SHEETS.replace('"will": 2', '"will": 9'),
            "roster.json: This roster doesn't work here. Amos: stats add up to 16",
        ),
        ('{"cardhouse_roster": 1, "characters": []}', "roster.json: This roster is empty."),
    ],
)
def test_sheets_that_cannot_be_printed(run: Run, roster: str, said: str):
    Path("roster.json").write_text(roster, "utf-8")
    status, out, err = run("print", "dogs", "--sheets", "roster.json")
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {said}")
    assert not Path("dogs.pdf").exists()


@pytest.mark.parametrize(
    ("file", "text", "arguments", "said"),
    [
        ("posse.json", ROSTER.replace("Ben", "بن"), ["hackjack", "--no-cards", "--sheets"], "The name بن has "),
        ("mine.toml", DOGS.replace("Rex", "漢"), ["deck"], 'The name of rex has "漢" (U+6F22 '),
        ("roster.json", SHEETS.replace("Hot-headed", "漢"), ["dogs", "--sheets"], 'Amos\'s trait 漢 has "漢" (U+6F22 '),
    ],
)
def test_letters_that_no_typeface_has_are_listed_and_the_rest_is_printed(
    run: Run, file: str, text: str, arguments: list[str], said: str
):
    Path(file).write_text(text, "utf-8")
    status, out, err = run("print", *arguments, file, "-o", "made.pdf")
    assert (status, err) == (0, "")
    assert f"These letters can't be printed; ■ stands in their place:\n{said}" in out
    assert "■" in "".join(page.text() for page in pages("made.pdf"))


WITHOUT = """
import sys; sys.modules['fpdf'] = None
from cardhouse.cli import main
from cardhouse.server.files.forms import evaluate_form
from cardhouse.server.files.print_jobs import prints
assert prints() == []
wound = b'{"filled": {"C2": {"name": "Black eye", "text": "It is swollen.", "ends": "week"}}, "draw": "C2"}'
print(evaluate_form("hackjack", "wounds", wound).undrawn)
sys.exit(main(["print", "hackjack"]))
"""


def test_without_the_extra_it_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    sentence = "Printing needs more packages: pip install 'cardhouse[print]'."
    assert (done.returncode, done.stdout, done.stderr) == (2, f"{sentence}\n", f"cardhouse: {sentence}\n")
