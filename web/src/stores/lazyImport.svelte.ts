import { t } from '../i18n/index.ts'
import { reloadedFor, saveReload } from './saved.ts'

/** Whether a part of the page could not be loaded, which `PartMissing` says. */
export const parts = $state({ missing: false })

/** The pauses before a part is asked for again, in milliseconds: a server may be restarting, or a train in a tunnel. */
const PAUSES_MS = [1000, 2000]

/** Import a part of the page; a failure is tried again. */
async function patiently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const pause of PAUSES_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return load()
}

/**
 * Import a part of the page. If that fails, because the server was updated while this page was open or can't be reached,
 * the page says so. Every dynamic import goes through here, but for drawings and typefaces.
 */
export async function lazyImport<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await patiently(load)
  } catch (error) {
    parts.missing = true
    throw new Error(t('part_missing'), { cause: error })
  }
}

/** Import a part to show. If that fails, it is never shown. */
export const lazyPart = <Part>(load: () => Promise<Part>): Promise<Part> => lazyImport(load).catch(never)

/** Import something that the page can do without. A failure shows nothing. */
export const lazyHelp = <Part>(load: () => Promise<Part>): Promise<Part> => patiently(load).catch(never)

/** Import a page that was gone to. If that fails, reload once, as nothing can be lost; then as for any part. */
export async function lazyPage<Part>(load: () => Promise<Part>): Promise<Part> {
  const here = location.pathname
  if (reloadedFor() === here) return lazyPart(load)
  try {
    return await patiently(load)
  } catch {
    saveReload(here)
    location.reload()
    return never()
  }
}

const never = () => new Promise<never>(() => undefined)
