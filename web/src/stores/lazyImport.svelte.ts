import { t } from '../i18n/index.ts'
import { reloadedFor, saveReload } from './saved.ts'

/** Whether a part of the page could not be loaded, which `PartMissing` says. */
export const parts = $state({ missing: false })

/**
 * Import a part of the page. If that fails, because the server was updated while this page was open or can't be reached,
 * the page says so. Every dynamic import goes through here, but for drawings and typefaces.
 */
export async function lazyImport<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (error) {
    parts.missing = true
    throw new Error(t('part_missing'), { cause: error })
  }
}

/** Import a part to show. If that fails, it is never shown. */
export const lazyPart = <Part>(part: Promise<Part>): Promise<Part> => lazyImport(part).catch(never)

/** Import a page that was gone to. If that fails, reload once, as nothing can be lost; then as for any part. */
export async function lazyPage<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (error) {
    const here = location.pathname
    if (reloadedFor() === here) return lazyPart(Promise.reject(error))
    saveReload(here)
    location.reload()
    return never()
  }
}

const never = () => new Promise<never>(() => undefined)
