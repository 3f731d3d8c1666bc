"""Ways to work a page: with a mouse, with a finger, or with only a keyboard."""

from functools import partial
from typing import Any

from playwright.sync_api import Locator, Page, Position, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from cardhouse.testing.browser.controls import press_until_it_counts

STOPS = 250
"""Nothing on a page is so many presses of Tab away."""

FOCUS = """() => {
  const at = document.activeElement
  if (!at || at === document.body || at.matches('dialog')) return null
  const outlined = (e) => {
    const style = getComputedStyle(e)
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
  }
  const near = [at, at.parentElement, at.parentElement?.parentElement]
  const box = at.getBoundingClientRect()
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
  const own = !over || over.contains(at) || near.some((e) => e?.contains(over))
  return {
    at: at.outerHTML.slice(0, 160),
    outlined: near.some((e) => e && outlined(e)),
    inView: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    behind: own ? '' : over.outerHTML.slice(0, 160),
  }
}"""
"""What has the focus, whether an outline shows it (a small control's label may have it), whether it is in view, and
behind what."""


SETTLED = """async control => {
  await document.fonts.ready
  const frame = () => new Promise(requestAnimationFrame)
  const same = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width
  let now = control.getBoundingClientRect()
  for (let frames = 0, before = {}; frames < 60 && !same(before, now); frames++) {
    before = now
    await frame()
    now = control.getBoundingClientRect()
  }
  const { x, y, width, height } = now
  const there = document.elementFromPoint(x + width * 0.85, y + height / 2)
  const { borderLeftWidth, borderTopWidth } = getComputedStyle(control)
  const border = { x: parseFloat(borderLeftWidth), y: parseFloat(borderTopWidth) }
  return { width, height, border, covered: there !== null && !control.contains(there) }
}"""
"""How large it is when its letters have come and nothing moves it, and whether another card lies on its right.

And its border: Playwright adds it to where one taps, unscaled, and so misses a place on a board seen from afar.
"""
TAP_MILLISECONDS = 15_000
"""What is tapped may become narrower after it was measured: then it is measured anew."""
TAPS = 4


class Mouse:
    """Points and clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, control: Locator) -> None:
        press_until_it_counts(control, control.click)

    def reach(self, control: Locator) -> None:
        """Have the focus there."""
        control.focus()

    def tick(self, box: Locator) -> None:
        """A check box or a radio button."""
        self.press(box)
        expect(box).to_be_checked()

    def write(self, field: Locator, text: str) -> None:
        self.press(field)
        field.press("Control+A")
        self.page.keyboard.type(text)

    def select(self, field: Locator, choice: str) -> None:
        """From a list that the browser itself unfolds."""
        field.select_option(label=choice)


class Touch(Mouse):
    """Taps. What is written comes from a keyboard on the screen, a list is unfolded by the telephone."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._right = False

    def press(self, control: Locator) -> None:
        """Now at the left of it, now at the right: two quick taps at one place would be a double tap."""
        self._right = not self._right
        for last in [*[False] * (TAPS - 1), True]:
            expect(control).to_be_visible()
            settled = control.evaluate(SETTLED)
            right = 0.4 if settled["covered"] else 0.85
            across = settled["width"] * (right if self._right else 0.15)
            border = settled["border"]
            try:
                point: Position = {"x": across - border["x"], "y": settled["height"] / 2 - border["y"]}
                press_until_it_counts(
                    control, partial(control.tap, position=point, timeout=TAP_MILLISECONDS), TAP_MILLISECONDS
                )
            except PlaywrightTimeout:
                if last:
                    raise
            else:
                return


class Keyboard(Mouse):
    """Tab, Enter, Space and the arrows; at each stop it must be plain where one is."""

    def press(self, control: Locator) -> None:
        self.reach(control)
        press_until_it_counts(control, lambda: self.page.keyboard.press("Enter"))

    def tick(self, box: Locator) -> None:
        if box.get_attribute("type") == "checkbox":
            self.reach(box)
            press_until_it_counts(box, lambda: self.page.keyboard.press("Space"))
        else:
            self._choose(box)
        expect(box).to_be_checked()

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def select(self, field: Locator, choice: str) -> None:
        self.reach(field)
        self.page.keyboard.press("Home")
        places: list[str] = [text.strip() for text in field.get_by_role("option").all_text_contents()]
        for _ in range(places.index(choice)):
            self.page.keyboard.press("ArrowDown")

    def reach(self, control: Locator) -> None:
        """Go on with Tab until the focus is there."""
        for _ in range(STOPS):
            if is_focused(control):
                return
            self.page.keyboard.press("Tab")
            self.sees_focus()
        raise AssertionError(f"Tab never comes to {control}")

    def sees_focus(self) -> None:
        focus: dict[str, Any] | None = self.page.evaluate(FOCUS)
        seen = focus is None or (focus["outlined"] and focus["inView"] and not focus["behind"])
        assert seen, f"The focus can't be seen: {focus}"

    def _choose(self, radio: Locator) -> None:
        """Tab comes to the chosen one of a group, the arrows to the others."""
        group = radio.page.locator(f"input[name='{radio.get_attribute('name')}']")
        for _ in range(STOPS):
            if any(is_focused(one) for one in group.all()):
                break
            self.page.keyboard.press("Tab")
            self.sees_focus()
        for _ in range(group.count()):
            if is_focused(radio):
                if not radio.is_checked():
                    self.page.keyboard.press("Space")
                return
            self.page.keyboard.press("ArrowRight")
            self.sees_focus()
        raise AssertionError(f"No key comes to {radio}")


def is_focused(control: Locator) -> bool:
    return bool(control.evaluate("control => control === document.activeElement"))
