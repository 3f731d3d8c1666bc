/*
 * The page's own typefaces. They weigh as much as half the first view, which therefore uses the device's own; they are
 * fetched when the network is idle, and are cached from then on.
 */

import { hasFaces, saveFaces } from './stores/saved.ts'

/** Milliseconds without a request after which the first view is complete. */
const REST_MS = 1500

/** Load the page's typefaces: at once if the browser has them, otherwise when the network is idle. */
export function loadFonts() {
  if (hasFaces()) return void load()
  let waiting = setTimeout(() => void load(), REST_MS)
  const watching = new PerformanceObserver(() => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      watching.disconnect()
      void load()
    }, REST_MS)
  })
  watching.observe({ type: 'resource' })
}

/** If the server is gone, the page keeps the device's typefaces. */
const load = () =>
  import('./fonts.css')
    .then(() => document.fonts.ready)
    .then(saveFaces)
    .catch(() => undefined)
