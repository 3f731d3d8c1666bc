"""The layout of a table screen: letter sizes, overlaps, cut-off texts, and how much of it people and cards fill."""

import json
from collections.abc import Iterable

from playwright.sync_api import Page, expect

from scripts.pictures import TYPEFACES
from tests.browser.lying import DRAWN
from tests.browser.people import House, Person, Resumed

SMALLEST = 28
"""In lines of a screen 1080 high: the smallest letters that can be read from a sofa."""
SLACK = 5
"""A layout covers at most this many percent of the screen less than its drawing."""

DRAWINGS = {
    "gunfight": 50.8,
    "gunfight, open": 49.5,
    "hackjack": 39.0,
    "dogpile": 49.8,
    "dogs": 53.8,
    "initiative": 49.3,
    "initiative, two": 43.3,
    "lobby": 53.7,
}
"""The percentage that `COVERAGE` finds in each drawing."""

COVERED = ".tile, .portrait, .card, .now, .join, [data-card], [data-covers]"
"""The elements of people, cards and the headline."""

COVERAGE = """(what) => {
  const cell = 4, wide = Math.ceil(innerWidth / cell), high = Math.ceil(innerHeight / cell)
  const seen = new Uint8Array(wide * high)
  for (const one of document.querySelectorAll(what)) {
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect()
    if (!width || !height || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    for (let y = Math.max(0, Math.round(top / cell)); y < Math.min(high, Math.round(bottom / cell)); y++)
      seen.fill(1, y * wide + Math.max(0, Math.round(left / cell)), y * wide + Math.min(wide, Math.round(right / cell)))
  }
  return (100 * seen.reduce((sum, one) => sum + one, 0)) / seen.length
}"""
"""The percentage of the screen inside the boxes of these elements, in cells of 4 by 4 pixels."""

WRONG = """([smallest, where]) => {
  const found = []
  const told = (e) => `${e.className} "${e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 50)}"`
  const onlyHeard = (e) => {
    for (; e; e = e.parentElement)
      if (getComputedStyle(e).clipPath !== 'none' && Math.min(e.clientWidth, e.clientHeight) <= 1) return true
    return false
  }
  const isSeen = (e) =>
    !e.closest('svg') && !onlyHeard(e) && e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const root = document.querySelector(where)
  const all = [...root.querySelectorAll('*')].filter(isSeen)

  for (const e of all) {
    const { overflowY, textOverflow, webkitLineClamp } = getComputedStyle(e)
    const [wide, high] = [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]
    if (textOverflow === 'ellipsis' && wide > 1) found.push(`cut off: ${told(e)}`)
    if (webkitLineClamp !== 'none' && high > 1) found.push(`cut off: ${told(e)}`)
    if (overflowY !== 'visible' && high > 2 && high > e.clientHeight / 4) found.push(`scrolls: ${told(e)}`)
    if (e.currentCSSZoom !== 1) found.push(`scaled: ${told(e)}`)
  }

  /** The letters' part of each line of text. */
  const seen = []
  const isOutside = (box, p) => {
    const { overflowX, overflowY, display } = getComputedStyle(p)
    if (display === 'inline' || display === 'contents') return false
    const round = p.getBoundingClientRect()
    const slack = box.height / 4
    return (
      (overflowX !== 'visible' && (box.left < round.left - 2 || box.right > round.right + 2)) ||
      (overflowY !== 'visible' && (box.top < round.top - slack || box.bottom > round.bottom + slack))
    )
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement
    if (!text.data.trim() || !isSeen(e)) continue
    // What is drawn at another scale, such as a board, has that of its box; offsetWidth is a whole number.
    const wide = e.getBoundingClientRect().width
    const scale = Math.abs(wide - e.offsetWidth) > 0.5 ? wide / e.offsetWidth : 1
    if (parseFloat(getComputedStyle(e).fontSize) * scale < smallest - 0.1) found.push(`small: ${told(e)}`)
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const box of range.getClientRects()) {
      if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
        found.push(`beside the screen: ${told(e)}`)
      for (let p = e; p !== document.documentElement; p = p.parentElement)
        if (isOutside(box, p)) found.push(`cut off: ${told(e)} in ${told(p)}`)
      const { left, right, top, bottom, height } = box
      seen.push({ e, left, right, top: top + height / 5, bottom: bottom - height / 5 })
    }
  }

  const BOXES = '.tile, .now, .footing, .said, .join, .order section, .order .end, .held, [data-covers]'
  const boxes = all.filter((e) => e.matches(BOXES)).map((e) => ({ e, ...e.getBoundingClientRect().toJSON() }))
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const apart = (a, b) => !a.e.contains(b.e) && !b.e.contains(a.e)
  const overlap = (a, b) => apart(a, b) && meet(a, b) && found.push(`overlap: ${told(a.e)} and ${told(b.e)}`)
  for (const list of [seen, boxes]) list.forEach((a, at) => list.slice(at + 1).forEach((b) => overlap(a, b)))
  for (const text of seen) for (const box of boxes) overlap(text, box)
  return [...new Set(found)].slice(0, 20)
}"""
"""Texts in `where` that are smaller than `smallest` pixels, cut off or beside the screen, and what overlaps."""

READY = """() =>
  Promise.all([document.fonts.ready, ...document.getAnimations().map((one) => one.finished)]).then(() => null)"""


def assert_television(person: Person, drawing: str, moment: str) -> None:
    """All of a table screen can be read from a sofa, and people and cards fill it as in the drawing."""
    page = person.page
    page.wait_for_load_state("networkidle")  # its parts come one after the other
    page.evaluate(READY)
    page.evaluate(DRAWN)
    person.screenshot(f"television-{moment}")
    assert page.evaluate(WRONG, [SMALLEST, "main"]) == [], moment
    covered = coverage(page)
    assert covered >= DRAWINGS[drawing] - SLACK, (moment, covered)


def coverage(page: Page) -> float:
    """Return the percentage of the screen that people, cards and the headline fill."""
    return float(page.evaluate(COVERAGE, COVERED))


def watches(house: House, screen: Person, lines: Iterable[dict[str, object]], *, inviting: bool = False) -> Resumed:
    """Open the table of a transcript on the table screen."""
    table = Resumed(house, map(json.dumps, lines))
    screen.page.add_init_script(TYPEFACES)
    screen.opens_link(table.inviting_link() if inviting else table.link("screen"))
    expect(screen.question).to_be_visible()
    return table
