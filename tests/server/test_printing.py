"""What `cardhouse print` prints, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote

import pytest
import typer

from cardhouse.engine import CardhouseError
from cardhouse.server.files.print_jobs import SECONDS as MOST_SECONDS
from cardhouse.server.files.print_jobs import Printed, PrintRequest, describe_print, make
from tests.print.reading import read
from tests.server.talking import FAST, SECONDS, Server, running

OWN = '[C2]\nname = "Black eye"\ntext = "It is swollen."\nends = "week"\n'


@pytest.fixture(scope="module")
def printer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("printer")
    with running(f"sqlite:///{folder}/cards.db", *FAST, log=folder / "log") as server:
        yield server


def printed(server: Server, name: str, **wanted: Any) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=MOST_SECONDS + SECONDS)
    try:
        connection.request("POST", f"/api/prints/{name}", json.dumps(wanted), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def test_all_that_the_command_line_prints_is_listed_with_its_options(printer: Server) -> None:
    status, listed = printer.get("/api/prints")
    assert status == 200
    assert {(one["name"], one["game"]) for one in listed} >= {
        ("deck", "dogpile"),
        ("dogs", "dogs"),
        ("hackjack", "hackjack"),
    }
    of_deck = next(one for one in listed if one["name"] == "deck")
    assert of_deck["title"] == "Dogpile deck, built-in or your own"
    assert [(one["name"], one["kind"], one["needed"]) for one in of_deck["options"]] == [
        ("file", "file", True),
        ("paper", "choice", False),
        ("no_backs", "yes_no", False),
    ]
    assert "standard" in of_deck["options"][0]["choices"]
    assert all("cardhouse print" not in one["about"] for one in listed)


def test_a_pdf_by_these_options_and_files(printer: Server) -> None:
    wanted = {"settings": {"paper": "letter", "no_backs": "yes", "wounds": "mine.toml", "sheet_count": "1"}}
    status, headers, pdf = printed(printer, "hackjack", **wanted, files={"mine.toml": OWN})
    assert (status, headers["content-type"]) == (200, "application/pdf")
    assert headers["content-disposition"] == "attachment; filename*=UTF-8''mine.pdf"
    assert unquote(headers["cardhouse-how"]).splitlines() == [
        "Print it at 100%, not “fit to page”.",
        "Print the cards single-sided.",
        "Print the sheets single-sided.",
    ]
    pages = read(pdf)
    assert len(pages) == 7
    assert pages[0].size == pytest.approx((215.9, 279.4), abs=0.01)
    assert "Black eye" in pages[0].text()


def test_letters_that_cannot_be_printed_are_told_with_the_pdf(printer: Server) -> None:
    """The page shows them beside the file, before anybody takes it to a printer, and for many of them as well."""
    lost = "".join(chr(0x4E00 + number) for number in range(30))
    wounds = OWN.replace("Black eye", f"Black {lost}")
    wanted = {"settings": {"wounds": "mine.toml", "sheet_count": "0"}, "files": {"mine.toml": wounds}}
    status, headers, pdf = printed(printer, "hackjack", **wanted)
    told = unquote(headers["cardhouse-how"]).splitlines()
    assert status == 200
    assert "These letters can't be printed; ■ stands in their place:" in told
    assert told[-1].endswith("more letters are missing from the font.")
    assert any(lost[0] in line for line in told)
    assert len(headers["cardhouse-how"]) < 8_000, "a proxy passes on no longer headers"
    assert "■" in "".join(page.text() for page in read(pdf))


@pytest.mark.parametrize(
    ("name", "wanted", "status", "said"),
    [
        ("nothing", {}, 404, 'There is no "nothing" to print.'),
        ("deck", {}, 400, "File: choose one first."),
        ("deck", {"settings": {"file": "/etc/passwd"}}, 400, 'file: the request has no file "/etc/passwd"'),
        ("deck", {"settings": {"file": "-"}}, 400, 'file: the request has no file "-"'),
        ("deck", {"settings": {"file": "../x"}, "files": {"../x": ""}}, 400, 'A file can\'t be called "../x" here'),
        ("deck", {"settings": {"output": "/tmp/x.pdf"}}, 400, 'There is no option "output"; there are file, paper'),
        ("hackjack", {"settings": {"sheet_count": "101"}}, 400, "sheet_count takes a whole number from 0 to 100"),
        ("hackjack", {"settings": {"no_cards": "yes", "sheet_count": "0"}}, 400, "There is nothing to print: no cards"),
        ("hackjack", {"setings": {}}, 400, "The request doesn't fit: "),
    ],
)
def test_what_cannot_be_printed(printer: Server, name: str, wanted: Any, status: int, said: str) -> None:
    found, _, body = printed(printer, name, **wanted)
    assert (found, json.loads(body)["message"][: len(said)]) == (status, said)


def test_every_mistake_in_a_file_is_told_with_its_line(printer: Server) -> None:
    wounds = OWN.replace("week", "never") + '[C3]\nname = "A"\n'
    wanted = {"settings": {"wounds": "mine.toml"}, "files": {"mine.toml": wounds}}
    status, _, body = printed(printer, "hackjack", **wanted)
    told = json.loads(body)
    assert status == 400
    assert {one["line"] for one in told["mistakes"]} == {4, 5}


# A stranger's.


def toy(
    tmp: Path, text: Annotated[str, typer.Option(metavar="TEXT")] = "hi", path: str = "x", output: str = ""
) -> None:
    """Print a toy."""
    Path(output).write_text(f"{text} {path} {tmp.read_text()}")
    typer.echo(f"Wrote {output}. Fold it.")


def headless(path: str, output: str = "") -> None:
    """Print what needs a path."""


TOY = EntryPoint("toy", f"{__name__}:toy", "cardhouse.print")


def test_another_packages_print_asks_only_for_safe_values() -> None:
    assert [(one.name, one.kind, one.needed) for one in describe_print(TOY, toy).options] == [
        ("tmp", "file", True),
        ("text", "text", False),
    ]
    wanted = PrintRequest({"tmp": "a.txt", "text": "ho"}, {"a.txt": "there"})
    assert make(TOY, toy, wanted) == Printed("a.pdf", b"ho x there", "Fold it.")
    with pytest.raises(CardhouseError, match='There is no option "path"; there are tmp, text'):
        make(TOY, toy, PrintRequest({"tmp": "a.txt", "path": "/etc/passwd"}, {"a.txt": ""}))
    with pytest.raises(CardhouseError, match="headless needs path, which can't be asked for here"):
        describe_print(EntryPoint("headless", f"{__name__}:headless", "cardhouse.print"), headless)
