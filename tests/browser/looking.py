"""What every view must be for everybody: readable, reachable, within its screen."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooLate

from tests.walkthrough import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
WORST = ("serious", "critical")
NARROW = {"width": 320, "height": 640}
MILLISECONDS = 10_000

LOOK = """async () => {
  await Promise.allSettled(document.getAnimations().map((a) => a.finished))
  const found = await axe.run({ resultTypes: ['violations'] })
  return { passes: found.passes.length, violations: found.violations }
}"""
"""What axe finds wrong, and how many of its rules found nothing wrong.

All that is right would be a long list, which takes far longer to be told here than to be made there. Axe reads colours,
and a card that is on its way has others than when it has come.
"""
STICKS_OUT = """() => {
  const parts = document.querySelectorAll(
    'html, dialog[open], main, header, section, form, [role=region], h1, h2, h3, p, label, button')
  return [...parts].filter((e) => e.scrollWidth > e.clientWidth + 4)
    .filter((e) => getComputedStyle(e).position !== 'absolute' && getComputedStyle(e).display !== 'inline')
    .filter((e) => !e.matches('header h1'))
    .map((e) => `${e.tagName} ${e.ariaLabel ?? e.textContent.slice(0, 40)}: ${e.scrollWidth} > ${e.clientWidth}`)
}"""
"""The parts of a page that hold more than their width, be it scrolled to or cut off.

The edge of a pile of cards may stick out, and a table's name above it may be shortened.
"""


def assert_accessible(page: Page, moment: str) -> None:
    """Axe finds nothing serious or critical in what is on the page now."""
    assert AXE.is_file(), "axe-core comes with the page's own parts: python hatch_build.py ls"
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate(LOOK)
    assert found["passes"] > 0, "axe has looked at something"
    worst = [
        f"{finding['impact']}: {finding['help']}: {node['target']} {node['html'][:160]}: {node['failureSummary']}"
        for finding in found["violations"]
        if finding["impact"] in WORST
        for node in finding["nodes"]
    ]
    assert not worst, "\n".join([moment, *worst])


def assert_fits(page: Page, moment: str) -> None:
    """Nothing scrolls sideways, on the narrowest screen there is."""
    usual = page.viewport_size
    assert usual
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    with suppress(TooLate):  # parts that are others on a narrow screen change places in their own time
        page.evaluate(f"window.sticksOut = {STICKS_OUT}")
        page.wait_for_function("() => window.sticksOut().length === 0", timeout=MILLISECONDS)
    wide: list[str] = page.evaluate(STICKS_OUT)
    assert not wide, [moment, *wide]
    page.set_viewport_size(usual)
