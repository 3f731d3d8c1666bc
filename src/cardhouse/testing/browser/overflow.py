"""Checks for parts of a page that are wider than the screen."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NARROW: dict[str, Any] = {"width": 320, "height": 640}
"""The narrowest supported screen."""
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
"""Finds the parts of a page whose content is wider than they are, whether it scrolls or is cut off.

Exceptions: the edge of a pile of cards may stick out, a table's name may be shortened, and text for screen readers only
has no width.
"""


def sticking_out(page: Page) -> list[str]:
    """Return the parts of a page that don't fit, once its layout has settled."""
    from playwright.sync_api import TimeoutError as TooLate

    if not page.evaluate(STICKS_OUT):
        return []
    with suppress(TooLate):  # parts that differ on a narrow screen take a moment to change
        page.evaluate(f"window.sticksOut = {STICKS_OUT}")
        page.wait_for_function("() => window.sticksOut().length === 0", timeout=MILLISECONDS)
    return page.evaluate(STICKS_OUT)  # type: ignore[no-any-return]


def sticking_out_when_narrow(page: Page) -> list[str]:
    """Return the same for the narrowest screen, then restore the page's size."""
    usual = page.viewport_size
    assert usual
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    try:
        return sticking_out(page)
    finally:
        page.set_viewport_size(usual)
