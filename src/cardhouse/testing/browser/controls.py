"""The controls of a page, in any view, and random use of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_PRESSED = ":is(button, summary, [role=button]):visible"
_LOOK = """(found) => found.map((e) => ({
  off: e.disabled || e.ariaDisabled === 'true' || e.closest('main > header, .story, .steps') !== null,
  aside: e.classList.contains('link') || e.closest('.now, .seats') !== null,
  name: (e.ariaLabel || e.textContent).trim().replace(/\\s+/g, ' ').slice(0, 60),
  form: e.closest('form') !== null,
}))"""
_ON_TOP = """(dialogs) => Math.max(0, dialogs.findIndex((dialog) => {
  const box = dialog.getBoundingClientRect()
  return dialog.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
}))"""
"""Finds the topmost dialog."""
_FREE = """(control) => {
  control.scrollIntoViewIfNeeded()
  const box = control.getBoundingClientRect()
  const parts = [0.5, 0.15, 0.85, 0.05, 0.95]
  const free = (x, y) => {
    const over = document.elementFromPoint(box.left + x, box.top + y)
    return over && (control.contains(over) || over.shadowRoot?.contains(control))
  }
  const points = parts.flatMap((down) => parts.map((along) => ({ x: box.width * along, y: box.height * down })))
  const point = points.find(({ x, y }) => free(x, y))
  const { borderLeftWidth, borderTopWidth } = getComputedStyle(control)
  return point ? { x: point.x - parseFloat(borderLeftWidth), y: point.y - parseFloat(borderTopWidth) } : null
}"""
"""Scrolls to a control, and finds a point of it that nothing covers; null if there is none.

A card in a fan may show only an edge. The point is relative to the inside of the border, as Playwright expects: it adds
the border unscaled, even on a scaled board.
"""
_ASIDE = 0.03
"""Weight of a control that isn't part of play, such as a link to a rule, relative to other controls."""
_SETTLED = """async (control) => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  while (control.isConnected && control.closest('[data-settling]')) await frame()
}"""
_IGNORED = "() => document.documentElement.hasAttribute('data-ignored')"
_OLD_NEWS = """async () => {
  const frame = () => new Promise(requestAnimationFrame)
  while (document.querySelector('[data-news], [data-settling]')) await frame()
}"""
_PRESS_SECONDS = 5
"""A control that can't be pressed within this time can't be pressed at all, or has gone."""
_LIKELY = 40
"""Numbers above the minimum stay as small as people's, so that a session goes on."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzÄéß'東"


class Control(NamedTuple):
    """A control, its accessible name, and whether it submits a form."""

    at: Locator
    name: str
    in_form: bool
    aside: bool


def controls(page: Page) -> list[Control]:
    """Return the controls that can be pressed now, except those leading away; with an open dialog, only those in it."""
    found = _root(page).locator(_PRESSED)
    return [
        Control(found.nth(place), look["name"], look["form"], look["aside"])
        for place, look in enumerate(found.evaluate_all(_LOOK))
        if not look["off"]
    ]


def _root(page: Page) -> Locator:
    dialogs = page.locator("dialog[open]")
    return dialogs.nth(dialogs.evaluate_all(_ON_TOP)) if dialogs.count() else page.locator("main")


def is_in_dialog(page: Page) -> bool:
    """Return whether a dialog is open."""
    return page.locator("dialog[open]").count() > 0


def choose(found: list[Control], rng: Random) -> Control:
    """Return a random control, most often one that may be an answer."""
    return rng.choices(found, [_ASIDE if one.aside else 1.0 for one in found])[0]


def settle(control: Locator, timeout: float | None = None) -> None:
    """Wait until a press on a control counts: the page ignores presses on controls that have just changed."""
    control.evaluate(_SETTLED, timeout=timeout)


def press_until_it_counts(control: Locator, press: Callable[[], None], timeout: float | None = None) -> None:
    """Press a control once a press counts, and again if its meaning had just changed."""
    settle(control, timeout)
    press()
    while _was_ignored(control.page):
        control.page.evaluate(_OLD_NEWS)
        press()


def _was_ignored(page: Page) -> bool:
    from playwright.sync_api import Error

    try:
        return bool(page.evaluate(_IGNORED))
    except Error:  # the press led to another page
        return False


def press(page: Page, control: Control, rng: Random) -> bool:
    """Fill in the form or dialog around a control, then press it; return whether it was within reach.

    A board can be panned so that a control on it is out of reach.
    """
    if control.in_form:
        fill(control.at.locator("xpath=ancestor::form[1]"), rng)
    elif is_in_dialog(page) and rng.random() < 0.5:
        fill(_root(page), rng)
    milliseconds = _PRESS_SECONDS * 1000
    point = control.at.evaluate(_FREE, timeout=milliseconds)
    if point is not None:
        press = partial(control.at.click, timeout=milliseconds, position=point)
        press_until_it_counts(control.at, press, milliseconds)
    return point is not None


def fill(form: Locator, rng: Random) -> None:
    """Fill in the fields of a form at random."""
    for field in form.locator(":is(input:not([type=file]), select, textarea):visible:not([disabled])").all():
        tag = field.evaluate("e => e.type")
        if tag in ("checkbox", "radio"):
            if rng.random() < 0.4:
                field.evaluate("(box) => box.click()")  # only its label may be visible
        elif tag == "select-one":
            field.select_option(index=rng.randrange(field.locator("option").count()))
        elif tag == "number":
            _fill_number(field, rng)
        elif tag == "textarea":
            field.fill(field.get_attribute("placeholder") or json.dumps({}))
        elif field.get_attribute("required") is not None or rng.random() < 0.3:
            field.fill(_text(field, rng))


def _fill_number(field: Locator, rng: Random) -> None:
    least, most = (_number(field.get_attribute(name), usual) for name, usual in (("min", 1), ("max", 12)))
    if field.get_attribute("required") is not None or rng.random() < 0.5:
        field.fill(str(rng.randint(least, max(least, min(most, least + _LIKELY)))))


def _number(text: str | None, usual: int) -> int:
    return int(text) if text and text.lstrip("-").isdecimal() else usual


def _text(field: Locator, rng: Random) -> str:
    most: Any = _number(field.get_attribute("maxlength"), 8)
    return "".join(rng.choices(_LETTERS, k=rng.randint(1, max(1, min(8, most)))))
