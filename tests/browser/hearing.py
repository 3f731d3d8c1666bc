"""Records the speech of a screen reader: the changes of live regions, except those behind an open dialog."""

from collections import Counter
from dataclasses import dataclass

from playwright.sync_api import Page

RECORDER = """() => {
  window.heard = []
  const before = new WeakMap()
  const look = () => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    for (const region of document.querySelectorAll('[aria-live], [role=status], [role=alert]')) {
      const [text, old] = [region.textContent, before.get(region) ?? '']
      before.set(region, text)
      if (text === old || !region.checkVisibility() || !text.trim() || (dialog && !dialog.contains(region))) continue
      const urgent = (region.ariaLive ?? region.role) === 'assertive' || region.role === 'alert'
      heard.push({ text: text.replace(/\\s+/g, ' ').trim(), urgent })
    }
  }
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true })
}"""
"""An initial script: keeps each message, and whether it interrupts."""

LINK = "Replay from here: "


@dataclass(frozen=True)
class Heard:
    text: str
    urgent: bool


def heard(page: Page) -> list[Heard]:
    """Everything that was spoken since the page was opened."""
    return [Heard(**message) for message in page.evaluate("heard")]


def spoken_differently(page: Page, messages: list[Heard], after: int) -> dict[str, int]:
    """How much more often each later entry was spoken than it happened; at the end, when the log has links."""
    links = page.get_by_role("link", name=LINK).evaluate_all("(links) => links.map((a) => [a.href, a.ariaLabel])")
    later = (text for href, text in links if int(href.partition("at=")[2].partition("#")[0]) > after)
    entries = Counter(text.removeprefix(LINK) for text in later)
    found = {}
    for entry, times in entries.items():
        inside = sum(n * other.count(entry) for other, n in entries.items() if other != entry)
        spoken = sum(message.text.count(entry) for message in messages)
        if spoken != times + inside:
            found[entry] = spoken - times - inside
    return found
