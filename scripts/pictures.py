"""Take the README's pictures of a real table: `python -m scripts.pictures`, with Chromium installed.

It plays a shoot-out until a waiting card and a new one meet, then photographs the desktop and the phone.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from scripts.setup import BROWSERS
from tests.server.talking import FAST, Person, TableMade, running

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
CAST = [
    ("Marshal Reyes", "HA", "The law", "gm"),
    ("Ben", "HK", "The law", "p1"),
    ("Ada", "H9", "The law", "p2"),
    ("Deputy Cole", "H5", "The law", "p3"),
    ("Silas Harlan", "SQ", "The Harlan gang", "gm"),
    ("Nan Harlan", "S10", "The Harlan gang", "gm"),
    ("Two-Tooth", "S4", "The Harlan gang", "gm"),
]


def play(table: TableMade) -> None:
    """Play with real decks, so that the pictures never change, until Ben's king meets Nan's waiting ten."""
    gm: Person = table.sit("gm")
    for seat, name in (("gm", "Mo"), ("p1", "Ben"), ("p2", "Ada"), ("p3", "Cole")):
        person = table.sit(seat)
        person.say(t="name", name=name)
        person.hear("seats")
    for name, card, side, controller in CAST:
        gm.ask({"do": "add_character", "name": name, "card": card, "side": side, "controller": controller})
    answers: list[dict[str, Any]] = [
        {"do": "start_round"},
        {"draw": "initiative", "card": "HA"},
        {"do": "act", "name": "Marshal Reyes"},
        {"do": "done", "name": "Marshal Reyes"},
        {"draw": "initiative", "card": "BJ"},
        {"draw": "initiative", "card": "H5"},
        {"draw": "initiative", "card": "S10"},
        {"do": "wait", "name": "Nan Harlan"},
        {"draw": "initiative", "card": "HK"},
    ]
    for answer in answers:
        assert gm.ask(answer)["t"] == "change", answer


def photograph(browser: Browser, address: str, path: Path, *, width: int, height: int, touch: bool) -> None:
    """Take a picture of one page."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=touch,
        device_scale_factor=2 if touch else 1,
        color_scheme="dark",
        reduced_motion="reduce",
    )
    context.add_init_script("localStorage.setItem('cardhouse.faces', 'true')")
    page = context.new_page()
    page.goto(address)
    page.get_by_text("outranks").first.wait_for()
    page.evaluate("() => { document.activeElement?.blur(); return document.fonts.ready }")
    page.screenshot(path=path)
    context.close()


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    chromium = next(path for name in BROWSERS if (path := shutil.which(name)))
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        running(f"sqlite:///{folder}/cards.db", *FAST, log=Path(folder) / "log") as server,
    ):
        table = server.make_table(name="Red Gulch", odds="all", decks={"initiative": "physical"})
        play(table)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        at = f"{server.address}/t/{table.id}#"
        photograph(browser, at + table.links["gm"], PICTURES / "desk.png", width=1360, height=850, touch=False)
        photograph(browser, at + table.links["p1"], PICTURES / "phone.png", width=390, height=844, touch=True)
        browser.close()


if __name__ == "__main__":
    main()
