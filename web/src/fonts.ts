/*
 * The page's own typefaces. They weigh as much as half a first view, so that this one is in the device's own; they come
 * when nothing has been fetched for a while, and from then on a device has them from the beginning.
 */

import { hasFaces, saveFaces } from './stores/saved.ts'

/** Once nothing has been fetched for so long, the first view is there. */
const REST_MS = 1500

/** Have the page set in its own typefaces, at once if this device has them already. */
export function bringFaces() {
  if (hasFaces()) return void bring()
  let waiting = setTimeout(() => void bring(), REST_MS)
  const watching = new PerformanceObserver(() => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      watching.disconnect()
      void bring()
    }, REST_MS)
  })
  watching.observe({ type: 'resource' })
}

/** A page whose house has just gone stays as it is. */
const bring = () =>
  import('./fonts.css')
    .then(() => document.fonts.ready)
    .then(saveFaces)
    .catch(() => undefined)
