"""All text can be read on its world's cloth, as it is painted: WCAG 2 (AA) asks 4.5, and 3 of large text."""

import io
import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from _pytest.mark.structures import ParameterSet
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from cardhouse.engine import game_names
from scripts.every_view import AT_REST, moments
from scripts.pictures import TYPEFACES
from tests.browser.conftest import Come
from tests.browser.looking import headings_that_skip
from tests.browser.people import DESK, PHONE, TELEVISION, Device, House, Resumed
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

READ, LARGE = 4.5, 3.0
PLAYED: dict[str, Device] = {"desk": DESK, "phone": PHONE}
STILL: Device = {**TELEVISION, "reduced_motion": "reduce"}
WORST = 0.1
"""The share of a text's ground that is left out: the edges of what lies next to it."""

TEXTS = """(root) => {
  const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const colourOf = (named) => {
    paint.clearRect(0, 0, 1, 1)
    paint.fillStyle = named
    paint.fillRect(0, 0, 1, 1)
    return [...paint.getImageData(0, 0, 1, 1).data]
  }
  const up = function* (e) { for (; e; e = e.parentElement) yield e }
  const seen = (e, { left, top, width, height }) => {
    const on = document.elementFromPoint(left + width / 2, top + height / 2)
    return on && (on.contains(e) || e.contains(on) || getComputedStyle(e).pointerEvents === 'none')
  }
  const within = (one, other) => {
    const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)]
    const [right, bottom] = [Math.min(one.right, other.right), Math.min(one.bottom, other.bottom)]
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
  }
  /** The part of a box that is seen; at the edge of what scrolls, text passes below shadows. */
  const hole = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    const edge = one.scrollHeight > one.clientHeight + 1 ? 40 : 0
    return new DOMRect(x, y + edge, width, height - 2 * edge)
  }
  const found = []
  const texts = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement
    if (!text.data.trim() || e.closest('svg, script, style, :disabled, [aria-disabled="true"]')) continue
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    if ([...up(e)].some((one) => getComputedStyle(one).clipPath !== 'none')) continue  // for readers only
    const holes = [...up(e)].filter((one) => one.getClientRects().length)
      .filter((one) => getComputedStyle(one).overflow !== 'visible').map(hole)
    const rects = [...range.getClientRects()]
      .map((r) => [r.height, [new DOMRect(0, 0, innerWidth, innerHeight), ...holes].reduce(within, r)])
      .filter(([height, r]) => r.width > 2 && r.height > height * 0.8 && seen(e, r)) // what is cut can wait
      .map(([, r]) => r)
    if (!rects.length) continue
    const style = getComputedStyle(e)
    const size = parseFloat(style.fontSize) * e.currentCSSZoom
    const [r, g, b, a] = colourOf(style.color)
    const opacity = [...up(e)].reduce((all, one) => all * getComputedStyle(one).opacity, a / 255)
    found.push({
      text: text.data.trim().slice(0, 60), colour: [r, g, b], opacity,
      large: size >= 24 || (size >= 18.66 && style.fontWeight >= 700),
      rects: rects.map((r) => [r.left, r.top, r.right, r.bottom]),
    })
  }
  return found
}"""
"""Each text in an element that is seen now, with its colour and its places on the screen."""
WITHOUT = """() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { -webkit-text-fill-color: transparent !important; text-shadow: none !important;'
    + ' text-decoration-color: transparent !important; caret-color: transparent !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}"""
WITH = "() => { document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1) }"

Colours = NDArray[np.float64]
"""Red, green and blue, 0 to 255, in the last of its axes."""


def luminance(colours: Colours) -> Colours:
    """The relative luminance of each colour, 0 to 1 (WCAG 2)."""
    part = colours / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(text: dict[str, Any], picture: Colours) -> float:
    """The contrast of a text with what is painted behind it, leaving out its worst edges."""
    grounds = []
    for left, top, right, bottom in text["rects"]:
        grounds.append(picture[int(top) : int(bottom) + 1, int(left) : int(right) + 1].reshape(-1, 3))
    ground = np.concatenate(grounds)
    ink = text["opacity"] * np.array(text["colour"]) + (1 - text["opacity"]) * ground
    low, high = np.sort(np.stack([luminance(ink), luminance(ground)]), axis=0)
    return float(np.quantile((high + 0.05) / (low + 0.05), WORST))


def hard_to_read(page: Page, root: str = "body") -> list[str]:
    """Each text in this element with too little contrast, and how much it has."""
    page.wait_for_load_state("networkidle")  # the game's own view has come
    texts: Sequence[dict[str, Any]] = ()
    shot = b""
    while not texts or texts != page.evaluate(TEXTS, root):  # nothing has moved while the picture was taken
        page.evaluate(AT_REST)
        texts = page.evaluate(TEXTS, root)
        page.evaluate(WITHOUT)
        shot = page.screenshot(scale="css")
        page.evaluate(WITH)
    picture = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), np.float64)
    found = [(contrast(text, picture), LARGE if text["large"] else READ, text["text"]) for text in texts]
    return [f"{ratio:.2f}: {text}" for ratio, least, text in found if ratio < least]


@pytest.mark.parametrize("game", ["dogs", *in_soak(*sorted({*game_names()} - {"dogs"}))])
def test_a_televisions_lobby_and_its_code_can_be_read(game: str, come: Come, house: House):
    table = Resumed(house, [f'{{"cardhouse": 1, "game": "{game}", "seats": ["gm", "p1", "p2"]}}'])
    screen = come("the television", STILL)
    screen.page.add_init_script(TYPEFACES)
    screen.opens_link(table.inviting_link())
    code = screen.region("Join code")
    expect(code).to_contain_text("Take a seat")
    screen.screenshot(f"lobby-{game}")
    assert hard_to_read(screen.page) == []
    code.get_by_role("heading").evaluate("(title) => { title.style.color = 'var(--card)' }")
    assert [line.partition(": ")[2] for line in hard_to_read(screen.page)] == ["Take a seat"]


SCENES = [pytest.param(game, lines, id=f"{game}-{scene}") for game, scene, lines in moments()]
FIRST = ("dogs", "now", "phone")


def played() -> Iterator[ParameterSet]:
    """Every scene on every device of those who play; the first tier has one."""
    for (game, scene, lines), device in product(moments(), PLAYED):
        marks = () if (game, scene, device) == FIRST else pytest.mark.soak
        yield pytest.param(game, lines, PLAYED[device], id=f"{game}-{scene}-{device}", marks=marks)


@pytest.mark.parametrize(("game", "lines", "device"), [*played()])
def test_every_scene_can_be_read_by_those_who_play(
    game: str, lines: list[str], device: Device, come: Come, house: House
):
    table = Resumed(house, lines)
    for seat in json.loads(lines[0])["seats"][:2]:
        person = table.sits(come("Ada", device), seat)
        person.screenshot(f"read-{game}-{seat}")
        assert hard_to_read(person.page) == [], seat
        assert headings_that_skip(person.page) == [], seat


@pytest.mark.soak
@pytest.mark.parametrize(("game", "lines"), SCENES)
def test_every_scene_on_a_television_can_be_read(game: str, lines: list[str], come: Come, house: House):
    table = Resumed(house, lines)
    screen = come("the television", STILL)
    screen.page.add_init_script(TYPEFACES)
    screen.opens_link(table.inviting_link())
    expect(screen.table).to_be_visible()
    screen.screenshot(f"read-{game}")
    assert hard_to_read(screen.page) == []
