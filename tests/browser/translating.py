"""The browser's own translation, which Chromium has only with the network: what it does to a page, without the words.

Chrome and Edge put `<font><font>…</font></font>` in the place of each text, of those that come later too, and leave out
what says `translate="no"`. The words stay as they are here, so that a translated page and another can be compared.
"""

from playwright.sync_api import Page

_TRANSLATE = """() => {
  const done = new WeakSet()
  const skipped = 'svg, script, style, textarea, font, [translate=no], .notranslate'
  const translate = (text) => {
    const parent = text.parentElement
    if (!parent || done.has(text) || !text.data.trim() || parent.closest(skipped)) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    const translated = document.createTextNode(text.data)
    done.add(translated)
    inner.append(translated)
    outer.append(inner)
    parent.replaceChild(outer, text)
  }
  const all = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    texts.forEach(translate)
  }
  const come = (node) => (node.nodeType === Node.TEXT_NODE ? translate(node) : all(node))
  all(document.body)
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      if (type === 'characterData') come(target)
      else addedNodes.forEach(come)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}"""


def translate(page: Page) -> None:
    """Have the page as it stands translated, and all that is shown on it later."""
    page.evaluate(_TRANSLATE)


def shown(page: Page) -> str:
    """The text of the page, as somebody reads it."""
    return page.locator("main").inner_text()
