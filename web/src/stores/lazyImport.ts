import { reloadedFor, saveReload } from './saved.ts'

/**
 * A part of the page that is fetched when it is wanted. A page that was left open while the house was renewed may ask for
 * one that there is no more: it is loaded anew, once, at the address where it was going.
 */
export async function orAnew<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (error) {
    const here = location.pathname
    if (reloadedFor() === here) throw error
    saveReload(here)
    location.reload()
    return new Promise(() => undefined)
  }
}
