/** Keeps the focus on the page, for those who don't see where it went. A table keeps it by itself (table/focus.ts). */

const nowhere = () => document.activeElement === document.body
const atTable = () => document.querySelector('main.table') !== null

function focusOn(element: Element) {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

let watching: MutationObserver | undefined

/** After going to another page, go to its heading once that is there. */
export function arrive(left: Element | null) {
  watching?.disconnect()
  const look = () => {
    const heading = document.querySelector('h1')
    if (!heading || heading === left) return
    watching?.disconnect()
    if (nowhere() && !atTable()) focusOn(heading)
  }
  watching = new MutationObserver(look)
  watching.observe(document.body, { subtree: true, childList: true })
  look()
}

/** After a press on something that then went away, go to the nearest part around it that is still there. */
export function stay(pressed: EventTarget | null) {
  const around: Element[] = []
  for (let part = pressed instanceof Element ? pressed : null; part; part = part.parentElement) around.push(part)
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (!nowhere() || atTable()) return
      const parts = 'section, article, li, dialog[open], main'
      const place =
        document.querySelector('dialog[open]') ?? around.find((one) => one.isConnected && one.matches(parts))
      const there = place ?? document.querySelector('h1')
      if (there) focusOn(there)
    }),
  )
}
