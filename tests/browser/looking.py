"""Checks for every view: readable, reachable and within its screen."""

from typing import Any

from playwright.sync_api import Page

from cardhouse.testing.browser.overflow import sticking_out_when_narrow
from tests.walkthrough import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
WORST = ("serious", "critical")

LOOK = """async () => {
  await Promise.allSettled(document.getAnimations().map((a) => a.finished))
  const found = await axe.run({ resultTypes: ['violations'], preload: false })
  return { passes: found.passes.length, violations: found.violations }
}"""
"""What axe finds wrong, and how many of its rules found nothing wrong.

All that is right would be a long list, which takes far longer to be told here than to be made there; and of what a page
loads axe needs nothing but for rules about sound and turned screens, which are off or not grave. Axe reads colours,
and a card that is on its way has others than when it has come.
"""


SKIPS = """() => {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  return [...(dialog ?? document).querySelectorAll('h1, h2, h3, h4, h5, h6')]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e, place, all) => [Number(e.tagName[1]), place ? Number(all[place - 1].tagName[1]) : Number(!!dialog), e])
    .filter(([level, before]) => level > before + 1)
    .map(([level, before, e]) => `${e.textContent.trim().slice(0, 40)}: level ${level} after ${before}`)
}"""
"""The headings that skip a level: people who find their way by headings would look for what lies between.

Behind an open dialog nobody finds any; its own begin at the second level.
"""


def headings_that_skip(page: Page) -> list[str]:
    """Which headings that can be found are more than one level below the one before."""
    found: list[str] = page.evaluate(SKIPS)
    return found


def assert_accessible(page: Page, moment: str) -> None:
    """Axe finds nothing serious or critical in what is on the page now, and no heading skips a level."""
    assert AXE.is_file(), "axe-core comes with the page's own parts: python hatch_build.py parts"
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
    assert headings_that_skip(page) == [], moment


def assert_fits(page: Page, moment: str) -> None:
    """Nothing scrolls sideways, on the narrowest screen there is."""
    wide = sticking_out_when_narrow(page)
    assert not wide, [moment, *wide]
