"""The layout of a page on its screen: parts out of view, cut off, covered or too wide."""

from playwright.sync_api import Page

from cardhouse.testing.browser.overflow import STICKS_OUT

DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""Has a page come to draw what it is to show."""

LIES = """() => {
  const found = []
  const words = (e) => (e.ariaLabel ?? e.textContent).trim().replace(/\\s+/g, ' ')
  const told = (e) => `${e.tagName.toLowerCase()} "${words(e).slice(0, 50)}"`
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const onlyHeard = (e) => {
    for (; e; e = e.parentElement)
      if (getComputedStyle(e).clipPath !== 'none' && Math.min(e.clientWidth, e.clientHeight) <= 1) return true
    return false
  }
  const over = (e, x, y) => {
    const at = document.elementFromPoint(x, y)
    return at === null || e.contains(at) || at.contains(e) ? null : at
  }

  const OWN = '.now .ask, .choices .button.bright, .hand [data-card], .hand button > .card, .spot [data-card]'
  for (const e of document.querySelectorAll(OWN)) {
    const { x, y, right, bottom, width, height } = e.getBoundingClientRect()
    if (!width || !height || !shown(e) || onlyHeard(e)) continue
    if (x < -1 || y < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`out of view: ${told(e)}`)
    // Of a card in a hand its corner is enough.
    const points = [[x + 6, y + height / 5], [x + width / 5, y + height / 5], [x + width / 2, y + height / 2]]
    if (points.every(([x, y]) => over(e, x, y))) found.push(`covered: ${told(e)} by ${told(over(e, ...points[2]))}`)
  }

  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement
    if (!text.data.trim() || e.closest('svg, option') || !shown(e) || onlyHeard(e)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const box of range.getClientRects()) {
      let scrolled = false
      let cut = null
      for (let p = e; p !== document.documentElement && !scrolled && !cut; p = p.parentElement) {
        const style = getComputedStyle(p)
        if (style.display === 'inline' || style.display === 'contents') continue
        const round = p.getBoundingClientRect()
        const away = (flow, low, high, from, to, slack) => {
          if (flow === 'visible' || (low >= from - slack && high <= to + slack)) return
          // What is shortened ends with three dots, and is whole elsewhere.
          const dots = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
          if (flow === 'auto' || flow === 'scroll' || dots) scrolled = true
          else cut = p
        }
        away(style.overflowX, box.left, box.right, round.left, round.right, 3)
        away(style.overflowY, box.top, box.bottom, round.top, round.bottom, box.height / 4)
      }
      if (cut) found.push(`cut off: ${told(e)} in ${told(cut)}`)
      if (cut || scrolled || box.width < 2 || getComputedStyle(e).pointerEvents === 'none') continue
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`beside the screen: ${told(e)}`)
      const at = over(e, box.x + box.width / 2, box.y + box.height / 2)
      const withIt = at?.matches('.link, label *') || (at?.closest('.card') && e.closest('.card, [data-card]'))
      if (at && !withIt && box.bottom > 0 && box.top < innerHeight) found.push(`covered: ${told(e)} by ${told(at)}`)
    }
  }
  return [...new Set(found)]
}"""
"""The decision and one's own cards that can't be seen whole, and texts that are cut off or covered.

What a part scrolls to is neither, nor what a card lets see of the one below.
"""

SCROLLS = """() => [...document.querySelectorAll('main > .panes > .first > .middle')]
  .filter((e) => innerWidth >= 896 && e.scrollHeight > e.clientHeight + 1)
  .map((e) => `the cloth scrolls, ${e.scrollHeight} in ${e.clientHeight}`)"""


def lies_wrong(page: Page) -> list[str]:
    """What is wrong with how a table lies on a player's or game master's screen, once it has been drawn."""
    page.evaluate(DRAWN)
    wrong: list[str] = []
    for look in (LIES, SCROLLS, STICKS_OUT):
        wrong += page.evaluate(look)
    return wrong
