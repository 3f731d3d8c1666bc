"""Take a picture of every view of every game, for review: `python -m scripts.every_view FOLDER [WORD]`.

A phone, a desktop and a large screen, each in dark and light; with a WORD only the scenes whose name contains it, such
as `lab` for the lab's lists, forms and answers.
"""

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from cardhouse.engine import game_names
from cardhouse.testing.browser.chromium import FLAGS
from scripts.setup import BROWSERS
from tests.browser.people import House, Resumed

GAMES = Path(__file__).parent.parent / "src" / "cardhouse" / "games"
SIZES = {"phone": (390, 844), "desk": (1440, 900), "large": (1920, 1080)}
TALKS = ("lesson", "say", "ask")
"""Lines of a lesson that aren't entries of a game."""
PARTS = (0.0, 0.4, 0.75, 1.0)
"""The fractions of a game's first lesson after which it is photographed."""


LAB = {
    "lab": "lab",
    "lab-game": "lab/hackjack",
    "lab-study": "lab/hackjack/deadly?hp=1&damage=2&vs.limit=25&trials=20000",
    "lab-few": "lab/hackjack/deadly?hp=8&vs.limit=22&trials=40",
    "lab-best": "lab/hackjack/best?trials=20000",
    "lab-matters": "lab/hackjack/deadly/sensitivity?hp=1&damage=2&trials=5000",
    "lab-tune": "lab/hackjack/deadly/tune?hp=1&damage=2&ask.target=dead_by_3+%3D+50%25+%C2%B12%25"
    "&ask.vary=limit%3D15..30&ask.vary=massive%3D10..20&ask.tries=40",
    "lab-design": "lab/dogpile/design?cards=60&pairs=20%25&hand_size=4&starts=1&rounds=2000",
}
"""Pages of the lab; questions are answered."""
ANSWERED = 600_000
"""The milliseconds that an answer may take, including compilation."""

AT_REST = "() => Promise.allSettled([document.fonts.ready, ...document.getAnimations().map((a) => a.finished)])"
"""Waits until all animations have finished."""


def moments() -> Iterator[tuple[str, str, list[str]]]:
    """Yield each game's name, the name of a scene, and the transcript that leads there."""
    for game in sorted(game_names()):
        lessons = sorted((GAMES / game / "lessons").glob("*.jsonl"))
        for path in lessons:
            lines = [
                line for line in path.read_text("utf-8").splitlines() if not line.startswith(tuple(opening(TALKS)))
            ]
            if path.stem == "now":
                yield game, "now", lines
                continue
            for part in PARTS:
                yield game, f"{part:.0%}".rstrip("%").zfill(3), lines[: max(1, round(part * len(lines)))]


def opening(keys: tuple[str, ...]) -> list[str]:
    """Return the beginnings of lines whose first key is one of these."""
    return [f'{{"{key}"' for key in keys]


def take(page: Page, name: Path, device: str) -> None:
    """Take a page in dark and light."""
    for light in ("dark", "light"):
        page.emulate_media(color_scheme=light, reduced_motion="reduce")
        page.screenshot(path=name.with_name(f"{name.name}-{device}-{light}.png"))


def visit(browser: Browser, address: str, name: Path, devices: tuple[str, ...]) -> None:
    """Take the pictures of an address on each device; the desktop's page is enlarged for the large screen."""
    for touch in (True, False):
        here = [device for device in devices if (device == "phone") == touch]
        if not here:
            continue
        width, height = SIZES[here[0]]
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, reduced_motion="reduce"
        )
        context.add_init_script("localStorage.setItem('cardhouse.faces', 'true')")
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        sit = page.get_by_role("textbox", name="Your name")
        if sit.is_visible():
            sit.fill("Ada")
            page.get_by_role("button", name="Join").click()
        go = page.get_by_role("button", name=re.compile("^(Start|Go to table)$"))
        if go.is_visible():
            go.click()
        page.evaluate(AT_REST)
        for device in here:
            width, height = SIZES[device]
            page.set_viewport_size({"width": width, "height": height})
            take(page, name, device)
        context.close()


def ask(browser: Browser, address: str, name: Path) -> None:
    """Take full-length pictures of a page of the lab: as opened, and with its answer."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(ANSWERED)
    # A new server loads its questions first, which may take longer than a request on a busy machine.
    while not context.request.get(urljoin(address, "/api/lab"), timeout=ANSWERED).ok:
        pass
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for()
    run = page.get_by_role("button", name=re.compile("^(Run|Search)$"))
    if run.count() == 0:
        take_all(page, name)
    else:
        take_all(page, name.with_name(f"{name.name}-form"))
        run.click()
        page.get_by_role("button", name="Stop", exact=True).wait_for()
        run.wait_for()
        take_all(page, name)
    context.close()


def take_all(page: Page, name: Path) -> None:
    """Take the whole page on a phone and on a desktop, in dark and light."""
    for device in ("phone", "desk"):
        width, height = SIZES[device]
        page.set_viewport_size({"width": width, "height": height})
        for light in ("dark", "light"):
            page.emulate_media(color_scheme=light, reduced_motion="reduce")
            page.wait_for_load_state("networkidle")
            page.evaluate(AT_REST)
            page.screenshot(path=name.with_name(f"{name.name}-{device}-{light}.png"), full_page=True)


def main(folder: Path, word: str = "") -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    chromium = next(path for name in BROWSERS if (path := shutil.which(name)))
    with (
        tempfile.TemporaryDirectory() as place,
        sync_playwright() as playwright,
        House(Path(place)) as house,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        if word in "home":
            visit(browser, house.address, folder / "home", tuple(SIZES))
        for moment, path in LAB.items():
            if word in moment:
                ask(browser, house.address + path, folder / moment)
                print(moment, flush=True)
        for game, moment, lines in moments():
            if word not in f"{game}-{moment}":
                continue
            table = Resumed(house, lines)
            seat = json.loads(lines[0])["seats"][1]
            name = folder / f"{game}-{moment}"
            visit(browser, table.link("gm"), name.with_name(f"{name.name}-gm"), tuple(SIZES))
            visit(browser, table.link(seat), name.with_name(f"{name.name}-player"), ("phone", "desk"))
            visit(browser, table.link("screen"), name.with_name(f"{name.name}-screen"), ("large",))
            print(name.name, urlsplit(table.link(seat)).path, flush=True)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
