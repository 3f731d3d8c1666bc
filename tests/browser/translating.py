"""Extensions and the browser's own translation rewrite a page's texts.

Chromium has the translation only with the network: this is what it does to a page, without the words.

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


REWRITES = {
    "mark": "text.replaceWith(made('mark', text.data))",
    "wrap": "const span = made('span', ''); text.replaceWith(span); span.append(text)",
    "put around": "const span = made('span', ''); text.before(span); span.append(text)",
    "words": "text.replaceWith(...text.data.split(/(?<= )/).map((word) => made('b', word)))",
    "part": """
        if (!/\\S \\S/.test(text.data)) return
        const rest = text.splitText(text.data.trimEnd().lastIndexOf(' ') + 1)
        rest.replaceWith(made('mark', rest.data))""",
}
"""Changes that extensions make to a text: highlighters, reading aids, dictionaries."""

_REWRITE = """() => {
  const made = (name, text) => Object.assign(document.createElement(name), { className: 'theirs', textContent: text })
  const rewrite = (text) => {
    if (!text.data.trim() || text.parentElement?.closest('svg, script, style, textarea, .theirs') !== null) return
    %s
  }
  const all = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    texts.forEach(rewrite)
  }
  all()
  new MutationObserver(all).observe(document.body, { childList: true, characterData: true, subtree: true })
}"""


def rewrite(page: Page, how: str) -> None:
    """Have all texts of the page rewritten, also those that are shown later."""
    page.evaluate(_REWRITE % REWRITES[how])
