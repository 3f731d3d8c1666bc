import { reloadedFor, saveReload } from './saved.ts'

/**
 * Import a part of the page. If the import fails because the server was updated while this page was open, reload once
 * at the current address.
 */
export async function lazyImport<Part>(part: Promise<Part>): Promise<Part> {
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
