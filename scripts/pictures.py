"""Take the documentation's pictures of real tables: `python -m scripts.pictures`, with Chromium installed.

It plays a shoot-out until a waiting card and a new one meet, and photographs the desk and the phone. Then it presses
*Play* in each game for a row of phones, and films the first seconds of a gunfight against bots.
"""

import io
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from cardhouse.engine import catalogue_of, find_game
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

GAMES = ("gunfight", "hackjack", "initiative", "dogpile", "dogs")
PHONE: ViewportSize = {"width": 390, "height": 844}
ACROSS = 300
"""The width in pixels of each phone in the row."""
GAP = 20
FRAMES, FRAME_MS = 80, 250
"""The film's frames, and the time of each: twenty seconds."""
FILM_WIDTH = 320
TYPEFACES = "localStorage.setItem('cardhouse.faces', 'true')"
"""Has a page begin with its own typefaces, as on a device that has been here before."""


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
    context.add_init_script(TYPEFACES)
    page = context.new_page()
    page.goto(address)
    page.get_by_text("outranks").first.wait_for()
    page.evaluate("() => { document.activeElement?.blur(); return document.fonts.ready }")
    page.screenshot(path=path)
    context.close()


def phone(browser: Browser, *, still: bool) -> BrowserContext:
    """Return a phone; a `still` one shows the end of each movement."""
    motion: Literal["reduce", "no-preference"] = "reduce" if still else "no-preference"
    context = browser.new_context(viewport=PHONE, has_touch=True, device_scale_factor=2, reduced_motion=motion)
    context.add_init_script(TYPEFACES)
    return context


def press_play(page: Page, address: str, game: str) -> None:
    """Open Home and press *Play*; return when the first decision is there."""
    page.goto(address)
    page.get_by_role("region", name="Games").get_by_title(
        f"Play {catalogue_of(find_game(game)).words.title}", exact=True
    ).click()
    page.get_by_role("list", name="At the table").wait_for()
    page.evaluate("() => document.fonts.ready")
    page.wait_for_load_state("networkidle")


def shot(page: Page, width: int) -> Image.Image:
    """Return what the page shows, at this width."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS)


def photograph_games(browser: Browser, address: str, path: Path) -> None:
    """Take one picture of all games, as each begins on a phone."""
    shots = []
    for game in GAMES:
        context = phone(browser, still=True)
        page = context.new_page()
        press_play(page, address, game)
        shots.append(shot(page, ACROSS))
        context.close()
    row = Image.new("RGBA", (len(shots) * (ACROSS + GAP) - GAP, shots[0].height))
    for place, image in enumerate(shots):
        row.paste(image, (place * (ACROSS + GAP), 0))
    row.quantize(256).save(path, optimize=True)


def film(browser: Browser, address: str, path: Path) -> None:
    """Film a gunfight against bots from Home on, and decide whenever there is something to decide."""
    context = phone(browser, still=False)
    page = context.new_page()
    page.goto(address)
    page.evaluate("() => document.fonts.ready")
    frames = [shot(page, FILM_WIDTH)] * 6
    press_play(page, address, "gunfight")
    while len(frames) < FRAMES:
        frames.append(shot(page, FILM_WIDTH))
        decision = page.locator("button.bright:visible:enabled")
        if len(frames) % 8 == 0 and decision.count():
            decision.first.click()
        page.wait_for_timeout(FRAME_MS)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=FRAME_MS, loop=0, quality=60, method=6)
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
        photograph(browser, at + table.links["p1"], PICTURES / "phone.png", **PHONE, touch=True)
        photograph_games(browser, server.address, PICTURES / "games.png")
        film(browser, server.address, PICTURES / "gunfight.webp")
        browser.close()


if __name__ == "__main__":
    main()
