"""What of a page is wider than the screen it is on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NARROW: dict[str, Any] = {"width": 320, "height": 640}
"""The narrowest screen there is."""
MILLISECONDS = 10_000

STICKS_OUT = """() => {
  const isOnlyHeard = (e) => e !== null && (
    getComputedStyle(e).clipPath === 'inset(50%)' || isOnlyHeard(e.parentElement)
  )
  const parts = document.querySelectorAll(
    'html, dialog[open], main, header, section, form, [role=region], h1, h2, h3, p, label, button')
  return [...parts].filter((e) => e.scrollWidth > e.clientWidth + 4)
    .filter((e) => getComputedStyle(e).position !== 'absolute' && getComputedStyle(e).display !== 'inline')
    .filter((e) => !e.matches('header h1') && !isOnlyHeard(e))
    .map((e) => `${e.tagName} ${e.ariaLabel ?? e.textContent.slice(0, 40)}: ${e.scrollWidth} > ${e.clientWidth}`)
}"""
"""The parts of a page that hold more than their width, be it scrolled to or cut off.

The edge of a pile of cards may stick out, and a table's name above it may be shortened. What is there for screen
readers alone has no width.
"""


def sticking_out(page: Page) -> list[str]:
    """The parts of a page that don't fit on it, once it has come to rest."""
    from playwright.sync_api import TimeoutError as TooLate

    if not page.evaluate(STICKS_OUT):
        return []
    with suppress(TooLate):  # parts that are others on a narrow screen change places in their own time
        page.evaluate(f"window.sticksOut = {STICKS_OUT}")
        page.wait_for_function("() => window.sticksOut().length === 0", timeout=MILLISECONDS)
    return page.evaluate(STICKS_OUT)  # type: ignore[no-any-return]


def sticking_out_when_narrow(page: Page) -> list[str]:
    """The same on the narrowest screen; the page is then as wide again as it was."""
    usual = page.viewport_size
    assert usual
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    try:
        return sticking_out(page)
    finally:
        page.set_viewport_size(usual)
