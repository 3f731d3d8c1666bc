/**
 * The path prefix of this server on its site, for example `/cards`; empty if the server has the site to itself. The
 * server writes it into the page's head.
 */
const MANIFEST = '/cardhouse.webmanifest'
const manifest = globalThis.document?.querySelector('link[rel=manifest]')?.getAttribute('href') ?? MANIFEST

export const BASE = manifest.slice(0, -MANIFEST.length)

/** Add the server's path prefix to a path. */
export const at = (path: string): string => BASE + path

/** The origin and path prefix of this page. */
export const pageOrigin = (): string => location.origin + BASE

/** The path of the current page, without the server's prefix. */
export const path = (): string => location.pathname.slice(BASE.length)
