/** On the table screen nothing scrolls: what doesn't fit is left out, the last parts first. */

/** Parts that can be left out, inner ones before outer ones. */
const PARTS = 'section, li, .fact'

/** Hide an element's last parts until the rest fits its height. */
export function fold(element: HTMLElement) {
  function look() {
    changed.disconnect()
    const parts = [...element.querySelectorAll<HTMLElement>(PARTS)]
    for (const part of parts) part.hidden = false
    for (let last = parts.pop(); last && element.scrollHeight > element.clientHeight + 1; last = parts.pop())
      last.hidden = true
    changed.observe(element, { childList: true, subtree: true, characterData: true })
  }
  const changed = new MutationObserver(look)
  const resized = new ResizeObserver(look)
  resized.observe(element)
  return {
    destroy() {
      changed.disconnect()
      resized.disconnect()
    },
  }
}
